"""Natural logic, and models enumerated by other means than the package's: individual by individual, with bit masks."""

from functools import cache
from itertools import product

import pytest

from blicket import benchmark
from blicket.benchmarks.natural_logic.closed_class import ClosedClass

SMALL = {"blocks": 3, "jabberwocky": 2}


@pytest.fixture(scope="session")
def natural_logic():
    return benchmark("natural-logic")


@pytest.fixture(scope="session")
def default(natural_logic):
    """The small condition as it is by default."""
    return natural_logic.build(1)


@pytest.fixture(scope="session")
def build(natural_logic):
    def made(seed=1, **settings):
        return natural_logic.build(seed, natural_logic.options({**SMALL, **settings}))

    return made


def subject_and_predicate(frame, noun, red, hums, verb):
    """Whether an individual is in the noun phrase of a sentence, and in its verb phrase."""
    return noun and red >= frame.adjective and hums >= frame.relative, verb != bool(frame.negation)


def related(one, other, relation):
    """Whether an individual may be or not be in the extensions of two words that are related like this."""
    return {"=": one == other, "<": one <= other, ">": one >= other}[relation]


@cache
def individuals(premise, hypothesis, nouns, verbs):
    """Every individual there can be, as four bits: in which of the four phrases it is."""
    return tuple(sorted(set(_individuals(premise, hypothesis, nouns, verbs))))


def _individuals(premise, hypothesis, nouns, verbs):
    two = (False, True)
    for noun, other, verb, second, red, hums in product(two, two, two, two, range(3), range(3)):
        if related(noun, other, nouns) and related(verb, second, verbs):
            yield (
                *subject_and_predicate(premise, noun, red, hums, verb),
                *subject_and_predicate(hypothesis, other, red, hums, second),
            )


@cache
def by_models(quantifiers, kinds, non_empty):
    """Truth values of premise and hypothesis in all models, which are sets of individuals, as the bits of a number."""

    def mask(*wanted):
        return sum(
            1 << place for place, kind in enumerate(kinds) if [kind[i] for i, _ in wanted] == [v for _, v in wanted]
        )

    found = set()
    for model in range(1 << len(kinds)):
        values = []
        for side, quantifier in zip((0, 2), quantifiers, strict=True):
            there = model & mask((side, True))
            hit, miss = model & mask((side, True), (side + 1, True)), model & mask((side, True), (side + 1, False))
            values.append((bool(there), {"all": not miss, "some": bool(hit), "no": not hit}[quantifier]))
        if not non_empty or (values[0][0] and values[1][0]):
            found.add((values[0][1], values[1][1]))
    return frozenset(found)


def enumerated(closed, premise, hypothesis, nouns, verbs, *, non_empty=True):
    """The relation by table 1 of the paper, from which of the four combinations of truth values occur."""
    without = [frame._replace(quantifier=0) for frame in (premise, hypothesis)]
    kinds = individuals(*without, nouns, verbs)
    quantifiers = closed.quantifiers[premise.quantifier], closed.quantifiers[hypothesis.quantifier]
    occurs = by_models(quantifiers, kinds, non_empty)
    only_premise, only_hypothesis = (True, False) in occurs, (False, True) in occurs
    both, neither = (True, True) in occurs, (False, False) in occurs
    if not only_premise:
        return "<" if only_hypothesis else "="
    if not only_hypothesis:
        return ">"
    return {(False, False): "^", (False, True): "|", (True, False): "v", (True, True): "#"}[both, neither]


@pytest.fixture(scope="session")
def closed():
    return ClosedClass()


@pytest.fixture(scope="session")
def combinations(closed):
    """All combinations of two frames with a relation of nouns and one of verbs, with where they stand in a table."""
    frames = list(enumerate(closed.frames))
    return [
        ((i, j, n, v), (premise, hypothesis, nouns, verbs))
        for (i, premise), (j, hypothesis) in product(frames, repeat=2)
        for (n, nouns), (v, verbs) in product(enumerate("<=>"), repeat=2)
    ]
