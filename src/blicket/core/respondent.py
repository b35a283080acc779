"""Respondents: whatever answers questions about examples: a baseline, a network, an endpoint, a person."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

__all__ = ["Answer", "Produce", "Rank", "Request", "Respondent"]


@final
@dataclass(frozen=True, slots=True)
class Produce:
    """Asks for a sequence: the target of an example in a form."""

    example: str
    inputs: tuple[str, ...]
    form: str


@final
@dataclass(frozen=True, slots=True)
class Rank:
    """Asks which of some candidates fits a context best: classification, cloze."""

    example: str
    inputs: tuple[str, ...]
    candidates: tuple[str, ...]


Request = Produce | Rank


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """The output, and a score for each candidate where there were any."""

    output: str
    scores: tuple[float, ...] = ()


class Respondent(ABC):
    """Answers requests in their order; subclass it and say how. `name` is a seed, a participant, an endpoint."""

    name: str

    @abstractmethod
    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer a request; raises BlicketError for a kind of request that it cannot take."""
