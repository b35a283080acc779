"""The syntax of variable-free forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.core.errors import FormError
from blicket.meaning import tokenise
from blicket.meaning.terms import Term, VariableFreeForm, parse

OFFER = "offer ( recipient = cat ( nmod . in = * house ) , theme = * cake , agent = * boy )"

WORDS = st.sampled_from(["cat", "see", "Emma", "[w_1]", "x"])
ROLES = st.sampled_from(["agent", "theme", "nmod . on", "[w_2]"])
TERMS = st.recursive(
    st.builds(Term, WORDS, st.booleans()),
    lambda inner: st.builds(
        Term, WORDS, st.booleans(), st.lists(st.tuples(ROLES, inner), min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "text",
    [
        OFFER,
        "need ( agent = * boy , xcomp = crawl ( agent = * boy ) )",
        "Paula",
        "[w_3]",
        "LAMBDA a . shark ( a )",
        "LAMBDA a . LAMBDA b . LAMBDA e . touch ( agent = b , theme = a )",
        "a ( b = c ( d = e ( f = g ) , h = i ) , j = k )",
    ],
)
def test_parsed_and_printed(text: str) -> None:
    assert str(parse(text)) == text
    assert str(parse(text.replace(" = ", "=").replace(" ( ", "("))) == text


def test_values() -> None:
    house = Term("house", definite=True)
    cat = Term("cat", arguments=(("nmod . in", house),))
    fillers = (("recipient", cat), ("theme", Term("cake", True)), ("agent", Term("boy", True)))
    assert parse(OFFER) == VariableFreeForm(Term("offer", arguments=fillers))
    assert hash(parse(OFFER)) == hash(parse(OFFER))
    assert parse("LAMBDA a . shark ( a )").term.arguments == (("", Term("a")),)
    assert Term("a") != Term("a", True)
    assert Term("a") != "a"
    assert parse("a ( b = c ( d = e ) )") != parse("a ( b = c , d = e )")
    assert repr(Term("a", True)) == "Term<* a>"


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("", 0),
        ("cat", 1),
        ("* cat", 2),
        ("cat ( a )", 3),
        ("cat ( )", 2),
        ("cat ( a = b", 5),
        ("cat ( a = b ) )", 6),
        ("cat ( a = b ) AND", 6),
        ("cat ( a = b c )", 5),
        ("cat ( a = b , )", 6),
        ("cat ( a = = b )", 4),
        ("cat ( a = * * b )", 5),
        ("cat ( a . b . c = d )", 5),
        ("cat ( a = b ( c ) )", 7),
        ("AND ( a = b )", 0),
        ("cat ( a = x _ 1 )", 5),
        ("LAMBDA a . Paula", 4),
        ("LAMBDA a shark ( a )", 2),
        ("LAMBDA . shark ( a )", 1),
        ("LAMBDA", 1),
        ("LAMBDA a . shark ( a , b )", 6),
        ("LAMBDA a . shark ( AND )", 5),
        ("LAMBDA a . shark ( on = box ( a ) )", 10),
    ],
)
def test_outside_the_syntax(text: str, token: int) -> None:
    with pytest.raises(FormError) as caught:
        parse(text)
    assert caught.value.token == token


@given(TERMS.filter(lambda term: term.arguments), st.lists(st.sampled_from("abe"), max_size=3))
def test_parse_undoes_print(term: Term, binders: list[str]) -> None:
    form = VariableFreeForm(term, tuple(binders))
    assert parse(str(form)) == form


@given(TERMS, TERMS)
def test_terms_are_equal_when_their_texts_are(first: Term, second: Term) -> None:
    assert (first == second) == (str(first) == str(second))


def refusal(text: str) -> FormError | None:
    try:
        assert str(parse(text)) == text
    except FormError as error:
        return error
    return None


@given(TERMS.map(str).map(tokenise), st.data())
def test_every_text_is_printed_back_or_refused(tokens: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(tokens)))
    token = st.sampled_from(tokenise("( ) , = * . LAMBDA AND a Emma"))
    text = " ".join(tokens[:place] + data.draw(st.lists(token, max_size=2)) + tokens[place + 1 :])
    error = refusal(text)
    assert error is None or 0 <= (error.token or 0) <= len(tokenise(text))


@pytest.mark.parametrize("depth", [40, 1_000, 20_000])
def test_depth_has_no_limit(depth: int) -> None:
    text = "say ( ccomp = " * depth + "nap ( agent = Emma )" + " )" * depth
    form = parse(text)
    assert str(form) == text
    assert form == parse(text)
    assert len({form, parse(text)}) == 1
    with pytest.raises(FormError):
        parse(text[:-2])
