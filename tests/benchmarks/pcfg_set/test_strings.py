import numpy as np
import pytest

from blicket.benchmarks.pcfg_set.strings import Strings, below
from blicket.core.errors import InputError
from blicket.core.randomness import Stream


def strings(symbols, *, distinct=True):
    return Strings(symbols, Stream(1, "strings"), distinct=distinct)


def rows(drawn):
    return [tuple(row) for row in drawn.tolist()]


@pytest.mark.parametrize(("symbols", "length", "parts"), [(520, 2, (900, 1, 5000)), (4, 3, (10, 54)), (2, 1, (2,))])
def test_none_is_drawn_twice(symbols, length, parts):
    source = strings(symbols)
    drawn = [row for n in parts for row in rows(source.draw(n, length))]
    assert len(set(drawn)) == len(drawn) == sum(parts)
    assert all(0 <= symbol < symbols for row in drawn for symbol in row)
    assert source.left(length) == symbols**length - sum(parts)


def test_all_strings_can_be_drawn_and_no_more():
    source = strings(3)
    assert len(set(rows(source.draw(9, 2)))) == 9
    with pytest.raises(InputError, match=r"1 strings of length 2 .* 3 symbols leave 0; set more symbols"):
        source.draw(1, 2)


def test_strings_may_be_drawn_again_if_that_is_wanted():
    drawn = rows(strings(2, distinct=False).draw(100, 1))
    assert len(drawn) == 100
    assert set(drawn) == {(0,), (1,)}


def test_long_strings():
    drawn = strings(520).draw(50, 50)
    assert drawn.shape == (50, 50)
    assert len(set(rows(drawn))) == 50


def test_numbers_below_a_bound_are_equally_likely():
    counts = np.bincount(below(6, 60_000, Stream(1, "dice")), minlength=6)
    # Five degrees of freedom: the statistic exceeds 35.9 once in a million seeds.
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 35.9
