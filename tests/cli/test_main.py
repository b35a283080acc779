import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from statistics import median

import pytest

COMMANDS = ["list", "show", "generate", "interpret", "score", "report", "compare", "fetch"]
HEAVY = {"numpy", "pyarrow", "pydantic", "scipy", "rapidfuzz"}
COMMAND = [sys.executable, "-m", "blicket"]


def test_without_a_command_the_commands_are_shown(blicket):
    ran = blicket()
    assert (ran.status, ran.err) == (0, "")
    assert all(command in ran.out for command in COMMANDS)


def test_the_version(blicket):
    from importlib.metadata import version

    assert blicket("--version").out == version("blicket") + "\n"


@pytest.mark.parametrize(
    "words", [[], *([command] for command in COMMANDS)], ids=lambda words: words[0] if words else ""
)
def test_help_is_quick_and_light(words):
    program = (
        "import sys\nfrom blicket.cli import main\ntry:\n    main(sys.argv[1:])\nfinally:\n"
        f"    print(*sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    ours, libraries = [], []
    for _ in range(3):
        ran, seconds = timed(program, *words, "--help")
        assert (ran.returncode, ran.stderr) == (0, "\n")
        assert "Usage: blicket" in ran.stdout
        ours.append(seconds)
        libraries.append(timed("import cyclopts, rich.table")[1])
    assert median(ours) < 2.4 * median(libraries)  # 1.6; numpy alone would bring it to 3


def timed(program, *words):
    """A Python program that ran, and the seconds that it computed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True)
    return ran, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


@pytest.mark.parametrize("words", [["list"], ["show", "cogs"], ["show", "cogs", "--json"], ["--help"]])
def test_a_reader_that_goes_away_is_no_error(words):
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run([*COMMAND, *words], stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize(
    "words", [["list"], ["show", "cogs"], ["show", "cogs", "--json"], ["--help"], ["interpret", "cogs"], ["--version"]]
)
def test_a_full_output_is_one_line(words):
    with open("/dev/full", "wb") as full:
        ran = subprocess.run([*COMMAND, *words], input="Emma\n" * 9, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, ran.stderr) == (
        2,
        "blicket: standard output: cannot be written (No space left on device)\n",
    )


def test_an_error_of_the_system_that_is_not_about_the_output_is_not_taken_for_one(blicket, monkeypatch):
    def broken():
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("blicket.core.registry.benchmark_names", broken)
    with pytest.raises(OSError, match="Input/output"):
        blicket("list")


def generating(directory, *words, **how):
    """A command that is busy writing a file of some megabytes."""
    more = ["--set", "train=200000", "--set", "dev=0", "--set", "test=0", "--set", "gen=0", "--set", "exposures=[]"]
    command = [*COMMAND, "generate", "cogs", "-o", str(directory), *more, *words]
    # A background job of a shell inherits that SIGINT is ignored, and would pass it on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
    finally:
        signal.signal(signal.SIGINT, before)
    until = time.monotonic() + 60
    while not list(directory.glob(".*.partial")):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.01)
    return process


def test_killed_while_writing_it_leaves_no_file_that_looks_whole(tmp_path, blicket):
    directory = tmp_path / "data"
    process = generating(directory)
    process.kill()
    process.communicate()
    assert [path.name for path in directory.iterdir() if not path.name.endswith(".partial")] == []
    ran = blicket("score", "cogs", tmp_path / "p.tsv", "--data", directory)
    assert ran.status == 2
    assert "holds no data of cogs" in ran.err


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("how", "status", "says"),
    [(signal.SIGINT, 130, "blicket: interrupted\n"), (signal.SIGTERM, 143, "blicket: terminated\n")],
)
def test_interrupted_while_writing_it_says_so_and_cleans_up(tmp_path, workers, how, status, says):
    directory = tmp_path / "data"
    process = generating(directory, "--workers", workers, start_new_session=True)
    os.killpg(process.pid, how)
    try:
        out, err = process.communicate(timeout=10)
    finally:
        with suppress(ProcessLookupError):  # a worker that waits for ever would hold the pipes open
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, out, err) == (status, "", says)
    assert list(directory.iterdir()) == []
