"""Judging relations: seven symbols, and nothing else is one."""

from typing import final

from blicket.benchmarks.natural_logic.relations import RELATIONS
from blicket.core.errors import FormError
from blicket.core.verdict import Judge, Outcome, Verdict

__all__ = ["RelationJudge"]


@final
class RelationJudge(Judge):
    """Judges symbols of relations; spaces around one do not matter."""

    def check(self, target: str) -> None:
        """Whether the target is one of the symbols."""
        if target not in RELATIONS:
            raise FormError(f"{target!r}; expected one of {' '.join(RELATIONS)}")

    def verdict(self, inputs: tuple[str, ...], target: str, prediction: str) -> Verdict:
        """The verdict; what is no symbol cannot be parsed."""
        said = prediction.strip()
        if said not in RELATIONS:
            return Verdict(Outcome.UNPARSEABLE, exact=False)
        return Verdict(Outcome.CORRECT if said == target else Outcome.INCORRECT, exact=said == target)
