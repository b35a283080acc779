"""Enumeration against nltk's generator and against counting."""

from collections import Counter

import nltk
import pytest
from nltk.parse.generate import generate

from blicket.grammar.derivations import Derivation
from blicket.grammar.enumeration import derivations, frames
from blicket.grammar.rules import Entry, Grammar, Rule

FISH = Grammar(
    "S",
    [
        Rule("S", ("NP", "VP")), Rule("NP", ("N",)), Rule("NP", ("NP", "PP")), Rule("VP", ("V",)),
        Rule("VP", ("V", "NP")), Rule("VP", ("VP", "PP")), Rule("PP", ("P", "NP")),
    ],
    [Entry("N", "fish"), Entry("N", "rod"), Entry("V", "fish"), Entry("P", "in")],
)  # fmt: skip
PAIRS = Grammar("S", [Rule("S", ("S", "S")), Rule("S", ("'a'",))], [])


def in_nltk(grammar):
    lines = [f"{rule.parent} -> {' '.join(rule.children)}" for rule in grammar.rules]
    lines += [f"{e.category} -> '{e.word}'" for e in grammar.entries if not e.category.startswith("'")]
    return nltk.CFG.fromstring("\n".join(lines))


@pytest.mark.parametrize("height", range(1, 5))
def test_sentences_are_those_of_nltk(height):
    # nltk counts two levels more: lexical categories and words. FISH has every word under a lexical category.
    expected = Counter(map(tuple, generate(in_nltk(FISH), depth=height + 2)))
    assert Counter(derivation.words for derivation in derivations(FISH, height)) == expected


@pytest.mark.parametrize("height", range(6))
def test_heights_are_counted_in_levels_of_rules(height):
    numbers = [0]
    for _ in range(height):
        numbers.append(1 + numbers[-1] ** 2)
    assert len(list(derivations(PAIRS, height))) == numbers[-1]


@pytest.mark.parametrize(("grammar", "height"), [(FISH, 4), (PAIRS, 4)])
def test_each_occurs_once(grammar, height):
    codes = [frame.codes for frame in frames(grammar, height)]
    assert len(codes) == len(set(codes)) > 1
    found = [(d.frame.codes, d.entries) for d in derivations(grammar, height)]
    assert len(found) == len(set(found)) > 1


def test_frames_are_the_derivations_without_words():
    assert {f.codes for f in frames(FISH, 4)} == {d.frame.codes for d in derivations(FISH, 4)}


def test_words_fit_their_categories():
    for derivation in derivations(FISH, 3):
        assert isinstance(derivation, Derivation)
        assert tuple(entry.category for entry in derivation.entries) == derivation.frame.categories
