"""A number over seeds: each of them, their mean and spread, an interval, and where a published value lies."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import final

__all__ = ["OverSeeds", "over_seeds", "percent"]


@final
@dataclass(frozen=True, slots=True)
class OverSeeds:
    """What was measured with each seed, and what it says of seeds not tried.

    `deviation` is the sample's; `low` and `high` bound the mean of all seeds with the given confidence by Student's t.
    With one seed there is neither.
    """

    values: tuple[float, ...]
    mean: float
    deviation: float | None
    low: float | None
    high: float | None
    confidence: float

    @property
    def n(self) -> int:
        """How many seeds."""
        return len(self.values)

    def beside(self, published: float) -> str:
        """In words, whether a published value lies inside our interval."""
        if self.low is None or self.high is None:
            return "one seed has no interval"
        where = "below" if published < self.low else "above" if published > self.high else "inside"
        return f"the published value lies {where} our {percent(self.confidence)} interval"


def over_seeds(values: Sequence[float], confidence: float = 0.95) -> OverSeeds:
    """The summary of at least one value."""
    mean = fmean(values)
    if len(values) == 1:
        return OverSeeds(tuple(values), mean, None, None, None, confidence)
    from scipy.special import stdtrit

    deviation = stdev(values)
    reach = float(stdtrit(len(values) - 1, (1 + confidence) / 2)) * deviation / len(values) ** 0.5
    return OverSeeds(tuple(values), mean, deviation, mean - reach, mean + reach, confidence)


def percent(share: float) -> str:
    """A share in percent, with the places that it has."""
    return f"{100 * share:g}%"
