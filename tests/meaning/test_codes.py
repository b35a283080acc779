"""Codes against tokens and parsers, whose work they save."""

import re
import sys
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from blicket.core.errors import FormError
from blicket.meaning import codes as module
from blicket.meaning import conjunctive, tokenise, variable_free
from blicket.meaning.codes import Codes, is_conjunctive, is_variable_free

NOTATIONS = {"conjunctive": (conjunctive, is_conjunctive), "variable-free": (variable_free, is_variable_free)}
FORMS = {
    "conjunctive": [
        "Emma",
        "[w_12]",
        "LAMBDA a . shark ( a )",
        "LAMBDA a . LAMBDA b . LAMBDA e . touch . agent ( e , b ) AND touch . theme ( e , a )",
        "* cat ( x _ 1 ) ; * mat ( x _ 4 ) ; cat . nmod . on ( x _ 1 , x _ 4 ) AND run . agent ( x _ 5 , x _ 1 )",
        "eat . agent ( x _ 1 , Emma ) AND cake ( x _ 12 ) AND x . x . x ( x , x )",
    ],
    "variable-free": [
        "Emma",
        "[w_12]",
        "LAMBDA a . shark ( a )",
        "LAMBDA a . LAMBDA b . LAMBDA e . touch ( agent = b , theme = a )",
        "eat ( agent = * cat ( nmod . on = * mat ( nmod . in = Emma ) ) , theme = cake ( nmod . on = x ) )",
        "* say ( agent = Emma , ccomp = need ( agent = * boy , xcomp = crawl ( agent = * boy ) ) )",
    ],
}
ODD = "AND LAMBDA ( ) ( ) , , . . ; * _ = x 0 7 007 1234567890 ٣ cat Emma Éa ß [w_1] [ ] é _ - \u200b".split(" ")


@st.composite
def spoilt(draw, notation):
    """A form with some of its tokens exchanged, dropped, doubled or put in; or what no form looks like at all."""
    tokens = draw(st.sampled_from(FORMS[notation])).split() if draw(st.integers(0, 5)) else []
    for _ in range(draw(st.integers(0, 3))):
        at, odd = draw(st.integers(0, len(tokens))), draw(st.sampled_from([*ODD, *(tokens or ["x"])]))
        stop = min(len(tokens), at + draw(st.integers(0, 2)))
        tokens[at:stop] = [odd] if draw(st.booleans()) else []
    return draw(st.sampled_from([" ", "", "  ", "\t"])).join(tokens)


def parses(notation, text):
    try:
        notation.parse(text)
    except FormError:
        return False
    return True


@pytest.mark.parametrize("form", NOTATIONS)
def test_whole_forms_are_recognised(form):
    notation, recognised = NOTATIONS[form]
    for text in FORMS[form]:
        assert parses(notation, text)
        assert recognised(Codes().of(text, "")[0]), text
    assert not recognised("")


@pytest.mark.parametrize("form", NOTATIONS)
@settings(max_examples=3000, deadline=None)
@given(st.data())
def test_what_is_recognised_is_what_is_parsed(form, data):
    notation, recognised = NOTATIONS[form]
    text = data.draw(spoilt(form))
    assert recognised(Codes().of(text, "")[0]) == parses(notation, text)


@pytest.mark.parametrize("form", NOTATIONS)
def test_every_form_short_of_a_token_or_with_one_more(form):
    notation, recognised = NOTATIONS[form]
    codes, kinds = Codes(), set()
    for text in FORMS[form]:
        tokens = text.split()
        for at in range(len(tokens) + 1):
            for new in ([], *([odd] for odd in ODD)):
                for stop in (at, at + 1):
                    spoilt = " ".join([*tokens[:at], *new, *tokens[stop:]])
                    kinds.add(parses(notation, spoilt))
                    assert recognised(codes.of(spoilt, "")[0]) == parses(notation, spoilt), spoilt
    assert kinds == {True, False}


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_codes_are_alike_where_tokens_are(data):
    codes = Codes()
    for first, second in data.draw(st.lists(st.tuples(spoilt("conjunctive"), spoilt("variable-free")), max_size=4)):
        a, b = tokenise(first), tokenise(second)
        code, other = codes.of(first, second)
        assert (len(code), len(other)) == (len(a), len(b))
        assert [x == y for x in code for y in other] == [x == y for x in a for y in b]
        assert Levenshtein.distance(code, other) == Levenshtein.distance(a, b)


def test_white_space_is_the_same_to_both_ways_of_splitting():
    for character in map(chr, range(sys.maxunicode + 1)):
        assert (not character.split()) == (re.fullmatch(r"\s", character) is not None)


def test_what_is_remembered_is_bounded_and_changes_nothing(monkeypatch):
    monkeypatch.setattr(module, "KEPT", 20)
    codes = Codes()
    texts = [f"w{i} ( x _ {i} , w{i % 7} )" for i in range(100)]
    for first, second in combinations(texts[:30], 2):
        a, b = codes.of(first, second)
        assert [x == y for x, y in zip(a, b, strict=True)] == [
            x == y for x, y in zip(first.split(), second.split(), strict=True)
        ]
        assert len(codes) < 50


def test_pieces_of_several_tokens_are_not_remembered():
    codes = Codes()
    assert codes.of("eat.agent(x_1,Emma)", "eat . agent ( x _ 1 , Emma )") == (
        2 * (codes.of("eat . agent ( x _ 1 , Emma )", "")[0],)
    )
    assert set(codes) == set("eat . agent ( x _ 1 , Emma )".split())


def test_more_tokens_than_there_are_characters():
    many = " ".join(f"w{i}" for i in range(300_000))
    code, other = Codes().of("eat ( w7 )", many)
    assert len(other) == 300_000
    assert other.count(code[2]) == 1
    assert max(map(ord, other)) <= sys.maxunicode
