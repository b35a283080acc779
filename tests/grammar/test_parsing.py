"""The parser against nltk's chart parser, against the sampler, and against lists of sentences."""

from itertools import product

import nltk
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blicket.core.randomness import Stream
from blicket.grammar.conditions import Count
from blicket.grammar.derivations import Frame
from blicket.grammar.enumeration import derivations
from blicket.grammar.parsing import Parser
from blicket.grammar.rules import Entry, Grammar, Rule
from blicket.grammar.sampling import Sampler


def grammar_of(text, entries=()):
    """Rules from lines such as `S -> NP VP`; the first line's parent is the start."""
    pairs = [line.split(" -> ") for line in text.strip().splitlines()]
    rules = [Rule(parent.strip(), tuple(children.split())) for parent, children in pairs]
    return Grammar(rules[0].parent, rules, [Entry(*entry.split("/")) for entry in entries])


FISH = grammar_of(
    """
    S -> NP VP
    NP -> N
    NP -> N N
    NP -> NP PP
    VP -> V
    VP -> V NP
    VP -> VP PP
    VP -> V S
    PP -> P NP
    """,
    ["N/fish", "V/fish", "P/in", "N/in"],
)
GRAMMARS = {
    "attachment": FISH,
    "pairs": grammar_of("S -> S S\nS -> S S S\nS -> 'a'\nS -> 'b'"),
    "left": grammar_of("S -> S 'a'\nS -> B\nB -> B 'b'\nB -> S 'b' S\nB -> 'a'"),
    "right": grammar_of("S -> 'a' S\nS -> 'a' 'b' S\nS -> 'b'\nS -> 'a'"),
    "indirect": grammar_of("S -> A 'a'\nA -> S 'b'\nA -> C\nC -> S\nS -> D\nD -> X\nD -> X X", ["X/a", "X/b"]),
    "centre": grammar_of("S -> 'a' S 'a'\nS -> 'b' S 'b'\nS -> T\nT -> 'a'\nT -> 'b'\nT -> 'a' 'b'"),
    "chains": grammar_of("S -> A\nS -> B\nA -> B\nB -> X\nB -> Y\nA -> X A", ["X/a", "Y/a", "Y/b"]),
}


def in_nltk(grammar):
    lines = [f"{rule.parent} -> {' '.join(rule.children)}" for rule in grammar.rules]
    lines += [f"{e.category} -> '{e.word}'" for e in grammar.entries if not e.category.startswith("'")]
    return nltk.ChartParser(nltk.CFG.fromstring("\n".join(lines)))


def tree_of(derivation):
    """The tree as nltk has it: lexical categories are nodes, words in quotes are leaves."""
    return derivation.frame.fold(
        lambda rule, children: nltk.Tree(rule.parent, children),
        lambda category, position: (
            derivation.entries[position].word
            if category.startswith("'")
            else nltk.Tree(category, [derivation.entries[position].word])
        ),
    )


def contents(derivation):
    return derivation.frame.codes, derivation.entries


@pytest.mark.parametrize("name", GRAMMARS)
def test_trees_are_those_of_nltk(name):
    parser, oracle = Parser(GRAMMARS[name]), in_nltk(GRAMMARS[name])
    sentences = ambiguous = 0
    for length in range(1, 7):
        for words in product(GRAMMARS[name].words, repeat=length):
            ours = [str(tree_of(derivation)) for derivation in parser.parse(words)]
            assert len(ours) == len(set(ours)), words
            assert set(ours) == set(map(str, oracle.parse(words))), words
            sentences, ambiguous = sentences + bool(ours), ambiguous + (len(ours) > 1)
    assert sentences > 4
    assert ambiguous > 1 or name in ("centre", "right")


def test_the_number_of_trees_over_pairs():
    # Catalan's numbers: the ways to bracket n words in pairs.
    parser = Parser(grammar_of("S -> S S\nS -> 'a'"))
    assert [len(list(parser.parse(["a"] * n))) for n in range(10)] == [0, 1, 1, 2, 5, 14, 42, 132, 429, 1430]


def test_entries_that_share_word_and_category_are_told_apart():
    grammar = Grammar("S", [Rule("S", ("N", "N"))], [Entry("N", "x", 1.0, "p"), Entry("N", "x", 1.0, "q")])
    found = {tuple(entry.predicate for entry in d.entries) for d in Parser(grammar).parse("xx")}
    assert found == set(product("pq", repeat=2))


def test_rules_that_differ_in_meaning_only_are_told_apart():
    grammar = Grammar("S", [Rule("S", ("'a'", "'b'"), meaning=meaning) for meaning in "pq"], [])
    assert sorted(derivation.frame.codes[0] for derivation in Parser(grammar).parse("ab")) == [0, 1]


def test_unknown_words_and_the_empty_sentence_have_no_derivation():
    parser = Parser(FISH)
    assert list(parser.parse(["fish", "fish"]))
    assert not list(parser.parse(["fish", "fish", "swim"]))
    assert not list(parser.parse([]))


def test_classes_are_the_lexical_categories_of_words():
    assert Parser(FISH).classes == {
        "fish": frozenset({"N", "V"}),
        "in": frozenset({"N", "P"}),
    }


def test_parses_are_all_that_enumeration_finds():
    by_words = {}
    for derivation in derivations(FISH, 4):
        if len(derivation.words) <= 5:
            by_words.setdefault(derivation.words, set()).add(contents(derivation))
    parser = Parser(FISH)
    assert len(by_words) > 10
    for words, expected in by_words.items():
        assert expected <= {contents(derivation) for derivation in parser.parse(words)}


