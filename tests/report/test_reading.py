import json
import shutil

import pytest

from blicket.core.errors import InputError
from blicket.report.reading import read_runs


@pytest.fixture
def copied(transformer, tmp_path):
    """The run with some files exchanged; None takes a file away."""

    def copy(**texts):
        path = tmp_path / "run"
        shutil.copytree(transformer, path)
        for name, text in texts.items():
            file = path / name.replace("__", "/").replace("_json", ".json").replace("seed_", "seed-")
            file.unlink() if text is None else file.write_text(text)
        return path

    return copy


def refused(path):
    with pytest.raises(InputError) as refusal:
        read_runs([path])
    message = str(refusal.value)
    assert "\n" not in message
    return message


def test_a_run_is_read_with_its_seeds_and_what_became_of_them(transformer):
    (run,) = read_runs([transformer])
    assert (run.label, run.form, run.is_result) == ("cogs-transformer", "conjunctive", True)
    assert (run.finished, run.failed, run.unfinished) == ([1, 2, 3], [4], [])
    assert list(run.scores) == ["dev", "test", "gen"]
    assert run.focus == ["gen"]
    assert run.curves[1].best is not None
    assert [point.update for point in run.curves[4].points] == [500, 1000, 1500, 2000, 2500, 3000]


def test_a_loss_that_is_no_number_is_read_as_one(transformer):
    (run,) = read_runs([transformer])
    last = run.curves[4].points[-1]
    assert last.dev_loss != last.dev_loss


def test_a_seed_that_lacks_a_split_is_unfinished(copied):
    (run,) = read_runs([copied(seed_2__gen_json=None)])
    assert (run.finished, run.unfinished) == ([1, 3], [2])


def test_runs_of_one_name_are_told_apart_by_their_directories(transformer, copied):
    path = copied()
    labels = [run.label for run in read_runs([transformer, path])]
    assert labels == [transformer.name, "run"]


def test_a_run_counts_once(transformer):
    assert "given twice" in refused_all([transformer, transformer / "." / ""])


def refused_all(paths):
    with pytest.raises(InputError) as refusal:
        read_runs(paths)
    return str(refusal.value)


def test_what_is_no_run_is_refused(tmp_path):
    assert "is no run" in refused(tmp_path)
    assert "is no run" in refused(tmp_path / "nowhere")


def test_a_run_without_a_finished_seed_is_refused(make_run):
    message = refused(make_run(seeds=(4,), failed=(4,)))
    assert "no seed of this run is finished; training failed with seed 4" in message


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"run_json": "{"}, "cannot be read as JSON"),
        ({"run_json": "[]"}, "it is '[]', expected an object"),
        ({"run_json": "{}"}, "recipe is missing"),
        ({"run_json": '{"recipe": {"data": 3}}'}, "recipe.data is '3', expected an object"),
        ({"seed_2__curve_json": "nothing"}, "cannot be read as JSON"),
        ({"seed_2__curve_json": '{"failed": false, "curve": [{}]}'}, "update is missing, expected a number"),
        ({"seed_2__gen_json": "[1]"}, "it is '[1]', expected an object"),
        ({"seed_2__gen_json": '{"n": 3}'}, "exact is missing"),
        ({"seed_2__gen_json": '{"n": 1, "exact": "1", "meaning": 1, "by": {}}'}, "exact is '1', expected a number"),
        ({"seed_2__gen_json": '{"n": 1, "exact": 1, "meaning": 1}'}, "by is missing"),
        (
            {"seed_2__gen_json": '{"n": 1, "exact": 1, "meaning": 1, "by": {"case": {"a": {}}}}'},
            "by.case.a.n is missing",
        ),
    ],
)
def test_damaged_files_are_named_with_what_is_wrong(copied, files, said):
    path = copied(**files)
    message = refused(path)
    assert str(path) in message
    assert said in message


def test_an_unknown_benchmark_or_split_is_refused(copied, transformer):
    about = json.loads((transformer / "run.json").read_text())
    about["recipe"]["data"]["benchmark"] = "cog"
    path = copied(run_json=json.dumps(about))
    assert "recipe.data.benchmark is 'cog'" in refused(path)
    assert "did you mean 'cogs'?" in refused(path)
    about["recipe"]["data"] |= {"benchmark": "cogs", "evaluate": ["../gen"]}
    (path / "run.json").write_text(json.dumps(about))
    assert "there is no split '../gen'" in refused(path)
