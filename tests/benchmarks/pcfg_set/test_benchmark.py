"""PCFG SET as a benchmark: what the contract asks of it."""

import pytest

from blicket.benchmarks.pcfg_set import PcfgSet
from blicket.core.errors import InputError, Refusal, UnknownName
from blicket.core.reading import read_dataset
from blicket.core.registry import benchmark, benchmark_names
from blicket.core.storage import write_dataset

from .conftest import lines


def test_it_is_registered():
    assert "pcfg-set" in benchmark_names()
    assert isinstance(benchmark("pcfg-set"), PcfgSet)


def test_who_it_is(pcfg_set):
    assert (pcfg_set.name, pcfg_set.forms, pcfg_set.input_names) == ("pcfg-set", ("symbols",), ("source",))
    assert "Hupkes" in pcfg_set.citation
    assert pcfg_set.role("overgeneralisation_train_10") == "train"
    assert pcfg_set.role("overgeneralisation_exceptions_10") == "probe"
    assert pcfg_set.role("productivity_test") == "generalization"
    assert pcfg_set.release() is None


def test_interpret_and_refuse(pcfg_set):
    assert pcfg_set.interpret(("echo A1 B1",), "symbols") == "A1 B1 B1"
    with pytest.raises(Refusal) as refused:
        pcfg_set.interpret(("copy ecko A1",), "symbols")
    assert refused.value.word == 2
    with pytest.raises(UnknownName):
        pcfg_set.interpret(("echo A1",), "symbol")
    with pytest.raises(InputError, match="expected a tuple"):
        pcfg_set.interpret("echo A1", "symbols")
    with pytest.raises(UnknownName):
        pcfg_set.judge("drs")


def test_tags_and_groups(pcfg_set):
    tags = pcfg_set.tags("", ("append copy A1 , B1",), "A1 B1")
    assert tags == {"functions": 2, "depth": 2, "length": 5}
    assert pcfg_set.groups("", tags) == {"functions": "2", "depth": "2", "length": "5"}
    assert pcfg_set.groups("lengths:copy", {**tags, "string_length": 7, "rule": "A1"}) == {
        "case": "lengths:copy",
        "kind": "lengths",
        "functions": "2",
        "depth": "2",
        "length": "5",
        "string_length": "7",
    }
    with pytest.raises(Refusal, match="word 1"):
        pcfg_set.tags("", ("ecko A1",), "A1")


def test_cases(pcfg_set):
    assert pcfg_set.cases["systematicity:append remove_second"].kind == "systematicity"
    assert "systematicity:copy copy" in pcfg_set.other_cases
    assert not pcfg_set.cases.keys() & pcfg_set.other_cases


def test_the_manifest_says_how_data_were_made(pcfg_set):
    about = pcfg_set.build(7, pcfg_set.options({"train": 3, "dev": 1, "test": 1, "tests": []})).options
    assert (about["seed"], about["train"], about["tests"]) == (7, 3, [])
    assert about["exceptions"]["reverse echo"] == "echo copy"


@pytest.mark.parametrize("format_", ["tsv", "jsonl", "parquet"])
def test_every_split_is_read_back(pcfg_set, tmp_path, format_):
    options = pcfg_set.options({"train": 300, "dev": 40, "test": 60, "ratios": [500]})
    made = pcfg_set.build(1, options)
    write_dataset(made, tmp_path, format_, "symbols")
    again = read_dataset(pcfg_set, tmp_path, pcfg_set.options({}))
    assert again.content_hash() == made.content_hash()
    for name, split in made.splits.items():
        assert [example.tags for example in again[name]] == [example.tags for example in split], name
    (tmp_path / "dataset.json").unlink()
    found = list(read_dataset(pcfg_set, tmp_path, pcfg_set.options({})).splits)
    assert found == sorted(made.splits, key=lambda name: _place(pcfg_set, name))


def _place(pcfg_set, name):
    return list(pcfg_set.roles).index(name.rstrip("0123456789").rstrip("_"))


def test_released_files_are_read_and_written_byte_by_byte(pcfg_set, reference, tmp_path):
    dataset = read_dataset(pcfg_set, reference, pcfg_set.options({}))
    assert {name: len(split) for name, split in dataset.splits.items()} == {"dev": 4860}
    write_dataset(dataset, tmp_path, "parallel", "symbols")
    for name in ("dev.src", "dev.tgt"):
        assert (tmp_path / name).read_bytes() == (reference / name).read_bytes()


def test_released_exceptions_are_found_under_their_names(pcfg_set, reference):
    dataset = read_dataset(pcfg_set, reference / "overgeneralisation", pcfg_set.options({}))
    (name, split), *others = dataset.splits.items()
    assert (name, len(split), others) == ("overgeneralisation_exceptions_10", 125, [])
    targets = lines(reference / "overgeneralisation/test_pcfg_ratio=0.001_exception.tgt")
    assert [example.targets["symbols"] for example in split] == targets


def test_rows_outside_the_language_are_refused_by_their_line(pcfg_set, tmp_path):
    (tmp_path / "dev.src").write_text("copy A1\nappend A1 B1\n")
    (tmp_path / "dev.tgt").write_text("A1\nA1 B1\n")
    with pytest.raises(InputError, match=r"dev.src, line 2: word 3: the input ends too early"):
        read_dataset(pcfg_set, tmp_path, pcfg_set.options({}))
