"""How close the embeddings of synonyms are, beside those of other words (Hupkes et al. 2020, section 4.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Closeness", "closeness"]

Embeddings = Mapping[str, NDArray[np.floating]]


@final
@dataclass(frozen=True, slots=True)
class Closeness:
    """The cosine distance of two synonyms; the mean distance of a word to the others; how many are nearer to it."""

    word: str
    synonym: str
    distance: float
    to_others: float
    nearer: int


def closeness(embeddings: Embeddings, synonyms: Mapping[str, str], others: Iterable[str]) -> list[Closeness]:
    """For each word and its synonym how close they are, among some other words such as the other functions."""
    rest = [word for word in dict.fromkeys(others) if word in embeddings]
    found = []
    for word, synonym in synonyms.items():
        if word in embeddings and synonym in embeddings:
            among = [other for other in rest if other not in (word, synonym)]
            found.append(_closeness(embeddings, word, synonym, among))
    return found


def _closeness(embeddings: Embeddings, word: str, synonym: str, among: Sequence[str]) -> Closeness:
    here = embeddings[word]
    distance = cosine_distance(here, embeddings[synonym])
    distances = [cosine_distance(here, embeddings[other]) for other in among]
    nearer = sum(other < distance for other in distances)
    return Closeness(word, synonym, distance, fmean(distances) if distances else float("nan"), nearer)


def cosine_distance(x: NDArray[np.floating], y: NDArray[np.floating]) -> float:
    """One less the cosine of the angle between two vectors; 0 is the same direction, 1 a right angle."""
    return float(1.0 - x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))
