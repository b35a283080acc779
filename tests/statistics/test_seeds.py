"""Numbers over seeds against scipy's t distribution, and the words against the numbers."""

import numpy as np
import pytest
from scipy import stats

from blicket.statistics.seeds import over_seeds, percent


@pytest.mark.parametrize("values", [[0.2, 0.4], [0.35, 0.41, 0.29, 0.33, 0.37], [0.5, 0.5, 0.5]])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_the_interval_is_students(values, confidence):
    found = over_seeds(values, confidence)
    mean, sem = np.mean(values), stats.sem(values)
    assert found.mean == pytest.approx(mean)
    assert found.deviation == pytest.approx(np.std(values, ddof=1))
    assert (found.n, found.values) == (len(values), tuple(values))
    expected = stats.t.interval(confidence, len(values) - 1, mean, sem) if sem else (mean, mean)
    assert (found.low, found.high) == pytest.approx(expected)


def test_one_seed_has_no_interval():
    found = over_seeds([0.35])
    assert (found.mean, found.deviation, found.low, found.high) == (0.35, None, None, None)
    assert found.beside(0.35) == "one seed has no interval"


def test_no_seeds_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        over_seeds([])


def test_where_a_published_value_lies():
    found = over_seeds([0.2, 0.3, 0.4])
    said = {value: found.beside(value) for value in (found.low, 0.3, found.high, found.low - 0.001, found.high + 0.001)}
    inside, below, above = (
        f"the published value lies {where} our 95% interval" for where in ("inside", "below", "above")
    )
    assert list(said.values()) == [inside, inside, inside, below, above]


@pytest.mark.parametrize(("share", "said"), [(0.95, "95%"), (0.999, "99.9%"), (0.975, "97.5%"), (0.9, "90%")])
def test_percent_has_the_places_that_it_has(share, said):
    assert percent(share) == said
    assert said in over_seeds([0.2, 0.3], share).beside(0.25)


def test_the_interval_holds_as_often_as_it_says():
    rng = np.random.default_rng(1)
    intervals = [over_seeds(rng.normal(0.35, 0.06, size=5).tolist()) for _ in range(2000)]
    held = sum(found.low <= 0.35 <= found.high for found in intervals)
    assert held / 2000 == pytest.approx(0.95, abs=0.02)  # four standard errors
