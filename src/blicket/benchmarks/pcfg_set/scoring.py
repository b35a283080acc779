"""Verdicts on PCFG SET predictions: sequence accuracy, as in the paper."""

from typing import ClassVar, final

from blicket.benchmarks.pcfg_set.functions import is_symbol
from blicket.benchmarks.pcfg_set.interpretation import interpret
from blicket.core.errors import FormError, Refusal
from blicket.core.verdict import Judge, Outcome, Verdict

__all__ = ["PcfgSetJudge"]


@final
class PcfgSetJudge(Judge):
    """Compares word for word; what is no string of symbols is unparseable.

    `overgeneralised` marks what the rules give where the target is an exception to them (section 4.5).
    """

    marks: ClassVar[tuple[str, ...]] = ("overgeneralised",)

    def check(self, target: str) -> None:
        """A target is a string of symbols."""
        words = target.split()
        if not words:
            raise FormError("it is empty; expected symbols, such as A1 B2")
        for at, word in enumerate(words):
            if not is_symbol(word):
                raise FormError(f"{word!r} is no symbol; symbols are a letter and a number, such as A1", at)

    def verdict(self, inputs: tuple[str, ...], target: str, prediction: str) -> Verdict:
        """The verdict; how many spaces there are does not matter."""
        said = prediction.split()
        if said == target.split():
            return Verdict(Outcome.CORRECT, exact=True)
        readable = bool(said) and all(map(is_symbol, said))
        marks = {"overgeneralised"} if readable and " ".join(said) == _by_the_rules(inputs[0]) else ()
        return Verdict(Outcome.INCORRECT if readable else Outcome.UNPARSEABLE, exact=False, marks=frozenset(marks))


def _by_the_rules(text: str) -> str | None:
    """What an input means, if it is one."""
    try:
        return interpret(text)
    except Refusal:
        return None
