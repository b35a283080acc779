"""Draws against the bits they are made of, and against scipy's distributions."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from blicket.core.randomness import Stream
from blicket.statistics import resampling
from blicket.statistics.resampling import binomial, drawn, heads


def whole(*numbers):
    return np.array(numbers, np.int64)


def fits(counts, probabilities, least=5):
    """Whether counts are as a distribution has it; cells of few are put together; chance fails once in a million."""
    expected = np.asarray(probabilities) * np.sum(counts)
    few = expected < least
    observed = [*np.asarray(counts)[~few], np.asarray(counts)[few].sum()]
    expected = [*expected[~few], expected[few].sum()]
    if expected[-1] < least:
        observed[-2:], expected[-2:] = [sum(observed[-2:])], [sum(expected[-2:])]
    return stats.chisquare(observed, expected, sum_check=False).pvalue > 1e-6


def test_heads_are_the_ones_among_the_first_bits():
    n = whole(1, 64, 65, 63, 1000, 128, 2)
    words = iter(Stream(1, "heads").words(1 + 1 + 2 + 1 + 16 + 2 + 1).tolist())
    expected = []
    for tosses in n.tolist():
        *full, last = [next(words) for _ in range(-(-tosses // 64))]
        spare = 64 * (len(full) + 1) - tosses
        expected.append(sum(word.bit_count() for word in full) + (last >> spare).bit_count())
    assert heads(Stream(1, "heads"), n).tolist() == expected


def test_heads_do_not_depend_on_how_many_words_are_held(monkeypatch):
    n = np.arange(1, 400, dtype=np.int64)
    at_once = heads(Stream(2), n).tolist()
    for block in (1, 7, 100):
        monkeypatch.setattr(resampling, "BLOCK", block)
        assert heads(Stream(2), n).tolist() == at_once


def test_binomial_counts_numbers_below_the_share():
    """One number at a time, whose bits are read off the stream, compared as fractions."""
    part, of = 5, 13
    below = 0
    for seed in range(300):
        words = (int(word) >> 63 for word in Stream(seed, "bits").words(64))
        low, size = Fraction(0), Fraction(1)
        while low < Fraction(part, of) < low + size:  # undecided; a head is a binary zero
            size /= 2
            low += 0 if next(words) else size
        expected = int(low + size <= Fraction(part, of))
        assert binomial(Stream(seed, "bits"), whole(1), whole(part), whole(of)).tolist() == [expected]
        below += expected
    assert 0 < below < 300


@pytest.mark.parametrize(
    ("n", "part", "of"), [(1, 1, 3), (5, 1, 2), (5, 3, 8), (40, 1, 7), (100, 99, 100), (1000, 211, 999)]
)
def test_binomial_is_binomial(n, part, of):
    draws = 20_000
    found = binomial(Stream(1, n, part), np.full(draws, n), np.full(draws, part), np.full(draws, of))
    assert fits(np.bincount(found, minlength=n + 1), stats.binom.pmf(np.arange(n + 1), n, part / of))


def test_binomials_of_many_kinds_at_once():
    rng = np.random.default_rng(1)
    n, of = rng.integers(0, 3000, 20_000), rng.integers(1, 2000, 20_000)
    part = rng.integers(0, of + 1)
    found = binomial(Stream(3), n, part, of)
    assert np.all((found >= 0) & (found <= n))
    assert np.all(found[part == 0] == 0)
    assert np.all(found[part == of] == n[part == of])
    # Each draw's place in its own distribution is uniform, once chance fills the steps.
    below, at = stats.binom.cdf(found - 1, n, part / of), stats.binom.pmf(found, n, part / of)
    open_ = (part > 0) & (part < of) & (n > 0)
    places = (below + rng.random(len(n)) * at)[open_]
    assert stats.kstest(places, "uniform").pvalue > 1e-6


@pytest.mark.parametrize("sizes", [[3], [1, 1], [2, 0, 3], [1, 1, 1, 1, 1], [0, 4, 0]])
def test_drawn_is_multinomial(sizes):
    draws, n = 20_000, sum(sizes)
    found = drawn(Stream(1, *sizes), np.tile(whole(*sizes), (draws, 1)))
    assert found.shape == (draws, len(sizes))
    assert np.all(found.sum(axis=1) == n)
    outcomes, counts = np.unique(found, axis=0, return_counts=True)
    law = stats.multinomial(n, np.array(sizes) / n)
    assert fits(counts, law.pmf(outcomes)) or len(outcomes) == 1
    assert law.pmf(outcomes).sum() == pytest.approx(1)  # every outcome came up, and no other


def test_rows_are_drawn_each_from_its_own_kinds():
    sizes = np.array([[10, 0, 90], [0, 50, 50], [100, 0, 0]]).repeat(5000, axis=0)
    found = drawn(Stream(4), sizes)
    assert np.all(found[sizes == 0] == 0)
    means = found.reshape(3, 5000, 3).mean(axis=1)
    assert means == pytest.approx(np.array([[10, 0, 90], [0, 50, 50], [100, 0, 0]]), abs=0.4)  # four standard errors
    assert np.corrcoef(found[5000:10_000, 1], found[5000:10_000, 2])[0, 1] == pytest.approx(-1)


def test_the_same_stream_gives_the_same_counts_for_ever():
    sizes = np.array([[5, 3, 8], [100, 20_000, 900]])
    assert drawn(Stream(1, "for ever"), sizes).tolist() == [[0, 2, 14], [92, 20085, 823]]
