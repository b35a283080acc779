"""Locks: one at a time, in one order, let go of by the dead."""

import multiprocessing
import os
import signal
import threading
import time

import pytest

from blicket.core.errors import InputError
from blicket.runs.locks import locked


def held_elsewhere(paths, holding):
    with locked(paths, print):
        holding.set()
        time.sleep(60)


@pytest.fixture
def elsewhere():
    """Another process that holds locks until it is killed."""
    processes = []

    def hold(*paths):
        context = multiprocessing.get_context("spawn")
        holding = context.Event()
        processes.append(context.Process(target=held_elsewhere, args=(paths, holding)))
        processes[-1].start()
        assert holding.wait(30)
        return processes[-1]

    yield hold
    for process in processes:
        process.kill()
        process.join()


def test_who_comes_second_waits_and_says_so_until_the_first_is_dead(elsewhere, tmp_path):
    files = [tmp_path / "seed-1/lock", tmp_path / "seed-2/lock"]
    process = elsewhere(files[1])
    said, got = [], threading.Event()

    def second():
        with locked(files, said.append):
            got.set()

    waiting = threading.Thread(target=second)
    waiting.start()
    assert not got.wait(0.3)
    os.kill(process.pid, signal.SIGKILL)
    assert got.wait(10)
    waiting.join()
    assert said == [f"another process is at work in {tmp_path / 'seed-2'}; waiting for it"]


def test_free_locks_are_taken_without_a_word_and_given_back(tmp_path):
    said = []
    for _ in range(2):
        with locked([tmp_path / "b/lock", tmp_path / "a/lock"], said.append):
            pass
    with locked([], said.append):
        pass
    assert said == []


def test_a_lock_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "lock").mkdir()
    with (
        pytest.raises(InputError, match=r"lock: cannot be locked \(Is a directory\)"),
        locked([tmp_path / "lock"], print),
    ):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: is a file"), locked([tmp_path / "file/lock"], print):
        pass


def test_an_error_within_is_not_taken_for_one_of_the_lock(tmp_path):
    with pytest.raises(OSError, match="mine") as error, locked([tmp_path / "lock"], print):
        raise OSError(5, "mine")
    assert error.type is OSError
