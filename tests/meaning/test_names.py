"""Alignment of names with the words of the sentence."""

import pytest

from blicket.core.errors import FormError
from blicket.meaning import Arc, equal, to_form, to_graph
from blicket.meaning.conjunctive import parse
from blicket.meaning.names import align_names


@pytest.mark.parametrize(
    ("text", "sentence", "arcs"),
    [
        (  # each occurrence of a name once, in the order of the conjuncts
            "like . theme ( x _ 2 , Emma ) AND like . agent ( x _ 2 , Emma )",
            "Emma was liked by Emma",
            [(2, "theme", 0), (2, "agent", 4)],
        ),
        (  # between siblings that carry an index, although another occurrence stands before
            "cat ( x _ 4 ) AND see . agent ( x _ 5 , x _ 4 ) AND see . theme ( x _ 5 , Emma )",
            "Emma : that a cat saw Emma",
            [(5, "agent", 4), (5, "theme", 6)],
        ),
        (
            "want . agent ( x _ 1 , Emma ) AND want . xcomp ( x _ 1 , x _ 3 ) "
            "AND try . agent ( x _ 3 , Emma ) AND try . xcomp ( x _ 3 , x _ 5 ) "
            "AND see . agent ( x _ 5 , Emma ) AND see . theme ( x _ 5 , Emma )",
            "Emma wanted to try to see Emma",
            [(1, "agent", 0), (1, "xcomp", 3), (3, "agent", 0),
             (3, "xcomp", 5), (5, "agent", 0), (5, "theme", 6)],
        ),
        (  # conjuncts in any order: clauses are aligned by their heads
            "nap . agent ( x _ 4 , Emma ) AND say . ccomp ( x _ 1 , x _ 4 ) AND say . agent ( x _ 1 , Emma )",
            "Emma said that Emma napped",
            [(1, "agent", 0), (1, "ccomp", 4), (4, "agent", 3)],
        ),
    ],
)  # fmt: skip
def test_names_are_aligned(text: str, sentence: str, arcs: list[tuple[int, str, int]]) -> None:
    graph = to_graph(parse(text), sentence.split())
    assert graph.arcs == tuple(Arc(*arc) for arc in arcs)
    assert equal(to_form(graph), parse(text))


def test_positions_that_are_not_free_are_left_out() -> None:
    relations = parse("see . agent ( x _ 2 , Emma )").body
    assert align_names(relations, ["Emma", "Emma"]) == {0: 0}
    assert align_names(relations, [None, "Emma"]) == {0: 1}
    with pytest.raises(FormError, match="'Emma' is mentioned 1 times but not"):
        align_names(relations, [None, "Liam"])
