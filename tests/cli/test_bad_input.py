"""Whatever is wrong with what comes from outside gets one line that says where, what and what instead, and status 2."""

import json
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GENERATE = "generate cogs -o out --set train=5 --set dev=1 --set test=1 --set gen=0 --set exposures=[]".split()
SCORE = ["score", "cogs", "--json"]
OWN = "source\ttarget\tprediction\nEmma\tEmma\tEmma\n"


def bad(id_, words, *says, files=None, stdin=b""):
    """A case: the words of a command, what the complaint has to say, and the files that are there."""
    words = words.split() if isinstance(words, str) else words
    return pytest.param(words, says, files or {}, stdin, id=id_)


def option(id_, assignment, *says):
    """A `--set` of generate, instead of any other of that name."""
    name = assignment.partition("=")[0]
    settings = [word for word in GENERATE[4:] if word != "--set" and not word.startswith(f"{name}=")]
    return bad(id_, [*GENERATE[:4], *(f"--set={setting}" for setting in settings), "--set", assignment], *says)


def predictions(id_, content, *says, name="p.tsv", words=()):
    """A file of predictions that is scored against data that is all right."""
    return bad(id_, [*SCORE, name, "--data", "{data}", *words], name, *says, files={name: content})


def manifest(id_, change, *says):
    """A data directory whose manifest is changed: keys replaced, or all of its text."""
    words = [*SCORE, "p.tsv", "--data", "copy"]
    return bad(id_, words, *says, files={"p.tsv": "id\tprediction\ndev/0\tx\n", "copy/dataset.json": change})


def data(id_, files, *says):
    """A data directory, made of the everyday one and these files, or of these alone where there is `alone/`."""
    where = "alone" if any(name.startswith("alone") for name in files) else "copy"
    files = {"p.tsv": "id\tprediction\ndev/0\tx\n", **files}
    return bad(id_, [*SCORE, "p.tsv", "--data", where], *says, files=files)


def parquet(**columns):
    return lambda path: pq.write_table(pa.table(columns), path)


def not_text(path):
    """A column that says it is strings and is not."""
    buffers = [None, pa.py_buffer(bytes(4) + (2).to_bytes(4, "little")), pa.py_buffer(b"\xff\xfe")]
    pq.write_table(pa.table({"id": ["dev/0"], "prediction": pa.Array.from_buffers(pa.string(), 1, buffers)}), path)


def two_of_a_name(path):
    pq.write_table(pa.table([["x"], ["y"], ["dev/0"]], names=["prediction", "prediction", "id"]), path)


def cut_off(path):
    parquet(id=["dev/0"], prediction=["x"])(path)
    path.write_bytes(path.read_bytes()[:-20])


DEEP = "[" * 100_000
LONG_NUMBER = "9" * 5000

