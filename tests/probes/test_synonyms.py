"""Distances of vectors that are drawn by hand."""

import numpy as np
import pytest

from blicket.probes import closeness

VECTORS = {
    "a": np.array([1.0, 0.0]),
    "a_twin": np.array([5.0, 5.0]),
    "b": np.array([0.0, 2.0]),
    "b_twin": np.array([0.0, -1.0]),
    "c": np.array([3.0, 0.3]),
}


def test_distances_are_those_of_directions():
    a, b = closeness(VECTORS, {"a": "a_twin", "b": "b_twin"}, ["a", "b", "c"])
    assert (a.word, a.synonym) == ("a", "a_twin")
    assert a.distance == pytest.approx(1 - 0.5**0.5)
    to_c = 1 - 3 / np.hypot(3, 0.3)
    assert a.to_others == pytest.approx((1 + to_c) / 2)
    assert a.nearer == 1  # c
    assert (b.distance, b.nearer) == (pytest.approx(2), 2)


def test_words_without_an_embedding_are_left_out():
    assert closeness(VECTORS, {"a": "z", "z": "a"}, []) == []
    (found,) = closeness(VECTORS, {"a": "a_twin"}, ["z"])
    assert np.isnan(found.to_others)
