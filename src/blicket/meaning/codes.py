"""Forms as strings of one character a token: compared, measured and recognised at the speed of strings."""

import re
from typing import final

from blicket.meaning.conjunctive import is_name, kind_of, tokenise

__all__ = ["Codes", "is_conjunctive", "is_variable_free"]

KEPT = 1 << 16
"""How many tokens are remembered from form to form."""

_RANGES = {
    "a number": (0x10000, 0x4FFFF),
    "other": (0x50000, 0x5FFFF),
    "word": (0x60000, 0x9FFFF),
    "name": (0xA0000, 0xDFFFF),
}
_NUMBER, _, _LOWER, _NAME = (f"{chr(first)}-{chr(last)}" for first, last in _RANGES.values())


@final
class Codes(dict[str, str]):
    """The codes of pieces of text without spaces: of a token one character, by which its kind can be told.

    Punctuation is its own code. What is not punctuation gets the next character of its kind; those of a kind that
    come after a quarter of a million others share the last one.
    """

    def of(self, first: str, second: str) -> tuple[str, str]:
        """The codes of two forms, in which a token of the first has the same character as the tokens equal to it."""
        if len(self) > KEPT:
            self.clear()
        return "".join(map(self.__getitem__, first.split())), "".join(map(self.__getitem__, second.split()))

    def __missing__(self, piece: str) -> str:
        tokens = tokenise(piece)
        if tokens != [piece]:
            return "".join([self[token] for token in tokens])
        self[piece] = code = self._next(piece)
        return code

    def _next(self, token: str) -> str:
        kind = kind_of(token)
        if kind not in _RANGES:
            return {"AND": "A", "LAMBDA": "L"}.get(kind, kind)
        first, last = _RANGES["name" if is_name(token) else kind]
        return chr(min(first + len(self), last))


_WORD = f"[x{_LOWER}{_NAME}]"
_PREDICATE = rf"{_WORD}(?:\.{_WORD}){{0,2}}+"
_ARGUMENT = f"(?:x_[{_NUMBER}]|{_WORD})"
_CONJUNCT = rf"{_PREDICATE}\({_ARGUMENT}(?:,{_ARGUMENT})?+\)"
_CONJUNCTIVE = re.compile(rf"[{_NAME}]|(?:L{_WORD}\.)*+(?:\*{_CONJUNCT};)*+{_CONJUNCT}(?:A{_CONJUNCT})*+")

_BINDERS = rf"(?:L{_WORD}\.)"
_HEAD = rf"\*?+{_WORD}"
_ROLE = rf"{_WORD}(?:\.{_WORD})?+="
_TERM = rf"{_HEAD}\((?:{_ROLE}{_HEAD}(?:\(|\)*+,))*+{_ROLE}{_HEAD}\)++"
_VARIABLE_FREE = re.compile(rf"[{_NAME}]|{_BINDERS}*+{_TERM}|{_BINDERS}++{_HEAD}\({_WORD}\)")


def is_conjunctive(code: str) -> bool:
    """Whether `conjunctive.parse` reads the form that has this code."""
    return _CONJUNCTIVE.fullmatch(code) is not None


def is_variable_free(code: str) -> bool:
    """Whether `variable_free.parse` reads the form that has this code."""
    return _VARIABLE_FREE.fullmatch(code) is not None and _closes_at_the_end(code)


def _closes_at_the_end(code: str) -> bool:
    """Whether the first parenthesis is closed by the last; what else there is to a term, its neighbours tell."""
    depth = 0
    for closed in code.split(")")[:-2]:
        depth += closed.count("(") - 1
        if depth < 1:
            return False
    return code.count("(") == code.count(")")