WORDS = [
    bad("unknown command", "generat cogs", "generat", "generate"),
    bad("unknown benchmark", "generate cog -o out", "'cog'", "did you mean 'cogs'"),
    bad("unlike any benchmark", "show xyzzy", "'xyzzy'", "cogs"),
    bad("benchmark to score", "score cgos p.tsv", "'cgos'", "'cogs'", files={"p.tsv": OWN}),
    bad("benchmark to fetch", "fetch cosg", "'cosg'", "'cogs'"),
    bad("no benchmark", "interpret", "NAME"),
    bad("unknown form", [*GENERATE, "--form", "conjuctive"], "'conjuctive'", "did you mean 'conjunctive'"),
    bad("form of interpret", "interpret cogs --form fol", "'fol'", "conjunctive", "variable-free", stdin=b"Emma\n"),
    bad("form of score", [*SCORE, "p.tsv", "--form", "drs"], "'drs'", "conjunctive", files={"p.tsv": OWN}),
    bad("unknown format", [*GENERATE, "--format", "tvs"], "'tvs'", "tsv"),
    bad("unknown compat", [*GENERATE, "--compat", "gen2020"], "'gen2020'", "did you mean 'gen-2020'"),
    bad("compat of score", [*SCORE, "p.tsv", "--data", "{data}", "--compat", "no"], "'no'", files={"p.tsv": OWN}),
    bad("unknown flag", [*GENERATE, "--sed", "2"], "--sed", "--seed"),
    bad("no output", "generate cogs", "--output"),
    bad("output without a value", "generate cogs -o", "-o"),
    bad("one word too many", [*GENERATE[:2], "extra", *GENERATE[2:]], "extra"),
    bad("a word too many for list", "list all", "all"),
    bad("seed is a word", [*GENERATE, "--seed", "one"], "--seed", "one", "int"),
    bad("seed is a fraction", [*GENERATE, "--seed", "1.5"], "--seed", "1.5", "int"),
    bad("seed is no number", [*GENERATE, "--seed", "nan"], "--seed", "nan"),
    bad("seed is endless", [*GENERATE, "--seed", "inf"], "--seed", "inf"),
    bad("no workers", [*GENERATE, "--workers", "0"], "--workers", "0"),
    bad("negative workers", [*GENERATE, "--workers", "-2"], "--workers", "-2"),
    bad("output is a file", GENERATE, "out", "is a file", "directory", files={"out": "mine"}),
    bad("output is in a file", [*GENERATE[:3], "f/out", *GENERATE[4:]], "f/out", files={"f": "mine"}),
    bad("a file's place is taken", GENERATE, "out/train.tsv", "directory", files={"out/train.tsv/x": "mine"}),
    bad("the last file's place is taken", GENERATE, "out/test.tsv", "directory", files={"out/test.tsv/x": "mine"}),
    bad("an empty output", [*GENERATE[:3], "", *GENERATE[4:]], "-o", "empty", "directory"),
    bad("an empty output of fetch", ["fetch", "cogs", "-o", ""], "-o", "empty", "directory"),
    bad("empty data", [*SCORE, "p.tsv", "--data", ""], "--data", "empty", "directory", files={"p.tsv": OWN}),
    bad("empty official", [*SCORE, "p.tsv", "--official="], "--official", "empty", files={"p.tsv": OWN}),
    bad("no predictions", "score cogs", "no file"),
    bad("data and official", [*SCORE, "p.tsv", "--data", "{data}", "--official", "{data}"], "--data", "--official",
        files={"p.tsv": OWN}),
    bad("official is no directory", [*GENERATE[:4], "--official", "nowhere"], "nowhere", "directory"),
    bad("official is empty", [*GENERATE[:4], "--official", "empty"], "empty", "train.tsv", files={"empty/x": ""}),
    bad("a seed of files that are read", [*GENERATE[:4], "--official", "{data}", "--seed", "1"], "--seed 1",
        "--official"),
    bad("options of files that are read", [*GENERATE, "--official", "{data}"], "train"),
]  # fmt: skip

SETTINGS = [
    bad("nothing is set", [*GENERATE, "--set"], "--set"),
    option("no value", "train", "train", "NAME=VALUE"),
    option("no name", "=5", "=5", "NAME=VALUE"),
    option("two lines", "train\nx", "NAME=VALUE"),
    option("empty value", "train=", "train", "integer"),
    bad("set twice", [*GENERATE, "--set", "train=6"], "train", "twice"),
    option("misspelt", "trian=5", "'trian'", "did you mean 'train'"),
    option("a word for a number", "train=many", "train", "integer", "many"),
    option("a fraction for a number", "train=1.5", "train", "integer", "1.5"),
    option("text for a number", 'train="5"', "train", "integer", "5"),
    option("a truth for a number", "train=true", "train", "integer"),
    option("a list for a number", "train=[5]", "train", "integer"),
    option("negative", "train=-1", "train", "0", "-1"),
    option("too large", "train=1000000000000", "train", "100000000"),
    option("a number of 5,000 digits", f"train={LONG_NUMBER}", "train"),
    option("nested too deeply", f"train={DEEP}", "train"),
    option("a number for a truth", "nonce=1", "nonce", "boolean"),
    option("a word for a truth", "nonce=maybe", "nonce", "boolean", "maybe"),
    option("depths reversed", "depths=[12,3]", "depths", "12", "3"),
    option("depth of nothing", "depths=[0,3]", "depths", "0"),
    option("too deep", "depths=[3,9999]", "depths", "200", "9999"),
    option("one depth", "depths=[3]", "depths", "expected a list such as [3, 12], got [3]"),
    option("three depths", "depths=[3,4,5]", "depths", "expected a list such as [3, 12], got [3, 4, 5]"),
    option("a number for depths", "depths=3", "depths", "expected a list such as [3, 12], got 3"),
    option("a number for exposures", "exposures=5", "exposures", "expected a list such as [1, 100], got 5"),
    option("a depth in words", 'depths=["three",4]', "depths", "valid integer", "'three'"),
    option("an exposure twice", "exposures=[1,1]", "exposures", "twice"),
    option("a negative exposure", "exposures=[-1]", "exposures", "-1"),
    option("an exposure in words", 'exposures=["one"]', "exposures", "one"),
    option("compat is a word", "compat=gen2020", "compat", "gen2020"),
    option("compat is a number", "compat=5", "compat", "5"),
    option("compat has a number", "compat=[1]", "compat", "1"),
    option("compat is unknown", 'compat=["gen-2002"]', "'gen-2002'", "did you mean 'gen-2020'"),
]  # fmt: skip

