"""Two answers to what is one question: whether they agree, and whether they are right where they do.

Substitutivity asks with a synonym, localism asks call by call (Hupkes et al. 2020, sections 4.3 and 4.4).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

from blicket.core.example import Example, Split
from blicket.core.probe import Finding, OverBlocks
from blicket.core.respondent import Answer
from blicket.core.twins import beside_twins
from blicket.core.verdict import Judge, Verdict

__all__ = ["Agreement"]

EXACT = "exact"
MEASURES = ("consistency", "both_correct", "consistent_wrong", EXACT, "twin_exact")
CONSISTENCY = MEASURES[0]


@final
@dataclass(frozen=True)
class Agreement:
    """What is made of two answers a row; `groups` gives a row's groups by kind, in which consistency is told apart."""

    name: str
    title: str
    split: Split
    judge: Judge
    groups: Callable[[Example], Mapping[str, str]]
    beside: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """What is published of a measure, by model."""

    def finding(self, first: Sequence[Answer | None], second: Sequence[Answer | None], unknown: int) -> Finding:
        """Shares of the rows; a row whose answers are not both there is not consistent."""
        outputs, twin_outputs = _outputs(first), _outputs(second)
        verdicts = beside_twins(self._verdicts(outputs), outputs, self._verdicts(twin_outputs), twin_outputs)
        marks = [verdict.marks | ({EXACT} if verdict.exact else set()) for verdict in verdicts]
        by = {"measure": {measure: _share([measure in of_row for of_row in marks]) for measure in MEASURES}}
        for kind, groups in self._by_group([CONSISTENCY in of_row for of_row in marks]).items():
            by[kind] = {group: _share(found) for group, found in groups.items()}
        missing = sum(one is None or other is None for one, other in zip(first, second, strict=True))
        return Finding(self.name, self.title, len(marks), missing, unknown, by, self.beside)

    def _verdicts(self, outputs: Sequence[str | None]) -> list[Verdict]:
        form = self.split.forms[0]
        return [
            Verdict.missing() if said is None else self.judge.verdict(row.inputs, row.targets[form], said)
            for row, said in zip(self.split, outputs, strict=True)
        ]

    def _by_group(self, consistent: Sequence[bool]) -> dict[str, dict[str, list[bool]]]:
        """By kind and group whether rows are consistent; groups that are numbers in their order."""
        found: dict[str, dict[str, list[bool]]] = {}
        for example, holds in zip(self.split, consistent, strict=True):
            for kind, group in self.groups(example).items():
                found.setdefault(kind, {}).setdefault(group, []).append(holds)
        return {kind: dict(sorted(groups.items(), key=_order)) for kind, groups in found.items()}


def _outputs(answers: Sequence[Answer | None]) -> list[str | None]:
    return [None if answer is None else answer.output for answer in answers]


def _order(group: tuple[str, object]) -> tuple[int, str]:
    name, _ = group
    return (int(name), "") if name.isdecimal() else (0, name)


def _share(found: Sequence[bool]) -> OverBlocks:
    return OverBlocks(len(found), 1, sum(found) / len(found), None)
