import os
import platform
from pathlib import Path

import pytest

from blicket.core.workers import in_order


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(workers):
    assert list(in_order(lambda n: n * n, range(50), workers)) == [n * n for n in range(50)]


def test_several_processes_do_the_work():
    assert set(in_order(lambda _: os.getpid(), range(4), 1)) == {os.getpid()}
    assert os.getpid() not in set(in_order(lambda _: os.getpid(), range(4), 2))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_arrives_and_the_next_work_is_done(workers):
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda n: 1 // n, [1, 0, 2], workers))
    assert list(in_order(str, [1], workers)) == ["1"]


def test_no_items_no_results():
    assert list(in_order(str, [], 2)) == []


def resident(_):
    """The megabytes of memory that this process has in it."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no freed memory, or do not say")
def test_memory_that_was_freed_is_not_that_of_the_workers():
    filling = [bytes(1000) for _ in range(200_000)]
    del filling[:-1]  # the last one keeps the heap from shrinking by itself
    before = resident(None)
    assert max(in_order(resident, range(4), 2)) < before - 150
    assert filling == [bytes(1000)]
