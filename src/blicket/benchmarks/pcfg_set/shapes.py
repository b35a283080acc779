"""Shapes of inputs, drawn many at a time: which kinds of word stand where, functions and symbols left open.

A shape is a sequence of items: UNARY, BINARY, COMMA, strings of a length, and END. States stand for what is still to
be rewritten; every round rewrites all open states of all shapes by one search in a table.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.randomness import Stream

__all__ = ["BINARY", "COMMA", "END", "FIRST_STATE", "FIRST_STRING", "UNARY", "Alternative", "Items", "Shapes", "string"]

UNARY, BINARY, COMMA, END, FIRST_STRING = range(5)
FIRST_STATE = 64
"""Items below are strings or terminals, and those from here on are states."""
RESOLUTION = 44  # bits of a random word that decide between alternatives; the others hold a state's number
MOST_ITEMS = 4

Alternative = tuple[tuple[int, ...], int]
Items = NDArray[np.int32]


def string(length: int) -> int:
    """The item of a string of so many symbols."""
    return FIRST_STRING + length


@final
class Shapes:
    """Draws shapes: `starts` says how often each state begins one, `alternatives` what a state becomes and how often.

    The alternatives of state s lie between s * 2**44 and (s + 1) * 2**44.
    """

    def __init__(self, alternatives: Sequence[Sequence[Alternative]], starts: Mapping[int, int]) -> None:
        flat = [items for of_state in alternatives for items, _ in of_state]
        self._boundaries = np.array([b for s, of in enumerate(alternatives) for b in _ends(s, of)], np.uint64)
        self._sizes = np.array([len(items) for items in flat])
        self._items = np.array([items + (END,) * (MOST_ITEMS - len(items)) for items in flat], np.int32)
        self._starts = np.array(list(starts), np.int32)
        self._start_boundaries = np.array(_ends(0, [((), weight) for weight in starts.values()]), np.uint64)

    def draw(self, n: int, stream: Stream) -> Items:
        """The items of `n` shapes one after the other, each with an END."""
        chosen = np.searchsorted(self._start_boundaries, stream.words(n) >> np.uint64(64 - RESOLUTION), side="right")
        items = np.full(2 * n, END, np.int32)
        items[::2] = self._starts[chosen] + FIRST_STATE
        while len(open_ := np.flatnonzero(items >= FIRST_STATE)):
            items = self._rewritten(items, open_, stream)
        return items

    def _rewritten(self, items: Items, open_: NDArray[np.intp], stream: Stream) -> Items:
        state = (items[open_] - FIRST_STATE).astype(np.uint64) << np.uint64(RESOLUTION)
        random = stream.words(len(open_)) >> np.uint64(64 - RESOLUTION)
        chosen = np.searchsorted(self._boundaries, state | random, side="right")
        sizes = np.ones(len(items), np.intp)
        sizes[open_] = self._sizes[chosen]
        places = np.cumsum(sizes) - sizes
        grown = np.empty(int(sizes.sum()), np.int32)
        grown[places] = items
        for i in range(MOST_ITEMS):
            longer = self._sizes[chosen] > i
            grown[places[open_[longer]] + i] = self._items[chosen[longer], i]
        return grown


def _ends(state: int, alternatives: Sequence[Alternative]) -> list[int]:
    """Where each alternative of a state ends."""
    total = sum(weight for _, weight in alternatives)
    sums = accumulate(weight for _, weight in alternatives)
    return [(state << RESOLUTION) + (sum_ << RESOLUTION) // total for sum_ in sums]
