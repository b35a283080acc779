"""Who wants is who crawls: rules for shared dependents, found in graphs, taken out of them and put back."""

import pytest

from blicket.core.errors import InputError
from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.learners.structured.sharing import SharingRule, induced_rules, restored, stripped

NOUN, VERB = Node("definite", "boy"), Node("verb", "want")


def graph(*arcs: Arc, length: int = 8) -> SemanticGraph:
    return SemanticGraph((NOUN,) * length, arcs)


# "the boy(1) wanted(2) to crawl(4)", "the girl(1) said(2) that Emma(4) slept(5)"
CONTROL = graph(Arc(2, "agent", 1), Arc(2, "xcomp", 4), Arc(4, "agent", 1))
COMPLEMENT = graph(Arc(2, "agent", 1), Arc(2, "ccomp", 5), Arc(5, "agent", 4))
RULE = SharingRule("xcomp", "agent", "agent")


def test_the_rule_of_control_is_found() -> None:
    assert induced_rules([CONTROL, COMPLEMENT]) == (RULE,)


def test_where_nothing_is_shared_there_is_no_rule() -> None:
    assert induced_rules([COMPLEMENT]) == ()


def test_what_does_not_hold_always_is_no_rule() -> None:
    raising = graph(Arc(2, "agent", 1), Arc(2, "xcomp", 4), Arc(4, "agent", 6))
    assert induced_rules([CONTROL, raising]) == ()


def test_a_role_can_change_on_the_way() -> None:
    object_control = graph(Arc(2, "agent", 1), Arc(2, "theme", 3), Arc(2, "xcomp", 5), Arc(5, "agent", 3))
    assert induced_rules([object_control]) == (SharingRule("xcomp", "theme", "agent"),)


@pytest.mark.parametrize("given", [CONTROL, COMPLEMENT])
def test_what_is_taken_out_is_put_back(given: SemanticGraph) -> None:
    left = stripped(given, [RULE])
    heads = [arc.dependent for arc in left]
    assert len(set(heads)) == len(heads)
    assert set(restored(left, [RULE])) == set(given.arcs)


def test_a_chain_of_infinitives_shares_all_the_way() -> None:
    arcs = [Arc(1, "agent", 0), Arc(1, "xcomp", 3), Arc(3, "xcomp", 5)]
    assert restored(arcs, [RULE]) == (*arcs[:2], Arc(3, "agent", 0), arcs[2], Arc(5, "agent", 0))


def test_arcs_come_back_in_the_order_of_the_sentence() -> None:
    assert restored([Arc(4, "theme", 6), Arc(2, "xcomp", 4), Arc(2, "agent", 1)], [RULE]) == (
        Arc(2, "agent", 1),
        Arc(2, "xcomp", 4),
        Arc(4, "agent", 1),
        Arc(4, "theme", 6),
    )


def test_two_heads_that_no_rule_explains_are_refused() -> None:
    with pytest.raises(InputError, match="token 1 fills several roles"):
        stripped(CONTROL, [])
