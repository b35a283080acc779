import pytest

import blicket
from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.report.parses import Fate, Parse, Slot, roles_by_tag

COGS = blicket.benchmark("cogs")
NOTATION = COGS.notations["conjunctive"]
DONUT = "The donut on the road froze ."
GOLD = "* donut ( x _ 1 ) ; * road ( x _ 4 ) ; donut . nmod . on ( x _ 1 , x _ 4 ) AND freeze . theme ( x _ 5 , x _ 1 )"
SAID = "* donut ( x _ 1 ) ; * road ( x _ 4 ) ; donut . nmod . on ( x _ 1 , x _ 5 ) AND freeze . theme ( x _ 5 , x _ 4 )"


def read(sentence, form=None):
    tokens = sentence.split()
    return tokens, NOTATION.read(tokens, form or COGS.interpret((sentence,), "conjunctive"))


@pytest.fixture
def donut():
    tokens, gold = read(DONUT, GOLD)
    return Parse(tokens, read(DONUT, SAID)[1], gold)


def test_on_its_own_a_parse_is_as_it_is():
    parse = Parse(*read("Emma wanted to walk ."))
    assert {fate for _, fate in parse.arcs} == {Fate.SAME}
    assert parse.roots == [(1, Fate.SAME)]
    assert parse.lines(1) == [("verb", Fate.SAME), ("want", Fate.SAME)]
    assert parse.lines(2) == []
    assert parse.difference == "the same arcs and words"


def test_arcs_and_roots_are_missing_or_wrong(donut):
    assert donut.arcs == [
        (Arc(1, "nmod . on", 5), Fate.WRONG),
        (Arc(5, "theme", 4), Fate.WRONG),
        (Arc(1, "nmod . on", 4), Fate.MISSING),
        (Arc(5, "theme", 1), Fate.MISSING),
    ]
    assert donut.roots == [(1, Fate.WRONG), (5, Fate.MISSING)]
    assert donut.difference == "2 arcs missing, 2 arcs wrong"


def test_what_a_word_was_read_as_stands_before_what_it_is():
    nodes = [Node("definite", "cake"), Node("verb", "eat"), None, Node("proper", "Ava")]
    gold = [Node("definite", "cat"), None, None, Node("verb", "Ava")]
    parse = Parse(list("abcd"), SemanticGraph(tuple(nodes)), SemanticGraph(tuple(gold)))
    assert parse.lines(0) == [("definite", Fate.SAME), ("cake", Fate.WRONG), ("cat", Fate.MISSING)]
    assert parse.lines(1) == [("verb", Fate.WRONG), ("eat", Fate.WRONG)]
    assert parse.lines(3) == [("proper", Fate.WRONG), ("verb", Fate.MISSING), ("Ava", Fate.SAME)]
    assert parse.difference == "3 words read differently"


def test_a_head_has_the_slots_that_are_filled_and_where_roles_are_known_the_empty_ones():
    tokens, graph = read("Emma said that the cake on the table burned .")
    assert Parse(tokens, graph).slots(8) == [Slot("theme", "cake", Fate.SAME)]
    assert Parse(tokens, graph).slots(7) == []
    roles = {"verb": ["agent", "ccomp", "theme"]}
    said = Parse(tokens, graph, roles=roles).slots(1)
    assert said == [Slot("agent", "Emma", "same"), Slot("ccomp", "burned", "same"), Slot("theme", "", "empty")]
    assert Parse(tokens, graph, roles=roles).slots(4) == [Slot("nmod . on", "table", Fate.SAME)]


def test_a_slot_filled_otherwise_than_in_gold_is_there_twice(donut):
    assert donut.slots(5) == [Slot("theme", "road", Fate.WRONG), Slot("theme", "donut", Fate.MISSING)]


def test_an_open_role_is_filled_by_a_variable():
    parse = Parse(*read("touch"))
    assert parse.slots(0) == [Slot("agent", "λ b", Fate.SAME), Slot("theme", "λ a", Fate.SAME)]


def test_open_roles_have_the_variables_of_the_graph_they_are_of():
    ours = SemanticGraph((Node("verb", "touch"),), (Arc(0, "agent", -1),), ("x", "e"))
    gold = SemanticGraph((Node("verb", "touch"),), (Arc(0, "theme", -1),), ("y", "e"))
    said = [(slot.word, slot.fate) for slot in Parse(["touch"], ours, gold).slots(0)]
    assert said == [("λ x", Fate.WRONG), ("λ y", Fate.MISSING)]


def test_roles_by_tag():
    graphs = [read(sentence)[1] for sentence in ("Emma said that the cake on the table burned .", "Liam ate .")]
    assert roles_by_tag(graphs) == {"verb": ["agent", "ccomp", "theme"], "definite": ["nmod . on"]}
