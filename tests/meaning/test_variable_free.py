"""Variable-free forms of graphs and graphs of variable-free forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.core.errors import FormError
from blicket.meaning import Arc, Node, SemanticGraph, Tag, Term, VariableFreeForm, conjunctive, equal
from blicket.meaning import to_graph as graph_of_conjuncts
from blicket.meaning.variable_free import from_graph, parse, to_graph

Sentences = st.SearchStrategy[tuple[list[str], SemanticGraph]]


def lemmas(graph: SemanticGraph) -> list[str | None]:
    return [node and node.predicate for node in graph.nodes]


@pytest.mark.parametrize(
    ("sentence", "conjuncts", "term"),
    [
        (
            "A cat in the house was offered the cake by the boy .",
            "* house ( x _ 4 ) ; * cake ( x _ 8 ) ; * boy ( x _ 11 ) ; cat ( x _ 1 ) "
            "AND cat . nmod . in ( x _ 1 , x _ 4 ) AND offer . recipient ( x _ 6 , x _ 1 )"
            " AND offer . theme ( x _ 6 , x _ 8 )"
            " AND offer . agent ( x _ 6 , x _ 11 )",
            "offer ( recipient = cat ( nmod . in = * house ) , theme = * cake , agent = * boy )",
        ),
        (
            "The boy needed to crawl .",
            "* boy ( x _ 1 ) ; need . agent ( x _ 2 , x _ 1 ) AND need . xcomp ( x _ 2 , x _ 4 )"
            " AND crawl . agent ( x _ 4 , x _ 1 )",
            "need ( agent = * boy , xcomp = crawl ( agent = * boy ) )",
        ),
        ("Paula", "Paula", "Paula"),
        ("shark", "LAMBDA a . shark ( a )", "LAMBDA a . shark ( a )"),
        (
            "touch",
            "LAMBDA a . LAMBDA b . LAMBDA e . touch . agent ( e , b ) AND touch . theme ( e , a )",
            "LAMBDA a . LAMBDA b . LAMBDA e . touch ( agent = b , theme = a )",
        ),
    ],
)  # fmt: skip
def test_the_two_notations(sentence: str, conjuncts: str, term: str) -> None:
    graph = graph_of_conjuncts(conjunctive.parse(conjuncts), sentence.split())
    assert str(from_graph(graph)) == term
    assert to_graph(parse(term), lemmas(graph)) == graph


@given(data=st.data())
def test_graph_and_term(
    data: st.DataObject, sentences: Sentences, primitives: Sentences, names: frozenset[str]
) -> None:
    _, graph = data.draw(st.one_of(sentences, primitives))
    form = from_graph(graph)
    assert parse(str(form)) == form
    assert to_graph(form, lemmas(graph), names.__contains__) == graph


def test_a_controlled_subject_is_repeated_with_its_modifiers() -> None:
    form = parse("want ( agent = cat ( nmod . in = box ) , xcomp = nap ( agent = cat ( nmod . in = box ) ) )")
    graph = to_graph(form, [None, "cat", None, None, "box", "want", None, "nap"])
    assert Arc(7, "agent", 1) in graph.arcs
    assert len([node for node in graph.nodes if node]) == 4
    assert from_graph(graph) == form


def test_an_uncontrolled_agent_is_another_node() -> None:
    form = parse("want ( agent = cat , xcomp = nap ( agent = dog ) )")
    graph = to_graph(form, ["cat", "want", "dog", "nap"])
    assert Arc(3, "agent", 2) in graph.arcs
    with pytest.raises(FormError):
        to_graph(form, ["cat", "want", None, "nap"])


def test_repeated_words_are_aligned_in_surface_order() -> None:
    form = parse("see ( agent = dog , theme = cat )")
    graph = to_graph(form, ["cat", ",", "dog", "see", "cat"])
    assert graph.arcs == (Arc(3, "agent", 2), Arc(3, "theme", 4))


def test_other_orders_are_aligned_by_word() -> None:
    form = parse("see ( theme = * dog , agent = * cat )")
    graph = to_graph(form, [None, "cat", "see", None, "dog"])
    assert graph.arcs == (Arc(2, "agent", 1), Arc(2, "theme", 4))
    assert from_graph(graph) != form
    assert equal(from_graph(graph), form)


@pytest.mark.parametrize(
    "text",
    [
        "see ( agent = dog )",
        "see ( agent = cat , theme = cat )",
        "* see ( agent = cat )",
        "see ( agent = Emma ( nmod . on = cat ) )",
        "see ( ccomp = * cat )",
        "Emma",
        "LAMBDA a . cat ( a )",
    ],
)
def test_terms_that_are_no_graph(text: str) -> None:
    with pytest.raises(FormError):
        to_graph(parse(text), ["cat", "see", "Emma"])


@pytest.mark.parametrize(
    "text",
    [
        "LAMBDA a . LAMBDA e . see ( agent = b )",
        "LAMBDA a . LAMBDA e . see ( agent = e )",
        "LAMBDA a . LAMBDA e . see ( agent = * a )",
        "LAMBDA a . LAMBDA e . see ( agent = a ( theme = a ) )",
        "LAMBDA a . LAMBDA e . see ( a )",
        "LAMBDA a . LAMBDA e . nap ( agent = a )",
        "LAMBDA a . see ( b )",
        "LAMBDA a . * see ( a )",
    ],
)
def test_terms_that_are_no_primitive(text: str) -> None:
    with pytest.raises(FormError):
        to_graph(parse(text), ["see"])


SEE, SAY, CAT, DOG = (
    Node(Tag.VERB, "see"),
    Node(Tag.VERB, "say"),
    Node(Tag.DEFINITE, "cat"),
    Node(Tag.PROPER, "D"),
)


@pytest.mark.parametrize(
    "graph",
    [
        SemanticGraph((None, None)),
        SemanticGraph((CAT, None)),
        SemanticGraph((CAT,)),
        SemanticGraph((CAT, SEE)),
        SemanticGraph((SEE, None), (Arc(0, "agent", 1),)),
        SemanticGraph((SEE, CAT), (Arc(0, "agent", 7),)),
        SemanticGraph((SEE, CAT), (Arc(0, "agent", 1), Arc(9, "agent", 1))),
        SemanticGraph((SEE, CAT), (Arc(0, "agent", 1), Arc(0, "agent", 1))),
        SemanticGraph((SEE, SAY), (Arc(0, "ccomp", 1), Arc(1, "ccomp", 0))),
        SemanticGraph((SEE, CAT, SAY), (Arc(0, "agent", 1), Arc(2, "ccomp", 2))),
        SemanticGraph((SEE, SAY, CAT), (Arc(0, "ccomp", 1), Arc(1, "ccomp", 1), Arc(1, "agent", 2))),
        SemanticGraph((SEE, CAT), (Arc(0, "agent", 1), Arc(0, "theme", 1))),
        SemanticGraph((SEE, SAY, CAT), (Arc(0, "ccomp", 1), Arc(0, "agent", 2), Arc(1, "agent", 2))),
        SemanticGraph((SEE, SAY), (Arc(0, "agent", 1),)),
        SemanticGraph((SEE, CAT), (Arc(0, "ccomp", 1),)),
        SemanticGraph((SEE, DOG, CAT), (Arc(0, "agent", 1), Arc(1, "nmod . on", 2))),
        SemanticGraph((SEE,), (Arc(0, "agent", -1),), ("e",)),
        SemanticGraph((SEE,), (), ("e",)),
        SemanticGraph((CAT,), (), ("e",)),
        SemanticGraph((SEE, CAT), (Arc(0, "agent", 1),), ("e",)),
    ],
)
def test_graphs_that_are_no_term(graph: SemanticGraph) -> None:
    with pytest.raises(FormError):
        from_graph(graph)


@pytest.mark.parametrize("depth", [40, 3_000])
def test_depth_has_no_limit(depth: int) -> None:
    term = Term("nap", arguments=(("agent", Term("Emma")),))
    for _ in range(depth):
        term = Term("say", arguments=(("agent", Term("Emma")), ("ccomp", term)))
    form = VariableFreeForm(term)
    sentence = ["Emma", "say", None] * depth + ["Emma", "nap"]
    assert from_graph(to_graph(form, sentence)) == form


def test_reference_rows(cogs_rows: list[tuple[str, str, str]]) -> None:
    for source, text, _ in cogs_rows[-3_210::3] + cogs_rows[:24_155:20]:
        graph = graph_of_conjuncts(conjunctive.parse(text), source.split())
        form = from_graph(graph)
        assert to_graph(parse(str(form)), lemmas(graph)) == graph
