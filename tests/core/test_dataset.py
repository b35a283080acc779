from dataclasses import replace

import pytest

from blicket.core.dataset import Dataset
from blicket.core.errors import UnknownName
from blicket.core.example import BATCH, ListedRows, Role, Split


def dataset(cases=("a", "b"), inputs=(("one",), ("two",)), targets=("1", "2"), **splits):
    rows = ListedRows(inputs, {"form": targets, "other": targets[::-1]}, cases)
    splits = splits or {"train": Role.TRAIN, "gen": Role.GENERALIZATION}
    return Dataset("toy", "1", {n: Split(n, role, rows) for n, role in splits.items()}, ("source",), {"seed": 1})


def test_splits_are_found_by_name_and_role():
    data = dataset(train=Role.TRAIN, train_100=Role.TRAIN, gen=Role.GENERALIZATION)
    assert data["gen"].name == "gen"
    assert [split.name for split in data.with_role(Role.TRAIN)] == ["train", "train_100"]
    assert data.with_role(Role.PROBE) == ()
    with pytest.raises(UnknownName, match="there is no split 'trian'; did you mean 'train'"):
        data["trian"]


def test_the_hash_is_of_the_content_alone():
    data = dataset()
    assert replace(data, options={"read": "/elsewhere"}, version="2").content_hash() == data.content_hash()
    assert data.content_hash("form") == data.content_hash()
    assert len(data.content_hash()) == 64


@pytest.mark.parametrize(
    "other",
    [
        dataset(cases=("a", "a")),
        dataset(inputs=(("one",), ("three",))),
        dataset(targets=("1", "3")),
        dataset(cases=("b", "a"), inputs=(("two",), ("one",)), targets=("2", "1")),
        dataset(train=Role.TRAIN),
        dataset(train=Role.TRAIN, gen=Role.TEST),
        dataset(train=Role.TRAIN, test=Role.GENERALIZATION),
        dataset(inputs=(("on", "e"), ("two",))),
    ],
)
def test_the_hash_tells_everything_apart(other):
    assert other.content_hash() != dataset().content_hash()


def test_the_hash_of_another_form_is_another():
    assert dataset().content_hash("other") != dataset().content_hash("form")


def test_the_hash_is_not_of_the_batches():
    long = dataset(cases=["a"] * (BATCH + 1), inputs=[("x",)] * (BATCH + 1), targets=["1"] * (BATCH + 1))
    shorter = dataset(cases=["a"] * BATCH, inputs=[("x",)] * BATCH, targets=["1"] * BATCH)
    assert long.content_hash() != shorter.content_hash()
