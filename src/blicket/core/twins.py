"""Twins: answers to the same questions put in another way, such as with a synonym, row by row beside the others.

Hupkes et al. 2020, section 4.3: two answers are consistent if they are equal and not empty, be they right or wrong.
"""

from collections.abc import Sequence
from dataclasses import replace

from blicket.core.errors import InputError
from blicket.core.predictions import Gold
from blicket.core.verdict import Verdict

__all__ = ["TWIN_MARKS", "beside_twins", "check_twins"]

TWIN_MARKS = ("consistency", "both_correct", "consistent_wrong", "twin_exact")

Outputs = Sequence[str | None]


def check_twins(gold: Sequence[Gold], twins: Sequence[Gold]) -> None:
    """Refuse rows that are no twins: one has to be as many as the other, with the same targets."""
    if len(gold) != len(twins):
        raise InputError(f"{_place(twins[0])}: {len(twins):,} rows, expected {len(gold):,}: twins pair by position")
    for row, twin in zip(gold, twins, strict=True):
        if row.target.split() != twin.target.split():
            raise InputError(f"{_place(twin)}: has another target than {_place(row)}, with which it pairs by position")


def _place(row: Gold) -> str:
    return row.where or row.name


def beside_twins(
    verdicts: Sequence[Verdict], outputs: Outputs, twins: Sequence[Verdict], twin_outputs: Outputs
) -> list[Verdict]:
    """Verdicts with what holds of each answer and its twin among their marks."""
    rows = zip(verdicts, outputs, twins, twin_outputs, strict=True)
    return [
        replace(verdict, marks=verdict.marks | _marks(verdict, said, twin, also)) for verdict, said, twin, also in rows
    ]


def _marks(verdict: Verdict, said: str | None, twin: Verdict, also: str | None) -> set[str]:
    words = (said or "").split()
    consistent = bool(words) and words == (also or "").split()
    both = verdict.exact and twin.exact
    found = {"consistency": consistent, "both_correct": both, "twin_exact": twin.exact}
    found["consistent_wrong"] = consistent and not both
    return {mark for mark, holds in found.items() if holds}
