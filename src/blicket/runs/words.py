"""The vectors of words that a run learned, beside those of words it never met (Goodwin et al. 2020, section 8.2)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blicket.core.dataset import Dataset
from blicket.core.example import Split
from blicket.core.verdict import Judge
from blicket.statistics.vectors import cosines, length_difference, projected

__all__ = ["open_class_words", "right_by_word", "words_found"]


def open_class_words(dataset: Dataset, splits: Iterable[Split]) -> list[str]:
    """The words of some splits that the dataset says are open-class, in the order of their first use."""
    words = (word for split in splits for example in split for text in example.inputs for word in text.split())
    return [word for word in dict.fromkeys(words) if dataset.hierarchy is not None and dataset.hierarchy(word)]


def right_by_word(
    splits: Sequence[Split], answers: Mapping[str, Sequence[str]], judge: Judge, form: str
) -> dict[str, tuple[int, int]]:
    """For each word how many rows of some splits hold it, and how many of these were answered exactly."""
    counted: dict[str, tuple[int, int]] = {}
    for split in splits:
        for example, said in zip(split, answers[split.name], strict=True):
            exact = judge.verdict(example.inputs, example.targets[form], said).exact
            for word in {word for text in example.inputs for word in text.split()}:
                n, right = counted.get(word, (0, 0))
                counted[word] = n + 1, right + exact
    return counted


def words_found(
    words: Sequence[str], trained: Sequence[bool], vectors: NDArray[np.float32], right: Mapping[str, tuple[int, int]]
) -> dict[str, Any]:
    """Where each word lies, and what tells trained and novel vectors apart.

    `right` has for a word how many pairs hold it, and how many of these were right.
    """
    known, exact = np.array(trained, bool), vectors.astype(np.float64)
    places, lengths = projected(exact), np.linalg.norm(exact, axis=1)
    listed = [
        {
            "word": word,
            "trained": bool(was_trained),
            "n": right[word][0],
            "right": right[word][1] / right[word][0],
            "length": float(length),
            "x": float(x),
            "y": float(y),
        }
        for word, was_trained, length, (x, y) in zip(words, known, lengths, places, strict=True)
    ]
    if known.all() or not known.any():
        return {"words": listed}
    test = length_difference(exact[known], exact[~known])
    mean, deviation = cosines(exact[known], exact[~known])
    apart = {"difference": test.difference, "p": test.p, "resamples": test.resamples}
    return {"words": listed, "lengths": apart, "cosines": {"mean": mean, "sd": deviation}}
