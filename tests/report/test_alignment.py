from hypothesis import given
from hypothesis import strategies as st

from blicket.report.alignment import BESIDE, FOLD, Link, aligned, folded

tokens = st.lists(st.sampled_from(["x", "_", "1", "AND", "cat"]), max_size=60)


def shown(gold, said):
    return [(pair.link.value, pair.gold, pair.said) for pair in aligned(gold.split(), said.split())]


def test_tokens_are_linked_by_a_shortest_edit():
    assert shown("the cat ate it", "the dog ate it up") == [
        ("same", "the", "the"),
        ("changed", "cat", "dog"),
        ("same", "ate", "ate"),
        ("same", "it", "it"),
        ("added", "", "up"),
    ]
    assert shown("a b", "b") == [("missing", "a", ""), ("same", "b", "b")]
    assert shown("a", "") == [("missing", "a", "")]


@given(tokens, tokens)
def test_both_sides_can_be_read_off(gold, said):
    pairs = aligned(gold, said)
    assert [pair.gold for pair in pairs if pair.link != Link.ADDED] == gold
    assert [pair.said for pair in pairs if pair.link != Link.MISSING] == said
    assert all((pair.gold == pair.said) == (pair.link == Link.SAME) for pair in pairs)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 40)), max_size=5), st.integers(0, 60))
def test_a_fold_says_how_much_it_hides(stretches, end):
    gold = [token for token, times in stretches for _ in range(times)]
    pairs = aligned(gold, gold[:end])
    assert sum(pair.folds or 1 for pair in folded(pairs)) == len(pairs)


def test_short_stretches_are_not_folded():
    longest = ["x"] * (2 * BESIDE + FOLD - 1)
    assert folded(aligned(longest, longest)) == aligned(longest, longest)
    pairs = folded(aligned([*longest, "x"], []))
    assert [pair.folds for pair in pairs if pair.link == Link.FOLDED] == [FOLD]
    assert [pair.of for pair in pairs if pair.folds] == [Link.MISSING]
