"""The table of relations against models enumerated by other means, and the facts known of the release."""

from pathlib import Path

import numpy as np
import pytest

from blicket.benchmarks.natural_logic.closed_class import ClosedClass, Frame
from blicket.benchmarks.natural_logic.relations import LEXICAL, NAMES, RELATIONS, lexical_relation, relation_table

from .conftest import enumerated

REVERSED = {"<": ">", ">": "<", "=": "=", "^": "^", "|": "|", "v": "v", "#": "#"}


@pytest.fixture(scope="module")
def table(closed):
    return relation_table(closed)


def test_all_combinations_are_what_models_say(closed, combinations, table):
    assert len(combinations) == 11_664 == table.size
    for place, combination in combinations:
        assert RELATIONS[table[place]] == enumerated(closed, *combination), combination


def test_other_quantifiers_and_chains_are_what_models_say():
    closed = ClosedClass(("some", "no"), ("red",), (), negation=True)
    table = relation_table(closed)
    assert table.shape == (8, 8, 3, 3)
    for i, premise in enumerate(closed.frames):
        for j, hypothesis in enumerate(closed.frames):
            for nouns, n in LEXICAL.items():
                said = RELATIONS[table[i, j, n, 1]]
                assert said == enumerated(closed, premise, hypothesis, nouns, "="), (premise, hypothesis)


def test_reversal_maps_forward_to_reverse_and_keeps_the_others(closed, combinations, table):
    for (i, j, n, v), combination in combinations:
        assert RELATIONS[table[j, i, 2 - n, 2 - v]] == REVERSED[RELATIONS[table[i, j, n, v]]], combination


def test_every_relation_occurs(table):
    assert {RELATIONS[label] for label in np.unique(table)} == set(RELATIONS) == set(NAMES)


def test_the_labels_of_2020_differ_in_18_cells(closed, combinations, table):
    released = relation_table(closed, labels_2020=True)
    assert np.count_nonzero(released != table) == 18
    for place, (premise, hypothesis, nouns, verbs) in combinations:
        if released[place] != table[place]:
            assert (RELATIONS[table[place]], RELATIONS[released[place]]) == ("v", "^")
            assert (closed.quantifiers[premise.quantifier], closed.quantifiers[hypothesis.quantifier]) == (
                "some",
                "all",
            )
            assert (premise.adjective, premise.relative, nouns) == (hypothesis.adjective, hypothesis.relative, "=")
            assert verbs == (">" if hypothesis.negation else "<")
            assert premise.negation != hypothesis.negation


def test_the_labels_of_2020_make_36_ordered_pairs_inconsistent(closed, combinations):
    released = relation_table(closed, labels_2020=True)
    wrong = [
        (i, j)
        for (i, j, n, v), _ in combinations
        if RELATIONS[released[j, i, 2 - n, 2 - v]] != REVERSED[RELATIONS[released[i, j, n, v]]]
    ]
    assert len(wrong) == 36


def test_noun_phrases_are_not_empty_or_else_2178_cases_differ_from_the_release(closed, combinations, table):
    """Of these, 18 are its mislabelled cells."""
    released = relation_table(closed, labels_2020=True)
    differing = [0, 0]
    for place, combination in combinations:
        said = enumerated(closed, *combination, non_empty=False)
        differing[0] += RELATIONS[released[place]] != said
        differing[1] += RELATIONS[table[place]] != said
    assert differing == [2_178, 2_160]


def test_the_notes_of_the_reference_say_the_same(request, closed, table):
    path = Path(request.config.rootpath).parent / "shared/reference/natural_logic/NOTES.md"
    if not path.exists():
        pytest.skip("the reference is not beside this checkout")
    notes = " ".join(path.read_text().split())
    differing = np.count_nonzero(relation_table(closed, labels_2020=True) != table)
    assert f"{len(closed.frames)} closed-class frames" in notes
    assert f"= {table.size:,} cases" in notes
    assert f"all but {differing} of them" in notes


@pytest.mark.parametrize(
    ("premise", "hypothesis", "nouns", "verbs", "relation"),
    [
        (("all", 0, 0, 0), ("all", 0, 0, 0), ">", "=", "<"),  # all mammals growl; all pigs growl
        (("all", 0, 0, 0), ("all", 1, 0, 0), "=", "=", "<"),  # all blickets wug; all red blickets wug
        (("all", 0, 0, 0), ("some", 0, 0, 1), "=", "=", "^"),  # all pigs sleep; some pigs don't sleep
        (("all", 0, 0, 0), ("some", 0, 0, 0), "=", "=", "<"),
        (("some", 0, 0, 0), ("some", 0, 0, 1), "=", "=", "v"),
        (("all", 0, 0, 0), ("all", 0, 0, 1), "=", "=", "|"),
        (("some", 2, 0, 0), ("some", 1, 0, 0), "=", "=", "<"),  # roses are red
        (("some", 0, 2, 0), ("some", 0, 1, 0), "=", "=", "<"),  # those that sing hum
        (("some", 1, 0, 0), ("some", 0, 1, 0), "=", "=", "#"),
        (("some", 0, 0, 0), ("all", 0, 0, 1), "=", ">", "v"),
    ],
)
def test_examples(closed, table, premise, hypothesis, nouns, verbs, relation):
    frames = [
        closed.number(Frame(closed.quantifiers.index(quantifier), *rest)) for quantifier, *rest in (premise, hypothesis)
    ]
    assert RELATIONS[table[*frames, LEXICAL[nouns], LEXICAL[verbs]]] == relation


def test_a_higher_level_is_narrower():
    assert [lexical_relation(*levels) for levels in ((3, 4), (4, 3), (2, 2), (1, 12))] == [">", "<", "=", ">"]


def test_the_share_of_each_relation_when_frames_are_uniform(table):
    """Nouns and verbs of six levels are equal in a sixth of their pairs; then 70% of all pairs are independent."""
    lexical = np.array([5, 2, 5])
    weights = np.broadcast_to(np.outer(lexical, lexical), table.shape)
    shares = np.bincount(table.ravel(), weights.ravel()) / weights.sum()
    assert dict(zip(RELATIONS, shares.round(4).tolist(), strict=True)) == {
        "=": 0.0008, "<": 0.0735, ">": 0.0735, "^": 0.0008, "|": 0.0735, "v": 0.0735, "#": 0.7045
    }  # fmt: skip
