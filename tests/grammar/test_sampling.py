"""The sampler against whole distributions, worked out by listing every tree and multiplying its weights."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
import pytest

from blicket.core.errors import GrammarError, UnknownName
from blicket.core.randomness import Stream
from blicket.grammar.conditions import Absent, Condition, Count, Depth
from blicket.grammar.rules import Entry, Grammar, Rule
from blicket.grammar.sampling import Sampler


def rule(parent, children, weight=1.0, *phenomena):
    return Rule(parent, tuple(children.split()), weight, phenomena=frozenset(phenomena))


# Ambiguous (PP attachment; "dog" is a noun and a name), recursive and not normalised.
# Every recursive rule is a "pp".
ATTACHMENT = Grammar(
    "S",
    [
        rule("S", "NP VP"),
        rule("VP", "V NP", 2.0, "object"),
        rule("VP", "VP PP", 0.5, "pp", "vp-pp"),
        rule("NP", "'the' N"),
        rule("NP", "NP PP", 0.4, "pp", "np-pp"),
        rule("NP", "Name", 0.7),
        rule("PP", "P NP"),
    ],
    [
        Entry("N", "dog", 0.5),
        Entry("N", "cat", 0.25, phenomena=frozenset({"feline"})),
        Entry("V", "saw"),
        Entry("P", "with", 0.4),
        Entry("Name", "dog", 0.3),
    ],
)
PAIRS = Grammar("S", [rule("S", "S S", 0.3, "pp"), rule("S", "'a'", 0.5)], [])
CHAINS = Grammar(
    "S",
    [
        rule("S", "A", 3.0),
        rule("S", "B", 0.5, "b"),
        rule("S", "A B", 0.25),
        rule("A", "B", 2.0, "a"),
        rule("A", "W", 0.1),
        rule("B", "C"),
        rule("C", "W W", 0.4),
        rule("C", "'x'", 5.0),
    ],
    [Entry("W", "x", 0.75), Entry("W", "y", 1.5, phenomena=frozenset({"y"})), Entry("W", "z", 0.01)],
)


def trees(grammar, recursions):
    """Every tree with at most so many "pp" nodes, as (weight, tree).

    A tree is (node, children), and a node a rule or an entry.
    """

    @cache
    def of(category, marks):
        found = [(e.weight, (e, ())) for e in grammar.entries if e.category == category and marks == 0]
        for r in grammar.rules:
            rest = marks - ("pp" in r.phenomena)
            if r.parent == category:
                for split in product(range(rest + 1), repeat=len(r.children)):
                    if sum(split) == rest:
                        for parts in product(*map(of, r.children, split)):
                            weight = r.weight
                            for part_weight, _ in parts:
                                weight *= part_weight
                            found.append((weight, (r, tuple(part for _, part in parts))))
        return found

    return [pair for marks in range(recursions + 1) for pair in of(grammar.start, marks)]


def preorder(tree):
    node, children = tree
    return (node, *(n for child in children for n in preorder(child)))


def depth(tree, name="pp"):
    node, children = tree
    return (name in node.phenomena) + max((depth(child, name) for child in children), default=0)


def count(tree, name):
    return sum(name in node.phenomena for node in preorder(tree))


def outside(tree, name, place):
    """How many nodes with the name are not in one with the place."""
    node, children = tree
    if place in node.phenomena:
        return 0
    return (name in node.phenomena) + sum(outside(child, name, place) for child in children)


def preorders(corpus):
    """For each derivation of a corpus its rules and entries in preorder."""
    for derivation in corpus:
        entries = iter(derivation.entries)
        codes = derivation.frame.codes
        yield tuple(corpus.grammar.rules[code] if code >= 0 else next(entries) for code in codes)


def chi_square(counts, shares):
    """The statistic of counts against shares, and what it exceeds once in a million; small cells are one.

    What has no share of its own is pooled with the small cells, which is how an infinite tail is handled.
    """
    n = sum(counts.values())
    large = {cell for cell, share in shares.items() if n * share >= 10}
    expected = [n * shares[cell] for cell in large]
    observed = [counts[cell] for cell in large]
    expected.append(n * max(0.0, 1 - sum(shares[cell] for cell in large)))
    observed.append(n - sum(observed))
    if expected[-1] < 1e-6:
        assert observed.pop() == 0
        expected.pop()
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    # Wilson & Hilferty 1931: the cube root of chi-square over its degrees is nearly normal; one in a million
    # lies beyond 4.75 standard deviations. So the limit owes nothing to the seed.
    spread = 2 / (9 * (len(expected) - 1))
    return statistic, (len(expected) - 1) * (1 - spread + 4.75 * sqrt(spread)) ** 3


NP0 = 0.75 + 0.7 * 0.3  # a noun phrase without PP
NP = (1 - sqrt(1 - 4 * 0.16 * NP0)) / 0.32  # NP = NP0 + 0.4 NP 0.4 NP
LINEAR = 2 * NP0 / (1 - 0.5 * 0.4 * NP0)  # VP = 2 NP0 + 0.5 VP 0.4 NP0
CASES = {
    # name: grammar, conditions, what they mean, recursions listed, the total where the list is not all
    "all, with a tail": (ATTACHMENT, (), lambda t: True, 2, NP * 2 * NP / (1 - 0.5 * 0.4 * NP)),
    "pairs, with a tail": (PAIRS, (), lambda t: True, 5, (1 - sqrt(1 - 4 * 0.3 * 0.5)) / 0.6),
    "left recursion, with a tail": (
        ATTACHMENT, (Absent(frozenset({"np-pp"})),), lambda t: not count(t, "np-pp"), 3, NP0 * LINEAR,
    ),
    "chains": (CHAINS, (), lambda t: True, 0, None),
    "chains without b": (CHAINS, (Absent(frozenset({"b"})),), lambda t: not count(t, "b"), 0, None),
    "chains, y inside a": (
        CHAINS, (Count("y", 1, 3, "a"),),
        lambda t: 1 <= count(t, "y") <= 3 and not outside(t, "y", "a"), 0, None,
    ),
    "count": (ATTACHMENT, (Count("pp", 1, 2),), lambda t: 1 <= count(t, "pp") <= 2, 2, None),
    "exactly no pp": (ATTACHMENT, (Count("pp", 0, 0),), lambda t: count(t, "pp") == 0, 0, None),
    "depth": (ATTACHMENT, (Depth("pp", 1, 1),), lambda t: depth(t) == 1, 2, None),
    "depth of pairs": (PAIRS, (Depth("pp", 2, 3),), lambda t: 2 <= depth(t) <= 3, 7, None),
    "within": (
        ATTACHMENT,
        (Count("feline", 1, 2, "object"), Count("pp", 0, 1)),
        lambda t: 1 <= count(t, "feline") <= 2 and not outside(t, "feline", "object") and count(t, "pp") <= 1,
        1, None,
    ),
    "within itself": (
        ATTACHMENT, (Count("pp", 1, 2, "np-pp"),),
        lambda t: 1 <= count(t, "pp") <= 2 and not outside(t, "pp", "np-pp"), 2, None,
    ),
    "depth and count": (
        ATTACHMENT, (Depth("pp", 2, 2), Count("pp", 0, 2)),
        lambda t: depth(t) == 2 == count(t, "pp"), 2, None,
    ),
    "all three": (
        ATTACHMENT,
        (Absent(frozenset({"vp-pp", "feline"})), Depth("pp", 1, 2), Count("pp", 0, 2, "object")),
        lambda t: (
            not count(t, "vp-pp") and not count(t, "feline") and 1 <= depth(t) <= 2
            and count(t, "pp") <= 2 and not outside(t, "pp", "object")
        ),
        2, None,
    ),
}  # fmt: skip


def distribution(case):
    """The share of every tree that is listed, and the total weight."""
    grammar, _, satisfies, recursions, total = CASES[case]
    listed = [(weight, tree) for weight, tree in trees(grammar, recursions) if satisfies(tree)]
    total = total or sum(weight for weight, _ in listed)
    shares = {preorder(tree): weight / total for weight, tree in listed}
    assert len(shares) == len(listed) > 1
    return shares, total


@pytest.mark.parametrize("case", CASES)
def test_weight_is_the_sum_over_all_trees(case):
    grammar, conditions = CASES[case][:2]
    assert Sampler(grammar, *conditions).weight == pytest.approx(distribution(case)[1], rel=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_frequencies_are_those_of_the_conditional_distribution(case):
    grammar, conditions, _, _, total = CASES[case]
    shares, _ = distribution(case)
    counts = Counter(preorders(Sampler(grammar, *conditions).draw(Stream(1, "chi-square", case), 30_000)))
    if total is None:
        assert set(counts) <= set(shares)
    else:
        assert 0.5 < sum(shares.values()) < 1
    statistic, limit = chi_square(counts, shares)
    assert statistic < limit


def test_chi_square_can_fail():
    """Draws of one grammar are not taken for those of another with one weight a quarter larger."""
    grammar, conditions = CASES["count"][:2]
    factors = [1.25 if r.children[0] == "VP" else 1.0 for r in grammar.rules]
    changed = [replace(r, weight=r.weight * factor) for r, factor in zip(grammar.rules, factors, strict=True)]
    other = Grammar("S", changed, grammar.entries[:5])
    listed = [(w, preorder(t)) for w, t in trees(grammar, 2) if 1 <= count(t, "pp") <= 2]
    shares = {nodes: w / sum(w for w, _ in listed) for w, nodes in listed}
    known = {(r.parent, r.children): r for r in grammar.rules}
    counts = Counter(
        tuple(known[node.parent, node.children] if isinstance(node, Rule) else node for node in nodes)
        for nodes in preorders(Sampler(other, *conditions).draw(Stream(1, "chi-square", "count"), 30_000))
    )
    statistic, limit = chi_square(counts, shares)
    assert statistic > limit


def test_a_normalised_grammar_weighs_one():
    grammar = Grammar("S", [rule("S", "S S", 0.4), rule("S", "W", 0.6)], [Entry("W", "a", 0.3), Entry("W", "b", 0.7)])
    assert Sampler(grammar).weight == pytest.approx(1.0, rel=1e-9)


def test_a_grammar_that_may_never_end_weighs_the_chance_that_it_ends():
    # x = 0.6 x x + 0.4 has the solutions 2/3 and 1; the sum over trees is the smaller one.
    grammar = Grammar("S", [rule("S", "S S", 0.6), rule("S", "'a'", 0.4)], [])
    sampler = Sampler(grammar)
    assert sampler.weight == pytest.approx(2 / 3, rel=1e-9)
    one_word = (sampler.draw(Stream(1, "ends"), 10_000).lengths == 1).mean()
    assert abs(one_word - 0.4 / (2 / 3)) < 5 * sqrt(0.6 * 0.4 / 10_000)


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param([rule("S", "S 'a'", 1.0), rule("S", "'a'")], id="linear"),
        pytest.param([rule("S", "'b' S", 2.0), rule("S", "'a'")], id="geometric"),
        pytest.param([rule("S", "S S 'b'", 0.26), rule("S", "'a'")], id="just above critical"),
        pytest.param([rule("S", "S S"), rule("S", "'a'")], id="pairs"),
    ],
)
def test_weights_without_a_finite_sum_are_refused(rules):
    with pytest.raises(GrammarError, match="no finite sum"):
        Sampler(Grammar("S", rules, []))


def test_a_condition_can_make_the_sum_finite():
    grammar = Grammar("S", [rule("S", "S S", 1.0, "pp"), rule("S", "'a'")], [])
    assert Sampler(grammar, Count("pp", 0, 4)).weight == pytest.approx(1 + 1 + 2 + 5 + 14)  # Catalan's numbers


RUNAWAY = [rule("A", "'b' A"), rule("A", "'b'"), rule("S", "'c'", 0.5, "c")]


@pytest.mark.parametrize(
    ("grammar", "conditions"),
    [(Grammar("S", RUNAWAY, []), ()), (Grammar("S", [*RUNAWAY, rule("S", "A")], []), (Depth("c", 1, 1),))],
    ids=["unreachable", "not accepted"],
)
def test_only_derivations_that_satisfy_the_conditions_need_a_finite_sum(grammar, conditions):
    assert Sampler(grammar, *conditions).weight == 0.5


@pytest.mark.parametrize(
    ("grammar", "conditions"),
    [
        (ATTACHMENT, (Absent(frozenset({"object"})),)),
        (ATTACHMENT, (Count("feline", 3, 3), Count("pp", 0, 0))),
        (ATTACHMENT, (Depth("pp", 2, 1),)),
        (ATTACHMENT, (Count("pp", 1, 1), Absent(frozenset({"pp"})))),
    ],
)
def test_what_no_derivation_satisfies_is_refused(grammar, conditions):
    with pytest.raises(GrammarError, match="no derivation of 'S' satisfies") as refusal:
        Sampler(grammar, *conditions)
    assert "\n" not in str(refusal.value)


def test_a_condition_of_ones_own():
    class EvenLength(Condition):
        def state(self, phenomena, children):
            return sum(children) % 2 if children else 1

        def accepts(self, state):
            return state == 0

    lengths = Sampler(PAIRS, EvenLength()).draw(Stream(1, "even"), 500).lengths
    assert set((lengths % 2).tolist()) == {0}
    assert len(set(lengths.tolist())) > 2


def test_draws_continue_one_another():
    """Draws depend on the stream alone, not on the sampler or on what it drew before."""
    first, second = Sampler(ATTACHMENT), Sampler(ATTACHMENT)
    first.draw(Stream(9, "before"), 50)
    one, two = Stream(1, "same"), Stream(1, "same")
    for n in (5, 0, 70):
        drawn = first.draw(one, n)
        assert len(drawn) == n
        assert list(preorders(drawn)) == list(preorders(second.draw(two, n)))


@pytest.mark.parametrize("rows", [[], [7, 3, 3, 199], list(range(200))])
def test_what_is_kept_has_the_frames_it_would_have_had(rows):
    whole = list(preorders(Sampler(ATTACHMENT).draw(Stream(1, "kept"), 200)))
    kept = Sampler(ATTACHMENT).draw(Stream(1, "kept"), 200, keep=lambda corpus: np.array(rows, np.intp))
    assert list(preorders(kept)) == [whole[row] for row in rows]


def test_frames_of_earlier_corpora_stay_right():
    sampler, stream = Sampler(ATTACHMENT), Stream(1, "frames")
    drawn = sampler.draw(stream, 20)
    before = list(preorders(drawn))
    sampler.draw(stream, 2000)
    assert list(preorders(drawn)) == before


def test_more_split_categories_than_can_be_numbered_are_refused():
    class Endless(Condition):
        def state(self, phenomena, children):
            return sum(children) + 1 if sum(children) < 10_000 else None

        def accepts(self, state):
            return True

    grammar = Grammar("S", [rule("S", "'a' S"), rule("S", "'a'")], [])
    with pytest.raises(GrammarError, match="split categories"):
        Sampler(grammar, Endless())


def test_states_without_weight_are_left_out():
    grammar = Grammar("S", [rule("S", "'a' S", 0.5, "again"), rule("S", "'a'", 0.5)], [])
    lengths = Sampler(grammar, Count("again", 0, 1200)).draw(Stream(1, "tiny"), 1000).lengths
    assert 1.5 < lengths.mean() < 2.5


def test_large_lexicons():
    entries = [
        Entry("N", "rare", 1e-9),
        *(Entry("M", str(number)) for number in range(2**16 - 1)),
        Entry("N", "often"),
    ]
    corpus = Sampler(Grammar("S", [rule("S", "N")], entries)).draw(Stream(1, "large"), 3)
    assert [derivation.words for derivation in corpus] == [("often",)] * 3


# Weights in eighths, so that every cut between alternatives is exact and the reference needs no rounding.
GOLDEN = Grammar(
    "S",
    [
        rule("S", "NP VP", 0.75),
        rule("S", "S 'and' S", 0.25),
        rule("NP", "'the' N", 0.5),
        rule("NP", "N", 0.5),
        rule("VP", "V", 0.25),
        rule("VP", "V V", 0.125),
        rule("VP", "V NP", 0.5),
        rule("VP", "V 'that' S", 0.125),
    ],
    [Entry("N", "dog", 0.625), Entry("N", "cat", 0.25), Entry("N", "ox", 0.125), Entry("V", "ran", 0.5),
     Entry("V", "saw", 0.5)],
)  # fmt: skip


def alternatives(grammar):
    """For each category its rules and entries in the order in which the words lead to them upwards."""
    order = list(grammar.entries_of)
    found = {category: [e for e in grammar.entries if e.category == category] for category in order}
    for category in order:  # grows
        for r in grammar.rules:
            if category in r.children and set(r.children) <= set(order[: order.index(category) + 1]):
                found.setdefault(r.parent, []).append(r)
                if r.parent not in order:
                    order.append(r.parent)
    return found


def reference(grammar, stream, n):
    """The algorithm with lists, for a normalised grammar.

    A round looks at the open categories of all derivations, from left to right; each reads one random word,
    whose upper 52 bits, as a fraction, fall into the share of one alternative.
    """
    choices = alternatives(grammar)

    def choose(category):
        point = Fraction(int(stream.words(1)[0]) >> 12, 1 << 52)
        for alternative in choices[category]:
            if point < Fraction(alternative.weight):
                return alternative
            point -= Fraction(alternative.weight)
        raise AssertionError(category)

    stream.words(n)  # one word a derivation chooses among the accepted states of the start, of which there is one
    derivations = [[grammar.start] for _ in range(n)]
    while any(isinstance(node, str) for nodes in derivations for node in nodes):
        for nodes in derivations:
            chosen = [(at, choose(node)) for at, node in enumerate(nodes) if isinstance(node, str)]
            for at, node in reversed(chosen):
                nodes[at : at + 1] = [node, *(node.children if isinstance(node, Rule) else ())]
    return [tuple(nodes) for nodes in derivations]


def test_the_order_of_draws_is_kept():
    """A change here changes every dataset that was ever made."""
    expected = reference(GOLDEN, Stream(1, "golden"), 200)
    assert list(preorders(Sampler(GOLDEN).draw(Stream(1, "golden"), 200))) == expected
    assert len(set(expected)) > 50


def test_the_golden_sentences():
    drawn = Sampler(GOLDEN).draw(Stream(1, "golden"), 5)
    assert [" ".join(derivation.words) for derivation in drawn] == [
        "the dog saw dog",
        "the dog saw the ox",
        "dog saw dog",
        "the dog ran the ox",
        "dog saw dog",
    ]


@pytest.mark.parametrize(
    ("bits", "word"), [(0, "low"), ((1 << 63) - 1, "low"), (1 << 63, "high"), ((1 << 64) - 1, "high")]
)
def test_shares_are_intervals_that_begin_at_their_boundaries(bits, word):
    class Constant(Stream):
        def words(self, n):
            return np.full(n, bits, np.uint64)

    grammar = Grammar("S", [rule("S", "W")], [Entry("W", "low", 0.5), Entry("W", "high", 0.5)])
    assert [d.words for d in Sampler(grammar).draw(Constant(0), 2)] == [(word,)] * 2


def test_a_phenomenon_that_nothing_shows_is_a_mistake():
    with pytest.raises(UnknownName, match="did you mean 'object'"):
        Sampler(ATTACHMENT, Absent(frozenset({"objekt"})))
