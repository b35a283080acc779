"""Locks, so that two processes on one run do not do the same work at the same time."""

import fcntl
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from blicket.core.errors import InputError
from blicket.core.storage import made_directory

__all__ = ["locked"]


@contextmanager
def locked(files: Sequence[Path], say: Callable[[str], None]) -> Iterator[None]:
    """Hold the locks of some files, waiting for whoever has one; a process that dies lets go of its own.

    They are always taken in the same order, so that two processes never wait for each other.
    """
    with ExitStack() as held:
        for path in sorted(files):
            made_directory(path.parent)
            try:
                _lock(held.enter_context(path.open("a")), path, say)
            except OSError as error:
                raise InputError(f"{path}: cannot be locked ({error.strerror})") from error
        yield


def _lock(file: TextIO, path: Path, say: Callable[[str], None]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"another process is at work in {path.parent}; waiting for it")
        fcntl.flock(file, fcntl.LOCK_EX)
