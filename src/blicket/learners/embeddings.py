"""What a word's vector is before anything is learned: drawn from N(0, 1) by the seed and the word alone.

So a word that is never trained, because no training sentence has it, has the vector it would have begun with, whatever
other words there are and whenever it is met (Goodwin et al. 2020, section 8.2).
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from blicket.core.randomness import Stream

__all__ = ["initial_vectors"]


def initial_vectors(seed: int, words: Sequence[str], size: int) -> NDArray[np.float32]:
    """A row a word."""
    table = np.empty((len(words), size), np.float32)
    for row, word in zip(table, words, strict=True):
        drawn = Stream(seed, "embedding", word).words(size) >> np.uint64(11)
        row[:] = torch.special.ndtri(torch.from_numpy((drawn + 0.5) / 2.0**53)).numpy()
    return table
