"""Development splits: what is cut out of train has what it says, and what is left has none of it."""

from collections import Counter

import pytest

from blicket.benchmarks.cogs import Cogs
from blicket.benchmarks.cogs.cases import GAPS
from blicket.benchmarks.cogs.development import ALTERNATIONS, NOUNS, VERBS, cut_out
from blicket.core.errors import InputError
from blicket.core.example import Role


@pytest.fixture(scope="module")
def train():
    cogs = Cogs()
    return cogs.build(1, cogs.options({"gen": 0, "exposures": [1]}))["train"]


@pytest.fixture(scope="module")
def cuts(train):
    return {gap: cut_out(train, gap) for gap in GAPS}


def said(split, read_form):
    return [(e.inputs[0], read_form(e.targets["conjunctive"])) for e in split if e.case == "in_distribution"]


@pytest.mark.parametrize("gap", GAPS)
def test_rows_are_parted_and_none_is_made(train, cuts, gap):
    left, held = cuts[gap]
    rows = Counter(example.inputs for example in train)
    parts = Counter(example.inputs for split in (left, held) for example in split)
    assert parts <= rows
    assert len(held) >= 100
    assert (left.name, left.role, held.name, held.role) == ("train", Role.TRAIN, "held_out", Role.DEV)
    untouched = {"primitive", *(case for case in Counter(e.case for e in train) if case.startswith("exposure"))}
    assert [e.inputs for e in left if e.case in untouched] == [e.inputs for e in train if e.case in untouched]


@pytest.mark.parametrize("gap", ["cp-depth", "pp-depth"])
def test_the_deepest_are_cut_out(cuts, read_form, gap):
    left, held = (said(split, read_form) for split in cuts[gap])

    def nested(sentence, fact):
        return sentence.split().count("that") if gap == "cp-depth" else depth(fact)

    assert {nested(*row) for row in held} == {2}
    assert {nested(*row) for row in left} == {0, 1}


def depth(fact):
    """The longest chain of modifiers, whatever the prepositions."""
    below = {head: filler for head, role, filler in fact.roles if role.startswith("nmod")}

    def down(noun):
        return 1 + down(below[noun]) if noun in below else 0

    return max(map(down, below), default=0)


def test_modifiers_are_left_at_the_end_of_clauses_alone(cuts, read_form):
    left, held = (said(split, read_form) for split in cuts["pp-place"])
    assert all(medial(sentence, fact) for sentence, fact in held)
    assert not any(medial(sentence, fact) for sentence, fact in left)
    assert any(fact.modified() for _, fact in left)


def medial(sentence, fact):
    """Whether `to` or `by` and an argument come after a modified theme of their verb."""
    words = sentence.split()
    for verb in fact.verbs:
        theme = fact.of(verb).get("theme")
        if theme in fact.modified() and theme > verb:
            behind = words[theme:]
            clause = behind[: behind.index("that")] if "that" in behind else behind
            if {"to", "by"} & set(clause):
                return True
    return False


@pytest.mark.parametrize("role", ["recipient", "theme"])
def test_names_have_the_role_no_more(cuts, read_form, role):
    left, held = (said(split, read_form) for split in cuts[f"name-{role}"])
    assert all(named(fact, role) for _, fact in held)
    assert not any(named(fact, role) for _, fact in left)
    assert any(label == role for _, fact in left for _, label, _ in fact.roles)


def named(fact, wanted):
    return any(role == wanted and isinstance(filler, str) for _, role, filler in fact.roles)


def test_some_nouns_are_left_in_one_row_without_the_role(cuts, read_form):
    left, held = (said(split, read_form) for split in cuts["noun-role"])
    places = Counter((noun, role) for _, fact in left for noun, role in nominal_places(fact))
    held_places = Counter((noun, role) for _, fact in held for noun, role in nominal_places(fact))
    words = Counter(word for sentence, _ in left for word in set(sentence.split()))
    chosen = {(noun, role) for (noun, role), times in held_places.items() if role in ("agent", "theme") and times >= 20}
    chosen = {(noun, role) for noun, role in chosen if not places[noun, role] and words[noun] == 1}
    # Of words that are held out of one role, a row or two may show the other one, beside a word that is held out too.
    for role in ("agent", "theme"):
        assert 2 * NOUNS <= sum(of == role for _, of in chosen) <= 2 * NOUNS + 2
    assert sum(noun[0].isupper() for noun, _ in chosen) >= 2 * NOUNS


def nominal_places(fact):
    for _, role, filler in fact.roles:
        yield (filler if isinstance(filler, str) else fact.nouns.get(filler, ("", False))[0]), role


def test_some_verbs_are_left_in_one_row_in_another_frame(cuts, read_form):
    left, held = (said(split, read_form) for split in cuts["verb-frame"])
    words = Counter(word for sentence, _ in left for word in set(sentence.split()))
    asked = Counter(word for sentence, fact in held for word in {sentence.split()[verb] for verb in fact.verbs})
    chosen = {word for word, times in asked.items() if times >= 20 and words[word] == 1}
    assert VERBS * (len(ALTERNATIONS) - 2) <= len(chosen) <= VERBS * len(ALTERNATIONS)


def test_the_seed_chooses_the_words(train, cuts):
    again, other = cut_out(train, "noun-role", 1)[1], cut_out(train, "noun-role", 2)[1]
    first = cuts["noun-role"][1]
    assert [e.inputs for e in again] == [e.inputs for e in first]
    assert [e.inputs for e in other] != [e.inputs for e in first]


def test_it_is_an_option_of_the_benchmark():
    cogs = Cogs()
    data = cogs.build(1, cogs.options({"train": 300, "dev": 5, "test": 5, "gen": 1, "held_out": "cp-depth"}))
    assert list(data.splits) == ["train", "dev", "held_out", "test", "gen"]
    assert data["held_out"].role == Role.DEV
    with pytest.raises(InputError, match="held_out"):
        cogs.options({"held_out": "cp-dpth"})
