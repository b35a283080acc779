"""Work on several cores that ends in the same result as on one."""

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.pool import Pool
from typing import Any, TypeVar

__all__ = ["in_order"]

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


def _forked(workers: int) -> Pool:
    """Processes that leave an interruption to the one that started them: they begin with that signal blocked.

    A termination is blocked only until they are ready: in the middle of a fork it could not be answered in silence.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        return multiprocessing.get_context("fork").Pool(workers, _listen)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _listen() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _call(item: Any) -> Any:
    assert _function is not None
    return _function(item)
