import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, UnknownName
from blicket.core.example import BATCH, ListedRows, Role, Split
from blicket.core.storage import FORMATS, write_dataset, written_whole

ODD = 'a "quoted", word\u2028and\x85 more'


def dataset(n=3, odd=ODD):
    inputs = [(f"premise {i}", odd) for i in range(n)]
    rows = ListedRows(inputs, {"f": ["t"] * n, "g": ["u"] * n}, ["case"] * n, [{"depth": i} for i in range(n)])
    return Dataset("toy", "2", {"gen": Split("gen", Role.PROBE, rows)}, ("premise", "hypothesis"), {"seed": 5})


def test_a_file_gets_its_name_when_it_is_whole(tmp_path):
    path = tmp_path / "x"
    path.write_text("before")
    with written_whole(path) as file:
        file.write(b"after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, InputError])
def test_a_file_that_is_not_finished_is_not_there(tmp_path, error):
    def half_written():
        with written_whole(tmp_path / "x") as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        half_written()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_says_so(tmp_path):
    with pytest.raises(InputError, match=r"x: cannot be written \(No such file"), written_whole(tmp_path / "no/x"):
        pass


def test_the_manifest_names_everything(tmp_path):
    manifest = write_dataset(dataset(), tmp_path / "deep/down", "jsonl", "g")
    path = tmp_path / "deep/down/gen.jsonl"
    assert manifest == json.loads((tmp_path / "deep/down/dataset.json").read_text())
    digest = sha256(path.read_bytes()).hexdigest()
    assert manifest == {
        "schema": "1",
        "benchmark": "toy",
        "version": "2",
        "form": "g",
        "inputs": ["premise", "hypothesis"],
        "options": {"seed": 5},
        "splits": {"gen": {"file": "gen.jsonl", "role": "probe", "rows": 3, "sha256": digest}},
    }


@pytest.mark.parametrize("format_", FORMATS)
def test_the_manifest_has_the_hash_of_every_format(tmp_path, format_):
    about = write_dataset(dataset(BATCH + 2), tmp_path, format_, "f")["splits"]["gen"]
    assert about["sha256"] == sha256((tmp_path / about["file"]).read_bytes()).hexdigest()
    assert about["rows"] == BATCH + 2


def test_tsv_is_as_released(tmp_path):
    write_dataset(dataset(2), tmp_path, "tsv", "f")
    assert (tmp_path / "gen.tsv").read_bytes() == f"premise 0\t{ODD}\tt\tcase\npremise 1\t{ODD}\tt\tcase\n".encode()


def test_ids_go_on_from_batch_to_batch(tmp_path):
    for format_ in ("jsonl", "csv", "parquet"):
        write_dataset(dataset(BATCH + 2), tmp_path / format_, format_, "f")
        (tmp_path / format_ / f"gen.{format_}").rename(tmp_path / f"gen.{format_}")
    last = f"gen/{BATCH + 1}"
    assert json.loads((tmp_path / "gen.jsonl").read_text().rstrip("\n").split("\n")[-1])["id"] == last
    text = (tmp_path / "gen.csv").read_text()
    assert text.rstrip("\n").split("\n")[-1].startswith(f"{last},")
    assert text.count("premise,hypothesis") == 1
    table = pq.read_table(tmp_path / "gen.parquet")
    assert table["id"].to_pylist()[-1] == last
    assert json.loads(table["tags"].to_pylist()[-1]) == {"depth": BATCH + 1}


@pytest.mark.parametrize("odd", ["a\ttab", "a\nline"])
def test_what_tsv_cannot_hold_is_not_written_as_tsv(tmp_path, odd):
    with pytest.raises(InputError, match=r"gen\.tsv"):
        write_dataset(dataset(1, odd), tmp_path, "tsv", "f")
    assert list(tmp_path.iterdir()) == []


def bytes_of(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def several(odd=ODD, **sizes):
    made = dataset(3, odd)
    rows = {name: next(iter(dataset(n, odd).splits.values())).rows for name, n in sizes.items()}
    return replace(made, splits={name: Split(name, Role.PROBE, of) for name, of in rows.items()})


def test_a_set_appears_together_or_not_at_all(tmp_path, monkeypatch):
    write_dataset(several(train=2, gen=2), tmp_path / "data", "jsonl", "f")
    before = bytes_of(tmp_path / "data")
    for directory in (tmp_path / "data", tmp_path / "new"):
        with pytest.raises(InputError, match=r"gen\.tsv"):
            write_dataset(several("a\ttab", train=0, gen=1), directory, "tsv", "f")
    assert bytes_of(tmp_path / "data") == before
    assert bytes_of(tmp_path / "new") == {}


@pytest.mark.parametrize("taken", ["train.tsv", "gen.tsv", "dataset.json"])
def test_where_a_place_is_taken_nothing_is_put(tmp_path, taken):
    (tmp_path / taken).mkdir()
    with pytest.raises(InputError, match=rf"{taken}: is a directory; a file is to be written there"):
        write_dataset(several(train=2, gen=2), tmp_path, "tsv", "f")
    assert [path.name for path in tmp_path.iterdir()] == [taken]


@pytest.mark.parametrize("error", [OSError(5, "broken"), KeyboardInterrupt()])
def test_a_set_that_is_not_all_in_place_is_taken_away(tmp_path, monkeypatch, error):
    move, moved = Path.replace, []

    def fail_at_the_third(path, target):
        moved.append(target.name)
        if len(moved) == 3:
            raise error
        return move(path, target)

    monkeypatch.setattr(Path, "replace", fail_at_the_third)
    with pytest.raises((InputError, KeyboardInterrupt)):
        write_dataset(several(train=2, dev=1, gen=2), tmp_path, "tsv", "f")
    assert len(moved) == 3
    assert list(tmp_path.iterdir()) == []


def test_the_files_of_the_set_before_go_but_no_others(tmp_path):
    write_dataset(several(train=2, dev=1, gen=2), tmp_path, "jsonl", "f")
    (tmp_path / "dev.jsonl").write_text("mine now\n")
    (tmp_path / "notes.jsonl").write_text("mine\n")
    write_dataset(several(train=2, gen=2), tmp_path, "tsv", "f")
    assert set(bytes_of(tmp_path)) == {"train.tsv", "gen.tsv", "dataset.json", "dev.jsonl", "notes.jsonl"}


@pytest.mark.parametrize("listed", ["../secret.tsv", "/etc/hostname", ".", "dataset.json", 5, None, {}])
def test_a_manifest_cannot_have_other_things_removed(tmp_path, listed):
    secret = tmp_path / "secret.tsv"
    secret.write_text("x")
    digest = sha256(b"x").hexdigest()
    about = {"splits": {"gen": {"file": listed, "sha256": digest}}}
    (tmp_path / "data").mkdir()
    for text in (json.dumps(about), json.dumps({"splits": listed}), json.dumps(listed), "{", "\udcff"):
        (tmp_path / "data/dataset.json").write_text(text, errors="surrogateescape")
        write_dataset(several(gen=1), tmp_path / "data", "tsv", "f")
        assert secret.exists()
        assert set(bytes_of(tmp_path / "data")) == {"gen.tsv", "dataset.json"}


def test_an_unknown_format(tmp_path):
    with pytest.raises(UnknownName, match="there is no format 'tvs'; did you mean 'tsv'"):
        write_dataset(dataset(), tmp_path, "tvs", "f")


def test_an_unknown_form(tmp_path):
    for format_ in FORMATS:
        with pytest.raises(UnknownName, match="there is no form 'h'; there is f, g"):
            write_dataset(dataset(), tmp_path / format_, format_, "h")
    assert list(tmp_path.iterdir()) == []


def test_progress_ends_at_the_end(tmp_path):
    for format_ in FORMATS:
        seen = []
        write_dataset(dataset(BATCH + 2), tmp_path, format_, "f", progress=lambda *said, seen=seen: seen.append(said))
        assert seen == [("gen", BATCH), ("gen", BATCH + 2)]


def one_input(inputs=("a", "b"), targets=("A", "B")):
    rows = ListedRows([(text,) for text in inputs], {"f": list(targets)}, ["x"] * len(inputs))
    return Dataset("toy", "2", {"dev": Split("dev", Role.DEV, rows)}, ("source",), {})


def test_parallel_files_are_inputs_and_targets_line_by_line(tmp_path):
    manifest = write_dataset(one_input(), tmp_path, "parallel", "f")
    assert (tmp_path / "dev.src").read_bytes() == b"a\nb\n"
    assert (tmp_path / "dev.tgt").read_bytes() == b"A\nB\n"
    digests = {name: sha256((tmp_path / name).read_bytes()).hexdigest() for name in ("dev.src", "dev.tgt")}
    assert manifest["splits"]["dev"] == {
        "file": "dev.src",
        "sha256": digests["dev.src"],
        "role": "dev",
        "rows": 2,
        "targets": {"file": "dev.tgt", "sha256": digests["dev.tgt"]},
    }


def test_both_parallel_files_are_superseded(tmp_path):
    write_dataset(one_input(), tmp_path, "parallel", "f")
    write_dataset(one_input(), tmp_path, "tsv", "f")
    assert {path.name for path in tmp_path.iterdir()} == {"dataset.json", "dev.tsv"}


def test_what_parallel_files_cannot_hold(tmp_path):
    with pytest.raises(InputError, match="parallel: is for one input a row, and here are premise and hypothesis"):
        write_dataset(dataset(), tmp_path, "parallel", "f")
    for bad in (one_input(["a\nb", "c"]), one_input(targets=["A", "B\n"])):
        with pytest.raises(InputError, match="dev: a text holds a line feed"):
            write_dataset(bad, tmp_path, "parallel", "f")
    assert list(tmp_path.iterdir()) == []
