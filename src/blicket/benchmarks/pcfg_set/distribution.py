"""What inputs are drawn from: the lengths and depths of the released dev set, or the plain grammar.

The release gave its inputs the joint distribution of length and depth that English has in WMT 2017 ("naturalisation",
section 3). Here a length and a depth are drawn first, as often as the released dev set has them, and then one of all
derivations with exactly these, in proportion to its weight; weights are whole numbers, so that all of this is exact.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, final

from blicket.benchmarks.pcfg_set.shapes import BINARY, COMMA, FIRST_STATE, UNARY, Shapes, string

__all__ = ["MOST_FUNCTIONS", "cells", "natural_shapes", "plain_shapes", "string_frequencies", "strings_at_most"]

MOST_FUNCTIONS = 35
"""Functions of the longest released input."""
MILLION = 1_000_000
PLAIN = 577
"""Of a thousand arguments in the plain grammar, those that are calls: an input then has 5.2 functions on average."""


class _State(NamedTuple):
    """Derivations of so many words that are exactly so deep, or at most."""

    length: int
    depth: int
    exactly: bool = True


Beginning = tuple[tuple["int | _State", ...], int]


@cache
def _document() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("distribution.toml").read_text("utf-8"))


def cells() -> Iterator[tuple[int, int, int]]:
    """The lengths and depths of the released dev set, and how many inputs have both."""
    for depth, lengths in _document()["depths"].items():
        for length, inputs in lengths:
            yield length, int(depth), inputs


def string_frequencies(shortest: int, longest: int, most: Mapping[int, int] | None = None) -> dict[int, int]:
    """How frequent strings of each length are: as in the release, and where it has none, as frequent as on average.

    `most` limits them: for each length, as many among a million.
    """
    released = _released_strings()
    mean = sum(released.values()) // len(released)
    frequencies = {length: released.get(length, mean) for length in range(shortest, longest + 1)}
    total = sum(frequencies.values())
    limits = most or dict.fromkeys(frequencies, MILLION)
    return {n: max(1, min(frequency, limits[n] * total // MILLION)) for n, frequency in frequencies.items()}


def strings_at_most(shortest: int, longest: int, symbols: int, inputs: int) -> dict[int, int]:
    """For each length, how frequent among a million strings it may be if enough of its strings are to be left.

    Half of them are, and three quarters where the release has no such strings and what will be drawn is less certain.
    """
    released = _released_strings()
    strings = max(1, inputs * sum(released.values()) // sum(n for _, _, n in cells()))
    spare = {n: 2 if n in released else 4 for n in range(shortest, longest + 1)}
    return {n: min(MILLION, MILLION * symbols**n // (spare[n] * strings)) for n in spare}


def _released_strings() -> dict[int, int]:
    return {int(length): number for length, number in _document()["strings"].items()}


def plain_shapes(strings: Mapping[int, int]) -> Shapes:
    """The plain grammar: an input is a call; an argument is a call or a string; a call is of any function alike.

    `strings` says how frequent strings of each length are.
    """
    argument = FIRST_STATE + 1
    call = [((UNARY, argument), 6), ((BINARY, argument, COMMA, argument), 4)]
    nested = [(items, weight * PLAIN * sum(strings.values())) for items, weight in call]
    alone = [((string(length),), 10 * (1000 - PLAIN) * weight) for length, weight in strings.items()]
    return Shapes([call, [*nested, *alone]], {0: 1})


def natural_shapes(strings: Mapping[int, int]) -> Shapes:
    """The derivations with the lengths and depths of the released dev set; `strings` is as for the plain grammar."""
    weights, total = _document()["weights"], sum(strings.values())
    scaled = {length: _whole(MILLION * frequency // total, length) for length, frequency in strings.items()}
    return _Natural(_whole(weights["unary"], 1), _whole(weights["binary"], 2), scaled).shapes()


def _whole(millionths: int, words: int) -> int:
    """A weight as a whole number; derivations of as many words stay in proportion, with the same power of a million."""
    return millionths * int(MILLION ** (words - 1))


@final
class _Natural:
    """Derivations by length and depth: what those of each can begin with, and what they weigh."""

    def __init__(self, unary: int, binary: int, strings: Mapping[int, int]) -> None:
        self._unary, self._binary, self._strings = unary, binary, strings
        self._known: dict[_State, tuple[list[Beginning], int]] = {}

    def shapes(self) -> Shapes:
        """Every state that a cell leads to, numbered, with its alternatives."""
        starts = {_State(length, depth): inputs for length, depth, inputs in cells()}
        starts = {state: inputs for state, inputs in starts.items() if self._weight(state)}
        number = {state: at for at, state in enumerate(self._reached(starts), FIRST_STATE)}
        alternatives = [
            [(tuple(number[i] if isinstance(i, _State) else i for i in items), weight) for items, weight in beginnings]
            for beginnings, _ in (self._known[state] for state in number)
        ]
        return Shapes(alternatives, {number[state] - FIRST_STATE: inputs for state, inputs in starts.items()})

    def _reached(self, starts: Iterable[_State]) -> list[_State]:
        reached = dict.fromkeys(starts)
        waiting = list(reached)
        while waiting:
            beginnings, _ = self._known[waiting.pop()]
            new = [i for items, _ in beginnings for i in items if isinstance(i, _State) and i not in reached]
            reached |= dict.fromkeys(new)
            waiting += dict.fromkeys(new)
        return list(reached)

    def _weight(self, state: _State) -> int:
        """The weight of all derivations of a state together."""
        if state not in self._known:
            beginnings = [beginning for beginning in self._beginnings(state) if beginning[1]]
            self._known[state] = beginnings, sum(weight for _, weight in beginnings)
        return self._known[state][1]

    def _beginnings(self, state: _State) -> Iterator[Beginning]:
        """A string, or a function and what its arguments are, in proportion to all that this can become."""
        length, depth, exactly = state
        if (depth == 0 or not exactly) and length in self._strings:
            yield (string(length),), self._strings[length]
        if depth == 0:
            return
        argument = _State(length - 1, depth - 1, exactly)
        if length > 1:
            yield (UNARY, argument), self._unary * self._weight(argument)
        for first in range(1, length - 2):
            for x, y in _arguments(first, length - 2 - first, depth - 1, exactly=exactly):
                yield (BINARY, x, COMMA, y), self._binary * self._weight(x) * self._weight(y)


def _arguments(first: int, second: int, depth: int, *, exactly: bool) -> Iterator[tuple[_State, _State]]:
    """The states of two arguments of some lengths, of which one has to be exactly so deep, or neither."""
    yield _State(first, depth, exactly), _State(second, depth, False)
    if exactly and depth:
        yield _State(first, depth - 1, False), _State(second, depth, True)
