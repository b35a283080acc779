"""Comparing runs and files of predictions: every number against naive counting, and what cannot be compared refused."""

import json
import random
import shutil
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest

from blicket.benchmarks.cogs import Cogs
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.randomness import Stream
from blicket.core.storage import write_dataset
from blicket.core.verdict import Outcome
from blicket.runs.directory import RunDirectory
from blicket.statistics.bootstrap import difference

FORM = "conjunctive"
COGS = Cogs()


@pytest.fixture(scope="session")
def dataset():
    return COGS.build(2, COGS.options({"train": 12, "dev": 30, "test": 10, "gen": 10, "exposures": [1]}))


def answers(dataset, split, wrong, seed, form=FORM):
    """Answers that are wrong, or say the same in another way, this often."""
    rng = random.Random(f"{split} {wrong} {seed}")
    said = {}
    for example in dataset[split]:
        target = example.targets[form]
        if rng.random() < wrong:
            target = "cat" if rng.random() < 0.7 else target.replace("x _ ", "x _ 9")
        said[example.id] = target
    return said


class Runs:
    """Makes run directories as `blicket run` leaves them, from corrupted gold."""

    def __init__(self, dataset, tmp_path):
        self.dataset, self.place = dataset, tmp_path
        self.said = {}

    def __call__(self, name, seeds, wrong, splits=("dev", "gen"), dataset=None, form=None, benchmark="cogs"):
        run = RunDirectory(self.place / name)
        data = dataset or self.dataset
        write_dataset(data, run.data, "parquet", FORM)
        about = {"benchmark": benchmark, "form": form, "evaluate": ["dev", "gen"]}
        (run.path / "run.json").write_text(json.dumps({"recipe": {"data": about}, "data": {}, "result": True}))
        for seed in seeds:
            run.of_seed(seed).mkdir()
            run.curve(seed).write_text(json.dumps({"seed": seed, "failed": False}))
            for split in splits:
                said = answers(data, split, wrong, seed, form or FORM)
                self.said[name, seed, split] = said
                write_predictions(run.predictions(seed, split), [Predictions(str(seed), list(said), [*said.values()])])
                run.scores(seed, split).write_text("{}")
        return run.path


@pytest.fixture
def runs(dataset, tmp_path):
    return Runs(dataset, tmp_path)


def written(path, rows, header=("id", "prediction")):
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join("\t".join(row) for row in [header, *rows]) + "\n", "utf-8")
    return path


def object_of(ran):
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def right(dataset, split, said):
    """By measure: for each row, whether it is right."""
    verdicts = [COGS.judge(FORM).verdict(e.inputs, e.targets[FORM], said[e.id]) for e in dataset[split]]
    return {"exact": [v.exact for v in verdicts], "meaning": [v.outcome is Outcome.CORRECT for v in verdicts]}


def groups_of(dataset, split):
    rows = defaultdict(list)
    for row, example in enumerate(dataset[split]):
        rows["", ""].append(row)
        rows["case", example.case].append(row)
        if example.case in COGS.cases:
            rows["kind", COGS.cases[example.case].kind].append(row)
    return rows


