"""The string arguments of inputs: symbols at random, and no string twice in a dataset."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.errors import InputError
from blicket.core.randomness import Stream

__all__ = ["Strings", "below"]

Symbols = NDArray[np.int64]  # (strings, length)


def below(bound: int, n: int, stream: Stream) -> NDArray[np.int64]:
    """Random numbers from 0 up to a bound, all equally likely to within one in four thousand million."""
    half = np.uint64(32)
    return (((stream.words(n) >> half) * np.uint64(bound)) >> half).astype(np.int64)


@final
class Strings:
    """Draws strings of the first symbols of the alphabet; where they are distinct, none is drawn twice.

    Strings are told apart by a number of 64 bits. Where there are more strings than such numbers, two might share
    one: then a new string is refused, and never an old one admitted.
    """

    def __init__(self, symbols: int, stream: Stream, *, distinct: bool) -> None:
        self._symbols, self._stream, self._distinct = symbols, stream, distinct
        self._drawn: dict[int, set[int]] = {}

    def left(self, length: int) -> int:
        """How many strings of a length could still be drawn."""
        return int(self._symbols**length) - len(self._drawn.get(length, ()))

    def draw(self, n: int, length: int) -> Symbols:
        """So many strings of a length; raises InputError if there are not as many."""
        if not self._distinct:
            return self._random(n, length)
        if n > self.left(length):
            raise InputError(
                f"{n:,} strings of length {length} are wanted that were not used, and {self._symbols} symbols leave "
                f"{self.left(length):,}; set more symbols, longer strings, or distinct_strings=false"
            )
        known = self._drawn.setdefault(length, set())
        if 2 * (len(known) + n) > self._symbols**length:
            return self._of_all(n, length, known)
        parts: list[Symbols] = []
        while (missing := n - sum(map(len, parts))) > 0:
            candidates = self._random(missing, length)
            new = []
            for at, number in enumerate(self._numbers(candidates)):
                if number not in known:
                    known.add(number)
                    new.append(at)
            parts.append(candidates[new])
        return np.concatenate(parts) if parts else self._random(0, length)

    def _random(self, n: int, length: int) -> Symbols:
        return below(self._symbols, n * length, self._stream).reshape(n, length)

    def _of_all(self, n: int, length: int, known: set[int]) -> Symbols:
        """Strings out of a list of all that are left, where there are few."""
        unused = np.array([number for number in range(self._symbols**length) if number not in known], np.uint64)
        numbers = unused[self._stream.permutation(len(unused))[:n]]
        known.update(numbers.tolist())
        places = [numbers // np.uint64(self._symbols**at) % np.uint64(self._symbols) for at in reversed(range(length))]
        return np.stack(places, axis=1).astype(np.int64)

    def _numbers(self, strings: Symbols) -> list[int]:
        numbers = np.zeros(len(strings), np.uint64)
        for symbol in strings.T:
            numbers = numbers * np.uint64(self._symbols) + symbol.astype(np.uint64)
        return numbers.tolist()
