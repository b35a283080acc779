"""Killed processes, two at work on one run, and full disks: a run ends as it would have without them."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from blicket.core.errors import InputError
from blicket.core.scoring import score
from blicket.runs.run import Watcher

TINY = Path(__file__).with_name("tiny.toml")
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
COMMAND = [sys.executable, "-m", "blicket", "run", str(TINY)]

DYING = '''
"""Dies once at each moment of a run; each process gets one moment further than the one before."""

import json, os, signal, sys
from pathlib import Path

import pyarrow.parquet, torch  # once, for all processes

from blicket.cli import main
from blicket.learners.sequence import NetworkCohort
from blicket.runs.data import benchmark_of, data_of
from blicket.runs.recipe import read_recipe
from blicket.runs.run import Run
from blicket.training.decoding import _Search
from blicket.training.loop import _Loop

words, died = sys.argv[1:], []
recipe = read_recipe(Path(words[0]))
data_of(recipe, benchmark_of(Path(words[0]), recipe))


def deadly(owner, name, moment_of):
    """Before and after a function is a moment to die at, once."""
    function = getattr(owner, name)

    def watched(*arguments, **named):
        moment = moment_of(*arguments)
        die_at(f"before {moment}")
        result = function(*arguments, **named)
        die_at(f"after {moment}")
        return result

    setattr(owner, name, watched)


def die_at(moment):
    if moment not in died and not moment.endswith("-"):
        os.write(telling, f"{moment}\\n".encode())
        os.kill(os.getpid(), signal.SIGKILL)


deadly(Path, "replace", lambda path, target: f"{target.parent.name}/{target.name}")
deadly(_Loop, "_update", lambda loop: f"update {loop.update}" if loop.update in (0, 3, 10, 14) else "-")
deadly(_Search, "_extended", lambda search, logits, at: f"word {at}" if at in (0, 11) else "-")
deadly(NetworkCohort, "answers", lambda *about: "answers")
deadly(Run, "_clear", lambda run: "clearing")

while True:
    told, telling = os.pipe()
    process = os.fork()
    if process == 0:
        main(["run", *words])
    os.close(telling)
    moment = os.read(told, 1000).decode().strip()
    os.close(told)
    status = os.waitpid(process, 0)[1]
    if not moment:
        break
    assert os.WTERMSIG(status) == signal.SIGKILL
    died.append(moment)
    sys.stderr.write("\\n")
print(json.dumps({"died": died, "status": os.waitstatus_to_exitcode(status)}))
'''


def files_of(run):
    """What a run left, but for what depends on the clock and on where it is."""
    found = {}
    for path in run.path.rglob("*"):
        content = path.read_bytes() if path.is_file() and path.name not in ("run.json", "lock") else b""
        of_seed = path.parent.name.startswith("seed-") and path.suffix == ".json"
        if path.name == "curve.json" or of_seed:
            said = json.loads(content)
            said.pop("files", None)
            for point in said.get("curve", ()):
                point.pop("per_second")
            content = json.dumps(said).encode()
        if not path.name.endswith(".partial"):
            found[str(path.relative_to(run.path))] = content
    return found


@pytest.fixture(scope="session")
def finished(make_run, tmp_path_factory):
    """The run of the recipe as it is, which nothing interrupted."""
    run = make_run(tmp_path_factory.mktemp("finished"))
    run.go([1, 2], Watcher())
    return run


SLOWED_DOWN = [
    "training.optimiser=sgd",
    "training.momentum=0.9",
    "training.rate=0.01",
    "training.clip=1.0",
    "training.schedule=plateau",
    "training.factor=0.1",
    "data.watch=['gen']",
]


@pytest.mark.parametrize("more", [[], SLOWED_DOWN], ids=["adam", "plateau and watched"])
def test_a_run_that_is_killed_at_every_moment_ends_as_if_it_had_not_been(make_run, tmp_path, more):
    changes = ["data.evaluate=['gen']", "training.headline=last", *more]
    words = [*(word for change in changes for word in ("--set", change)), "--runs", str(tmp_path / "killed")]
    ran = subprocess.run(
        [sys.executable, "-c", DYING, str(TINY), *words, "--seeds", "1", "--json"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    *_, said = ran.stdout.splitlines() or [ran.stderr]
    died = json.loads(said)["died"]
    assert json.loads(said)["status"] == 0
    assert ran.stderr.count("Traceback") == 0
    files = {path.rpartition("/")[2] for path in (moment.partition(" ")[2] for moment in died)}
    assert files >= {"train.parquet", "dataset.json", "run.json", "newest.json", "best.safetensors", "last.safetensors"}
    assert files >= {"curve.json", "gen.parquet", "gen.json", "update 14", "word 11", "answers", "clearing"}
    assert {"before update-10.safetensors", "after update-20.safetensors"} <= {
        m.replace("training-1/", "") for m in died
    }
    assert len(died) == len(set(died)) >= 40
    whole = make_run(tmp_path / "whole", *changes)
    whole.go([1], Watcher())
    killed = make_run(tmp_path / "killed", *changes)
    assert files_of(killed.directory) == files_of(whole.directory)


def started(runs, *words):
    return subprocess.Popen(
        [*COMMAND, "--runs", str(runs), *words, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


def test_who_waits_says_so_and_takes_over_from_one_that_is_killed(make_run, tmp_path):
    changes = ["training.updates=60", "training.patience=9", "data.evaluate=['test']"]
    words = [word for change in changes for word in ("--set", change)]
    first = started(tmp_path / "runs", *words)
    until = time.monotonic() + 60
    while not list(tmp_path.glob("runs/*/training-1/newest.json")):
        assert first.poll() is None
        assert time.monotonic() < until
        time.sleep(0.005)
    first.send_signal(signal.SIGSTOP)
    (kept,) = tmp_path.glob("runs/*/training-1")
    assert 10 <= json.loads((kept / "newest.json").read_text())["update"] < 60
    second = started(tmp_path / "runs", *words)
    said = [second.stderr.readline(), second.stderr.readline()]
    assert said[1] == f"another process is at work in {kept.parent / 'seed-1'}; waiting for it\n"
    assert second.poll() is None
    first.kill()
    first.communicate()
    out, err = second.communicate(timeout=60)
    assert second.returncode == 0
    assert json.loads(out)["seeds"] == [1, 2]
    updates = [line.partition(" of ")[0] for line in err.splitlines() if line.startswith("update")]
    assert len(updates) < 12  # of seed 1 only what came after the checkpoint
    whole = make_run(tmp_path / "whole", *changes)
    whole.go([1, 2], Watcher())
    assert files_of(make_run(tmp_path / "runs", *changes).directory) == files_of(whole.directory)


def test_two_processes_at_once_end_with_the_same_result(make_run, finished, tmp_path):
    both = [started(tmp_path), started(tmp_path)]
    outs = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], outs
    assert outs[0][0] == outs[1][0]
    assert all("Traceback" not in err for _, err in outs)
    trained = [line for _, err in outs for line in err.splitlines() if line.startswith("training")]
    assert sorted(trained) == ["training seed 1", "training seed 2"]
    assert files_of(make_run(tmp_path).directory) == files_of(finished.directory)


# Full disks


@contextmanager
def no_file_larger_than(size):
    """As on a disk with little room: writing more fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_one_line_and_what_is_finished_stays(make_run, finished, tmp_path):
    run = make_run(tmp_path)
    run.go([1], Watcher())
    before = files_of(run.directory)
    size = run.directory.network(1, "best").stat().st_size
    with no_file_larger_than(size // 2), pytest.raises(InputError) as error:
        run.go([1, 2], Watcher())
    assert str(error.value).endswith("update-10.safetensors: cannot be written (File too large)")
    assert {name: content for name, content in files_of(run.directory).items() if name in before} == before
    assert list(run.directory.path.rglob("*.partial")) == []
    assert run.directory.seeds() == [1]
    assert score(run.benchmark, [run.directory.predictions(1, "gen")], run.form, run.directory.dataset())
    assert run.go([1, 2], Watcher()) == [1, 2]
    assert files_of(run.directory) == files_of(finished.directory)


@pytest.mark.parametrize("missing", ["gen.parquet", "gen.json"])
def test_so_it_is_with_predictions_and_scorecards(make_run, finished, missing, tmp_path):
    shutil.copytree(finished.directory.path.parent, tmp_path / "runs")
    run = make_run(tmp_path / "runs")
    for path in (run.directory.predictions(2, "gen"), run.directory.scores(2, "gen")):
        if path.name == missing or missing == "gen.parquet":
            path.unlink()
    with no_file_larger_than(100), pytest.raises(InputError) as error:
        run.go([1, 2], Watcher())
    assert str(error.value).endswith(f"seed-2/{missing}: cannot be written (File too large)")
    assert list(run.directory.path.rglob("*.partial")) == []
    assert run.go([1, 2], Watcher()) == [1, 2]
    assert files_of(run.directory) == files_of(finished.directory)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own, whose size can be changed."""
    place = tmp_path / "disk"
    place.mkdir()

    def mounted(options):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True)

    if os.geteuid() != 0 or mounted("size=16k").returncode != 0:
        pytest.skip("only root may mount a small disk")

    def resized(size):
        assert mounted(f"remount,size={size}").returncode == 0

    yield place, resized
    subprocess.run(["umount", str(place)], check=True)


def refusal(make_run, place):
    """What keeps a run from its end: the message, or None if nothing does."""
    try:
        assert make_run(place).go([1, 2], Watcher()) == [1, 2]
    except InputError as error:
        return str(error)
    return None


def test_a_disk_that_is_full_again_and_again(make_run, finished, small_disk):
    place, resized = small_disk
    kilobytes, refused = 16, []
    resized(f"{kilobytes}k")
    while message := refusal(make_run, place):
        assert re.fullmatch(r".*/[^/]+: cannot be written \(No space left on device\)", message), message
        refused.append(message.partition(": ")[0].rpartition("/")[2])
        kilobytes += max(8, kilobytes // 5)
        resized(f"{kilobytes}k")
    assert "update-10.safetensors" in refused
    assert len(set(refused)) >= 4, refused
    assert files_of(make_run(place).directory) == files_of(finished.directory)
