"""What probes found, in a report of real, tiny runs."""

import csv
import io
import json
from collections import Counter
from statistics import fmean

import pytest

from blicket.core.errors import InputError
from blicket.core.predictions import read_predictions
from blicket.report import report_of, write_report
from blicket.report.reading import read_runs
from blicket.runs.directory import RunDirectory

PROBES = ("holdout", "jabberwocky", "perturbation", "identical", "consistency")


@pytest.fixture(scope="module")
def runs(probed_runs):
    return [RunDirectory(path) for path in probed_runs]


@pytest.fixture(scope="module")
def report(runs):
    return report_of([run.path for run in runs])


def records(report, name):
    figure = next(figure for figure in report.figures if figure.name == name)
    return list(csv.DictReader(io.StringIO(figure.numbers.decode())))


def test_every_probe_has_a_figure_and_perturbation_types_have_one(report):
    names = [figure.name for figure in report.figures if figure.name.startswith("probe-")]
    assert set(names) == {*(f"probe-{name}" for name in PROBES), "probe-perturbation-type"}
    assert names.index("probe-perturbation-type") == names.index("probe-perturbation") + 1


def test_blocks_of_words_are_no_sizes(report):
    assert "size" not in {figure.name for figure in report.figures}


def test_numbers_are_those_of_the_scorecards(report, runs):
    for name in PROBES:
        for row in records(report, f"probe-{name}"):
            run = runs[row["run"] == "other"]
            wanted = run.read_probes(int(row["seed"]))["probes"][name]["by"][row["kind"]][row["group"]]
            assert (int(row["n"]), int(row["blocks"]), float(row["mean"])) == tuple(
                wanted[k] for k in ("n", "blocks", "mean")
            )
    types = records(report, "probe-perturbation-type")
    assert {row["kind"] for row in types} == {"type"}
    assert len({row["group"] for row in types}) > 40


def test_published_means_stand_beside_the_run_that_answers_to_them(report):
    rows = records(report, "probe-identical")
    found = {(row["run"], row["group"]): (row["published"], row["published_sd"]) for row in rows}
    assert found["pairs", "negation"] == ("0.5568", "0.2029")
    assert found["other", "negation"] == ("", "")
    consistency = {
        row["group"]: row["published"] for row in records(report, "probe-consistency") if row["run"] == "pairs"
    }
    assert consistency["independence"] == "0.974"
    table = report.tables["probe-identical"][0]
    (row,) = [row for row in table.rows if row[:2] == ["Negation ^", "pairs"]]
    assert row[6:8] == ["0.557", "0.203"]
    assert table.rows[0][0] == "All items"
    summary = [row for row in report.summary.rows if row[0] == "holdout" and row[1] == "pairs"]
    assert "0.951" in " ".join(summary[0])


def test_confusions_are_what_was_said(report, runs):
    tables = {table.name: table for of in report.tables.values() for table in of}
    for split in ("holdout", "jabberwocky"):
        table = tables[f"confusion-{split}-pairs"]
        said = Counter()
        rows = list(runs[0].dataset()[split])
        for seed in (1, 2):
            (predictions,) = read_predictions(runs[0].predictions(seed, split), ("premise", "hypothesis")).values()
            said.update((row.targets["relation"], p.output) for row, p in zip(rows, predictions, strict=True))
        relations = [column.title.removeprefix("said ") for column in table.columns[2:]]
        for gold, items, *shares in table.rows:
            assert int(items) == sum(row.targets["relation"] == gold for row in rows)
            wanted = [said[gold, relation] / int(items) / 2 for relation in relations]
            assert [float(share) for share in shares] == pytest.approx(wanted, abs=6e-4)
            assert sum(map(float, shares)) == pytest.approx(1, abs=4e-3)
    assert "confusion-identical-other" in tables


def test_tables_average_over_seeds(report, runs):
    (row,) = [row for row in report.tables["probe-jabberwocky"][0].rows if row[:2] == ["All items", "other"]]
    means = [runs[1].read_probes(seed)["probes"]["jabberwocky"]["by"]["all"]["all"]["mean"] for seed in (1, 2)]
    assert float(row[3]) == pytest.approx(fmean(means), abs=6e-4)
    assert [float(value) for value in row[-1].split()] == pytest.approx(means, abs=6e-4)


def test_words_are_drawn_for_the_first_seed_of_each_run(report, runs):
    rows = records(report, "words")
    assert {(row["run"], row["seed"]) for row in rows} == {("pairs", "1"), ("other", "1")}
    wanted = {word["word"]: word for word in runs[1].read_words(1)["words"]}
    for row in rows:
        if row["run"] == "other":
            assert float(row["x"]) == wanted[row["word"]]["x"]
            assert float(row["right"]) == wanted[row["word"]]["right"]
    (figure,) = [figure for figure in report.figures if figure.name == "words"]
    drawn = str(figure.parts[0][1][0])
    assert drawn.count('class="dot m4"') == drawn.count('class="dot m0"') == 12
    assert f"p {runs[0].read_words(1)['lengths']['p']:.3f}" in drawn
    assert 'opacity="1.00"' in drawn
    assert 'opacity="0.15"' in drawn


def test_choices_have_no_kinds_of_error_and_no_alignments(report):
    assert report.errors == []
    assert not any(figure.name.endswith("-errors") for figure in report.figures)


def test_all_files_are_written(report, tmp_path):
    page = write_report(report, tmp_path)
    assert (tmp_path / "probe-consistency.csv").exists()
    assert (tmp_path / "confusion-identical-pairs.tex").exists()
    assert page.read_text().count("<svg") > 20


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda said: said.update(probes=5), "probes.json: probes is '5', expected an object"),
        (lambda said: said["probes"]["holdout"].pop("title"), "probes.holdout.title is missing, expected a string"),
        (
            lambda said: said["probes"]["holdout"]["by"]["all"]["all"].pop("mean"),
            "by.all.all.mean is missing, expected a number",
        ),
    ],
)
def test_damaged_findings_are_one_line(runs, tmp_path, damage, says):
    import shutil

    shutil.copytree(runs[0].path, tmp_path / "run")
    file = tmp_path / "run/seed-1/probes.json"
    said = json.loads(file.read_text())
    damage(said)
    file.write_text(json.dumps(said))
    with pytest.raises(InputError) as refusal:
        read_runs([tmp_path / "run"])
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)
