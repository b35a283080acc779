"""Overgeneralisation over training: exceptions that are memorised, answered by the rule, or neither.

Hupkes et al. 2020, section 4.5. A profile is made of scorecards, one a validation, whoever answered: a network that was
watched while it learned, or files of predictions of its epochs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

__all__ = ["Moment", "peak", "profile"]


@final
@dataclass(frozen=True, slots=True)
class Moment:
    """What becomes of `n` exceptions at a moment of training; the three shares add up to one."""

    at: int
    n: int
    memorised: float
    by_rule: float

    @property
    def neither(self) -> float:
        """The share of other answers."""
        return 1.0 - self.memorised - self.by_rule


def profile(cards: Sequence[Mapping[str, Any]], kind: str = "", group: str = "") -> list[Moment]:
    """The moments in the order of the scorecards, counted from 1: of all exceptions, or of a group such as a pair."""
    tallies = [card["by"].get(kind, {}).get(group) if kind else card for card in cards]
    return [
        Moment(at, tally["n"], tally["exact"], tally["overgeneralised"])
        for at, tally in enumerate(tallies, start=1)
        if tally is not None
    ]


def peak(moments: Sequence[Moment]) -> Moment | None:
    """Where overgeneralisation is highest, the number that the paper gives; the first of several."""
    return max(moments, key=lambda moment: moment.by_rule, default=None)
