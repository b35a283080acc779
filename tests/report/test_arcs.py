from dataclasses import dataclass
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.report.arcs import arranged


@dataclass(frozen=True)
class Over:
    head: int
    dependent: int
    width: float = 30.0


TOKENS = 12
ENDS = st.integers(0, TOKENS - 1)
ARCS = st.lists(st.builds(Over, ENDS, ENDS, st.floats(5, 200)), max_size=25)
ABOVE = st.lists(st.floats(5, 90), min_size=TOKENS, max_size=TOKENS)
BENEATH = st.lists(st.just(0.0) | st.floats(5, 150), min_size=TOKENS, max_size=TOKENS)


def apart(a, b):
    return a[1] <= b[0] + 1e-6 or b[1] <= a[0] + 1e-6


def label(arc, placed):
    return placed.label - arc.width / 2, placed.label + arc.width / 2


def level_line(arc, placed):
    return tuple(sorted((placed.start, placed.end)))


@given(ARCS, ABOVE, BENEATH)
def test_labels_and_lines_of_a_level_do_not_meet(arcs, above, beneath):
    _, placed = arranged(arcs, above, beneath)
    for (arc, one), (other, two) in combinations(zip(arcs, placed, strict=True), 2):
        if one.level == two.level:
            assert apart(label(arc, one), label(other, two))
            assert apart(level_line(arc, one), level_line(other, two))
            assert apart(label(arc, one), level_line(other, two))
            assert apart(level_line(arc, one), label(other, two))


@given(ARCS, ABOVE, BENEATH)
def test_every_arc_ends_at_its_tokens(arcs, above, beneath):
    at, placed = arranged(arcs, above, beneath)
    feet = set()
    for arc, one in zip(arcs, placed, strict=True):
        feet |= {(one.start, arc.head), (one.end, arc.dependent)}
    assert all(b[0] - a[0] > 8 for a, b in pairwise(sorted(feet)))
    assert [token for _, token in sorted(feet)] == sorted(token for _, token in feet)
    for token, width in enumerate(above):
        on = [x for x, of in feet if of == token]
        assert all(abs(x - at[token]) <= max(width, 9 * (len(on) - 1)) / 2 + 1e-6 for x in on)


@given(ARCS, ABOVE, BENEATH, st.floats(0, 20))
def test_tokens_and_what_stands_beneath_them_keep_apart(arcs, above, beneath, margin):
    at, _ = arranged(arcs, above, beneath, margin)
    assert at == sorted(at)
    for widths in (above, beneath):
        columns = [(x - width / 2, x + width / 2) for x, width in zip(at, widths, strict=True) if width]
        assert all(column[0] >= margin - 1e-6 for column in columns)
        assert all(apart(a, b) for a, b in combinations(columns, 2))


def test_arcs_that_nest_do_not_cross():
    arcs = [Over(0, 1), Over(0, 3), Over(3, 2), Over(3, 1), Over(0, 0)]
    _, placed = arranged(arcs, [40.0] * 4, [0.0] * 4)
    assert [one.level for one in placed] == [0, 2, 0, 1, 3]
    (root, outer, inner) = (placed[4], placed[1], placed[0])
    assert root.start < outer.start < inner.start
    assert placed[2].start < placed[3].start < placed[1].end


def test_a_label_keeps_out_of_the_way_of_a_higher_arc_that_comes_down_through_its_own():
    arcs = [Over(0, 2, 40.0), Over(1, 3, 40.0)]
    _, (low, high) = arranged(arcs, [60.0] * 4, [0.0] * 4)
    assert (low.level, high.level) == (0, 1)
    assert low.start < high.start < low.end
    assert not low.label - 20 < high.start < low.label + 20


def test_an_arc_makes_room_for_its_label():
    close, _ = arranged([Over(0, 1, 10.0)], [20.0, 20.0], [0.0, 0.0])
    far, (placed,) = arranged([Over(0, 1, 300.0)], [20.0, 20.0], [0.0, 0.0])
    assert far[1] > close[1]
    assert placed.end - placed.start >= 300


def test_words_with_nothing_over_or_under_them_stand_evenly():
    at, _ = arranged([Over(0, 3, 300.0)], [20.0] * 4, [0.0] * 4)
    assert [b - a for a, b in pairwise(at)] == pytest.approx([(at[3] - at[0]) / 3] * 3)
