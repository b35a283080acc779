"""Drawing pairs: open-class words are enumerated, closed-class words are drawn (section 5.5).

A core set has a pair for every combination of two nouns and two verbs of every block. Several core sets of the same
blocks share no pair: for each combination, frames are drawn without replacement.
"""

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.core.randomness import Stream

__all__ = ["below", "core_sets"]


def core_sets(
    stream: Stream, blocks: range, levels: int, frames: int, number: int, *, repeating: bool = False
) -> list[Pairs]:
    """So many core sets of some blocks; if `repeating`, each is drawn without looking at the others."""
    combinations = np.indices((levels,) * 4, np.uint8).reshape(4, -1)  # (nouns and verbs, levels ** 4)
    words = np.tile(combinations, len(blocks))
    block = np.repeat(np.arange(blocks.start, blocks.stop, dtype=np.uint16), levels**4)
    draw = _independent if repeating else _without_replacement
    drawn = draw(stream, len(block), frames**2, number)
    return [
        Pairs(block, np.stack(np.divmod(of_pair, frames)).astype(np.uint8), words[:2], words[2:]) for of_pair in drawn
    ]


def _independent(stream: Stream, n: int, choices: int, number: int) -> list[NDArray[np.int64]]:
    return [below(stream, n, choices) for _ in range(number)]


def _without_replacement(stream: Stream, n: int, choices: int, number: int) -> list[NDArray[np.int64]]:
    """`number` columns of `n` numbers below `choices`, no row of which holds a number twice.

    A number is drawn among those that are left, and moved past the earlier ones from the lowest to the highest.
    """
    drawn: list[NDArray[np.int64]] = []
    for taken in range(number):
        fresh = below(stream, n, choices - taken)
        for earlier in np.sort(np.array(drawn), axis=0) if drawn else ():
            fresh += fresh >= earlier
        drawn.append(fresh)
    return drawn


def below(stream: Stream, n: int, bound: int) -> NDArray[np.int64]:
    """`n` numbers from 0 up to a bound: the upper half of a word times the bound, without its fraction."""
    return ((stream.words(n) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32)).astype(np.int64)
