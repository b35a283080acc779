"""Scoring whole files: what is counted, what did not fit, and rows that hold nothing new, against naive counting."""

import csv
import json
import random
from collections import defaultdict
from dataclasses import replace

import pytest

from blicket.benchmarks.cogs import Cogs
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, UnknownName
from blicket.core.example import Example, ListedRows, Role, Split
from blicket.core.scoring import judged, score
from blicket.core.verdict import Outcome, Verdict

FORM = "conjunctive"


@pytest.fixture(scope="module")
def cogs():
    return Cogs()


@pytest.fixture(scope="module")
def dataset(cogs):
    settings = {"train": 150, "dev": 20, "test": 10, "gen": 20, "exposures": [1, 2]}
    return cogs.build(2, cogs.options(settings))


def predictions(dataset, split, seed):
    """Answers of a poor learner: right, with a word wrong, cut, empty, or missing."""
    rng = random.Random(seed)
    said = {}
    for example in dataset[split]:
        tokens = example.targets[FORM].split()
        match rng.randrange(6):
            case 0:
                tokens = tokens[: rng.randrange(len(tokens) + 1)]
            case 1:
                tokens[rng.randrange(len(tokens))] = rng.choice(["cat", "agent", "3", ")", "Emma"])
            case 2:
                continue
            case _:
                pass
        said[example.id] = " ".join(tokens)
    return said


def written(path, said):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "prediction"])
        writer.writerows(said.items() if isinstance(said, dict) else said)
    return path


def verdict_of(cogs, example, said):
    output = said.get(example.id)
    return (
        Verdict.missing() if output is None else cogs.judge(FORM).verdict(example.inputs, example.targets[FORM], output)
    )


def naive(cogs, examples, said):
    """Exact, meaning, structure match, unparseable and the mean distance of errors, counted row by row."""
    rows = [verdict_of(cogs, example, said) for example in examples]
    distances = [v.measures["edit_distance"] for v in rows if not v.exact and "edit_distance" in v.measures]
    n = len(rows)
    return {
        "n": n,
        "exact": sum(v.exact for v in rows) / n,
        "meaning": sum(v.outcome is Outcome.CORRECT for v in rows) / n,
        "structure_match": sum("structure_match" in v.marks for v in rows) / n,
        "unparseable": sum(v.outcome is Outcome.UNPARSEABLE for v in rows) / n,
        "edit_distance": sum(distances) / len(distances) if distances else None,
    }


def same(said, expected):
    assert {name: said[name] for name in expected} == pytest.approx(expected)


def depth_of(example):
    return example.tags.get("depth")


def test_a_file_of_ids(cogs, dataset, tmp_path):
    said = predictions(dataset, "gen", 1)
    scores = score(cogs, [written(tmp_path / "a.csv", said)], FORM, dataset).as_dict()
    examples = list(dataset["gen"])
    same(scores, naive(cogs, examples, said))
    assert set(scores["by"]) == {"split", "case", "kind", "depth", "case_depth", "depth_band"}
    groups = {
        "split": lambda e: "gen",
        "case": lambda e: e.case,
        "kind": lambda e: cogs.cases[e.case].kind,
        "depth": lambda e: None if depth_of(e) is None else str(depth_of(e)),
        "case_depth": lambda e: None if depth_of(e) is None else f"{e.case}/{depth_of(e)}",
        "depth_band": lambda e: None if depth_of(e) is None else "3-5" if depth_of(e) <= 5 else "6-12",
    }
    for kind, group_of in groups.items():
        members = defaultdict(list)
        for example in examples:
            members[group_of(example)].append(example)
        members.pop(None, None)
        assert set(scores["by"][kind]) == set(members)
        for group, rows in members.items():
            same(scores["by"][kind][group], naive(cogs, rows, said))
    assert list(scores["by"]["case"]) == list(cogs.cases)
    assert list(scores["by"]["depth"]) == [str(depth) for depth in range(3, 13)]
    missing = [example.id for example in examples if example.id not in said]
    assert scores["files"] == [
        {
            "file": str(tmp_path / "a.csv"),
            "missing": len(missing),
            "duplicates": 0,
            "unknown": 0,
            "missing_rows": missing[:10],
            "duplicate_rows": [],
            "unknown_rows": [],
        }
    ]
    json.dumps(scores)


def test_familiar_rows(cogs, dataset, tmp_path):
    said = predictions(dataset, "gen", 3)
    scores = score(cogs, [written(tmp_path / "a.csv", said)], FORM, dataset).as_dict()
    words = {word for example in dataset["train"] for word in example.inputs[0].split()}
    labels = {token for example in dataset["train"] for token in example.targets[FORM].split()}
    known = {
        "words": [e for e in dataset["gen"] if set(e.inputs[0].split()) <= words],
        "labels": [e for e in dataset["gen"] if set(e.targets[FORM].split()) <= labels],
    }
    known["words_and_labels"] = [e for e in known["words"] if e in known["labels"]]
    assert set(scores["familiar"]) == set(known)
    for name, rows in known.items():
        assert 0 < len(rows) < 420
        same(scores["familiar"][name], naive(cogs, rows, said))
        of_case = scores["familiar"][name]["by"]["case"]
        for case in {e.case for e in rows}:
            same(of_case[case], naive(cogs, [e for e in rows if e.case == case], said))


