"""Work on several cores that ends in the same result as on one."""

import ctypes
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.pool import Pool
from threading import Thread
from typing import Any, TypeVar

__all__ = ["cores", "heard", "in_order"]

Item = TypeVar("Item")
Result = TypeVar("Result")

_function: Callable[[Any], Any] | None = None


def in_order(function: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """The results of a pure function in the order of the items, worked out by several processes.

    The processes are forked, so that only items and results travel, and not what the function refers to; where there
    is no safe fork the work is done here instead.
    """
    global _function
    if workers <= 1 or sys.platform != "linux":
        yield from map(function, items)
        return
    _function = function
    try:
        with _forked(workers) as pool:
            yield from pool.imap(_call, items)
    finally:
        _function = None


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@contextmanager
def heard(listen: Callable[[Any], None]) -> Iterator[Callable[[Any], None]]:
    """A callable for workers to say things with, short ones that JSON has; `listen` hears them in this process.

    Make the workers inside: they inherit the pipe. So short a line is written whole or not at all.
    """
    reading, writing = os.pipe()

    def listening() -> None:
        with os.fdopen(reading) as lines:
            for line in lines:
                listen(json.loads(line))

    def speak(said: Any) -> None:
        os.write(writing, json.dumps(said).encode() + b"\n")

    listener = Thread(target=listening, daemon=True)
    listener.start()
    try:
        yield speak
    finally:
        os.close(writing)
        listener.join()


def _forked(workers: int) -> Pool:
    """Processes that leave signals to the one that started them: they have them blocked from the beginning.

    One that died of a signal might take the lock of the queue with it, and the others would wait for ever.
    """
    from multiprocessing.context import ForkContext, ForkProcess  # here, because not every system has them

    class Worker(ForkProcess):
        def terminate(self) -> None:
            self.kill()  # the pool does so last, when it has emptied the queue

    class Forking(ForkContext):
        Process = Worker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    _share_memory()
    try:
        return Forking().Pool(workers)
    finally:
        gc.unfreeze()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _share_memory() -> None:
    """Let processes that are forked now have as little memory as possible, and copy as little of it as possible.

    What is free in the heap would be theirs too, and copied once they use it; and a garbage collection writes to every
    object that it looks at, which copies all of them.
    """
    with suppress(AttributeError, OSError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
    gc.collect()
    gc.freeze()


def _call(item: Any) -> Any:
    assert _function is not None
    return _function(item)