FILES = [
    bad("missing", [*SCORE, "nope.tsv"], "nope.tsv", "No such file"),
    bad("missing Parquet", [*SCORE, "nope.parquet"], "nope.parquet", "No such file"),
    bad("a directory", [*SCORE, "d"], "d: is a directory", files={"d/x": ""}),
    bad("a directory named like a file", [*SCORE, "d.tsv"], "d.tsv: is a directory", files={"d.tsv/x": ""}),
    predictions("unknown ending", "x", ".txt", ".tsv", ".parquet", name="p.txt"),
    predictions("no ending", "x", "ending", ".tsv", name="p"),
    predictions("pickled", b"\x80\x04K\x01.", ".pkl", ".jsonl", name="p.pkl"),
    bad("the same file twice", [*SCORE, "p.tsv", "p.tsv"], "p.tsv", "twice", files={"p.tsv": OWN}),
    bad("the same file by two names", [*SCORE, "p.tsv", "d/../p.tsv"], "p.tsv", "twice",
        files={"p.tsv": OWN, "d/x": ""}),
    predictions("empty", "", "empty", "header"),
    predictions("a line feed", "\n", "empty", "header"),
    predictions("header only", "id\tprediction\n", "no rows"),
    predictions("no predictions", "id\toutput\ndev/0\tx\n", "'prediction'", "output"),
    predictions("misspelt column", "id\tpredicton\ndev/0\tx\n", "'prediction'", "did you mean 'predicton'"),
    predictions("column in capitals", "ID\tPrediction\ndev/0\tx\n", "'prediction'", "'Prediction'"),
    predictions("spaces for tabs", "id prediction\ndev/0 x\n", "'prediction'"),
    predictions("no column of rows", "prediction\nx\n", "'id'", "'source'", "'target'"),
    bad("ids with sources and without targets", [*SCORE, "p.tsv"], "p.tsv", "--data",
        files={"p.tsv": "id\tsource\tprediction\ndev/0\tEmma\tx\n"}),
    bad("an id of two rows", [*SCORE, "p.tsv"], "p.tsv, line 3: ", "'dev/0'", "another row", "p.tsv, line 2",
        files={"p.tsv": "id\tsource\ttarget\tprediction\ndev/0\tEmma\tEmma\tx\ndev/0\tEmma\tAva\tx\n"}),
    bad("rows with and without ids", [*SCORE, "p.tsv", "q.tsv"], "p.tsv", "'id'", "--data",
        files={"p.tsv": "id\tsource\ttarget\tprediction\ndev/0\tEmma\tEmma\tx\n", "q.tsv": OWN}),
    predictions("no targets", "source\tprediction\nEmma\tx\n", "'target'"),
    predictions("no sources", "target\tprediction\nEmma\tx\n", "'source'"),
    predictions("repeated column", "id\tprediction\tprediction\ndev/0\tx\ty\n", "line 1", "'prediction'", "twice"),
    predictions("a column too many", "id\tprediction\ndev/0\tx\ndev/1\tx\ty\n", "line 3", "3 columns", "expected 2"),
    predictions("a column too few", "id\tprediction\ndev/0\n", "line 2", "1 column,", "expected 2"),
    predictions("an empty line", "id\tprediction\ndev/0\tx\n\ndev/1\tx\n", "line 3", "expected 2"),
    predictions("not UTF-8", b"id\tprediction\ndev/0\tx\ndev/1\tna\xefve\n", "line 3", "UTF-8", "0xef"),
    predictions("UTF-16", "id\tprediction\ndev/0\tx\n".encode("utf-16"), "line 1", "UTF-8"),
    predictions("ids of another split", "id\tprediction\nvalid/0\tx\n", "train", "dev", "test"),
    predictions("ids without rows", "id\tprediction\n7\tx\n", "train", "dev", "test"),
    bad("ids without data", [*SCORE, "p.tsv"], "p.tsv", "--data", files={"p.tsv": "id\tprediction\ndev/0\tx\n"}),
    bad("a target that cannot be parsed", [*SCORE, "p.tsv"], "p.tsv", "line 3",
        files={"p.tsv": OWN + "A cat\tcat ( x _ 1\tcat ( x _ 1 )\n"}),
    bad("a misspelt case", [*SCORE, "p.tsv"], "p.tsv, line 3: ", "no case 'cp_recusion'", "did you mean 'cp_recursion'",
        files={"p.tsv": "source\ttarget\tcase\tprediction\nEmma\tEmma\t\tx\nAva\tAva\tcp_recusion\tx\n"}),
    bad("a case nobody knows", [*SCORE, "p.tsv"], "p.tsv, line 2: ", "no case 'mine'", "blicket show cogs",
        files={"p.tsv": "source\ttarget\tcase\tprediction\nEmma\tEmma\tmine\tx\n"}),
    bad("a misspelt case of an exposure", [*SCORE, "p.tsv"], "did you mean 'exposure_example_unacc'",
        files={"p.tsv": "source\ttarget\tcase\tprediction\nEmma\tEmma\texposure_example_unac\tx\n"}),
    bad("a target that is empty", [*SCORE, "p.tsv"], "p.tsv", "line 3", files={"p.tsv": OWN + "Emma\t\tEmma\n"}),
    predictions("CSV: a quote is not closed", 'id,prediction\ndev/0,x\ndev/1,"x\n', "CSV", "line", name="p.csv"),
    predictions("CSV: a quote inside", 'id,prediction\ndev/0,x\ndev/1,"x"y\n', "CSV", "line 3", name="p.csv"),
    predictions("CSV: ragged", "id,prediction\ndev/0,x,y\n", "line 2", "3 columns", "expected 2", name="p.csv"),
    predictions("CSV: ragged further down", 'id,prediction\ndev/0,"a\nb"\ndev/1\n', "line 4", "1 column", name="p.csv"),
    predictions("CSV: an empty line", "id,prediction\ndev/0,x\n\n", "line 3", name="p.csv"),
    predictions("CSV: repeated column", "id,id,prediction\nx,y,z\n", "'id'", "twice", name="p.csv"),
    predictions("CSV: empty", "", "empty", name="p.csv"),
    predictions("CSV: header only", "id,prediction\n", "no rows", name="p.csv"),
    predictions("CSV: tabs", "id\tprediction\ndev/0\tx\n", "'prediction'", name="p.csv"),
    predictions("JSONL: empty", "", "empty", "JSON", name="p.jsonl"),
    predictions("JSONL: broken", '{"id": "dev/0", "prediction": "x"}\n{"id": \n', "line 2", "JSON", name="p.jsonl"),
    predictions("JSONL: an array", '["dev/0", "x"]\n', "line 1", "an array", "object", name="p.jsonl"),
    predictions("JSONL: one document", '[\n{"id": "dev/0"}\n]\n', "line 1", "JSON", name="p.jsonl"),
    predictions("JSONL: text", '"x"\n', "line 1", "a string", "object", name="p.jsonl"),
    predictions("JSONL: null", "null\n", "line 1", "null", "object", name="p.jsonl"),
    predictions("JSONL: a line is empty", '{"id": "dev/0", "prediction": "x"}\n\n', "line 2", name="p.jsonl"),
    predictions("JSONL: prediction is null", '{"id": "dev/0", "prediction": null}\n', "line 1", "null", "a string",
                name="p.jsonl"),
    predictions("JSONL: prediction is a number", '{"id": "dev/0", "prediction": 1}\n', "line 1", "a number", "a string",
                name="p.jsonl"),
    predictions("JSONL: prediction is tokens", '{"id": "dev/0", "prediction": ["x"]}\n', "line 1", "an array",
                name="p.jsonl"),
    predictions("JSONL: a prediction is missing", '{"id": "dev/0", "prediction": "x"}\n{"id": "dev/1"}\n', "line 2",
                "'prediction' is missing", name="p.jsonl"),
    predictions("JSONL: no predictions", '{"id": "dev/0", "predicted": "x"}\n', "'prediction'", "'predicted'",
                name="p.jsonl"),
    predictions("JSONL: respondent is a fraction", '{"id": "dev/0", "prediction": "x", "respondent": 1.5}\n', "line 1",
                "'respondent'", "a number", "an integer or a string", name="p.jsonl"),
    predictions("JSONL: respondent is a truth", '{"id": "dev/0", "prediction": "x", "respondent": true}\n', "line 1",
                "'respondent'", "a boolean", "an integer or a string", name="p.jsonl"),
    predictions("Parquet: respondents are fractions", parquet(id=["dev/0"], prediction=["x"], respondent=[1.5]),
                "'respondent'", "double", "integers or strings", name="p.parquet"),
    predictions("Parquet: a respondent is null", parquet(id=["dev/0", "dev/1"], prediction=["x", "x"],
                respondent=[1, None]), "line 2", "'respondent'", "null", name="p.parquet"),
    predictions("JSONL: id is a number", '{"id": 0, "prediction": "x"}\n', "line 1", "'id'",
        "a number", name="p.jsonl"),
    predictions("JSONL: a name twice", '{"id": "dev/0", "prediction": "x", "prediction": "y"}\n', "line 1",
                "'prediction'", "twice", name="p.jsonl"),
    predictions("JSONL: a number of 5,000 digits", f'{{"id": "dev/0", "prediction": "x", "n": {LONG_NUMBER}}}\n',
                "line 1", name="p.jsonl"),
    predictions("JSONL: nested too deeply", f'{{"id": "dev/0", "prediction": {DEEP}\n', "line 1", "nested",
                name="p.jsonl"),
    predictions("JSONL: half a character", '{"id": "dev/0", "prediction": "\\ud800"}\n', "line 1", "'prediction'",
                name="p.jsonl"),
    predictions("Parquet: empty", b"", "Parquet", name="p.parquet"),
    predictions("Parquet: something else", b"PAR1 not at all", "Parquet", name="p.parquet"),
    predictions("Parquet: cut off", cut_off, "Parquet", name="p.parquet"),
    predictions("Parquet: numbers", parquet(id=["dev/0"], prediction=[1]), "'prediction'", "int64", "strings",
                name="p.parquet"),
    predictions("Parquet: numbers for ids", parquet(id=[0], prediction=["x"]), "'id'", "int64", name="p.parquet"),
    predictions("Parquet: lists", parquet(id=["dev/0"], prediction=[["x"]]), "'prediction'", "list", name="p.parquet"),
    predictions("Parquet: a null", parquet(id=["dev/0", "dev/1"], prediction=["x", None]), "2", "'prediction'", "null",
                name="p.parquet"),
    predictions("Parquet: no rows", parquet(id=pa.array([], pa.string()), prediction=pa.array([], pa.string())),
                "no rows", name="p.parquet"),
    predictions("Parquet: no predictions", parquet(id=["dev/0"], predicted=["x"]), "'prediction'", "'predicted'",
                name="p.parquet"),
    predictions("Parquet: a column twice",
                two_of_a_name,
                "'prediction'", "twice", name="p.parquet"),
    predictions("Parquet: not UTF-8", not_text, "'prediction'", "UTF-8", name="p.parquet"),
    bad("standard input: empty", [*SCORE, "--", "-"], "standard input", "empty"),
    bad("standard input: header only", [*SCORE, "--data", "{data}", "--", "-"], "standard input", "no rows",
        stdin=b"id\tprediction\n"),
    bad("standard input: broken JSON", [*SCORE, "--data", "{data}", "--", "-"], "line 1", "JSON", stdin=b'{"id": '),
    bad("standard input: Parquet", [*SCORE, "--data", "{data}", "--", "-"], "line 1", "UTF-8", stdin=b"PAR1\x15\xff"),
]  # fmt: skip

