from itertools import product

import numpy as np
import pytest

from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.relations import LEXICAL, lexical_relation, relation_table


@pytest.fixture
def pairs(closed):
    """Every pair of two blocks of two levels."""
    frames = range(len(closed.frames))
    columns = np.array(list(product((0, 300), frames, frames, *[(0, 1)] * 4))).T
    small = columns.astype(np.uint8)
    return Pairs(columns[0].astype(np.uint16), small[1:3], small[3:5], small[5:7])


def test_relations_are_looked_up(closed, pairs):
    table = relation_table(closed)
    said = pairs.related(table)
    for row in range(0, len(pairs), 97):
        nouns, verbs = (LEXICAL[lexical_relation(*levels[:, row].tolist())] for levels in (pairs.nouns, pairs.verbs))
        assert said[row] == table[pairs.frames[0, row], pairs.frames[1, row], nouns, verbs]
    assert said.dtype == np.uint8


def test_keys_tell_pairs_apart(pairs):
    assert len(pairs) == 2 * 36 * 36 * 16 == len(np.unique(pairs.keys()))
    assert (pairs[::-1].keys() == pairs.keys()[::-1]).all()


def test_reversed_twice_is_the_same(pairs):
    backwards = pairs.reversed()
    assert (backwards.frames[0] == pairs.frames[1]).all()
    assert (backwards.nouns[0] == pairs.nouns[1]).all()
    assert (backwards.verbs[1] == pairs.verbs[0]).all()
    assert (backwards.reversed().keys() == pairs.keys()).all()


def test_joined(pairs):
    parts = pairs[:1001], pairs[1001:]
    assert (Pairs.joined(parts).keys() == pairs.keys()).all()
