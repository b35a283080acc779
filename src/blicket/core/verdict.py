"""Verdicts: what became of one prediction."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, final

__all__ = ["Judge", "Outcome", "Verdict"]


class Outcome(StrEnum):
    """Four different things, which no score folds into one another."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNPARSEABLE = "unparseable"
    UNDECIDED = "undecided"


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome at the level of meaning, exact match beside it, and whatever else was found.

    `marks` are the properties that hold (kinds of error, of which several may; structure that matches); `measures` are
    numbers (distances, matched clauses).
    """

    outcome: Outcome
    exact: bool
    marks: frozenset[str] = frozenset()
    measures: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def missing(cls) -> "Verdict":
        """The verdict where no prediction was given: incorrect, and nothing else is known."""
        return cls(Outcome.INCORRECT, exact=False)


class Judge(ABC):
    """Gives verdicts; `marks` and `measures` name all it can give beside the outcome."""

    marks: ClassVar[tuple[str, ...]] = ()
    measures: ClassVar[tuple[str, ...]] = ()

    def check(self, target: str) -> None:
        """Raise FormError where a gold target is not in the form; a judge that knows no syntax takes all."""
        return

    @abstractmethod
    def verdict(self, inputs: tuple[str, ...], target: str, prediction: str) -> Verdict:
        """The verdict on a prediction for these inputs, whose gold form is `target`."""
