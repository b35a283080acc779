"""Drawing with replacement, counted instead of listed: exact, in whole numbers alone, many draws at once.

What is drawn are counts of kinds, so that twenty thousand items of a few kinds cost some thousand words of random bits.
No floating point and no library's sampler takes part: the same stream gives the same counts on every machine.
"""

import numpy as np
from numpy.typing import NDArray

from blicket.core.randomness import Stream

__all__ = ["binomial", "drawn", "heads"]

Counts = NDArray[np.int64]

WORD = 64
BLOCK = 1 << 22  # words held at a time


def drawn(stream: Stream, sizes: Counts) -> Counts:
    """How often each kind comes up when as many are drawn, with replacement, as there are; a row is a draw.

    `sizes` says how many there are of each kind, (draws, kinds), and so is the result.
    """
    return _split(stream, sizes.sum(axis=1), sizes)


def _split(stream: Stream, n: Counts, sizes: Counts) -> Counts:
    """`n` draws: those that fall into the first half of the kinds are binomial, and so on within the halves."""
    kinds = sizes.shape[1]
    if kinds == 1:
        return n[:, None]
    first, second = sizes[:, : kinds // 2], sizes[:, kinds // 2 :]
    into_first = binomial(stream, n, first.sum(axis=1), sizes.sum(axis=1))
    return np.hstack([_split(stream, into_first, first), _split(stream, n - into_first, second)])


def binomial(stream: Stream, n: Counts, part: Counts, whole: Counts) -> Counts:
    """How many of `n` uniform numbers are below `part / whole`, for each of many n, parts and wholes.

    All are compared with the share bit by bit, from the first binary digit on. Those that differ from it there are
    decided, and that is half of them; so two bits a number are used on average, and the share is never rounded.
    """
    below = np.where(part >= whole, n, 0)
    undecided, rest = n - below, part.copy()
    while (at := np.flatnonzero((undecided > 0) & (rest > 0))).size:
        doubled = 2 * rest[at]
        one = doubled >= whole[at]
        rest[at] = np.where(one, doubled - whole[at], doubled)
        zeros = heads(stream, undecided[at])
        below[at] += np.where(one, zeros, 0)
        undecided[at] = np.where(one, undecided[at] - zeros, zeros)
    return below


def heads(stream: Stream, n: Counts) -> Counts:
    """How many heads come up in `n` tosses of a fair coin, for each of many n above zero: the ones among n bits."""
    words = -(-n // WORD)
    found = np.empty_like(n)
    start = 0
    while start < len(n):
        ends = np.cumsum(words[start : start + BLOCK])
        stop = start + max(1, int(np.searchsorted(ends, BLOCK, "right")))
        ends = ends[: stop - start]
        bits = stream.words(int(ends[-1]))
        bits[ends - 1] >>= (words[start:stop] * WORD - n[start:stop]).astype(np.uint64)
        first = ends - words[start:stop]
        found[start:stop] = np.add.reduceat(np.bitwise_count(bits), first, dtype=np.int64)
        start = stop
    return found