def test_only_the_first_train_set_says_what_is_familiar(cogs, tmp_path):
    """`train_100` shows more words, but the rows are those that `train` never prepared for."""

    def split(name, role, *rows):
        inputs, targets = [(s,) for s, _ in rows], [t for _, t in rows]
        return Split(name, role, ListedRows(inputs, {FORM: targets}, [""] * len(rows)))

    ran = [(f"{name} ran .", f"run . agent ( x _ 1 , {name} )") for name in ("Emma", "Ava", "Noah")]
    splits = [split("train", Role.TRAIN, ran[0]), split("train_2", Role.TRAIN, *ran[:2])]
    splits += [split("dev", Role.DEV, *ran)]
    data = Dataset("cogs", "1", {s.name: s for s in splits}, ("source",), {})
    said = {f"dev/{row}": target for row, (_, target) in enumerate(ran)}
    scores = score(cogs, [written(tmp_path / "a.csv", said)], FORM, data).as_dict()
    assert {name: card["n"] for name, card in scores["familiar"].items()} == {
        "words": 1,
        "labels": 1,
        "words_and_labels": 1,
    }


def test_several_files_are_several_seeds(cogs, dataset, tmp_path):
    each = [predictions(dataset, "dev", seed) for seed in (1, 2, 3)]
    paths = [written(tmp_path / f"{i}.csv", said) for i, said in enumerate(each)]
    scores = score(cogs, paths, FORM, dataset).as_dict()
    singles = [naive(cogs, list(dataset["dev"]), said) for said in each]
    for name in ("exact", "meaning", "structure_match", "unparseable", "edit_distance"):
        values = [single[name] for single in singles]
        mean = sum(values) / 3
        assert scores[name] == pytest.approx(mean)
        assert scores["sd"][name] == pytest.approx((sum((v - mean) ** 2 for v in values) / 2) ** 0.5)
    assert [seed["file"] for seed in scores["seeds"]] == [str(path) for path in paths]
    for listed, single in zip(scores["seeds"], singles, strict=True):
        same(listed, single)
    assert [file["missing"] for file in scores["files"]] == [20 - len(said) for said in each]


def test_missing_duplicate_and_unknown_rows(cogs, dataset, tmp_path):
    first, second = dataset["dev"][0], dataset["dev"][1]
    rows = [
        (first.id, first.targets[FORM]),
        (first.id, "wrong"),  # a duplicate: the first counts
        (second.id, "wrong"),
        (second.id, second.targets[FORM]),
        ("dev/999", "x"),
        ("nowhere/1", "x"),
    ]
    scores = score(cogs, [written(tmp_path / "a.csv", rows)], FORM, dataset)
    said = scores.as_dict()
    assert (said["n"], said["exact"]) == (20, 1 / 20)
    counts = {"file": str(tmp_path / "a.csv"), "missing": 18, "duplicates": 2, "unknown": 2}
    named = {"missing_rows": [f"dev/{i}" for i in range(2, 12)], "duplicate_rows": ["dev/0", "dev/1"]}
    assert said["files"][0] == counts | named | {"unknown_rows": ["dev/999", "nowhere/1"]}
    (file,) = scores.files
    assert file.duplicates == [first.id, second.id]
    assert file.unknown == ["dev/999", "nowhere/1"]
    assert file.missing == [f"dev/{row}" for row in range(2, 20)]
    # Missing rows are incorrect, and neither unparseable nor part of the mean distance.
    assert said["unparseable"] == 1 / 20
    assert (
        said["edit_distance"] == cogs.judge(FORM).verdict((), second.targets[FORM], "wrong").measures["edit_distance"]
    )


def test_rows_may_bring_their_own_gold(cogs, dataset, tmp_path):
    examples: list[Example] = list(dataset["gen"])[:40]
    path = tmp_path / "a.tsv"
    lines = ["source\ttarget\tcase\tprediction"]
    lines += [f"{e.inputs[0]}\t{e.targets[FORM]}\t{e.case}\t{e.targets[FORM]}" for e in examples]
    path.write_text("\n".join(lines) + "\n")
    scores = score(cogs, [path], FORM).as_dict()
    assert (scores["n"], scores["exact"], scores["meaning"]) == (40, 1, 1)
    assert set(scores["by"]["case"]) == {e.case for e in examples}
    assert "split" not in scores["by"]
    assert "familiar" not in scores
    depths = {str(depth_of(e)) for e in examples if e.tags}
    assert set(scores["by"].get("depth", {})) == depths


