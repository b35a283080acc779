"""Randomness that depends on a seed and a purpose, and on nothing else.

A stream reads the raw words of a Philox generator, whose output is fixed by its definition (Salmon et al. 2011);
what is made of the words is decided here, because the sampling methods of libraries change between versions.
"""

from hashlib import sha256
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Stream"]

SEPARATOR = "\x1f"


@final
class Stream:
    """The random numbers of one purpose, such as `Stream(1, "gen", "pp_recursion")`."""

    def __init__(self, seed: int, *purpose: str | int) -> None:
        name = SEPARATOR.join(str(part) for part in (seed, *purpose))
        if name.count(SEPARATOR) > len(purpose):
            raise ValueError(f"a purpose holds the separator: {purpose!r}")
        key = int.from_bytes(sha256(name.encode()).digest()[:16], "little")
        self._generator = np.random.Philox(key=key)

    def words(self, n: int) -> NDArray[np.uint64]:
        """The next `n` words of 64 random bits."""
        return self._generator.random_raw(n)

    def permutation(self, n: int) -> NDArray[np.intp]:
        """The numbers below `n` in random order."""
        return np.argsort(self.words(n), kind="stable")
