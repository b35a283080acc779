import csv
import json
import os
import resource
import subprocess
import sys
from contextlib import suppress
from functools import partial
from hashlib import sha256

import pyarrow.parquet as pq
import pytest

from blicket import benchmark, read_dataset

from .conftest import NO_GEN, rows_of

FORMATS = ["tsv", "jsonl", "csv", "parquet"]


def read(directory):
    cogs = benchmark("cogs")
    return read_dataset(cogs, directory, cogs.options({}))


def test_files_are_named_and_shaped_as_released(data):
    assert sorted(path.name for path in data.iterdir()) == [
        "dataset.json",
        "dev.tsv",
        "gen.tsv",
        "test.tsv",
        "train.tsv",
    ]
    assert {len(row) for row in rows_of(data / "gen.tsv")} == {3}
    assert len(rows_of(data / "dev.tsv")) == 4
    cases = [case for _, _, case in rows_of(data / "gen.tsv")]
    assert {case: cases.count(case) for case in cases} == dict.fromkeys(benchmark("cogs").cases, 10)
    train = [case for _, _, case in rows_of(data / "train.tsv")]
    assert train.count("in_distribution") == 12
    assert train.count("primitive") == 143  # as released
    assert sum(case.startswith("exposure_example") for case in train) == 12


def test_exposures_name_the_train_sets(blicket, tmp_path):
    ran = blicket("generate", "cogs", "-o", tmp_path, *NO_GEN[:-4], "--set", "gen=0", "--set", "exposures=[1, 3]")
    assert ran.status == 0
    first, third = rows_of(tmp_path / "train.tsv"), rows_of(tmp_path / "train_3.tsv")
    assert (len(first), len(third)) == (12 + 143 + 12, 12 + 3 * (143 + 12))
    assert {tuple(row) for row in first} <= {tuple(row) for row in third}


def test_the_manifest_says_what_is_there(data):
    manifest = json.loads((data / "dataset.json").read_text())
    assert manifest["benchmark"] == "cogs"
    assert manifest["form"] == "conjunctive"
    assert manifest["options"]["seed"] == 1
    assert manifest["options"]["depths"] == [3, 12]
    for split in manifest["splits"].values():
        content = (data / split["file"]).read_bytes()
        assert split["sha256"] == sha256(content).hexdigest()
        assert split["rows"] == content.count(b"\n")


def test_it_says_what_it_wrote(blicket, tmp_path):
    ran = blicket("generate", "cogs", "-o", tmp_path, *NO_GEN)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0].split() == ["split", "for", "rows", "file"]
    assert str(tmp_path / "train.tsv") in ran.out
    as_json = blicket("generate", "cogs", "-o", tmp_path, *NO_GEN, "--json")
    assert json.loads(as_json.out) == json.loads((tmp_path / "dataset.json").read_text())


@pytest.mark.parametrize("form", ["conjunctive", "variable-free"])
def test_every_format_has_the_same_content(blicket, tmp_path, form):
    hashes = set()
    for format_ in FORMATS:
        directory = tmp_path / format_
        assert blicket("generate", "cogs", "-o", directory, *NO_GEN, "--form", form, "--format", format_).status == 0
        assert (directory / f"train.{format_}").exists()
        hashes.add(read(directory).content_hash(form))
    cogs = benchmark("cogs")
    settings = {"train": 12, "dev": 4, "test": 4, "gen": 0, "exposures": [1]}
    assert hashes == {cogs.build(1, cogs.options(settings)).content_hash(form)}


def test_named_columns_are_ids_inputs_target_and_case(blicket, tmp_path):
    for format_ in FORMATS:
        blicket("generate", "cogs", "-o", tmp_path / format_, *NO_GEN, "--format", format_)
        (tmp_path / format_ / f"dev.{format_}").rename(tmp_path / f"dev.{format_}")
    source, target, case = rows_of(tmp_path / "dev.tsv")[2]
    wanted = {"id": "dev/2", "source": source, "target": target, "case": case}
    assert json.loads((tmp_path / "dev.jsonl").read_text().splitlines()[2]) == wanted
    with (tmp_path / "dev.csv").open(newline="") as file:
        assert list(csv.DictReader(file))[2] == wanted
    table = pq.read_table(tmp_path / "dev.parquet")
    assert table.slice(2, 1).to_pylist()[0] == {**wanted, "tags": "{}"}
    assert table.schema.metadata[b"blicket"] == b"1"


