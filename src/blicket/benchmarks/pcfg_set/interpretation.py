"""The meaning of any input, also unseen, or a refusal that says why and at which word.

An input is read from its end, so that the arguments of a function are known when it comes, and nothing is nested in
the reader: an input may be as deep and long as it likes.
"""

from collections.abc import Container, Sequence
from typing import NoReturn

from blicket.benchmarks.pcfg_set.functions import (
    BINARY,
    COMMA,
    FUNCTIONS,
    LONGEST,
    SYMBOLS,
    UNARY,
    String,
    is_symbol,
)
from blicket.core.errors import Refusal, did_you_mean
from blicket.core.spacing import words_of

__all__ = ["interpret", "meaning", "refuse"]


def interpret(text: str) -> str:
    """The string that an input means; raises Refusal."""
    words = text.split(" ")
    found = meaning(words)
    if found is None:
        words = words_of(text)
        found = meaning(words, {word for word in words if is_symbol(word)})
    if found is None:
        refuse(words)
    if not found:
        raise Refusal(f"the meaning is a string of more than {LONGEST:,} symbols")
    return " ".join(found)


def meaning(words: Sequence[str], symbols: Container[str] = SYMBOLS) -> String | None:
    """The string that words mean: None if they are no input, and empty if it is too long to be written out."""
    value: String | None = None
    waiting: list[String] = []  # arguments after a comma, until their function comes
    string: String = []  # symbols from the last to the first
    for word in reversed(words):
        if word in symbols:
            string.append(word)
            continue
        if string:
            if value is not None:
                return None
            string.reverse()
            value, string = string, []
        if value is None:
            return None
        if word in UNARY:
            value = UNARY[word](value)
        elif word == COMMA:
            waiting.append(value)
            value = None
        elif word in BINARY and waiting:
            value = BINARY[word](value, waiting.pop())
        else:
            return None
    if waiting or (value is None) is not bool(string):
        return None
    return string[::-1] if value is None else value


def refuse(words: Sequence[str]) -> NoReturn:
    """Say at which word, counted from 1, words that are no input cease to be the beginning of one."""
    if not words:
        raise Refusal("the line is empty; a function and its arguments, or a string, are wanted", 1)
    binary: list[int] = []  # the places of functions whose comma has not come
    latest = 0  # the place of the last function
    in_string = False
    for at, word in enumerate(words):
        if is_symbol(word):
            in_string = True
            continue
        if word == COMMA:
            if not in_string:
                raise Refusal(f"{_argument_of(words, latest, at)} is missing before the comma", at + 1)
            if not binary:
                raise Refusal(_too_many(words, latest), at + 1)
            latest = binary.pop()
        elif word in UNARY or word in BINARY:
            if in_string:
                raise Refusal(_unseparated(words, at, binary), at + 1)
            latest = at
            if word in BINARY:
                binary.append(at)
        else:
            raise Refusal(_unknown(word), at + 1)
        in_string = False
    if not in_string:
        raise Refusal(f"the input ends too early: {_argument_of(words, latest, len(words))} is missing", len(words))
    raise Refusal(f"the input ends too early: a comma and {_second(words, binary[-1])} are missing", len(words))


def _name(words: Sequence[str], at: int) -> str:
    return f"{words[at]!r} (word {at + 1})"


def _second(words: Sequence[str], at: int) -> str:
    return f"the second argument of {_name(words, at)}"


def _argument_of(words: Sequence[str], latest: int, at: int) -> str:
    """What is missing at a place: an argument of the function there, or what the last comma announced."""
    if at and words[at - 1] == COMMA:
        return _second(words, latest)
    if at == 0:
        return "a string"
    return (
        f"the argument of {_name(words, latest)}"
        if words[latest] in UNARY
        else (f"the first argument of {_name(words, latest)}")
    )


def _too_many(words: Sequence[str], latest: int) -> str:
    if words[latest] not in UNARY and words[latest] not in BINARY:
        return "too many arguments: there is no function that the comma could belong to"
    takes = "one argument" if words[latest] in UNARY else "two arguments"
    return f"too many arguments: {_name(words, latest)} takes {takes}, and no function before it wants another"


def _unseparated(words: Sequence[str], at: int, binary: Sequence[int]) -> str:
    """A function that follows a string without a comma."""
    if binary:
        return f"{words[at]!r} follows {words[at - 1]!r}; a comma is missing before {_second(words, binary[-1])}"
    return f"{words[at]!r} follows {words[at - 1]!r}, where the input is complete; too many arguments"


def _unknown(word: str) -> str:
    if word[:1].isupper() or word.isdecimal():
        return f"{word!r} is no symbol; symbols are a letter and a number, such as A1"
    near = did_you_mean(word, FUNCTIONS) or f"; there is {', '.join(FUNCTIONS)}"
    return f"there is no function {word!r}{near}"
