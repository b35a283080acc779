"""Substitutivity: the same questions with a synonym, row by row (Hupkes et al. 2020, section 4.3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from blicket.core.example import Split
from blicket.core.probe import Finding, Probe
from blicket.core.respondent import Answer, Request
from blicket.probes.agreement import Agreement

__all__ = ["Substitutivity"]


@final
@dataclass(frozen=True, eq=False)
class Substitutivity(Probe):
    """Asks the rows of a split and their twins, which pair by position; `ask` makes the request for an example."""

    agreement: Agreement
    twins: Split
    ask: Callable[[str, tuple[str, ...]], Request]

    @property
    def name(self) -> str:  # type: ignore[override]
        """As its finding is called."""
        return self.agreement.name

    def requests(self, answers: Mapping[str, Answer]) -> Sequence[Request]:
        """All rows of both, in one round."""
        return [
            self.ask(example.id, example.inputs)
            for split in (self.agreement.split, self.twins)
            for example in split
            if example.id not in answers
        ]

    def finding(self, answers: Mapping[str, Answer]) -> Finding | None:
        """Consistency; None where one of both is not answered at all."""
        first, second = _answers(self.agreement.split, answers), _answers(self.twins, answers)
        if not (any(first) and any(second)):
            return None
        names = tuple(f"{split.name}/" for split in (self.agreement.split, self.twins))
        known = sum(answer is not None for answer in (*first, *second))
        return self.agreement.finding(first, second, sum(example.startswith(names) for example in answers) - known)


def _answers(split: Split, answers: Mapping[str, Answer]) -> list[Answer | None]:
    return [answers.get(f"{split.name}/{row}") for row in range(len(split))]
