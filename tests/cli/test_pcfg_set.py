"""PCFG SET from the command line, and one clear line for whatever is wrong."""

import json

import pytest

SIZES = "--set train=300 --set dev=50 --set test=100".split()
OWN = "source\ttarget\tprediction\n"
ROW = "copy A1\tA1\tA1\n"


def test_it_is_listed_and_shown(blicket):
    assert "pcfg-set" in blicket("list").out
    assert "overgeneralisation" in blicket("show", "pcfg-set").out
    shown = json.loads(blicket("show", "pcfg-set", "--json").out)
    assert shown["splits"]["systematicity_test"] == "generalization"
    assert list(shown["compat"]) == ["unfiltered-dev", "two-function-exceptions"]
    (task,) = (p for p in shown["published"] if p["table"] == "rescored-transformer-1" and p["test"] == "task")
    assert task["value"] == 0.907


def test_inputs_are_interpreted(blicket):
    ran = blicket("interpret", "pcfg-set", stdin="echo A1 B1\nappend A1 B1\n\nrepeat_twin C3")
    assert ran.status == 2
    assert ran.out == "A1 B1 B1\n\n\nC3 C3\n"
    first, second = ran.err.splitlines()
    assert first.startswith("line 2: word 3: the input ends too early")
    assert second.startswith("line 3: word 1: the line is empty")


def test_data_are_generated_and_scored(blicket, tmp_path):
    ran = blicket("generate", "pcfg-set", "-o", tmp_path / "data", *SIZES)
    assert (ran.status, ran.err) == (0, "")
    assert str(tmp_path / "data/overgeneralisation_exceptions_50.tsv") in ran.out
    rows = [line.split("\t") for line in (tmp_path / "data/substitutivity_twin.tsv").read_text().splitlines()]
    for name in ("test", "twin"):
        answers = [row[1] if i else "A1 A1" for i, row in enumerate(rows)]
        lines = [f"substitutivity_{name}/{i}\t{answer}\n" for i, answer in enumerate(answers)]
        (tmp_path / f"{name}.tsv").write_text("id\tprediction\n" + "".join(lines))
    words = [tmp_path / "test.tsv", "--twin", tmp_path / "twin.tsv", "--data", tmp_path / "data"]
    said = json.loads(blicket("score", "pcfg-set", *words, "--json").out)
    assert (said["n"], said["consistency"]) == (len(rows), 1)
    assert said["both_correct"] == said["exact"] == said["twin_exact"] == 1 - 1 / len(rows)
    assert said["consistent_wrong"] == 1 / len(rows)
    assert {kind: sum(group["n"] for group in groups.values()) for kind, groups in said["by"].items()} == dict.fromkeys(
        ("split", "case", "kind", "functions", "depth", "length"), len(rows)
    )
    table = blicket("score", "pcfg-set", *words).out
    assert "consistent though wrong" in table
    assert "By number of functions" in table


