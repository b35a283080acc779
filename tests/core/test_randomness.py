"""Streams against Philox4x64-10 written out from its definition (Salmon et al. 2011, section 3.3)."""

from hashlib import sha256
from itertools import count, islice

import numpy as np
import pytest

from blicket.core.randomness import Stream

MASK = (1 << 64) - 1
MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B


def philox(counter, key, rounds=10):
    """One block: four words, from a counter of four words and a key of two."""
    (a, b, c, d), (k0, k1) = counter, key
    for _ in range(rounds):
        left, right = MULTIPLIERS[0] * a, MULTIPLIERS[1] * c
        a, b, c, d = (right >> 64) ^ b ^ k0, right & MASK, (left >> 64) ^ d ^ k1, left & MASK
        k0, k1 = (k0 + WEYL[0]) & MASK, (k1 + WEYL[1]) & MASK
    return a, b, c, d


def reference_words(*name):
    """The words of a stream: the counter starts at one, because numpy counts before it makes a block."""
    digest = sha256("\x1f".join(map(str, name)).encode()).digest()
    key = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
    for number in count(1):
        yield from philox((number & MASK, number >> 64, 0, 0), key)


def test_the_reference_gives_the_published_block():
    # Random123's known answers (kat_vectors): counter and key of zeros.
    published = (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)
    assert philox((0, 0, 0, 0), (0, 0)) == published


@pytest.mark.parametrize("name", [(1, "gen", "pp_recursion"), (2**40 + 7, "träin")])
def test_words_are_those_of_philox(name):
    assert Stream(*name).words(1003).tolist() == list(islice(reference_words(*name), 1003))


def test_words_do_not_depend_on_how_they_are_read():
    whole, parts = Stream(5, "parts"), Stream(5, "parts")
    read = [parts.words(n) for n in (1, 0, 6, 3, 90)]
    assert [len(part) for part in read] == [1, 0, 6, 3, 90]
    assert np.concatenate(read).tolist() == whole.words(100).tolist()
    assert read[0].dtype == np.uint64


def test_seeds_and_purposes_differ():
    names = [(1,), (2,), (11,), (1, 1), (1, "a"), (1, "b"), (1, "a", "b"), (1, "ab"), (1, "b", "a"), (1, "")]
    assert len({int(Stream(*name).words(1)[0]) for name in names}) == len(names)


def test_no_part_can_forge_the_separator():
    with pytest.raises(ValueError, match="separator"):
        Stream(1, "a\x1fb")


@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_permutation_is_a_permutation(n):
    assert sorted(Stream(1, "order").permutation(n).tolist()) == list(range(n))


def test_permutation_sorts_places_by_their_words():
    words = list(islice(reference_words(3, "order"), 50))
    assert Stream(3, "order").permutation(50).tolist() == sorted(range(50), key=words.__getitem__)


def test_all_permutations_are_equally_likely():
    stream, counts = Stream(1, "six"), {}
    for _ in range(6000):
        order = tuple(stream.permutation(3).tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    # Six cells, five degrees of freedom: the statistic exceeds 35.9 once in a million seeds.
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 35.9


def test_the_global_state_is_neither_read_nor_changed():
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()
    first = Stream(1, "own").words(4).tolist()
    assert np.random.get_state()[1].tolist() == before
    np.random.seed(2)
    assert Stream(1, "own").words(4).tolist() == first