DATA = [
    bad("data is missing", [*SCORE, "p.tsv", "--data", "nowhere"], "nowhere", "directory", files={"p.tsv": OWN}),
    bad("data is a file", [*SCORE, "p.tsv", "--data", "p.tsv"], "p.tsv", "directory", files={"p.tsv": OWN}),
    data("no data in it", {"alone/readme.md": "x"}, "alone", "cogs", "train.tsv"),
    data("a row with a column too few", {"alone/dev.tsv": "A\tb\tc\nA\tb\n"}, "dev.tsv", "line 2",
        "2 columns", "expected 3"),
    data("a target in no form", {"alone/dev.tsv": "Emma\tEmma\tx\nA cat\tcat ( x\tx\n"}, "alone/dev.tsv, line 2: ",
         "the target is no conjunctive form"),
    data("a target in no form in CSV", {"alone/dev.csv": "source,target\nEmma,Emma\nA cat,cat (\n"},
         "alone/dev.csv, line 3: ", "the target is no conjunctive form"),
    data("a header", {"alone/dev.tsv": "source\ttarget\tcase\nEmma\tEmma\tx\n"}, "alone/dev.tsv, line 1: ",
         "a header, and TSV of data has none; remove the line"),
    data("a header of another's", {"alone/dev.tsv": "sentence\ttarget\tdistribution\nEmma\tEmma\tx\n"},
         "alone/dev.tsv, line 1: ", "a header", "remove the line"),
    data("a header that names the source", {"alone/dev.tsv": "source\tlf\ttype\nEmma\tEmma\tx\n"},
         "alone/dev.tsv, line 1: ", "a header", "remove the line"),
    data("not UTF-8", {"alone/dev.tsv": b"A\tb\tc\n\xff\tb\tc\n"}, "dev.tsv", "line 2", "UTF-8"),
    data("two files of a split", {"alone/dev.tsv": "A\tb\tc\n", "alone/dev.csv": "x"}, "alone", "dev.csv", "dev.tsv"),
    data("CSV without targets", {"alone/dev.csv": "source,case\nx,y\n"}, "dev.csv", "'target'"),
    data("JSONL that is broken", {"alone/dev.jsonl": "{\n"}, "dev.jsonl", "line 1", "JSON"),
    data("Parquet that is none", {"alone/dev.parquet": "x"}, "dev.parquet", "Parquet"),
    data("a split without rows", {"alone/dev.tsv": ""}, "p.tsv", "no gold rows", "dev", "is empty"),
    data("a split without rows in CSV", {"alone/dev.csv": "source,target\n"}, "p.tsv", "no gold rows", "dev"),
    data("a split is a directory", {"alone/dev.tsv/x": "x"}, "dev.tsv", "directory"),
    bad("targets in no form", [*SCORE, "p.tsv", "--data", "alone", "--form", "variable-free"], "dev.tsv", "line 2",
             files={"p.tsv": "id\tprediction\ndev/0\tx\n",
        "alone/dev.tsv": "Emma\tEmma\tx\nA cat ran .\tcat ( x\tx\n"}),
    data("a file is missing", {"copy/test.tsv": None}, "test.tsv", "dataset.json"),
    data("a file has lost rows", {"copy/test.tsv": ""}, "test.tsv", "dataset.json"),
    manifest("manifest is empty", "", "copy/dataset.json"),
    manifest("manifest is cut off", "{", "copy/dataset.json"),
    manifest("manifest is an array", "[]", "copy/dataset.json"),
    manifest("manifest is something else", '{"a": 1}', "copy/dataset.json"),
    manifest("manifest is not UTF-8", b'{"benchmark": "\xff"}', "copy/dataset.json"),
    manifest("manifest is nested too deeply", DEEP, "copy/dataset.json"),
    manifest("another benchmark's", {"benchmark": "sygns"}, "copy/dataset.json", "sygns", "cogs"),
    manifest("a later schema", {"schema": "99"}, "copy/dataset.json", "99"),
    manifest("a form that is not there", {"form": "conjuctive"}, "'conjuctive'", "'conjunctive'"),
    manifest("a form that is a number", {"form": 5}, "dataset.json", "5"),
    manifest("a split that is not there", {"splits": {"vaild": {"file": "dev.tsv"}}}, "'vaild'"),
    manifest("splits without files", {"splits": {"dev": {}}}, "copy/dataset.json"),
    manifest("splits that are a list", {"splits": ["dev"]}, "copy/dataset.json"),
    manifest("a file that is a number", {"splits": {"dev": {"file": 5}}}, "copy/dataset.json"),
    manifest("no splits", {"splits": {}}, "copy"),
]  # fmt: skip