def test_every_number_is_that_of_naive_counting(blicket, runs, dataset):
    a, b = runs("a", (1, 2, 3), 0.3), runs("b", (3, 1, 2), 0.5)
    said = object_of(blicket("compare", a, b, "--json"))
    assert (said["benchmark"], said["form"], said["a"], said["b"]) == ("cogs", FORM, str(a), str(b))
    assert (said["confidence"], said["replicates"]) == (0.95, 10_000)
    assert list(said["splits"]) == ["dev", "gen"]
    for split, of_split in said["splits"].items():
        assert of_split["n"] == len(dataset[split])
        assert of_split["seeds"] == {"a": ["1", "2", "3"], "b": ["1", "2", "3"], "paired": True} | {
            "resampled": "Seeds were resampled, in pairs: A and B both have 1, 2, 3."
        }
        everything = {
            name: [right(dataset, split, runs.said[name, seed, split]) for seed in (1, 2, 3)] for name in ("a", "b")
        }
        for (kind, group), rows in groups_of(dataset, split).items():
            found = of_split["by"][kind][group] if kind else of_split
            for measure in ("exact", "meaning"):
                numbers = found[measure]
                assert numbers["n"] == len(rows)
                means = {
                    name: [fmean(seed[measure][row] for row in rows) for seed in seeds]
                    for name, seeds in everything.items()
                }
                for name, each in means.items():
                    assert numbers[name]["seeds"] == pytest.approx(each)
                    assert numbers[name]["mean"] == pytest.approx(fmean(each))
                    assert numbers[name]["sd"] == pytest.approx(stdev(each))
                assert numbers["difference"] == pytest.approx(fmean(means["a"]) - fmean(means["b"]))
                assert numbers["low"] <= numbers["difference"] <= numbers["high"]
                assert numbers["excludes_zero"] == (numbers["low"] > 0 or numbers["high"] < 0)
    assert list(said["splits"]["gen"]["by"]["case"]) == list(COGS.cases)
    assert said["splits"]["gen"]["meaning"]["a"]["mean"] > said["splits"]["gen"]["exact"]["a"]["mean"]


def test_the_intervals_are_of_the_rows_of_each_seed(blicket, runs, dataset):
    a, b = runs("a", (1, 2, 3), 0.3), runs("b", (1, 2, 3), 0.5)
    said = object_of(blicket("compare", a, b, "--split", "gen", "--json"))["splits"]["gen"]
    sides = [
        np.array([right(dataset, "gen", runs.said[name, seed, "gen"])["exact"] for seed in (1, 2, 3)])
        for name in ("a", "b")
    ]
    expected = difference(*sides, Stream(7, "another"), paired=True, replicates=40_000)
    assert (said["exact"]["low"], said["exact"]["high"]) == pytest.approx((expected.low, expected.high), abs=0.02)
    assert said["exact"]["above_zero"] == pytest.approx(expected.above, abs=0.02)


def test_it_says_the_same_each_time(blicket, runs):
    a, b = runs("a", (1, 2), 0.3), runs("b", (1, 2), 0.5)
    first, again = (blicket("compare", a, b, "--json").out for _ in range(2))
    assert first == again


def test_other_names_of_seeds_are_no_pairs(blicket, runs):
    a, b, c = runs("a", (1, 2, 3), 0.3), runs("b", (1, 2), 0.5), runs("c", (4,), 0.5)
    seeds = object_of(blicket("compare", a, b, "--json"))["splits"]["gen"]["seeds"]
    assert not seeds["paired"]
    assert "independently, those of A (1, 2, 3) and those of B (1, 2): the names differ" in seeds["resampled"]
    seeds = object_of(blicket("compare", a, c, "--json"))["splits"]["gen"]["seeds"]
    assert seeds["resampled"] == (
        "Seeds were resampled, those of A (1, 2, 3) alone: B has one seed, so seeds do not enter there."
    )


def test_single_seeds_do_not_enter(blicket, runs):
    a, b = runs("a", (1,), 0.3), runs("b", (1,), 0.5)
    said = object_of(blicket("compare", a, b, "--json"))["splits"]["gen"]
    assert said["seeds"]["resampled"] == "Seeds were not resampled, and do not enter: A and B have one seed each."
    assert not said["seeds"]["paired"]
    assert said["exact"]["a"]["sd"] is None


