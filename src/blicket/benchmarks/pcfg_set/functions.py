"""The words of PCFG SET: ten functions on strings with their synonyms, the symbols of strings, and the comma.

Hupkes et al. 2020, figure 2; `swap_first_last` is called "swap" there.
"""

import re
from collections.abc import Callable, Mapping

__all__ = [
    "BINARY",
    "COMMA",
    "FUNCTIONS",
    "LONGEST",
    "RELEASED_SYMBOLS",
    "SYMBOLS",
    "TWIN",
    "UNARY",
    "String",
    "arity",
    "is_symbol",
    "symbols",
    "twin",
]

String = list[str]

COMMA = ","
TWIN = "_twin"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RELEASED_SYMBOLS = 520
SYMBOL = re.compile(r"[A-Z][1-9][0-9]*")
LONGEST = 10_000_000
"""Symbols of a string that is still written out. A longer one is the empty list, which stands for nothing else."""


def _joined(x: String, y: String) -> String:
    return x + y if x and y and len(x) + len(y) <= LONGEST else []


_UNARY: dict[str, Callable[[String], String]] = {
    "copy": lambda x: x,
    "reverse": lambda x: x[::-1],
    "shift": lambda x: x[1:] + x[:1],
    "echo": lambda x: x + x[-1:],
    "swap_first_last": lambda x: x[-1:] + x[1:-1] + x[:1] if len(x) > 1 else x,
    "repeat": lambda x: _joined(x, x),
}
_BINARY: dict[str, Callable[[String, String], String]] = {
    "append": _joined,
    "prepend": lambda x, y: _joined(y, x),
    "remove_first": lambda x, y: y,
    "remove_second": lambda x, y: x,
}

FUNCTIONS = (*_UNARY, *_BINARY)


def twin(function: str) -> str:
    """The synonym of a function, which means the same."""
    return function + TWIN


UNARY: Mapping[str, Callable[[String], String]] = _UNARY | {twin(name): f for name, f in _UNARY.items()}
BINARY: Mapping[str, Callable[[String, String], String]] = _BINARY | {twin(name): f for name, f in _BINARY.items()}


def arity(function: str) -> int:
    """How many arguments a function takes."""
    return 1 if function in UNARY else 2


def symbols(number: int) -> list[str]:
    """The first symbols of the alphabet: A1 to Z1, A2 to Z2 and so on; 520 of them are those of the release."""
    return [f"{LETTERS[i % 26]}{i // 26 + 1}" for i in range(number)]


SYMBOLS = frozenset(symbols(RELEASED_SYMBOLS))


def is_symbol(word: str) -> bool:
    """Whether a word is a symbol of some alphabet, which may be larger than the released one."""
    return word in SYMBOLS or SYMBOL.fullmatch(word) is not None
