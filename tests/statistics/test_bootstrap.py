"""The two-level bootstrap against one that lists what it draws, against scipy's, and against simulated truth."""

import time
from itertools import product

import numpy as np
import pytest
from scipy import stats

from blicket.core.randomness import Stream
from blicket.statistics import bootstrap
from blicket.statistics.bootstrap import difference, stretch

OUTSIDE = [0.025, 0.975]


def answers(rng, seeds, items, ability=0.0, spread=0.5, difficulty=None):
    """Seeds of differing ability on items of differing difficulty, and chance."""
    easy = rng.normal(size=items) if difficulty is None else difficulty
    able = ability + spread * rng.normal(size=(seeds, 1))
    return able + easy + rng.normal(size=(seeds, items)) > 0


def replicates(rng, a, b, paired, number):
    """Draw seeds and items one by one; what seeds do alone is stretched afterwards."""
    factor_a, factor_b = (stretch(len(side), 0.95) for side in (a, b))
    found = []
    for _ in range(number):
        of_a = rng.integers(len(a), size=len(a))
        of_b = of_a if paired else rng.integers(len(b), size=len(b))
        items = rng.integers(a.shape[1], size=a.shape[1])
        plain = a[of_a][:, items].mean() - b[of_b][:, items].mean()
        moved_a, moved_b = a[of_a].mean() - a.mean(), b[of_b].mean() - b.mean()
        found.append(plain + (factor_a - 1) * moved_a - (factor_b - 1) * moved_b)
    return np.array(found)


def agree(found, drawn, spread):
    """Whether an interval and a share of 40,000 replicates are those of 10,000 others, within four standard errors."""
    low, high = np.quantile(drawn, OUTSIDE)
    assert found.low == pytest.approx(low, abs=0.12 * spread)
    assert found.high == pytest.approx(high, abs=0.12 * spread)
    assert found.above == pytest.approx(np.mean(drawn > 0), abs=0.022)


@pytest.mark.parametrize(
    ("seeds_a", "seeds_b", "paired"),
    [
        (5, 5, True),
        (5, 5, False),
        (4, 4, True),
        (5, 3, False),
        (6, 4, False),
        (5, 1, False),
        (1, 4, False),
        (1, 1, False),
    ],
)
def test_it_is_what_drawing_one_by_one_gives(seeds_a, seeds_b, paired):
    rng = np.random.default_rng(seeds_a * 10 + seeds_b)
    difficulty = rng.normal(size=60)
    a, b = (answers(rng, n, 60, ability, 0.3, difficulty) for n, ability in ((seeds_a, 0.1), (seeds_b, 0.0)))
    found = difference(a, b, Stream(1), paired=paired, replicates=40_000)
    drawn = replicates(rng, a, b, paired, 10_000)
    assert found.difference == pytest.approx(a.mean() - b.mean())
    agree(found, drawn, drawn.std())


def test_with_one_seed_it_is_scipys_paired_bootstrap_of_items():
    rng = np.random.default_rng(1)
    difficulty = rng.normal(size=3000)
    a, b = (answers(rng, 1, 3000, ability, 0, difficulty) for ability in (0.02, 0.0))
    found = difference(a, b, Stream(2), paired=False, replicates=40_000)
    theirs = stats.bootstrap(
        (a[0].astype(float), b[0].astype(float)),
        lambda x, y, axis: x.mean(axis) - y.mean(axis),
        paired=True,
        vectorized=True,
        n_resamples=10_000,
        method="percentile",
        random_state=1,
    )
    agree(found, theirs.bootstrap_distribution, theirs.standard_error)


@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_stretched_means_of_all_resamples_vary_as_student_has_it(seeds):
    values = np.random.default_rng(seeds).normal(size=seeds)
    means = np.array([np.mean(drawn) for drawn in product(values, repeat=seeds)])
    reach = stats.norm.ppf(0.975) * means.std() * stretch(seeds, 0.95)
    assert reach == pytest.approx(stats.t.ppf(0.975, seeds - 1) * stats.sem(values))


def test_where_items_leave_nothing_uncertain_it_is_about_students():
    rng = np.random.default_rng(2)
    shares = rng.normal(0.5, 0.05, size=(2, 10))
    a, b = (np.arange(20_000) / 20_000 < side[:, None] for side in shares)
    found = difference(a, b, Stream(3), paired=True)
    theirs = stats.ttest_rel(a.mean(axis=1), b.mean(axis=1)).confidence_interval(0.95)
    assert found.high - found.low == pytest.approx(theirs.high - theirs.low, rel=0.12)


def test_pairs_of_seeds_and_of_items_cancel():
    """A and B share what makes items hard and seeds able: only pairing sees that B is a little better each time."""
    rng = np.random.default_rng(3)
    a = answers(rng, 5, 2000, spread=1.0)
    b = a | (rng.random(a.shape) < 0.02)
    pairs, apart = (difference(a, b, Stream(1), paired=paired) for paired in (True, False))
    assert pairs.excludes_zero
    assert not apart.excludes_zero
    assert pairs.high < 0
    assert (pairs.above, pairs.difference) == (0, apart.difference)