REST = [
    bad("a fetched file's place is taken", "fetch cogs -o f --url http://127.0.0.1:1", "f", files={"f": "mine"}),
    bad("fetched from nowhere", "fetch cogs -o f --url http://127.0.0.1:1", "http://127.0.0.1:1/train.tsv", "refused",
        files={"f/x": ""}),
    bad("fetched from an empty address", ["fetch", "cogs", "-o", "f", "--url", ""], "''", "https://"),
    bad("fetched from a slash", ["fetch", "cogs", "-o", "f", "--url", "/"], "'/'", "https://"),
    bad("fetched by another way", "fetch cogs -o f --url ftp://x", "ftp://x", "https://"),
    bad("fetched from nonsense", "fetch cogs -o f --url http://[x/", "http://[x"),
]  # fmt: skip


def place(files, here, everyday):
    for name, content in files.items():
        path = here / name
        if name.startswith("copy/") and not (here / "copy").exists():
            shutil.copytree(everyday, here / "copy")
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        elif isinstance(content, dict):
            path.write_text(json.dumps({**json.loads(path.read_text()), **content}))
        elif callable(content):
            content(path)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())


def everything_under(here):
    found = {}
    for folder, folders, names in os.walk(here):
        found |= {os.path.join(folder, name): None for name in folders}
        found |= {os.path.join(folder, name): Path(folder, name).read_bytes() for name in names}
    return found


