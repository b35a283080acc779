import numpy as np
import pytest

from blicket.core.errors import UnknownName
from blicket.core.example import BATCH, Example, ListedRows, Role, Split, known_form


def listed(n, tags=()):
    inputs = [(f"premise {i}", f"hypothesis {i}") for i in range(n)]
    targets = {"label": [f"l{i}" for i in range(n)], "sign": [f"s{i}" for i in range(n)]}
    return ListedRows(inputs, targets, [f"c{i % 2}" for i in range(n)], tags)


def test_roles_are_told_apart_by_learners():
    assert {role.value for role in Role} == {"train", "dev", "test", "generalization", "probe"}


def test_an_example_has_its_place_for_a_name_and_every_form():
    split = Split("gen", Role.GENERALIZATION, listed(3, [{"depth": 3}, {}, {}]))
    assert split.forms == ("label", "sign")
    assert split[0] == Example(
        "gen/0", ("premise 0", "hypothesis 0"), {"label": "l0", "sign": "s0"}, "c0", {"depth": 3}
    )
    assert split[2].tags == {}


def test_a_split_is_a_sequence():
    split = Split("train", Role.TRAIN, listed(5))
    assert len(split) == 5
    assert split[-1].id == "train/4"
    assert [example.id for example in split[1:4:2]] == ["train/1", "train/3"]
    assert [example.id for example in split[::-1]] == [f"train/{i}" for i in (4, 3, 2, 1, 0)]
    assert split[5:] == []
    assert split[2] in split
    with pytest.raises(IndexError):
        split[5]


def test_iteration_and_batches_cross_their_seams():
    split = Split("train", Role.TRAIN, listed(BATCH + 2))
    assert [example.id for example in split] == [f"train/{i}" for i in range(BATCH + 2)]
    batches = list(Split("train", Role.TRAIN, listed(5)).batches("sign", size=2))
    assert [start for start, _ in batches] == [0, 2, 4]
    assert [columns.targets for _, columns in batches] == [["s0", "s1"], ["s2", "s3"], ["s4"]]


def test_a_form_that_is_not_there_is_refused_at_once():
    assert known_form("sign", ("label", "sign")) == "sign"
    for rows in (3, 0):
        with pytest.raises(UnknownName, match="there is no form 'sing'; did you mean 'sign'"):
            Split("train", Role.TRAIN, listed(rows)).batches("sing")


def test_rows_come_in_the_order_asked_for():
    columns = listed(4).columns(np.array([3, 0, 3]), "label")
    assert columns.targets == ["l3", "l0", "l3"]
    assert columns.tag(1) == {}


def test_a_split_without_rows():
    split = Split("dev", Role.DEV, listed(0))
    assert (list(split), list(split.batches("label"))) == ([], [])
