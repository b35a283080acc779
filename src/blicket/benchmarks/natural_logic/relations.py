"""The relation of two sentences, by enumeration of models.

Goodwin et al. 2020, table 1 and section 5.3. A model says which individuals there are. Premise and hypothesis are
compared over all models in which neither of their noun phrases is empty. The lexical relations of the nouns and of the
verbs are all that matters of open-class words, so that every pair is an entry of one table over frames and these.
"""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.natural_logic.closed_class import ClosedClass, Frame

__all__ = ["LEXICAL", "NAMES", "RELATIONS", "lexical_relation", "relation_table"]

RELATIONS = ("=", "<", ">", "^", "|", "v", "#")
NAMES = dict(
    zip(
        RELATIONS,
        (
            "equivalence",
            "forward_entailment",
            "reverse_entailment",
            "negation",
            "alternation",
            "cover",
            "independence",
        ),
        strict=True,
    )
)
EQUAL, NARROWER, WIDER = "=<>"
LEXICAL = {NARROWER: 0, EQUAL: 1, WIDER: 2}
"""Where a lexical relation, of a word of the premise to one of the hypothesis, stands in the table."""

Cell = tuple[bool, bool]
"""Whether an individual is in the extension of a phrase of the premise, and of that of the hypothesis."""

MEMBERS: dict[str, tuple[Cell, ...]] = {
    EQUAL: ((False, False), (True, True)),
    NARROWER: ((False, False), (False, True), (True, True)),
    WIDER: ((False, False), (True, False), (True, True)),
}
"""What individuals there can be, as to two words in this relation."""


def lexical_relation(level: int, other: int) -> str:
    """The relation of two words of one chain, of which the one of the higher level is narrower."""
    if level == other:
        return EQUAL
    return NARROWER if level > other else WIDER


@cache
def relation_table(closed: ClosedClass, *, labels_2020: bool = False) -> NDArray[np.uint8]:
    """The number of the relation in RELATIONS, by (frame of the premise, of the hypothesis, nouns, verbs).

    `labels_2020` are the labels of the release: negation where (some, all), equal noun phrases, and verb phrases that
    together cover everything make it a cover.
    """
    n = len(closed.frames)
    table = np.empty((n, n, len(LEXICAL), len(LEXICAL)), np.uint8)
    for (i, premise), (j, hypothesis) in product(enumerate(closed.frames), repeat=2):
        quantifiers = closed.quantifiers[premise.quantifier], closed.quantifiers[hypothesis.quantifier]
        for nouns, verbs in product(LEXICAL, repeat=2):
            phrases = _noun_phrases(premise, hypothesis, nouns, closed), _verb_phrases(premise, hypothesis, verbs)
            symbol = _relation(*quantifiers, *phrases)
            if labels_2020 and quantifiers == ("some", "all") and _is_mislabelled(*phrases):
                symbol = "^"
            table[i, j, LEXICAL[nouns], LEXICAL[verbs]] = RELATIONS.index(symbol)
    table.setflags(write=False)
    return table


@cache
def _noun_phrases(premise: Frame, hypothesis: Frame, nouns: str, closed: ClosedClass) -> frozenset[Cell]:
    """Which individuals there can be as to the two noun phrases: modifiers intersect with the noun."""
    adjectives, relatives = range(len(closed.adjectives) + 1), range(len(closed.relatives) + 1)
    return frozenset(
        (
            in_premise and red >= premise.adjective and hums >= premise.relative,
            in_hypothesis and red >= hypothesis.adjective and hums >= hypothesis.relative,
        )
        for (in_premise, in_hypothesis), red, hums in product(MEMBERS[nouns], adjectives, relatives)
    )


def _verb_phrases(premise: Frame, hypothesis: Frame, verbs: str) -> frozenset[Cell]:
    """Which individuals there can be as to the two verb phrases."""
    return frozenset((p != bool(premise.negation), h != bool(hypothesis.negation)) for p, h in MEMBERS[verbs])


def _is_mislabelled(noun_phrases: frozenset[Cell], verb_phrases: frozenset[Cell]) -> bool:
    cover = verb_phrases == {(True, True), (True, False), (False, True)}
    return cover and noun_phrases == {(True, True), (False, False)}


@cache
def _relation(quantifier: str, other: str, noun_phrases: frozenset[Cell], verb_phrases: frozenset[Cell]) -> str:
    """The relation over all models: sets of kinds of individuals, those outside both noun phrases left out.

    No sentence speaks of them, and of each kind it only matters whether there is one.
    """
    kinds = [(np_, vp) for np_, vp in product(sorted(noun_phrases), sorted(verb_phrases)) if any(np_)]
    models = (np.arange(2 ** len(kinds))[:, None] >> np.arange(len(kinds))) & 1 == 1  # (models, kinds)
    sides = []
    for side, word in enumerate((quantifier, other)):
        subjects = np.array([np_[side] for np_, _ in kinds])
        predicated = np.array([vp[side] for _, vp in kinds])
        sides.append((_is_true(word, models, subjects, predicated), models[:, subjects].any(axis=1)))
    (premise, there), (hypothesis, there_too) = sides
    meant = there & there_too
    return _compared(premise[meant], hypothesis[meant])


def _is_true(
    quantifier: str, models: NDArray[np.bool_], subjects: NDArray[np.bool_], predicated: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """In which models a sentence is true."""
    if quantifier == "all":
        return np.logical_not(models[:, subjects & ~predicated].any(axis=1))
    some: NDArray[np.bool_] = np.asarray(models[:, subjects & predicated].any(axis=1))
    return some if quantifier == "some" else ~some


def _compared(premise: NDArray[np.bool_], hypothesis: NDArray[np.bool_]) -> str:
    """Table 1, of the sets of models in which two sentences are true."""
    if (premise == hypothesis).all():
        return "="
    if (premise <= hypothesis).all():
        return "<"
    if (premise >= hypothesis).all():
        return ">"
    disjoint, exhaustive = not (premise & hypothesis).any(), bool((premise | hypothesis).all())
    return {(True, True): "^", (True, False): "|", (False, True): "v", (False, False): "#"}[disjoint, exhaustive]
