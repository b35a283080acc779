import numpy as np
import pytest

from blicket import Stream
from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.sampling import below, core_sets

BLOCKS, LEVELS, FRAMES = range(3, 5), 3, 4


def drawn(number, *, frames=FRAMES, repeating=False, seed=1):
    return core_sets(Stream(seed, "test"), BLOCKS, LEVELS, frames, number, repeating=repeating)


def test_a_core_set_has_every_combination_of_open_class_words_once():
    for pairs in drawn(2):
        words = [*pairs.nouns, *pairs.verbs]
        combinations = set(zip(pairs.block.tolist(), *(column.tolist() for column in words), strict=True))
        assert len(combinations) == len(pairs) == 2 * 3**4
        assert set(pairs.block.tolist()) == {3, 4}


def test_core_sets_share_no_pair_up_to_the_last_that_can_be_had():
    everything = Pairs.joined(drawn(FRAMES**2))
    assert len(np.unique(everything.keys())) == len(everything) == FRAMES**2 * 2 * 3**4


def test_repeating_core_sets_share_pairs():
    everything = Pairs.joined(drawn(FRAMES**2, repeating=True))
    assert len(np.unique(everything.keys())) < 0.8 * len(everything)


@pytest.mark.parametrize("repeating", [True, False])
def test_frames_are_uniform_in_every_set(repeating):
    sets = core_sets(Stream(1, "uniform"), range(40), 6, FRAMES, 3, repeating=repeating)
    for pairs in sets:
        counts = np.bincount(pairs.frames[0].astype(int) * FRAMES + pairs.frames[1], minlength=FRAMES**2)
        expected = len(pairs) / FRAMES**2
        assert ((counts - expected) ** 2 / expected).sum() < 37.7  # chi-squared, 15 degrees of freedom, p = .001


def test_the_seed_decides():
    first, again, other = (drawn(1, seed=seed)[0].keys() for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_numbers_below_a_bound_are_the_upper_bits_of_the_words():
    words = Stream(5, "x").words(1000)
    expected = [(int(word) >> 32) * 1296 // 2**32 for word in words]
    assert below(Stream(5, "x"), 1000, 1296).tolist() == expected
