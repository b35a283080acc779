"""The published numbers, as the paper's text has them, and what the released predictions give."""

import re
from collections import Counter
from itertools import pairwise

import pytest

from .conftest import REFERENCE

PAPER = REFERENCE.parents[1] / "papers" / "hupkes-2020-compositionality-decomposed.txt"
MODELS = ("lstms2s", "convs2s", "transformer")
ROWS = {
    "Task accuracy": ("task", "test"),
    "Systematicity": ("systematicity", "systematicity_test"),
    "Productivity": ("productivity", "productivity_test"),
    "Substitutivity": ("substitutivity", "substitutivity_equal_train", "substitutivity_primitive_train"),
    "Localism": ("localism", "localism_test"),
    "Overgeneralisation": ("overgeneralisation", "overgeneralisation_exceptions_10"),
}


def of(pcfg_set, table, test, place):
    found = [
        r
        for r in pcfg_set.published()
        if r.table == table and r.about["test"] == test and place in (r.about["split"], r.about.get("trained"))
    ]
    assert [r.about["model"] for r in found] == list(MODELS)
    return [(r.value, r.sd) for r in found]


def test_table_1_is_that_of_the_paper(pcfg_set):
    if not PAPER.exists():
        pytest.skip(f"the text of the paper is not at {PAPER}")
    text = re.sub(r"\s+", " ", PAPER.read_text("utf-8", "replace"))
    table = text[text.index("Experiment LSTMS2S") : text.index("Table 1: General task accuracy")]
    starts = [*(table.index(name) for name in ROWS), len(table)]
    for (test, *places), (start, end) in zip(ROWS.values(), pairwise(starts), strict=True):
        numbers = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ± ([\d.]+)", table[start:end])]
        for i, place in enumerate(places):  # two rows of the table are one line of the text
            assert of(pcfg_set, "table-1", test, place) == numbers[i :: len(places)], test


def test_splits_and_models_exist(pcfg_set):
    for r in pcfg_set.published():
        assert pcfg_set.role(r.about["split"])
        assert pcfg_set.role(r.about.get("trained", "train")) == "train"
        assert r.about["model"] in MODELS
        assert 0 <= r.value <= 1
        assert r.about["unit"] == "share"
        assert r.where


def test_how_many_there_are(pcfg_set):
    assert Counter(r.table for r in pcfg_set.published()) == {
        "table-1": 21,
        "figure-5": 3,
        "rescored": 15,
        "rescored-localism": 1,
        "rescored-transformer-1": 5,
    }


def test_rescored_numbers_differ_little_from_the_printed_ones(pcfg_set):
    printed = {
        (r.about["test"], r.about.get("trained"), r.about["model"]): r.value
        for r in pcfg_set.published()
        if r.table == "table-1"
    }
    for r in pcfg_set.published():
        if r.table in ("rescored", "rescored-localism"):
            assert abs(printed[r.about["test"], r.about.get("trained"), r.about["model"]] - r.value) < 0.011


def test_the_published_accuracy_stands_beside_ours(pcfg_set):
    assert pcfg_set.beside("split", "systematicity_test") == {"LSTM": 0.53, "Conv": 0.56, "Transf.": 0.72}
    assert pcfg_set.beside("split", "localism_test") == {}
    assert pcfg_set.beside("case", "productivity") == {}
