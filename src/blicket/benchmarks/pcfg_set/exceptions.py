"""Exceptions to the rules: pairs of functions that mean something else when they stand side by side."""

from collections.abc import Mapping

from blicket.benchmarks.pcfg_set.interpretation import interpret

__all__ = ["exceptional_meaning", "rewritten"]


def exceptional_meaning(text: str, exceptions: Mapping[str, str]) -> str:
    """What an input means where pairs of functions, such as `reverse echo`, are exceptions."""
    return interpret(rewritten(text, exceptions))


def rewritten(text: str, exceptions: Mapping[str, str]) -> str:
    """The input whose meaning by the rules is the exceptional one of another.

    All places of the first pair are rewritten before any of the second, and so on; what was rewritten stays so.
    """
    words = text.split(" ")
    done: set[int] = set()
    for pair, other in exceptions.items():
        first, second = pair.split(" ")
        for at in range(len(words) - 1):
            if words[at] == first and words[at + 1] == second and done.isdisjoint((at, at + 1)):
                words[at : at + 2] = other.split(" ")
                done |= {at, at + 1}
    return " ".join(words)