@pytest.mark.parametrize("format_", FORMATS)
def test_a_split_without_rows_is_read_back(blicket, tmp_path, format_):
    words = ["--format", format_, "--set", "train=5", "--set", "dev=0", "--set", "test=2", "--set", "gen=0"]
    assert blicket("generate", "cogs", "-o", tmp_path / "data", *words, "--set", "exposures=[]").status == 0
    (tmp_path / "p.tsv").write_text("id\tprediction\ntest/0\tEmma\n")
    ran = blicket("score", "cogs", tmp_path / "p.tsv", "--data", tmp_path / "data", "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["n"] == 2


@pytest.mark.parametrize("format_", ["tsv", "jsonl", "csv", "parquet"])
def test_the_number_of_workers_changes_no_byte(blicket, tmp_path, format_):
    for workers in (1, 2):
        directory = tmp_path / str(workers)
        words = ["--set", "train=9000", "--set", "dev=4", "--set", "test=4", "--set", "gen=0", "--format", format_]
        assert blicket("generate", "cogs", "-o", directory, *words, "--workers", workers).status == 0
    for path in (tmp_path / "1").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()


def test_the_seed_decides(blicket, tmp_path, everyday):
    blicket("generate", "cogs", "-o", tmp_path / "same", *NO_GEN, "--seed", 1)
    blicket("generate", "cogs", "-o", tmp_path / "other", *NO_GEN, "--seed", 2)
    for name in ("train.tsv", "dev.tsv", "test.tsv"):
        first = (everyday / name).read_bytes()
        assert (tmp_path / "same" / name).read_bytes() == first
        assert (tmp_path / "other" / name).read_bytes() != first


def test_released_files_are_put_into_another_form_and_back(blicket, tmp_path, data):
    there = blicket("generate", "cogs", "-o", tmp_path / "free", "--official", data, "--form", "variable-free")
    assert (there.status, there.err) == (0, "")
    assert rows_of(tmp_path / "free/gen.tsv") != rows_of(data / "gen.tsv")
    assert blicket("generate", "cogs", "-o", tmp_path / "back", "--official", tmp_path / "free").status == 0
    for name in ("train.tsv", "dev.tsv", "test.tsv"):
        assert rows_of(tmp_path / "back" / name) != []
    back = blicket("generate", "cogs", "-o", tmp_path / "con", "--official", tmp_path / "free", "--form", "conjunctive")
    assert back.status == 0
    assert (tmp_path / "con/gen.tsv").read_bytes() == (data / "gen.tsv").read_bytes()


def test_files_without_a_manifest_are_known_by_their_names(blicket, tmp_path, data):
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("train.tsv", "dev.tsv", "test.tsv", "gen.tsv"):
        (bare / name).write_bytes((data / name).read_bytes())
    (bare / "notes.tsv").write_text("not\tdata\n")
    assert read(bare).content_hash() == read(data).content_hash()


def test_what_was_done_to_released_files_is_in_the_manifest(blicket, tmp_path, everyday):
    ran = blicket("generate", "cogs", "-o", tmp_path, "--official", everyday, "--set", "nonce=true")
    assert ran.status == 0
    assert "[w_" in (tmp_path / "train.tsv").read_text()
    options = json.loads((tmp_path / "dataset.json").read_text())["options"]
    assert options["nonce"] is True


def test_brackets_in_a_path_are_not_markup(blicket, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = blicket("generate", "cogs", "-o", "runs[/1]", *NO_GEN)
    assert ran.status == 0
    assert "runs[/1]/train.tsv" in ran.out


def test_two_at_once_do_not_harm_each_other(tmp_path):
    words = "--set train=12 --set dev=4 --set test=4 --set exposures=[1] --set gen=0".split()
    command = [sys.executable, "-m", "blicket", "generate", "cogs", "-o", str(tmp_path), *words]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 3
    cogs = benchmark("cogs")
    options = cogs.options({"train": 12, "dev": 4, "test": 4, "gen": 0, "exposures": [1]})
    assert read(tmp_path).content_hash() == cogs.build(1, options).content_hash()
    assert len(list(tmp_path.iterdir())) == 4


def test_exhaustion_is_reported_soon(tmp_path):
    # No more than a hundred nominals are distinct; in a process of its own, which can be stopped.
    words = "--set train=5 --set dev=0 --set test=0 --set exposures=[] --set gen=2 --set depths=[100,100]".split()
    command = [sys.executable, "-m", "blicket", "generate", "cogs", "-o", "data", *words]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=10)
    assert ran.returncode == 2
    assert "cp_recursion at depth 100: found 0 distinct sentences of the 2 wanted" in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_write_that_fails_changes_nothing(blicket, tmp_path, workers):
    """Files may have 100 kB each; the first split would fit."""
    more = [
        "--set",
        "train=100",
        "--set",
        "dev=3000",
        "--set",
        "test=1",
        "--set",
        "gen=0",
        "--workers",
        workers,
        "--set",
        "exposures=[]",
    ]
    assert blicket("generate", "cogs", "-o", tmp_path / "old", *NO_GEN).status == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()}
    for directory in (tmp_path / "old", tmp_path / "new"):
        command = [sys.executable, "-m", "blicket", "generate", "cogs", "-o", str(directory), *more]
        limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100_000, 100_000))
        ran = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr == f"blicket: {directory}/dev.tsv: cannot be written (File too large)\n"
    assert {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()} == before
    assert list((tmp_path / "new").iterdir()) == []


def test_a_directory_holds_one_set(blicket, tmp_path):
    assert blicket("generate", "cogs", "-o", tmp_path, *NO_GEN, "--format", "jsonl").status == 0
    assert blicket("generate", "cogs", "-o", tmp_path, *NO_GEN).status == 0
    assert {path.name for path in tmp_path.iterdir()} == {"dataset.json", "train.tsv", "dev.tsv", "test.tsv"}


def test_at_a_terminal_what_takes_long_shows_progress(tmp_path):
    words = ["generate", "cogs", "-o", tmp_path, *"--set train=100000 --set gen=0 --set exposures=[]".split()]
    ours, theirs = os.openpty()
    ran = subprocess.Popen([sys.executable, "-m", "blicket", *words], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""
    with suppress(OSError):  # the end, at a terminal
        while more := os.read(ours, 1 << 16):
            said += more
    os.close(ours)
    assert ran.wait() == 0
    assert b"making in_distribution" in said
    assert b"writing train" in said