def test_respondents_that_are_the_same_do_not_differ():
    a = answers(np.random.default_rng(4), 5, 100)
    found = difference(a, a, Stream(1), paired=True)
    assert (found.difference, found.low, found.high, found.above, found.excludes_zero) == (0, 0, 0, 0, False)


def test_exchanged_they_differ_the_other_way():
    rng = np.random.default_rng(5)
    a, b = answers(rng, 5, 300, 0.2), answers(rng, 4, 300)
    found, other = (difference(*pair, Stream(1), paired=False, replicates=40_000) for pair in ((a, b), (b, a)))
    assert found.difference == pytest.approx(-other.difference)
    assert (found.low, found.high) == pytest.approx((-other.high, -other.low), abs=0.01)
    assert found.above == pytest.approx(1 - other.above, abs=0.015)
    assert (found.a, found.b) == (other.b, other.a)


def test_the_order_of_items_does_not_matter():
    rng = np.random.default_rng(6)
    a, b = answers(rng, 3, 200), answers(rng, 3, 200)
    order = rng.permutation(200)
    assert difference(a, b, Stream(1), paired=True) == difference(a[:, order], b[:, order], Stream(1), paired=True)


def test_neither_does_how_much_is_held_at_a_time(monkeypatch):
    rng = np.random.default_rng(7)
    a, b = answers(rng, 5, 200), answers(rng, 4, 200)
    at_once = difference(a, b, Stream(1), paired=False)
    monkeypatch.setattr(bootstrap, "BLOCK", 1000)
    assert difference(a, b, Stream(1), paired=False) == at_once


def test_a_wider_confidence_has_a_wider_interval():
    rng = np.random.default_rng(8)
    a, b = answers(rng, 5, 200), answers(rng, 5, 200)
    ninety, ninety_nine = (difference(a, b, Stream(1), paired=True, confidence=c) for c in (0.9, 0.99))
    assert ninety_nine.low < ninety.low < ninety.high < ninety_nine.high


def test_an_interval_stays_where_differences_can_be():
    a, b = np.array([[1] * 10, [0] * 10], bool), np.zeros((2, 10), bool)
    found = difference(a, b, Stream(1), paired=True)
    assert (found.low, found.high) == (-1, 1)


def held(rng, seeds_a, seeds_b, paired, trials=200, items=300, spread=0.4):
    """How often the interval holds the truth, which is that A is better by what ability makes of itself."""
    grid = rng.normal(size=(400_000, 3)) @ np.array([spread, 1.0, 1.0])
    truth = np.mean(grid + 0.2 > 0) - np.mean(grid > 0)
    hits = 0
    for trial in range(trials):
        difficulty = rng.normal(size=items)
        a, b = (answers(rng, n, items, able, spread, difficulty) for n, able in ((seeds_a, 0.2), (seeds_b, 0.0)))
        found = difference(a, b, Stream(trial), paired=paired, replicates=1000)
        hits += found.low <= truth <= found.high
    return hits / trials


@pytest.mark.parametrize(("seeds_a", "seeds_b", "paired"), [(3, 3, True), (5, 5, True), (5, 5, False), (4, 2, False)])
def test_the_interval_holds_at_least_as_often_as_it_says(seeds_a, seeds_b, paired):
    rng = np.random.default_rng(9)
    assert held(rng, seeds_a, seeds_b, paired) > 0.95 - 0.046  # three standard errors


def test_without_the_stretch_it_would_not(monkeypatch):
    monkeypatch.setattr(bootstrap, "stretch", lambda seeds, confidence: 1.0)
    assert held(np.random.default_rng(9), 3, 3, paired=True, spread=0.8) < 0.87


@pytest.mark.parametrize(("seeds", "plain"), [(3, 0.744), (5, 0.847)])
def test_percentiles_of_a_few_seeds_alone_hold_as_rarely_as_the_docstring_says(seeds, plain):
    rng = np.random.default_rng(10)
    draws = rng.multinomial(seeds, [1 / seeds] * seeds, size=1000) / seeds
    values = rng.normal(size=(4000, seeds))
    low, high = np.quantile(draws @ values.T, OUTSIDE, axis=0)
    assert np.mean((low <= 0) & (high >= 0)) == pytest.approx(plain, abs=0.025)
    assert f"{plain:.0%}" in stretch.__doc__


def test_all_of_gen_takes_a_moment():
    rng = np.random.default_rng(11)
    a, b = answers(rng, 5, 21_000), answers(rng, 5, 21_000)
    for paired in (True, False):
        difference(a, b, Stream(1), paired=paired)
        before = time.process_time()
        difference(a, b, Stream(1), paired=paired)
        assert time.process_time() - before < 2  # some 0.3 s on a quiet machine