def test_the_release_format(blicket, tmp_path):
    words = ["--set", "tests=[]", "--format", "parallel"]
    assert blicket("generate", "pcfg-set", "-o", tmp_path / "a", *SIZES, *words).status == 0
    assert {path.name for path in (tmp_path / "a").iterdir()} == {
        "dataset.json",
        *(f"{split}.{ending}" for split in ("train", "dev", "test") for ending in ("src", "tgt")),
    }
    ran = blicket("generate", "pcfg-set", "-o", tmp_path / "b", "--official", tmp_path / "a", "--format", "parallel")
    assert ran.status == 0
    for name in ("train.src", "train.tgt"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_several_seeds_have_several_twins(blicket, tmp_path):
    for name, answers in {"p": "A1", "q": "B1", "r": "A1", "s": "A1"}.items():
        (tmp_path / f"{name}.tsv").write_text(f"{OWN}copy A1\tA1\t{answers}\n")
    p, q, r, s = (tmp_path / f"{name}.tsv" for name in "pqrs")
    said = json.loads(blicket("score", "pcfg-set", p, q, "--twin", r, "--twin", s, "--json").out)
    assert (said["exact"], said["consistency"], said["twin_exact"]) == (0.5, 0.5, 1)
    assert [seed["consistency"] for seed in said["seeds"]] == [1, 0]


def test_a_row_may_stand_several_times(blicket, tmp_path):
    (tmp_path / "p.tsv").write_text(f"{OWN}{ROW}{ROW}copy A1\tA1\tB1\n")
    said = json.loads(blicket("score", "pcfg-set", tmp_path / "p.tsv", "--json").out)
    assert (said["n"], said["exact"]) == (3, 2 / 3)


def option(assignment, *says):
    return pytest.param(["generate", "pcfg-set", "-o", "out", "--set", assignment], says, {}, id=assignment)


def scored(id_, rows, *says, words=(), files=None):
    return pytest.param(["score", "pcfg-set", "p.tsv", *words], says, {"p.tsv": OWN + rows, **(files or {})}, id=id_)


BAD = [
    option("trian=5", "pcfg-set has no option 'trian'", "did you mean 'train'"),
    option("symbols=0", "option symbols", "0"),
    option("strings=[5,2]", "strings: 5 is longer than 2"),
    option('tests=["localsm"]', "there is no test 'localsm'; did you mean 'localism'"),
    option('pairs=["append"]', "pairs: expected two functions", "'append'"),
    option('exceptions={"copy copy"="append copy"}', "exceptions", "different numbers of arguments"),
    option("ratios=[0]", "ratios", "0"),
    option("naturalise=maybe", "naturalise", "boolean", "maybe"),
    option("compat=unfiltered", "there is no compat 'unfiltered'", "unfiltered-dev"),
    option("symbols=2", "strings of length", "are wanted", "distinct_strings=false"),
    pytest.param("generate pcfg-set -o out --form symbol".split(), ["no form 'symbol'", "'symbols'"], {}, id="form"),
    pytest.param("generate pcfg-set -o out --format src".split(), ["no format 'src'"], {}, id="format"),
    pytest.param("generate pcfg_set -o out".split(), ["'pcfg_set'; did you mean 'pcfg-set'"], {}, id="name"),
    pytest.param("generate cogs -o out --set gen=0 --set nonce=5 --format parallel".split(), ["nonce"], {}, id="cogs"),
    pytest.param("fetch pcfg-set".split(), ["pcfg-set has no released files to fetch"], {}, id="fetch"),
    pytest.param(
        "generate pcfg-set -o out --official d --compat unfiltered-dev".split(),
        ["compat", "how to make data"],
        {"d/dev.src": "copy A1\n", "d/dev.tgt": "A1\n"},
        id="compat of files",
    ),
    pytest.param(
        "generate pcfg-set -o out --official d".split(),
        ["d/dev.src, line 2: word 1: there is no function 'ecko'; did you mean 'echo'?"],
        {"d/dev.src": "copy A1\necko A1\n", "d/dev.tgt": "A1\nA1\n"},
        id="official outside the language",
    ),
    pytest.param(
        "generate pcfg-set -o out --official d".split(),
        ["d/dev.tgt: 1 lines, expected 2 as in dev.src"],
        {"d/dev.src": "copy A1\necho A1\n", "d/dev.tgt": "A1\n"},
        id="official of different lengths",
    ),
    scored("unknown function", ROW + "ecko A1\tA1\tA1\n", "p.tsv, line 3: word 1: there is no function 'ecko'"),
    scored("missing comma", "append A1 copy B1\tA1\tA1\n", "p.tsv, line 2: word 3", "a comma is missing"),
    scored("too many arguments", "copy A1 , B1\tA1\tA1\n", "p.tsv, line 2: word 3: too many arguments"),
    scored("empty source", "\tA1\tA1\n", "p.tsv, line 2: word 1: the line is empty"),
    scored("target in no form", "copy A1\tcopy\tA1\n", "p.tsv, line 2: the target is no symbols form: token 0: 'copy'"),
    scored("empty target", "copy A1\t\tA1\n", "p.tsv, line 2: the target is no symbols form: it is empty"),
    scored("a twin too few", ROW + ROW, "q.tsv", "1 rows, expected 2", words=["--twin", "q.tsv"],
           files={"q.tsv": OWN + ROW}),
    scored("a twin with another target", ROW, "q.tsv, line 2: has another target than p.tsv, line 2",
           words=["--twin", "q.tsv"], files={"q.tsv": f"{OWN}copy B1\tB1\tB1\n"}),
    scored("two twins of one", ROW, "--twin: 2 seeds, expected 1", words=["--twin", "q.tsv", "--twin", "r.tsv"],
           files={"q.tsv": OWN + ROW, "r.tsv": OWN + ROW}),
    scored("its own twin", ROW, "p.tsv: given twice", words=["--twin", "p.tsv"]),
    scored("a twin that is not there", ROW, "nope.tsv", "No such file", words=["--twin", "nope.tsv"]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "says", "files"), BAD)
def test_one_clear_line(blicket, tmp_path, monkeypatch, words, says, files):
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    ran = blicket(*words)
    assert (ran.status, ran.out) == (2, ""), ran
    assert ran.err.startswith("blicket: ")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 500
    for part in says:
        assert part in ran.err
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before
