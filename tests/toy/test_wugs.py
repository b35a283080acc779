"""A benchmark that src/ knows nothing of goes through the ordinary commands, found by its entry point alone."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HEADER = "premise\thypothesis\ttarget\tprediction\n"
MINE = HEADER + (
    "all wugs blick\tsome wugs blick\tentailment\tentailment\n"
    "all wugs blick\tno wugs blick\tcontradiction\tCONTRADICTION\n"
    "some wugs blick\tall wugs blick\tneutral\tentailment\n"
    "no wugs blick\tno wugs zup\tneutral\tperhaps\n"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """What `pip install --target` leaves: the module, and the entry points of its pyproject.toml beside it."""
    target = tmp_path_factory.mktemp("site")
    shutil.copy(HERE / "wugs.py", target)
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    about = target / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    ini = "".join(
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in points.items())
        for group, points in project["entry-points"].items()
    )
    (about / "entry_points.txt").write_text(ini)
    return target


@pytest.fixture
def blicket(installed, tmp_path):
    def run(*words, stdin="", also=()):
        path = os.pathsep.join([str(installed), *map(str, also), os.environ.get("PYTHONPATH", "")])
        return subprocess.run(
            [sys.executable, "-m", "blicket", *words],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            timeout=60,
        )

    return run


def succeeded(result):
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_it_is_listed_and_shown(blicket):
    listed = json.loads(succeeded(blicket("list", "--json")))
    assert [b["name"] for b in listed] == ["cogs", "natural-logic", "pcfg-set", "wugs"]
    assert listed[3] == {"name": "wugs", "version": "3", "title": "Wugs: what follows from a sentence about wugs"}
    shown = json.loads(succeeded(blicket("show", "wugs", "--json")))
    assert shown["forms"] == ["label", "sign"]
    assert shown["inputs"] == ["premise", "hypothesis"]
    assert shown["splits"] == {"train": "train", "gen": "generalization"}
    assert "Nobody 1958" in succeeded(blicket("show", "wugs"))


def test_its_name_is_offered(blicket):
    result = blicket("show", "wug")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "blicket: there is no benchmark 'wug'; did you mean 'wugs'?\n"


def test_without_its_package_it_is_unknown(tmp_path):
    result = subprocess.run([sys.executable, "-m", "blicket", "show", "wugs"], capture_output=True, text=True)
    assert result.returncode == 2
    assert "there is no benchmark 'wugs'" in result.stderr


def test_two_inputs_are_interpreted_with_a_tab_between(blicket):
    said = blicket("interpret", "wugs", stdin="all wugs blick\tsome wugs blick\nno wugs zup\tall wugs zup\n")
    assert succeeded(said) == "entailment\ncontradiction\n"
    assert succeeded(blicket("interpret", "wugs", "--form", "sign", stdin="all fips zup\tno fips zup\n")) == "|\n"


def test_refusals_name_the_line(blicket):
    said = blicket("interpret", "wugs", stdin="all wugs blick\nall wugs blick\tsome cats blick\n")
    assert (said.returncode, said.stdout) == (2, "\n\n")
    first, second = said.stderr.splitlines()
    assert first == "line 1: 1 inputs, expected premise and hypothesis with a tab between"
    assert second == "line 2: word 2: 'cats' in input 2; expected wugs or fips or daxes"


@pytest.mark.parametrize("format_", ["tsv", "jsonl", "csv", "parquet"])
def test_generated_data_scores_itself_as_perfect(blicket, tmp_path, format_):
    succeeded(blicket("generate", "wugs", "-o", "data", "--format", format_, "--set", "gen=20"))
    gold = succeeded(blicket("generate", "wugs", "-o", "gold", "--set", "gen=20"))
    assert "gen" in gold
    rows = [line.split("\t") for line in (tmp_path / "gold/gen.tsv").read_text().splitlines()]
    assert len(rows) == 20
    predictions = "".join(f"gen/{i}\t{target}\n" for i, (_, _, target, _) in enumerate(rows))
    (tmp_path / "said.tsv").write_text("id\tprediction\n" + predictions)
    said = blicket("score", "wugs", "said.tsv", "--data", "data", "--json")
    scores = json.loads(succeeded(said))
    assert (said.stderr, scores["n"], scores["exact"], scores["meaning"]) == ("", 20, 1.0, 1.0)
    assert {case: c["n"] for case, c in scores["by"]["case"].items()} == {"new_premise": 18, "new_verbs": 2}
    assert {kind: c["n"] for kind, c in scores["by"]["kind"].items()} == {"lexical": 18, "structural": 2}


def test_the_rows_of_a_file_of_ones_own_are_judged_by_its_judge(blicket, tmp_path):
    (tmp_path / "mine.tsv").write_text(MINE)
    scores = json.loads(succeeded(blicket("score", "wugs", "mine.tsv", "--json")))
    numbers = {name: scores[name] for name in ("n", "exact", "meaning", "unparseable", "too_strong")}
    assert numbers == {"n": 4, "exact": 0.25, "meaning": 0.5, "unparseable": 0.25, "too_strong": 0.25}
    assert scores["letters"] == (0 + 3 + 0) / 3  # over the three that are not exact
    table = succeeded(blicket("score", "wugs", "mine.tsv"))
    assert "too strong" in table
    assert "0.2500" in table


def test_several_seeds_are_spread(blicket, tmp_path):
    (tmp_path / "a.tsv").write_text(MINE)
    (tmp_path / "b.tsv").write_text(MINE.replace("perhaps", "neutral"))
    scores = json.loads(succeeded(blicket("score", "wugs", "a.tsv", "b.tsv", "--json")))
    assert [seed["exact"] for seed in scores["seeds"]] == [0.25, 0.5]
    assert scores["exact"] == 0.375
    assert scores["sd"]["exact"] == pytest.approx(0.125 * 2**0.5)
    succeeded(blicket("score", "wugs", "a.tsv", "b.tsv"))


def test_both_forms_are_written_and_told_apart(blicket, tmp_path):
    succeeded(blicket("generate", "wugs", "-o", "data", "--form", "sign"))
    assert {line.split("\t")[2] for line in (tmp_path / "data/gen.tsv").read_text().splitlines()} <= {"<", "|", "#"}
    (tmp_path / "said.tsv").write_text("id\tprediction\ngen/0\t<\n")
    scores = json.loads(succeeded(blicket("score", "wugs", "said.tsv", "--data", "data", "--form", "sign", "--json")))
    assert scores["form"] == "sign"


def test_data_in_another_form_than_asked_for_is_one_clear_line(blicket, tmp_path):
    # The default Benchmark.rows has targets in the form of the file alone.
    succeeded(blicket("generate", "wugs", "-o", "data", "--form", "label"))
    (tmp_path / "said.tsv").write_text("id\tprediction\ngen/0\t<\n")
    said = blicket("score", "wugs", "said.tsv", "--data", "data", "--form", "sign")
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (2, "", 1), said.stderr
    assert "sign" in said.stderr
    assert "label" in said.stderr


def test_bad_options_are_one_clear_line(blicket):
    for words, message in (
        (("--set", "gne=3"), "there is no option 'gne'; did you mean 'gen'?"),
        (("--set", "gen=-3"), "option gen: expected a number of rows, got -3"),
        (("--compat", "some-is-al"), "there is no compat 'some-is-al'; did you mean 'some-is-all'?"),
    ):
        said = blicket("generate", "wugs", "-o", "data", *words)
        assert (said.returncode, said.stdout, said.stderr) == (2, "", f"blicket: {message}\n")


def test_it_has_no_release_to_fetch(blicket):
    said = blicket("fetch", "wugs", "-o", "x")
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "blicket: wugs has no released files to fetch\n"


@pytest.fixture
def broken(tmp_path):
    """Installed packages whose benchmarks cannot be had: one fails as it loads, one registers another name."""
    site = tmp_path / "broken"
    about = site / "faulty-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[blicket.benchmarks]\nfaulty = faulty\nmisnamed = wugs\n")
    (site / "faulty.py").write_text("import a_module_that_nobody_has\n")
    return site


@pytest.mark.parametrize("name", ["faulty", "misnamed"])
def test_a_package_that_does_not_load_is_one_clear_line(blicket, broken, name):
    said = blicket("show", name, also=[broken])
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (2, "", 1), said.stderr
    assert name in said.stderr
    assert "did you mean" not in said.stderr


def test_a_package_that_does_not_load_leaves_the_others_alone(blicket, broken):
    assert succeeded(blicket("show", "cogs", "--json", also=[broken]))
    listed = blicket("list", also=[broken])
    assert "Traceback" not in listed.stderr
    assert "cogs" in listed.stdout
