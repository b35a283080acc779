import os

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
