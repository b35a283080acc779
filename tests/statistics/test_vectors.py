"""Two sets of vectors: their picture, their lengths, their directions."""

import numpy as np
import pytest
from scipy.stats import permutation_test

from blicket.statistics.vectors import cosines, length_difference, projected


@pytest.fixture
def drawn():
    return np.random.default_rng(3).normal(size=(60, 8))


def test_the_projection_has_the_largest_variances(drawn):
    stretched = drawn * np.array([1, 9, 1, 1, 4, 1, 1, 1])
    found = projected(stretched)
    assert found.shape == (60, 2)
    values = np.sort(np.linalg.eigvalsh(np.cov(stretched.T)))[::-1]
    assert found.var(axis=0, ddof=1) == pytest.approx(values[:2])
    assert abs(np.corrcoef(found[:, 0], stretched[:, 1])[0, 1]) > 0.99


def test_the_projection_does_not_turn_around(drawn):
    assert projected(drawn) == pytest.approx(projected(drawn[:, ::-1]))
    assert (projected(drawn)[np.abs(projected(drawn)).argmax(0), [0, 1]] > 0).all()


def test_lengths_are_tested_as_scipy_does(drawn):
    one, other = drawn[:20], drawn[20:] * 1.1
    found = length_difference(one, other)
    lengths = [np.linalg.norm(part, axis=1) for part in (one, other)]
    wanted = permutation_test(lengths, lambda a, b: a.mean() - b.mean(), n_resamples=9_999, rng=1)
    assert found.difference == pytest.approx(wanted.statistic)
    assert 0.01 < wanted.pvalue < 0.9
    assert found.p == pytest.approx(wanted.pvalue, abs=0.03)


def test_lengths_that_differ_are_found_out_and_the_same_are_not(drawn):
    assert length_difference(drawn[:30], 2 * drawn[30:], resamples=999).p == 0.001
    assert length_difference(drawn, drawn, resamples=99).p == 1


def test_cosines_are_those_of_all_pairs():
    one, other = np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([[3.0, 0.0], [1.0, 1.0], [-1.0, 0.0]])
    found = [1, 0.5**0.5, -1, 0, 0.5**0.5, 0]
    assert cosines(one, other) == pytest.approx((np.mean(found), np.std(found, ddof=1)))