def test_the_table(blicket, runs):
    a, b = runs("a", (1, 2, 3), 0.1), runs("b", (1, 2, 3), 0.6)
    ran = blicket("compare", a, b)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert max(len(line) for line in lines if str(a) not in line and str(b) not in line) <= 80
    said = object_of(blicket("compare", a, b, "--json"))["splits"]["gen"]
    at = lines.index("cogs gen: 210 rows, exact match")
    whole = said["exact"]
    words = lines[at + 2].split()
    assert words[:3] == ["all", "rows", "210"]
    assert words[3:5] == [f"{side['mean']:.3f}±{side['sd']:.3f}" for side in (whole["a"], whole["b"])]
    assert words[5:] == [f"{whole['difference']:+.3f}", f"{whole['low']:+.3f}", "to", f"{whole['high']:+.3f}", "*"]
    exact = lines[at : lines.index("Meaning, where it says something else", at)]
    marked = sum(line.rstrip().endswith("*") for line in exact)
    shown = [said, *said["by"]["kind"].values(), *said["by"]["case"].values()]
    assert marked == sum(found["exact"]["excludes_zero"] for found in shown)
    text = " ".join(ran.out.split())
    assert "Subject to object (common" in text
    assert "lexical 180" in text
    assert "Rows were resampled 10,000 times, always the same for A and B." in text
    assert "Seeds were resampled, in pairs: A and B both have 1, 2, 3." in text
    assert "*: the 95% interval of the difference excludes 0." in text
    assert "Of 21 intervals by case, 1.1 would exclude 0 by chance" in text
    assert f"A by seed, all rows: 1: {whole['a']['seeds'][0]:.3f}" in text


def test_meaning_is_shown_where_it_differs_alone(blicket, dataset, tmp_path):
    wrong = {e.id: e.targets[FORM] for e in dataset["gen"]}
    others = wrong | {"gen/0": wrong["gen/0"].replace("x _ ", "x _ 9")}
    a, b = (written(tmp_path / f"{n}.tsv", said.items()) for n, said in (("a", wrong), ("b", others)))
    write_dataset(dataset, tmp_path / "data", "tsv", FORM)
    ran = blicket("compare", a, b, "--benchmark", "cogs", "--data", tmp_path / "data")
    assert ran.status == 0
    case = next(iter(dataset["gen"])).case
    _, meaning = ran.out.split("Meaning, where it says something else")
    assert COGS.cases[case].title[:17] in meaning
    assert "Depth: PP modifiers" not in meaning
    wrong["gen/0"] = "x"
    written(tmp_path / "b.tsv", wrong.items())
    assert "Meaning" not in blicket("compare", a, b, "--benchmark", "cogs", "--data", tmp_path / "data").out


def test_the_confidence_is_as_wished(blicket, runs):
    a, b = runs("a", (1, 2), 0.3), runs("b", (1, 2), 0.5)
    wide, narrow = (
        object_of(blicket("compare", a, b, "--json", "--confidence", c))["splits"]["gen"]["exact"] for c in (0.99, 0.8)
    )
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]
    ran = blicket("compare", a, b, "--confidence", ".999")
    assert "99.9% interval" in ran.out


def test_files_are_compared_as_runs_are(blicket, runs, dataset, tmp_path):
    """The same answers as runs, as a directory with a file a seed, and as a file with a column of respondents."""
    a, b = runs("a", (1, 2), 0.3, splits=("gen",)), runs("b", (1, 2), 0.5, splits=("gen",))
    write_dataset(dataset, tmp_path / "data", "jsonl", FORM)
    for name in "ab":
        each = {seed: runs.said[name, seed, "gen"].items() for seed in (1, 2)}
        for seed, said in each.items():
            written(tmp_path / f"files-{name}" / f"{seed}.tsv", said)
        rows = [(id_, str(seed), output) for seed, said in each.items() for id_, output in said]
        written(tmp_path / f"{name}.tsv", rows, ("id", "respondent", "prediction"))
    expected = object_of(blicket("compare", a, b, "--json"))["splits"]
    words = ["--benchmark", "cogs", "--data", tmp_path / "data", "--json"]
    for pair in [("files-a", "files-b"), ("a.tsv", "b.tsv"), ("files-a", "b.tsv")]:
        assert object_of(blicket("compare", *(tmp_path / name for name in pair), *words))["splits"] == expected
    assert object_of(blicket("compare", a, tmp_path / "b.tsv", "--json"))["splits"] == expected
    assert object_of(blicket("compare", tmp_path / "files-a", b, "--json"))["splits"] == expected