@st.composite
def grammars(draw):
    """Layers of categories: rules lead downwards, or back to their own layer under the mark `again`."""
    layers = ["S", *"AB"[: draw(st.integers(0, 2))]]
    words = st.sampled_from("xyz")
    entries = {Entry("N", draw(words)), Entry("N", draw(words)), Entry("V", draw(words))}
    rules = {}
    for layer, parent in enumerate(layers):
        below = st.sampled_from([*layers[layer + 1 :], "N", "V", "'z'"])
        for _ in range(draw(st.integers(1, 3))):
            rule = Rule(parent, tuple(draw(st.lists(below, min_size=1, max_size=3))))
            rules[parent, rule.children] = rule
        for _ in range(draw(st.integers(0, 2))):
            children = (parent, draw(below)) if draw(st.booleans()) else (draw(below), parent)
            rules[parent, children] = Rule(parent, children, 0.5, phenomena=frozenset({"again"}))
    return Grammar("S", rules.values(), sorted(entries, key=lambda entry: (entry.category, entry.word)))


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(grammars())
def test_what_was_sampled_is_parsed(grammar):
    parser, oracle = Parser(grammar), None
    recursive = any("again" in rule.phenomena for rule in grammar.rules)
    shallow = [Count("again", 0, 3)] if recursive else []
    for number, derivation in enumerate(Sampler(grammar, *shallow).draw(Stream(1, "parsed"), 20)):
        if len(derivation.words) > 14:
            continue
        found = [contents(parsed) for parsed in parser.parse(derivation.words)]
        assert contents(derivation) in found
        assert len(found) == len(set(found))
        if number < 3 and len(derivation.words) <= 7:
            oracle = oracle or in_nltk(grammar)
            ours = {str(tree_of(parsed)) for parsed in parser.parse(derivation.words)}
            assert ours == set(map(str, oracle.parse(derivation.words)))


@pytest.mark.parametrize(
    ("text", "words", "codes"),
    [
        ("S -> 'a' S 'b'\nS -> 'a' 'b'", "a" * 2000 + "b" * 2000,
         (0, -1) * 1999 + (1, -1, -2) + (-2,) * 1999),
        ("S -> 'a' S\nS -> 'a'", "a" * 1200, (0, -1) * 1199 + (1, -1)),
        ("S -> S 'a'\nS -> 'a'", "a" * 1200, (0,) * 1199 + (1, -1) + (-1,) * 1199),
    ],
    ids=["centre", "right", "left"],
)  # fmt: skip
def test_deep_sentences_do_not_overflow(text, words, codes):
    # Python's own limit is at 1,000 calls.
    found = [derivation.frame.codes for derivation in Parser(grammar_of(text)).parse(words)]
    assert found == [codes]


def sequences(grammar, length):
    """All sequences of lexical categories of up to so many words that the start category makes (naively)."""
    found = {category: {(category,)} for category in grammar.entries_of}
    grown = True
    while grown:
        grown = False
        for rule in grammar.rules:
            for parts in product(*(tuple(found.get(child, ())) for child in rule.children)):
                whole = sum(parts, ())
                if len(whole) <= length and whole not in found.setdefault(rule.parent, set()):
                    found[rule.parent].add(whole)
                    grown = True
    return found[grammar.start]


@pytest.mark.parametrize("name", ["attachment", "right", "centre", "chains", "left"])
def test_expected_against_all_sentences(name):
    grammar, parser = GRAMMARS[name], Parser(GRAMMARS[name])
    # Any beginning of three words goes on to a sentence of at most eight in these grammars.
    sentences = sequences(grammar, 8)
    beginnings = {sentence[:n] for sentence in sentences for n in range(len(sentence) + 1)}
    classes = [*map(parser.classes.get, grammar.words), frozenset()]
    failing = 0
    for length in range(4):
        for pattern in product(classes, repeat=length):
            if any(categories in sentences for categories in product(*pattern)):
                assert parser.frames(pattern)
                continue
            assert not parser.frames(pattern)
            failing += 1
            viable = [n for n in range(length + 1) if beginnings & set(product(*pattern[:n]))]
            position = max(viable)
            before = set(product(*pattern[:position]))
            categories = {c for c in grammar.entries_of if any((*way, c) in beginnings for way in before)}
            assert parser.expected(pattern) == (position, categories, bool(before & sentences)), pattern
    assert failing > 10


def test_expected_by_hand():
    parser = Parser(grammar_of("S -> NP V\nNP -> 'the' N\nNP -> NP 'in' NP", ["N/cat", "V/ran"]))

    def expected(sentence):
        return parser.expected([parser.classes.get(word, frozenset()) for word in sentence.split()])

    assert expected("") == (0, {"'the'"}, False)
    assert expected("the dog ran") == (1, {"N"}, False)
    assert expected("the cat the ran") == (2, {"V", "'in'"}, False)
    assert expected("the cat") == (2, {"V", "'in'"}, False)
    assert expected("the cat in the cat ran ran") == (6, frozenset(), True)


def test_frames_are_frames_of_the_grammar():
    parser = Parser(FISH)
    frames = parser.frames([parser.classes["fish"]] * 3)
    assert frames
    assert all(isinstance(frame, Frame) and frame.grammar is FISH for frame in frames)
