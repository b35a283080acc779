"""The automata against what their docstrings say, read off whole trees."""

from itertools import product

import pytest

from blicket.grammar.conditions import Absent, Count, Depth

MARKS = [frozenset(names) for names in ((), ("x",), ("w",), ("x", "w"))]


def trees(height):
    """All trees of at most `height` levels and two children a node, over MARKS: (marks, children)."""
    if height == 0:
        return []
    below = trees(height - 1)
    lists = [(), *((child,) for child in below), *(product(below, below) if height < 4 else ())]
    return [(marks, children) for marks in MARKS for children in lists]


TREES = [*trees(2), *trees(3)[::13]]  # 84 and some 2,000


def state(condition, tree):
    """The state of a tree, or None as soon as a part of it has none."""
    marks, children = tree
    states = tuple(state(condition, child) for child in children)
    return None if None in states else condition.state(marks, states)


def satisfied(condition, tree):
    found = state(condition, tree)
    return found is not None and condition.accepts(found)


def depth(tree, name):
    """The largest number of nodes with the name on a way from the top to a leaf."""
    marks, children = tree
    return (name in marks) + max((depth(child, name) for child in children), default=0)


def occurrences(tree, name, above=()):
    """For every node with the name, the marks of the nodes from the top down to itself."""
    marks, children = tree
    way = (*above, marks)
    return [way] * (name in marks) + [found for child in children for found in occurrences(child, name, way)]


@pytest.mark.parametrize("names", [{"x"}, {"w"}, {"x", "w"}, set(), {"elsewhere"}])
def test_absent(names):
    condition = Absent(frozenset(names))
    for tree in TREES:
        assert satisfied(condition, tree) is not any(occurrences(tree, name) for name in names)


@pytest.mark.parametrize(("least", "most"), [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (2, 1)])
def test_depth(least, most):
    condition = Depth("x", least, most)
    for tree in TREES:
        assert satisfied(condition, tree) is (least <= depth(tree, "x") <= most)


@pytest.mark.parametrize(("least", "most"), [(0, 0), (0, 2), (1, 1), (2, 3), (3, 3), (0, 7), (2, 1)])
@pytest.mark.parametrize("within", [None, "w", "x", "elsewhere"])
def test_count(least, most, within):
    condition = Count("x", least, most, within)
    for tree in TREES:
        found = occurrences(tree, "x")
        inside = within is None or all(any(within in marks for marks in way) for way in found)
        assert satisfied(condition, tree) is (inside and least <= len(found) <= most)


@pytest.mark.parametrize("condition", [Depth("x", 1, 2), Count("x", 1, 2, "w"), Absent(frozenset({"x"}))])
def test_what_is_given_up_could_not_have_been_saved(condition):
    """A condition that is given up by a tree is satisfied by no tree above it; states stay few."""
    states = {state(condition, tree) for tree in TREES}
    assert len(states) <= 8
    for tree in trees(2):
        if state(condition, tree) is None:
            above = [(marks, (tree,)) for marks in MARKS]
            assert not any(satisfied(condition, t) for t in [tree, *above])


def test_conditions_are_values():
    assert len({Depth("x", 0, 1), Depth("x", 0, 1), Count("x", 0, 1), Count("x", 0, 1, "w")}) == 3