@pytest.mark.parametrize(("words", "says", "files", "stdin"), [*WORDS, *SETTINGS, *FILES, *DATA, *REST])
def test_one_clear_line(blicket, everyday, tmp_path, monkeypatch, words, says, files, stdin):
    monkeypatch.chdir(tmp_path)
    place(files, tmp_path, everyday)
    before = everything_under(tmp_path)
    ran = blicket(*(word.replace("{data}", str(everyday)) for word in words), stdin=stdin)
    assert ran.status == 2, ran
    assert ran.out == ""
    assert ran.err.startswith("blicket: ")
    assert ran.err.endswith("\n")
    assert len(ran.err.splitlines()) == 1, ran.err
    assert len(ran.err) < 500
    for part in says:
        assert part in ran.err
    assert everything_under(tmp_path) == before


def test_there_are_enough_of_them():
    assert len([*WORDS, *SETTINGS, *FILES, *DATA, *REST]) >= 40


def test_more_workers_than_any_machine_has(blicket, tmp_path, monkeypatch):
    from blicket.core import workers

    def pool(*about):
        raise AssertionError("a million processes would be started")

    monkeypatch.setattr(workers, "_forked", pool)
    ran = blicket(*[word if word != "out" else tmp_path / "out" for word in GENERATE], "--workers", "1000000")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "--workers 1000000" in ran.err


def test_a_directory_that_must_not_be_written_to(blicket, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o500)
    ran = blicket(*[word if word != "out" else tmp_path / "out" for word in GENERATE])
    tmp_path.chmod(0o700)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "Permission denied" in ran.err


def test_a_full_disk_leaves_nothing_half_written(blicket, tmp_path, monkeypatch):
    from blicket.core import storage

    def full(*about):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "_tsv", full)
    ran = blicket(*[word if word != "out" else tmp_path / "out" for word in GENERATE])
    assert (ran.status, ran.out) == (2, "")
    assert "train.tsv: cannot be written (No space left on device)" in ran.err
    assert list((tmp_path / "out").iterdir()) == []
