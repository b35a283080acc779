"""Unrolled inputs for the test of localism: one call after the other, the innermost first.

Hupkes et al. 2020, section 4.4 and figure 4. In a call, `*3` stands for what was answered to the third.
"""

from collections.abc import Sequence

from blicket.benchmarks.pcfg_set.functions import COMMA, arity, is_symbol
from blicket.benchmarks.pcfg_set.structure import structure

__all__ = ["filled", "references", "unrolled"]

REFERENCE = "*"


def unrolled(text: str) -> list[str]:
    """The calls of an input, of which the last gives its meaning; raises Refusal where it is none."""
    words = text.split(" ")
    structure(words)
    calls: list[str] = []
    open_: list[list[str]] = []  # functions with the arguments that they have already
    string: list[str] = []
    for word in [*words, COMMA]:
        if is_symbol(word):
            string.append(word)
        elif word == COMMA:
            argument = " ".join(string)
            while open_ and len(open_[-1]) == arity(open_[-1][0]):
                function, *others = open_.pop()
                calls.append(f"{function} {f' {COMMA} '.join([*others, argument])}")
                argument = f"{REFERENCE}{len(calls)}"
            if open_:
                open_[-1].append(argument)
            string = []
        else:
            open_.append([word])
    return calls


def filled(call: str, answers: Sequence[str]) -> str:
    """A call with the answers that it refers to, of which some may be empty."""
    words = [answers[int(word[1:]) - 1] if word.startswith(REFERENCE) else word for word in call.split(" ")]
    return " ".join(" ".join(words).split())


def references(call: str) -> list[int]:
    """The calls, counted from 0, whose answers a call wants."""
    return [int(word[1:]) - 1 for word in call.split(" ") if word.startswith(REFERENCE)]
