import json
import shutil
from pathlib import Path

import pytest

from blicket import benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.example import ListedRows, Role, Split
from blicket.core.reading import read_dataset
from blicket.core.storage import FORMATS, write_dataset

ROWS = [
    ("A cat ran .", "cat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )", "odd\u2028case"),
    ("Emma", "Emma", "primitive"),
]


SMALL = {"train": 9, "dev": 3, "test": 2, "gen": 0, "exposures": []}


@pytest.fixture
def cogs():
    return benchmark("cogs")


def read(cogs, directory, **settings):
    return read_dataset(cogs, directory, cogs.options(settings))


def written(directory, names=("train", "train_100", "gen"), format_="tsv"):
    sources, targets, cases = zip(*ROWS, strict=True)
    rows = ListedRows([(source,) for source in sources], {"conjunctive": targets}, cases)
    splits = {name: Split(name, Role.TRAIN if "train" in name else Role.GENERALIZATION, rows) for name in names}
    dataset = Dataset("cogs", "1", splits, ("source",), {})
    write_dataset(dataset, directory, format_, "conjunctive")
    return dataset


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_written_is_read(cogs, tmp_path, format_):
    dataset = written(tmp_path, format_=format_)
    again = read(cogs, tmp_path)
    assert list(again.splits) == ["train", "train_100", "gen"]
    assert again["train_100"].role is Role.TRAIN
    assert again.content_hash() == dataset.content_hash()
    assert [example.case for example in again["gen"]] == ["odd\u2028case", "primitive"]


@pytest.mark.parametrize("format_", FORMATS)
def test_without_a_manifest_splits_come_in_the_order_of_the_release(cogs, tmp_path, format_):
    dataset = written(tmp_path, format_=format_)
    (tmp_path / "dataset.json").unlink()
    (tmp_path / "others.tsv").write_text("not\tdata\n")
    again = read(cogs, tmp_path)
    assert list(again.splits) == ["train", "train_100", "gen"]
    assert again.content_hash() == dataset.content_hash()


def test_the_other_form_is_worked_out(cogs, tmp_path):
    written(tmp_path)
    example = read(cogs, tmp_path)["gen"][0]
    assert example.targets["variable-free"] == cogs.interpret(("A cat ran .",), "variable-free")


def test_recursion_rows_know_their_depth(cogs, tmp_path):
    source = "Emma said that Liam said that a cat ran ."
    (tmp_path / "gen.tsv").write_text(f"{source}\t{cogs.interpret((source,), 'conjunctive')}\tcp_recursion\n")
    assert read(cogs, tmp_path)["gen"][0].tags == {"depth": 2}


def test_files_the_manifest_does_not_list_are_left_alone(cogs, tmp_path):
    written(tmp_path, names=("gen",))
    (tmp_path / "train.tsv").write_text("left over\n")
    assert list(read(cogs, tmp_path).splits) == ["gen"]


def test_a_file_that_was_changed_is_not_what_the_manifest_lists(cogs, tmp_path):
    written(tmp_path, names=("gen",))
    (tmp_path / "gen.tsv").write_text("Emma\tLiam\tprimitive\nEmma\tEmma\tprimitive\n")
    with pytest.raises(InputError, match=r"gen\.tsv"):
        read(cogs, tmp_path)


@pytest.mark.parametrize("before", [None, "tsv", "jsonl"])
def test_at_no_moment_can_a_mixture_be_read(cogs, tmp_path, monkeypatch, before):
    """What a kill would leave, at each file that gets its name or goes: the old set, the new one, or neither."""
    data = tmp_path / "data"
    old, new = cogs.build(1, small := cogs.options(SMALL)), cogs.build(2, small)
    if before is not None:
        write_dataset(old, data, before, "conjunctive")
    moments = []

    def snapshot(how):
        def taken(path, *rest, **more):
            shutil.copytree(data, tmp_path / f"{len(moments)}")
            moments.append(tmp_path / f"{len(moments)}")
            return how(path, *rest, **more)

        return taken

    with monkeypatch.context() as watched:
        for name in ("replace", "unlink"):
            watched.setattr(Path, name, snapshot(getattr(Path, name)))
        write_dataset(new, data, "tsv", "conjunctive")
    found = []
    for moment in moments:
        try:
            found.append(read(cogs, moment).content_hash())
        except InputError:
            found.append("")
    assert len(found) == {None: 8, "tsv": 8, "jsonl": 11}[before]
    assert set(found) <= {"", new.content_hash(), *([old.content_hash()] if before else [])}
    assert read(cogs, data).content_hash() == new.content_hash()
    assert sorted(path.suffix for path in data.iterdir()) == [".json", ".tsv", ".tsv", ".tsv"]


def test_a_file_outside_the_directory_is_not_read(cogs, tmp_path):
    written(tmp_path / "data", names=("gen",))
    (tmp_path / "secret.tsv").write_text("a\tb\tc\n")
    manifest = tmp_path / "data/dataset.json"
    about = json.loads(manifest.read_text())
    about["splits"]["gen"]["file"] = "../secret.tsv"
    manifest.write_text(json.dumps(about))
    with pytest.raises(InputError, match=r"dataset\.json|secret\.tsv"):
        read(cogs, tmp_path / "data")


def test_parallel_files_are_read(cogs, tmp_path):
    dataset = written(tmp_path, ("dev",), "parallel")
    for _ in range(2):
        again = read(cogs, tmp_path)
        assert [example.inputs for example in again["dev"]] == [example.inputs for example in dataset["dev"]]
        assert [e.targets["conjunctive"] for e in again["dev"]] == [e.targets["conjunctive"] for e in dataset["dev"]]
        assert {example.case for example in again["dev"]} == {""}
        (tmp_path / "dataset.json").unlink(missing_ok=True)


def test_parallel_files_have_as_many_lines(cogs, tmp_path):
    (tmp_path / "dev.src").write_text("Emma\nAva\n")
    with pytest.raises(InputError, match=r"dev.tgt: cannot be read \(No such file"):
        read(cogs, tmp_path)
    (tmp_path / "dev.tgt").write_text("Emma\n")
    with pytest.raises(InputError, match=r"dev.tgt: 1 lines, expected 2 as in dev.src"):
        read(cogs, tmp_path)


def test_a_changed_target_file_is_noticed(cogs, tmp_path):
    written(tmp_path, ("dev",), "parallel")
    (tmp_path / "dev.tgt").write_text("Emma\nEmma\n")
    with pytest.raises(InputError, match=r"dev.tgt: is not the file that dataset.json lists"):
        read(cogs, tmp_path)


def test_options_that_say_what_rows_mean_are_those_of_the_manifest(tmp_path):
    """Unless others are asked for."""
    logic = benchmark("natural-logic")
    made = logic.build(1, logic.options({"blocks": 1, "jabberwocky": 0, "adjectives": ["big"]}))
    write_dataset(made, tmp_path, "tsv", "relation")
    assert read(logic, tmp_path).options["adjectives"] == ["big"]
    with pytest.raises(InputError, match="'big' in the premise is no word of the language"):
        read(logic, tmp_path, adjectives=["large"])


def test_flaws_of_the_manifest_stay_whatever_others_are_asked_for(tmp_path):
    logic = benchmark("natural-logic")
    made = logic.build(1, logic.options({"blocks": 1, "jabberwocky": 0, "compat": ["seven-levels"]}))
    write_dataset(made, tmp_path, "tsv", "relation")
    again = read(logic, tmp_path, compat=["labels-2020"])
    assert again.options["compat"] == ["labels-2020", "seven-levels"]