def test_pairs_are_made_by_name_and_not_by_place(blicket, dataset, tmp_path):
    """B answers as A does, seed by seed, but lists its seeds the other way round."""
    write_dataset(dataset, tmp_path / "data", "tsv", FORM)
    rows = [(id_, seed, said) for seed in "123" for id_, said in answers(dataset, "gen", int(seed) / 5, seed).items()]
    header = ("id", "respondent", "prediction")
    a, b = written(tmp_path / "a.tsv", rows, header), written(tmp_path / "b.tsv", rows[::-1], header)
    said = object_of(blicket("compare", a, b, "--benchmark", "cogs", "--data", tmp_path / "data", "--json"))
    found = said["splits"]["gen"]
    assert found["seeds"]["a"] == found["seeds"]["b"] == ["1", "2", "3"]
    assert found["exact"]["a"] == found["exact"]["b"]
    assert (found["exact"]["low"], found["exact"]["high"]) == (0, 0)


def own_rows(dataset, wrong, seed):
    said = answers(dataset, "gen", wrong, seed)
    return [(e.inputs[0], e.targets[FORM], e.case, said[e.id]) for e in dataset["gen"]]


OWN = ("source", "target", "case", "prediction")


def test_files_may_bring_their_own_rows_in_any_order(blicket, runs, dataset, tmp_path):
    a = written(tmp_path / "a.tsv", own_rows(dataset, 0.3, 1), OWN)
    b = written(tmp_path / "b.tsv", own_rows(dataset, 0.5, 1)[::-1], OWN)
    said = object_of(blicket("compare", a, b, "--benchmark", "cogs", "--json"))
    (split,) = said["splits"]
    assert split == ""
    found = said["splits"][""]["exact"]
    assert found["a"]["mean"] == pytest.approx(fmean(x[1] == x[3] for x in own_rows(dataset, 0.3, 1)))
    assert found["b"]["mean"] == pytest.approx(fmean(x[1] == x[3] for x in own_rows(dataset, 0.5, 1)))
    with_run = object_of(blicket("compare", runs("run", (1,), 0.5), a, "--json"))["splits"]
    assert with_run["gen"]["exact"]["b"]["mean"] == found["a"]["mean"]


def test_a_seed_without_answers_to_a_split_is_left_out_and_named(blicket, runs):
    a, b = runs("a", (1, 2, 3), 0.3), runs("b", (1, 2, 3), 0.5)
    run = RunDirectory(a)
    run.scores(2, "gen").unlink()
    ran = blicket("compare", a, b, "--json")
    said = object_of(ran)["splits"]
    assert said["gen"]["seeds"]["a"] == ["1", "3"]
    assert said["dev"]["seeds"]["a"] == ["1", "2", "3"]
    assert ran.err == "A, seed 2: has no answers to gen, left out\n"


def test_a_seed_all_of_whose_rows_are_unknown_is_left_out(blicket, dataset, tmp_path):
    write_dataset(dataset, tmp_path / "data", "tsv", FORM)
    for name in ("a", "b"):
        for seed in (1, 2):
            written(tmp_path / name / f"{seed}.tsv", answers(dataset, "gen", 0.3, f"{name}{seed}").items())
    written(tmp_path / "a" / "3.tsv", [("gen/9999", "x")])
    words = ["--benchmark", "cogs", "--data", tmp_path / "data", "--json"]
    ran = blicket("compare", tmp_path / "a", tmp_path / "b", *words)
    assert object_of(ran)["splits"]["gen"]["seeds"]["a"] == ["1", "2"]
    assert ran.err == "A, seed 3: has no answers to gen, left out\n"


