"""Graphs of conjunctive forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.core.errors import FormError
from blicket.meaning import Arc, ConjunctiveForm, Node, SemanticGraph, Tag, equal, to_form, to_graph
from blicket.meaning.conjunctive import parse

Sentences = st.SearchStrategy[tuple[list[str], SemanticGraph]]


def test_a_sentence() -> None:
    form = parse(
        "* house ( x _ 4 ) ; cat ( x _ 1 ) AND cat . nmod . in ( x _ 1 , x _ 4 )"
        " AND see . theme ( x _ 6 , x _ 1 ) AND see . agent ( x _ 6 , Emma )"
    )
    graph = to_graph(form, ["A", "cat", "in", "the", "house", "was", "seen", "by", "Emma", "."])
    assert [node and node.tag for node in graph.nodes] == [
        None, Tag.INDEFINITE, None, None, Tag.DEFINITE, None, Tag.VERB, None, Tag.PROPER, None,
    ]  # fmt: skip
    assert graph.arcs == (Arc(1, "nmod . in", 4), Arc(6, "theme", 1), Arc(6, "agent", 8))
    assert to_form(graph) == form


def test_primitives() -> None:
    touch = "LAMBDA a . LAMBDA b . LAMBDA e . touch . agent ( e , b ) AND touch . theme ( e , a )"
    graph = to_graph(parse(touch), ["touch"])
    arcs = (Arc(0, "agent", -2), Arc(0, "theme", -1))
    assert graph == SemanticGraph((Node(Tag.VERB, "touch"),), arcs, ("a", "b", "e"))
    shark = SemanticGraph((Node(Tag.INDEFINITE, "shark"),), (), ("a",))
    assert to_graph(parse("LAMBDA a . shark ( a )"), ["shark"]) == shark
    assert to_graph(parse("Paula"), ["Paula"]) == SemanticGraph((Node(Tag.PROPER, "Paula"),))


@pytest.mark.parametrize(
    "text",
    [
        "cat ( x _ 5 )",
        "cat ( x _ 6 )",
        "cat ( x _ 1 ) AND cat ( x _ 1 )",
        "cat ( x _ 1 ) AND dog ( x _ 1 )",
        "* cat ( x _ 1 ) ; cat ( x _ 1 )",
        "* cat . agent ( x _ 1 , x _ 1 ) ; cat ( x _ 1 )",
        "see . agent ( x _ 2 , x _ 1 )",
        "cat ( x _ 1 ) AND see ( x _ 2 , x _ 1 )",
        "cat ( x _ 1 ) AND see . agent ( x _ 2 )",
        "cat ( x _ 1 ) AND see . agent ( x _ 2 , x _ 1 ) AND nap . theme ( x _ 2 , Emma )",
        "cat ( x _ 1 ) AND see . agent ( x _ 2 , x _ 1 ) AND see . agent ( x _ 2 , x _ 1 )",
        "cat ( x _ 1 ) AND see . agent ( Emma , x _ 1 )",
        "cat ( a )",
        "see . agent ( x _ 2 , Liam )",
        "see . agent ( x _ 2 , Emma ) AND see . theme ( x _ 2 , Emma )",
        "emma ( x _ 3 ) AND see . agent ( x _ 2 , Emma )",
        "see . xcomp ( x _ 2 , x _ 1 ) AND run . xcomp ( x _ 1 , x _ 2 ) AND see . agent ( x _ 2 , Emma )"
        " AND run . agent ( x _ 1 , Emma ) AND see . theme ( x _ 2 , Emma )",
        "Emma",
        "LAMBDA a . cat ( a )",
    ],
)
def test_forms_that_are_no_graph(text: str) -> None:
    with pytest.raises(FormError):
        to_graph(parse(text), ["A", "cat", "saw", "Emma", "."])


@pytest.mark.parametrize(
    "text",
    [
        "LAMBDA a . LAMBDA e . nap . agent ( a , e )",
        "LAMBDA a . LAMBDA e . nap . agent ( e , b )",
        "LAMBDA a . LAMBDA e . nap . agent ( e , e )",
        "LAMBDA a . LAMBDA a . nap . agent ( a , a )",
        "LAMBDA a . * cat ( a ) ; nap ( a )",
        "LAMBDA a . nap . agent ( a )",
        "LAMBDA a . nap ( a ) AND nap ( a )",
        "LAMBDA a . nap ( x _ 0 )",
        "Paula",
    ],
)
def test_forms_that_are_no_primitive(text: str) -> None:
    with pytest.raises(FormError):
        to_graph(parse(text), ["nap"])


VERB, NAME, NOUN = Node(Tag.VERB, "see"), Node(Tag.PROPER, "Emma"), Node(Tag.INDEFINITE, "cat")


@pytest.mark.parametrize(
    "graph",
    [
        SemanticGraph(()),
        SemanticGraph((None, None)),
        SemanticGraph((Node(Tag.DEFINITE, "cat"), None)),
        SemanticGraph((NOUN, VERB)),
        SemanticGraph((NOUN, NAME)),
        SemanticGraph((VERB, None), (Arc(0, "agent", 1),)),
        SemanticGraph((VERB, NOUN), (Arc(0, "agent", -1),)),
        SemanticGraph((VERB, NOUN), (Arc(0, "agent", 2),)),
        SemanticGraph((NAME, NOUN), (Arc(0, "nmod . on", 1),)),
        SemanticGraph((NAME, NOUN, VERB), (Arc(2, "agent", 0), Arc(0, "nmod . on", 1))),
        SemanticGraph((NOUN, NOUN), (), ("a",)),
        SemanticGraph((NAME,), (), ("a",)),
        SemanticGraph((VERB,), (), ("a",)),
        SemanticGraph((VERB,), (Arc(0, "agent", -1),), ("e",)),
        SemanticGraph((None,), (), ("e",)),
    ],
)
def test_graphs_that_are_no_form(graph: SemanticGraph) -> None:
    with pytest.raises(FormError):
        to_form(graph)


def test_placeholders_and_unsorted_arcs() -> None:
    nodes = (Node(Tag.PROPER, "\x000"), Node(Tag.VERB, "\x001"), None, Node(Tag.DEFINITE, "\x003"))
    form = to_form(SemanticGraph(nodes, (Arc(1, "theme", 3), Arc(1, "agent", 0))))
    assert str(form) == "* \x003 ( x _ 3 ) ; \x001 . agent ( x _ 1 , \x000 ) AND \x001 . theme ( x _ 1 , x _ 3 )"


@given(data=st.data())
def test_form_and_graph(data: st.DataObject, sentences: Sentences, primitives: Sentences) -> None:
    tokens, graph = data.draw(st.one_of(sentences, primitives))
    form = to_form(graph)
    assert to_graph(form, tokens) == graph
    assert parse(str(form)) == form


@given(data=st.data())
def test_any_order_of_conjuncts_gives_an_equal_form(data: st.DataObject, sentences: Sentences) -> None:
    tokens, graph = data.draw(sentences)
    form = to_form(graph)
    shuffled = ConjunctiveForm(tuple(data.draw(st.permutations(form.body))), form.definites)
    assert equal(to_form(to_graph(shuffled, tokens)), form)


@given(data=st.data())
def test_no_form_breaks_the_conversion(
    data: st.DataObject, forms: st.SearchStrategy[ConjunctiveForm], sentences: Sentences
) -> None:
    form = data.draw(forms)
    tokens, _ = data.draw(sentences)
    try:
        graph = to_graph(form, tokens)
    except FormError:
        return
    assert equal(to_form(graph), form)


def test_reference_rows(cogs_rows: list[tuple[str, str, str]]) -> None:
    assert len(cogs_rows) == 27_365
    changed = [
        text
        for source, text, _ in cogs_rows
        if str(to_form(to_graph(parse(text), source.split()))) != text
    ]  # fmt: skip
    assert changed == []
