"""Frames, derivations and corpora against recursive readings of the same trees."""

import numpy as np
import pytest

from blicket.core.randomness import Stream
from blicket.grammar.derivations import Corpus, Derivation, Frame
from blicket.grammar.enumeration import derivations
from blicket.grammar.rules import Entry, Grammar, Rule
from blicket.grammar.sampling import Sampler

TOY = Grammar(
    "S",
    [
        Rule("S", ("NP", "VP"), phenomena=frozenset({"clause"})),
        Rule("NP", ("'the'", "N"), 0.7),
        Rule("NP", ("NP", "PP"), 0.3, phenomena=frozenset({"pp", "np-pp"})),
        Rule("VP", ("V", "NP"), 0.5),
        Rule("VP", ("V", "'that'", "S"), 0.25, phenomena=frozenset({"cp"})),
        Rule("VP", ("VP", "PP"), 0.25, phenomena=frozenset({"pp"})),
        Rule("PP", ("P", "NP")),
    ],
    [
        Entry("N", "dog", 0.5),
        Entry("N", "cat", 0.5, phenomena=frozenset({"feline"})),
        Entry("V", "saw"),
        Entry("P", "in", 0.5),
        Entry("P", "on", 0.5),
    ],
)
SAMPLED = Sampler(TOY).draw(Stream(1, "toy"), 200)
ENUMERATED = list(derivations(TOY, 4))


def nested(derivation):
    """The tree read from the left by recursion: (rule, children) or (category, entry)."""
    codes, entries = iter(derivation.frame.codes), iter(derivation.entries)

    def read():
        code = next(codes)
        if code < 0:
            return list(derivation.frame.grammar.entries_of)[-1 - code], next(entries)
        rule = derivation.frame.grammar.rules[code]
        return rule, [read() for _ in rule.children]

    tree = read()
    assert next(codes, None) is None
    assert next(entries, None) is None
    return tree


def leaves(tree):
    top, below = tree
    return [leaf for child in below for leaf in leaves(child)] if isinstance(top, Rule) else [tree]


def brackets(tree):
    top, below = tree
    return f"[{top.parent} {' '.join(map(brackets, below))}]" if isinstance(top, Rule) else below.word


def depth(tree, name):
    top, below = tree
    return (name in top.phenomena) + max(depth(child, name) for child in below) if isinstance(top, Rule) else 0


def nodes(tree):
    top, below = tree
    return [top, *(node for child in below for node in nodes(child))] if isinstance(top, Rule) else [below]


@pytest.mark.parametrize("corpus", [SAMPLED, ENUMERATED], ids=["sampled", "enumerated"])
def test_readings_agree_with_recursion(corpus):
    assert len(corpus) >= 100
    for derivation in corpus:
        tree = nested(derivation)
        assert derivation.frame.categories == tuple(category for category, _ in leaves(tree))
        assert derivation.words == tuple(entry.word for _, entry in leaves(tree))
        assert str(derivation) == brackets(tree)
        for name in ("pp", "cp", "clause", "np-pp", "unheard-of"):
            assert derivation.frame.depth(name) == depth(tree, name)
        assert derivation.phenomena == frozenset().union(*(node.phenomena for node in nodes(tree)))
        of_rules = [node.phenomena for node in nodes(tree) if isinstance(node, Rule)]
        assert derivation.frame.phenomena == frozenset().union(*of_rules)


def test_brackets_of_one_sentence():
    derivation = next(d for d in ENUMERATED if d.words == ("the", "dog", "saw", "the", "cat"))
    assert str(derivation) == "[S [NP the dog] [VP saw [NP the cat]]]"


def test_fold_gives_children_from_left_to_right_and_positions():
    for derivation in SAMPLED[:50]:
        tree = derivation.frame.fold(
            lambda rule, children: (rule, children),
            lambda category, position, entries=derivation.entries: (category, entries[position]),
        )
        assert tree == nested(derivation)


def deep(levels):
    """S -> 'a' S 'b' so many times, then S -> 'a' 'b'."""
    grammar = Grammar(
        "S",
        [Rule("S", ("'a'", "S", "'b'"), phenomena=frozenset({"in"})), Rule("S", ("'a'", "'b'"))],
        [],
    )
    frame = Frame(grammar, (0, -1) * levels + (1, -1, -2) + (-2,) * levels)
    return Derivation(frame, (grammar.entries[0],) * (levels + 1) + (grammar.entries[1],) * (levels + 1))


def test_deep_trees_are_folded_without_recursion():
    derivation = deep(2000)
    assert derivation.frame.depth("in") == 2000
    assert derivation.frame.fold(lambda rule, below: sum(below), lambda category, position: 1) == 4002
    assert str(derivation) == "[S a " * 2000 + "[S a b]" + " b]" * 2000
    assert derivation.words == ("a",) * 2001 + ("b",) * 2001


def test_a_corpus_is_a_sequence():
    listed = list(SAMPLED)
    assert len(SAMPLED) == len(listed) == 200
    assert [d.words for d in reversed(SAMPLED)] == [d.words for d in listed[::-1]]
    assert SAMPLED[-1].words == listed[199].words
    assert SAMPLED[-200].words == listed[0].words
    assert SAMPLED.lengths.tolist() == [len(d.words) for d in listed]
    for outside in (200, -201):
        with pytest.raises(IndexError):
            SAMPLED[outside]


def contents(corpus):
    return [(d.frame.codes, d.entries) for d in corpus]


@pytest.mark.parametrize(
    "part",
    [slice(None), slice(3, 9), slice(None, None, -1), slice(190, 400), slice(-5, None, 2), slice(4, 4)],
)
def test_slices(part):
    taken = SAMPLED[part]
    assert isinstance(taken, Corpus)
    assert contents(taken) == contents(list(SAMPLED)[part])


@pytest.mark.parametrize("rows", [[], [0], [199, 0, 0, 7, 199], [-1, 3], list(range(200))])
def test_take(rows):
    taken = SAMPLED.take(np.array(rows, np.intp))
    assert contents(taken) == contents([list(SAMPLED)[row] for row in rows])
    assert taken.lengths.tolist() == [len(SAMPLED[row].words) for row in rows]


def test_take_of_a_part_counts_from_its_own_beginning():
    part = SAMPLED[50:100]
    assert contents(part.take(np.array([49, 1]))) == contents([SAMPLED[99], SAMPLED[51]])


@pytest.mark.parametrize("corpus", [SAMPLED, SAMPLED[20:40], SAMPLED[7:8], SAMPLED[0:0]])
def test_matrix(corpus):
    of = np.arange(100, 100 + len(TOY.entries), dtype=np.int32)
    number = {(e.category, e.word): 100 + place for place, e in enumerate(TOY.entries)}
    rows = [[number[e.category, e.word] for e in d.entries] for d in corpus]
    width = max(map(len, rows), default=0)
    table = corpus.matrix(of)
    assert table.shape == (len(rows), width)
    assert table.tolist() == [row + [-1] * (width - len(row)) for row in rows]


def test_equal_derivations_are_equal():
    first, second = (next(derivations(TOY, 3)) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)


def test_depth_means_what_the_condition_means():
    derivation = next(d for d in SAMPLED if "feline" in d.phenomena)
    assert derivation.depth("feline") == 1
