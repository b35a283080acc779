"""Do two sets of vectors differ: in a picture, in their lengths, in their directions?"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.randomness import Stream

__all__ = ["Difference", "cosines", "length_difference", "projected"]

Vectors = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two means, and how often a random parting of the same values has one as large."""

    difference: float
    p: float
    resamples: int


def projected(vectors: Vectors) -> Vectors:
    """The first two principal components (n, 2); of each the largest number is above zero."""
    centred = vectors - vectors.mean(0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    places: Vectors = left[:, :2] * values[:2]
    signs = np.sign(places[np.abs(places).argmax(0), [0, 1]])
    return places * signs


def length_difference(one: Vectors, other: Vectors, *, resamples: int = 9_999) -> Difference:
    """The difference of mean lengths, with a two-sided permutation test (compare Goodwin et al. 2020, section 8.2)."""
    lengths = np.linalg.norm(np.concatenate((one, other)), axis=1)
    found = lengths[: len(one)].mean() - lengths[len(one) :].mean()
    stream, reached = Stream(0, "lengths"), 0
    for _ in range(resamples):
        shuffled = lengths[stream.permutation(len(lengths))]
        reached += abs(shuffled[: len(one)].mean() - shuffled[len(one) :].mean()) >= abs(found) - 1e-12
    return Difference(float(found), (reached + 1) / (resamples + 1), resamples)


def cosines(one: Vectors, other: Vectors) -> tuple[float, float]:
    """The mean and the standard deviation of the cosines of all pairs of a vector of each set."""
    lengths = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    found = (one / lengths[0][:, None]) @ (other / lengths[1][:, None]).T
    return float(found.mean()), float(found.std(ddof=1))
