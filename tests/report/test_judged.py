import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from blicket.core.errors import InputError
from blicket.core.verdict import Outcome, Verdict
from blicket.report.judged import judge_runs, kinds_of
from blicket.report.reading import read_runs


@pytest.fixture
def changed(transformer, tmp_path):
    """The run, to be spoiled."""
    path = tmp_path / "run"
    shutil.copytree(transformer, path)
    return path


@pytest.fixture(scope="module")
def judged(transformer):
    return {of.split: of for of in judge_runs(read_runs([transformer]))}


def test_what_was_selected_on_is_not_looked_at(judged):
    assert list(judged) == ["test", "gen"]


def test_verdicts_are_those_of_the_scorecards(judged, transformer):
    (run,) = read_runs([transformer])
    gen = judged["gen"]
    for seed, verdicts in gen.verdicts.items():
        card = run.scores["gen"][seed]
        assert sum(v.exact for v in verdicts) / len(verdicts) == card["exact"]
        assert sum(v.outcome == Outcome.UNPARSEABLE for v in verdicts) / len(verdicts) == card["unparseable"]
        assert len(gen.wrong(seed)) == round(420 * (1 - card["exact"]))


def test_the_longest_target_that_was_learned_from(judged, transformer):
    targets = pq.read_table(transformer / "data/train.parquet")["target"].to_pylist()
    assert judged["gen"].longest_learned == max(len(target.split()) for target in targets)


@pytest.mark.parametrize(
    ("verdict", "output", "kinds"),
    [
        (Verdict.missing(), None, {"no_answer"}),
        (Verdict(Outcome.INCORRECT, False), "x", {"of_no_kind_named"}),
        (Verdict(Outcome.CORRECT, False), "x", {"same_meaning"}),
        (Verdict(Outcome.UNDECIDED, False), "x", {"undecided"}),
        (Verdict(Outcome.UNPARSEABLE, False, frozenset({"early_end"})), "x", {"unparseable", "early_end"}),
    ],
)
def test_kinds_of_error(verdict, output, kinds):
    assert kinds_of(verdict, output) == kinds


def refused(path):
    with pytest.raises(InputError) as refusal:
        judge_runs(read_runs([path]))
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def test_damaged_predictions_are_refused(changed):
    (changed / "seed-2/gen.parquet").write_bytes(b"PAR1 and no more")
    assert "seed-2/gen.parquet: cannot be read" in refused(changed)
    (changed / "seed-2/gen.parquet").unlink()
    assert "seed-2/gen.parquet: cannot be read" in refused(changed)


def test_damaged_or_missing_data_is_refused(changed):
    (changed / "data/gen.parquet").write_bytes(b"PAR1 and no more")
    assert "gen.parquet: is not the file that dataset.json lists" in refused(changed)
    shutil.rmtree(changed / "data")
    assert "data: is no directory" in refused(changed)


def test_a_scorecard_that_is_not_of_the_answers_beside_it_is_refused(changed):
    card = json.loads((changed / "seed-2/gen.json").read_text())
    (changed / "seed-2/gen.json").write_text(json.dumps({**card, "exact": 0.99}))
    message = refused(changed)
    (changed / "seed-2/gen.json").write_text(json.dumps({**card, "n": 400}))
    assert "of 400 rows exact" in refused(changed)
    assert "seed-2/gen.json: says 0.99 of 420 rows exact, but the answers beside it are" in message


def test_a_missing_answer_is_wrong_and_has_no_kind_but_that(changed):
    from blicket import benchmark, score

    file = changed / "seed-2/gen.parquet"
    table = pq.read_table(file)
    pq.write_table(pa.table(table.slice(1)), file)
    (run,) = read_runs([changed])
    scores = score(benchmark("cogs"), [file], "conjunctive", run.directory.dataset())
    (changed / "seed-2/gen.json").write_text(json.dumps(scores.as_dict()))
    gen = judge_runs(read_runs([changed]))[-1]
    assert gen.outputs[2][0] is None
    assert gen.kinds(2, 0) == {"no_answer"}
