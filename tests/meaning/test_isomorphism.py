"""Isomorphism, against all bijections of small structures and on symmetric ones."""

import random
import time
from collections import Counter
from itertools import permutations

import pytest

from blicket.meaning.isomorphism import Relation, isomorphic

Edges = list[tuple[int, int]]


def relations(edges: Edges) -> list[Relation]:
    return [("p", edge) for edge in edges]


def both_ways(edges: Edges) -> Edges:
    return edges + [(b, a) for a, b in edges]


def shuffled(edges: Edges, rng: random.Random) -> Edges:
    old = sorted({end for edge in edges for end in edge})
    new = dict(zip(old, rng.sample(range(10 * len(old)), len(old)), strict=True))
    return rng.sample([(new[a], new[b]) for a, b in edges], len(edges))


def isomorphic_by_all_bijections(first: Edges, second: Edges) -> bool:
    ours, theirs = ({end for edge in edges for end in edge} for edges in (first, second))
    wanted = Counter(second)
    return len(ours) == len(theirs) and any(
        Counter([(image[a], image[b]) for a, b in first]) == wanted
        for order in permutations(theirs)
        for image in [dict(zip(ours, order, strict=True))]
    )


def test_random_structures_against_all_bijections() -> None:
    rng = random.Random(4)
    outcomes: Counter[bool] = Counter()
    for _ in range(600):
        size, count = rng.choice([(2, 3), (3, 2), (3, 3), (4, 4), (5, 5)])
        first, second = ([(rng.randrange(size), rng.randrange(size)) for _ in range(count)] for _ in range(2))
        outcome = isomorphic(relations(first), relations(second))
        assert outcome == isomorphic_by_all_bijections(first, second)
        outcomes[outcome] += 1
    assert min(outcomes[True], outcomes[False]) > 20  # both outcomes were put to the test


def test_kinds_and_arities() -> None:
    assert isomorphic([], [])
    assert isomorphic([("p", ()), ("q", (1,))], [("q", (7,)), ("p", ())])
    assert not isomorphic([("p", ())], [("q", ())])
    assert not isomorphic([("p", (1,)), ("q", (1,))], [("p", (1,)), ("q", (2,))])
    assert not isomorphic([("p", ())], [("p", ()), ("p", ())])


def cycles(*lengths: int) -> Edges:
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    return [(s + i, s + (i + 1) % n) for s, n in zip(starts, lengths, strict=True) for i in range(n)]


def complement(edges: Edges) -> Edges:
    ends = {end for edge in edges for end in edge}
    return [pair for pair in permutations(sorted(ends), 2) if pair not in edges]


def with_hub(edges: Edges) -> Edges:
    return edges + [(999, end) for end in {end for edge in edges for end in edge}]


def rook() -> Edges:
    squares = [(a, b) for a in range(4) for b in range(4)]
    return [(a * 4 + b, c * 4 + d) for a, b in squares for c, d in squares if (a == c) != (b == d)]


def shrikhande() -> Edges:
    steps = [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)]
    return [(a * 4 + b, (a + x) % 4 * 4 + (b + y) % 4) for a in range(4) for b in range(4) for x, y in steps]


# Two triangular prisms, or one beside the complete bipartite form: three neighbours everywhere.
PRISM = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
BIPARTITE = [(i, j) for i in range(3) for j in range(3, 6)]


def beside(first: Edges, second: Edges) -> Edges:
    return first + [(a + 100, b + 100) for a, b in second]


FIVE_HEXAGONS, FOUR_HEXAGONS = both_ways(cycles(*[6] * 5)), both_ways(cycles(*[6] * 4, 3, 3))
PAIRS = {
    "hexagon and two triangles": (both_ways(cycles(6)), both_ways(cycles(3, 3))),
    "one way": (cycles(60), cycles(30, 30)),
    "many": (FIVE_HEXAGONS, FOUR_HEXAGONS),
    "many with a hub": (with_hub(FIVE_HEXAGONS), with_hub(FOUR_HEXAGONS)),
    "of many sizes": (cycles(4, 4, 4, 3, 5), cycles(4, 4, 3, 3, 6)),
    "prisms": (both_ways(beside(PRISM, PRISM)), both_ways(beside(PRISM, BIPARTITE))),
    "complements": (complement(both_ways(cycles(6, 6))), complement(both_ways(cycles(6, 3, 3)))),
    "strongly regular": (rook(), shrikhande()),
}


@pytest.mark.parametrize("name", PAIRS)
def test_symmetric_structures(name: str) -> None:
    first, second = PAIRS[name]
    assert len(first) == len(second)
    rng = random.Random(2)
    start = time.perf_counter()
    assert not isomorphic(relations(first), relations(second))
    assert not isomorphic(relations(second), relations(first))
    for edges in (first, second) * 3:
        assert isomorphic(relations(edges), relations(shuffled(edges, rng)))
    assert time.perf_counter() - start < 0.5


def test_complete_structures() -> None:
    whole = list(permutations(range(14), 2))
    doubled, elsewhere = [*whole[1:], whole[2]], [*whole[1:], whole[-1]]
    for edges in (whole, doubled):
        assert isomorphic(relations(edges), relations(shuffled(edges, random.Random(1))))
    assert not isomorphic(relations(doubled), relations(elsewhere))


def test_stars_and_long_chains_exhaust_nothing() -> None:
    star = [(0, i) for i in range(1, 2_000)]
    chain = [(i, i + 1) for i in range(2_000)]
    for edges in (star, chain):
        assert isomorphic(relations(edges), relations([(5_000 - a, 5_000 - b) for a, b in reversed(edges)]))
    assert not isomorphic(relations(chain), relations([*chain[:-1], (2_000, 1_999)]))
