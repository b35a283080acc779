"""The data of a run: what the recipe names, made or read, cut where that is wanted, and never empty."""

from pathlib import Path

import pytest

from blicket.core.errors import InputError
from blicket.core.storage import write_dataset
from blicket.runs.data import benchmark_of, data_of
from blicket.runs.recipe import read_recipe

TINY = Path(__file__).with_name("tiny.toml")
FORM = "conjunctive"


def data(*changes, **how):
    recipe = read_recipe(TINY, changes)
    return data_of(recipe, benchmark_of(TINY, recipe), **how)


@pytest.fixture
def release(tmp_path):
    """A directory as the release has it: a TSV a split, and no manifest; with other data than the recipe makes."""
    made = data("data.seed=9", "data.options.exposures=[1, 2]", "data.evaluate=['dev', 'test', 'gen', 'train_2']")
    manifest = write_dataset(made, tmp_path / "release", "tsv", FORM)
    (tmp_path / "release/dataset.json").unlink()
    assert sorted(manifest["splits"]) == ["dev", "gen", "test", "train", "train_2"]
    return tmp_path / "release"


def rows(split):
    return [(example.inputs, example.targets[FORM], example.case) for example in split]


def test_it_has_the_splits_that_the_recipe_names():
    assert list(data().splits) == ["train", "dev", "test", "gen"]
    assert list(data("data.evaluate=['gen']").splits) == ["train", "dev", "gen"]
    assert [len(data().splits[name]) for name in ("dev", "test", "gen")] == [20, 20, 42]
    assert data().content_hash() != data("data.seed=2").content_hash()


def test_a_limit_keeps_the_first_rows_of_train_and_leaves_the_others_alone():
    whole, limited = data(), data(limit=7)
    assert rows(limited["train"]) == rows(whole["train"])[:7]
    assert all(rows(limited[name]) == rows(whole[name]) for name in ("dev", "test", "gen"))
    assert rows(data(limit=10**9)["train"]) == rows(whole["train"])


def test_the_release_is_read_as_it_is_and_what_does_not_apply_is_said(release):
    said = []
    read = data("data.options.compat=published", official=release, say=said.append)
    assert list(read.splits) == ["train", "dev", "test", "gen"]
    assert rows(read["gen"]) == rows(data("data.seed=9")["gen"])
    assert rows(read["gen"]) != rows(data()["gen"])
    assert read.options["compat"] == ["gen-2020"]
    (line,) = said
    assert line.startswith(f"{release} is read as it is")
    assert line.endswith(": train, dev, test, gen, exposures")
    said.clear()
    data("data.options={}", official=release, say=said.append)
    assert said == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (["data.train=train_50"], "there is no split 'train_50'; did you mean 'train'?"),
        (["data.options.gen=0"], "there is no split 'gen'; there is dev, test, train"),
        (["data.options.dev=0", "data.evaluate=['test']"], "dev has no rows to fit on"),
        (["data.options.test=0"], "test has no rows to answer"),
    ],
)
def test_splits_that_are_not_there_or_empty_are_refused(changes, says):
    with pytest.raises(InputError) as error:
        data(*changes)
    assert str(error.value) == says


def test_a_release_without_a_split_is_refused(release, tmp_path):
    (release / "dev.tsv").unlink()
    with pytest.raises(InputError, match="there is no split 'dev'"):
        data(official=release)
    (release / "dev.tsv").write_text("")
    with pytest.raises(InputError, match="dev has no rows"):
        data(official=release)
    with pytest.raises(InputError, match="none: is no directory"):
        data(official=tmp_path / "none")
