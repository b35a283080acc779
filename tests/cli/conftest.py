"""The real command, in this process, with everything it says; and small data to try it on."""

import io
import sys
from dataclasses import dataclass

import pytest

from blicket.cli import main

SMALL = "--set train=12 --set dev=4 --set test=4 --set exposures=[1]".split()
NO_GEN = [*SMALL, "--set", "gen=0"]


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


@pytest.fixture
def blicket(monkeypatch, capsys):
    def run(*words, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        monkeypatch.setenv("COLUMNS", "100")
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Ran(ended.value.code, out, err)

    return run


def generated(directory, *words):
    with pytest.raises(SystemExit) as ended:
        main(["generate", "cogs", "-o", str(directory), "--json", *words])
    assert ended.value.code == 0
    return directory


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """COGS with ten rows a case, of each depth one."""
    return generated(tmp_path_factory.mktemp("data") / "cogs", *SMALL, "--set", "gen=10")


@pytest.fixture(scope="session")
def everyday(tmp_path_factory):
    """COGS without gen, which is made in no time."""
    return generated(tmp_path_factory.mktemp("everyday") / "cogs", *NO_GEN)


def rows_of(path):
    return [line.split("\t") for line in path.read_text("utf-8").split("\n")[:-1]]


@pytest.fixture(scope="session")
def gold(data):
    """The rows of gen: source, target, case."""
    return rows_of(data / "gen.tsv")