def test_missing_rows_are_incorrect_and_named(blicket, dataset, tmp_path):
    write_dataset(dataset, tmp_path / "data", "tsv", FORM)
    gold = {e.id: e.targets[FORM] for e in dataset["gen"]}
    a = written(tmp_path / "a.tsv", gold.items())
    b = written(tmp_path / "b.tsv", [*gold.items()][21:])
    ran = blicket("compare", a, b, "--benchmark", "cogs", "--data", tmp_path / "data", "--json")
    assert object_of(ran)["splits"]["gen"]["exact"]["difference"] == pytest.approx(0.1)
    assert "B, seed b: 21 missing, counted as incorrect: gen/0" in ran.err


def test_the_form_of_files_can_be_said(blicket, dataset, tmp_path):
    write_dataset(dataset, tmp_path / "data", "tsv", FORM)
    paths = [
        written(tmp_path / f"{wrong}.tsv", answers(dataset, "gen", wrong, 1, "variable-free").items())
        for wrong in (0, 0.5)
    ]
    words = ["--benchmark", "cogs", "--data", tmp_path / "data", "--json", "--form", "variable-free"]
    said = object_of(blicket("compare", *paths, *words))
    assert (said["form"], said["splits"]["gen"]["exact"]["a"]["mean"]) == ("variable-free", 1)


def refused(ran, *says):
    assert (ran.status, ran.out) == (2, ""), ran
    assert ran.err.startswith("blicket: ")
    assert ran.err.count("\n") == 1
    for part in says:
        assert part in ran.err, ran.err


def test_runs_that_cannot_be_compared(blicket, runs, dataset, tmp_path):
    a = runs("a", (1, 2), 0.3)
    refused(blicket("compare", a, a), "given twice")
    refused(blicket("compare", a, tmp_path / "a" / ".." / "a"), "given twice")
    refused(blicket("compare", a, tmp_path / "nothing"), "nothing", "no such file or directory")
    (tmp_path / "empty").mkdir()
    refused(blicket("compare", a, tmp_path / "empty"), "empty", "neither a run", "predictions")
    (tmp_path / "notes.txt").write_text("x")
    refused(blicket("compare", a, tmp_path / "notes.txt"), "notes.txt", ".parquet")
    refused(blicket("compare", a, runs("untrained", (), 0.5)), "untrained", "no seed of this run is finished")
    refused(blicket("compare", a, runs("unscored", (1,), 0.5, splits=())), "no seed of this run is finished")
    refused(blicket("compare", a, runs("b", (1,), 0.5), "--split", "gne"), "'gne'", "did you mean 'gen'")
    refused(blicket("compare", a, runs("c", (1,), 0.5, splits=("dev",)), "--split", "gen"), "c: no seed has", "'gen'")
    dev, gen = runs("dev", (1,), 0.5, splits=("dev",)), runs("gen", (1,), 0.5, splits=("gen",))
    refused(blicket("compare", dev, gen), "no rows in common", "A answers dev", "B gen")
    refused(blicket("compare", a, gen, "--data", a / "data"), "runs know their data")
    refused(blicket("compare", a, gen, "--benchmark", "cgos"), "different benchmarks", "cogs", "cgos")
    refused(blicket("compare", a, runs("other", (1,), 0.5, benchmark="wugs")), "different benchmarks", "cogs", "wugs")
    refused(blicket("compare", a, runs("free", (1,), 0.5, form="variable-free")), "different forms", "variable-free")
    refused(blicket("compare", a, gen, "--form", "variable-free"), "different forms", "--form")
    refused(blicket("compare", a, gen, "--confidence", "95"), "--confidence 95", "0.95")
    refused(blicket("compare", a), "B")