def test_ids_may_stand_beside_gold(cogs, dataset, tmp_path):
    """Without data the rows are the gold, of the splits their ids name; with data the ids alone decide."""
    path = tmp_path / "a.tsv"
    rows = [(e.id, e.inputs[0], e.targets[FORM], e.targets[FORM]) for e in list(dataset["gen"])[:7]]
    path.write_text("".join("\t".join(row) + "\n" for row in [("id", "source", "target", "prediction"), *rows]))
    scores = score(cogs, [path], FORM).as_dict()
    assert (scores["n"], scores["exact"], set(scores["by"]["split"])) == (7, 1, {"gen"})
    assert score(cogs, [path], FORM, dataset).as_dict()["n"] == 420
    path.write_text(path.read_text().replace("gen/", ""))
    assert "split" not in score(cogs, [path], FORM).as_dict()["by"]


def test_the_kinds_of_groups_of_the_benchmark_are_always_there(cogs, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("source\ttarget\tprediction\nEmma\tEmma\tEmma\n")
    assert score(cogs, [path], FORM).as_dict()["by"] == {"case": {}, "kind": {}, "depth": {}}


@pytest.mark.parametrize("case", ["", "in_distribution", "primitive", "exposure_example_obj_proper", "cp_recursion"])
def test_cases_of_the_release_are_known(cogs, tmp_path, case):
    path = tmp_path / "a.tsv"
    path.write_text(f"source\ttarget\tcase\tprediction\nEmma\tEmma\t{case}\tEmma\n")
    assert set(score(cogs, [path], FORM).as_dict()["by"]["case"]) == {case} - {""}


def test_cases_are_anybodys_where_a_benchmark_has_none(tmp_path, cogs, monkeypatch):
    monkeypatch.setattr(Cogs, "cases", {})
    path = tmp_path / "a.tsv"
    path.write_text("source\ttarget\tcase\tprediction\nEmma\tEmma\tmine\tEmma\n")
    assert set(score(cogs, [path], FORM).as_dict()["by"]["case"]) == {"mine"}


def test_nothing_to_score_against_is_refused(cogs, dataset, tmp_path):
    empty = Split("gen", Role.GENERALIZATION, ListedRows([], {FORM: []}, []))
    data = replace(dataset, splits={**dataset.splits, "gen": empty})
    with pytest.raises(InputError, match=r"a\.csv: there are no gold rows to score against; gen of the data is empty"):
        score(cogs, [written(tmp_path / "a.csv", {"gen/0": "x"})], FORM, data)
    assert score(cogs, [written(tmp_path / "b.csv", {"gen/0": "x", "dev/0": "x"})], FORM, data).card.whole[0].n == 20


def test_gold_that_is_no_form_is_the_files_fault(cogs, tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("source\ttarget\tprediction\nEmma ran .\trun . agent ( x _ 1 , Emma )\tx\nAva ran .\t\tx\n")
    with pytest.raises(InputError, match=r"a\.tsv, line 3: the target is no conjunctive form"):
        score(cogs, [path], FORM)


def test_the_other_form_is_scored_as_such(cogs, dataset, tmp_path):
    said = {e.id: e.targets["variable-free"] for e in dataset["gen"]}
    path = written(tmp_path / "a.csv", said)
    assert score(cogs, [path], "variable-free", dataset).as_dict()["exact"] == 1
    wrong = score(cogs, [path], FORM, dataset).as_dict()
    assert (wrong["exact"], wrong["unparseable"]) == (0, 1)


def test_a_form_that_is_not_there(cogs, dataset, tmp_path):
    path = written(tmp_path / "a.csv", {"dev/0": "x"})
    with pytest.raises(UnknownName, match="there is no form 'conj'; did you mean 'conjunctive'"):
        score(cogs, [path], "conj", dataset)
    with pytest.raises(UnknownName, match="there is no form 'conj'"):
        judged(cogs, {}, "conj", dataset)


def test_a_file_given_twice_is_refused(cogs, dataset, tmp_path):
    path = written(tmp_path / "a.csv", {"dev/0": "x"})
    with pytest.raises(InputError, match="given twice"):
        score(cogs, [path, path], FORM, dataset)
    (tmp_path / "sub").mkdir()
    with pytest.raises(InputError, match="given twice"):
        score(cogs, [path, tmp_path / "sub" / ".." / "a.csv"], FORM, dataset)


def test_progress_is_told_by_file(cogs, dataset, tmp_path):
    told = []
    path = written(tmp_path / "a.csv", {"dev/0": "x"})
    score(cogs, [path], FORM, dataset, progress=lambda file, done, rows: told.append((file, done, rows)))
    assert told[0] == (str(path), 0, 20)
