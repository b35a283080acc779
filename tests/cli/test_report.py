import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def plans():
    """The makers of run directories that the tests of reports have."""
    spec = importlib.util.spec_from_file_location("plans_of_runs", HERE.parent / "report/conftest.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def runs(plans, tmp_path_factory):
    directory = tmp_path_factory.mktemp("runs")
    return [plans.made_run(directory, plan) for plan in (plans.TRANSFORMER, plans.QUICK)]


def test_it_says_where_the_page_is_and_the_summary(blicket, runs, tmp_path):
    ran = blicket("report", *runs, "-o", tmp_path / "report")
    assert (ran.status, ran.err) == (0, "")
    first, *lines = ran.out.splitlines()
    assert first == str(tmp_path / "report/index.html")
    assert (tmp_path / "report/index.html").exists()
    assert max(len(line) for line in lines) <= 80
    assert "cogs-quick, cogs: not a result" in lines
    (gen,) = (line.split() for line in lines if line.startswith("gen ") and "0.35" in line)
    assert gen[:2] == ["gen", "3"]
    assert gen[6] == "0.35±0.06"
    assert gen[8] in ("inside", "below", "above")
    assert "training failed with seed 4" in " ".join(ran.out.split())


def test_it_writes_to_report_if_nothing_is_said(blicket, runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert blicket("report", runs[1]).out.splitlines()[0] == "report/index.html"


def test_long_names_stay_in_eighty_columns(blicket, plans, tmp_path):
    plan = replace(plans.QUICK, name="a-name-that-is-longer-than-anyone-would-want-" * 2)
    ran = blicket("report", plans.made_run(tmp_path, plan), "-o", tmp_path / "report")
    assert max(len(line) for line in ran.out.splitlines()[1:]) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no run is given"),
        (("nowhere",), "nowhere: is no run; expected a directory with run.json"),
    ],
)
def test_what_is_no_run_is_one_line(blicket, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    ran = blicket("report", *words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_run_in_the_making_is_one_line(blicket, plans, tmp_path):
    path = plans.made_run(tmp_path, replace(plans.QUICK, failed=(1,)))
    ran = blicket("report", path, "-o", tmp_path / "report")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "no seed of this run is finished" in ran.err
    assert not (tmp_path / "report").exists()


def test_an_unknown_answer_is_one_line(blicket, plans, tmp_path):
    path = plans.made_run(tmp_path, replace(plans.QUICK, answers=("table-2/transfomer",)))
    ran = blicket("report", path, "-o", tmp_path / "report")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "did you mean 'table-2/transformer'?" in ran.err


def test_it_needs_nothing_to_train_with(runs, tmp_path):
    program = (
        "import sys\nfrom blicket.cli import main\n"
        f"try:\n    main(['report', {str(runs[1])!r}, '-o', {str(tmp_path)!r}])\n"
        "finally:\n    print('torch' in sys.modules, file=sys.stderr)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "False\n")