def test_different_gold_rows(blicket, runs, dataset, tmp_path):
    a = runs("a", (1,), 0.3)
    settings = {"train": 12, "dev": 30, "test": 10, "gen": 10, "exposures": [1]}
    again = COGS.build(2, COGS.options(settings | {"train": 13}))
    other = COGS.build(3, COGS.options(settings))
    fewer = COGS.build(2, COGS.options(settings | {"dev": 29}))
    rows = [(e.inputs, e.targets[FORM]) for e in dataset["dev"]]
    assert rows != [(e.inputs, e.targets[FORM]) for e in other["dev"]]
    refused(blicket("compare", a, runs("b", (1,), 0.5, dataset=other)), "different gold rows", "such as dev/0")
    refused(blicket("compare", a, runs("c", (1,), 0.5, dataset=fewer)), "dev has 30 and 29 rows")
    same = [(e.inputs, e.targets[FORM]) for e in again["gen"]] == [(e.inputs, e.targets[FORM]) for e in dataset["gen"]]
    if same and rows == [(e.inputs, e.targets[FORM]) for e in again["dev"]]:
        assert blicket("compare", a, runs("d", (1,), 0.5, dataset=again)).status == 0
    write_dataset(other, tmp_path / "other", "tsv", FORM)
    b = written(tmp_path / "b.tsv", answers(other, "gen", 0.5, 1).items())
    refused(blicket("compare", a, b, "--data", tmp_path / "other"), "different gold rows")


def test_files_that_cannot_be_compared(blicket, dataset, tmp_path):
    rows = own_rows(dataset, 0.3, 1)
    a = written(tmp_path / "a.tsv", rows, OWN)
    fewer = written(tmp_path / "fewer.tsv", rows[1:], OWN)
    others = written(tmp_path / "others.tsv", rows[:100], OWN)
    rest = written(tmp_path / "rest.tsv", rows[100:], OWN)
    cogs = ["--benchmark", "cogs"]
    refused(blicket("compare", a, fewer), "neither A nor B is a run", "--benchmark")
    refused(blicket("compare", a, fewer, *cogs), "different gold rows", rows[0][0], "a.tsv, line 2", "in A alone")
    refused(blicket("compare", fewer, a, *cogs), "different gold rows", "in B alone")
    refused(blicket("compare", others, rest, *cogs), "no rows in common")
    refused(blicket("compare", a, fewer, *cogs, "--split", "gen"), "--split gen", "'id'")
    ids = [written(tmp_path / f"ids-{n}.tsv", answers(dataset, "gen", n, 1).items()) for n in (0.1, 0.2)]
    refused(blicket("compare", *ids, *cogs), "'id'", "--data")
    write_dataset(dataset, tmp_path / "data", "tsv", FORM)
    data = [*cogs, "--data", tmp_path / "data"]
    refused(blicket("compare", *ids, *data, "--split", "dev"), "no split 'dev'", "gen")
    refused(blicket("compare", *ids, *data, "--official", tmp_path / "data"), "exclude each other")
    half = [*answers(dataset, "gen", 0.1, 1).items()]
    one, other = written(tmp_path / "one.tsv", half[:100]), written(tmp_path / "other.tsv", half[100:])
    refused(blicket("compare", one, other, *data), "no rows in common")
    strange = written(tmp_path / "strange.tsv", [("valid/0", "x")])
    refused(blicket("compare", strange, ids[0], *data), "no rows in common", "valid")
    (tmp_path / "twice").mkdir()
    for name in ("1.tsv", "1.csv"):
        shutil.copy(ids[0], tmp_path / "twice" / name)
    refused(blicket("compare", tmp_path / "twice", ids[0], *data), "1.csv", "1.tsv", "one file a seed")


@pytest.mark.parametrize("about", ["", "[]", "{}", '{"recipe": 5}', '{"recipe": {"data": []}}'])
def test_a_run_that_does_not_say_what_it_is(blicket, runs, about):
    a, b = runs("a", (1,), 0.3), runs("b", (1,), 0.5)
    Path(b, "run.json").write_text(about)
    refused(blicket("compare", a, b), "run.json")
