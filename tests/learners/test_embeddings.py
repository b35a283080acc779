"""The vectors that words begin with."""

import numpy as np
import pytest
from scipy.stats import kstest

from blicket.learners.embeddings import initial_vectors


def test_a_word_has_the_same_vector_whatever_stands_beside_it() -> None:
    alone = initial_vectors(3, ["N21.4"], 50)
    among = initial_vectors(3, ["all", "N21.4", "V9.1"], 50)
    assert np.array_equal(alone[0], among[1])
    assert not np.allclose(among[0], among[1])


def test_seeds_have_vectors_of_their_own() -> None:
    assert not np.allclose(initial_vectors(1, ["all"], 50), initial_vectors(2, ["all"], 50))


def test_they_are_drawn_from_the_standard_normal_distribution() -> None:
    drawn = initial_vectors(1, [f"N{block}.1" for block in range(200)], 300)
    assert drawn.dtype == np.float32
    assert kstest(drawn.ravel().astype(float), "norm").pvalue > 0.01
    cosines = np.corrcoef(drawn)[np.triu_indices(200, 1)]
    assert abs(cosines.mean()) < 0.001
    assert cosines.std() == pytest.approx(300**-0.5, rel=0.05)
