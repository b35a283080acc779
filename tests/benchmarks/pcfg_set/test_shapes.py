from collections import Counter

from blicket.benchmarks.pcfg_set.shapes import BINARY, COMMA, END, FIRST_STATE, UNARY, Shapes, string
from blicket.core.randomness import Stream

STATE = FIRST_STATE


def split(items):
    found, row = [], []
    for item in items.tolist():
        if item == END:
            found.append(tuple(row))
            row = []
        else:
            row.append(item)
    assert not row
    return found


def test_states_become_what_their_weights_say():
    shapes = Shapes(
        [[((UNARY, STATE + 1), 3), ((BINARY, STATE + 1, COMMA, STATE + 1), 1)], [((string(2),), 1)]], {0: 1}
    )
    drawn = Counter(split(shapes.draw(40_000, Stream(1, "x"))))
    one, two = (UNARY, string(2)), (BINARY, string(2), COMMA, string(2))
    assert set(drawn) == {one, two}
    assert abs(drawn[one] - 30_000) < 5 * 87  # five standard deviations


def test_shapes_begin_as_often_as_they_should():
    shapes = Shapes([[((string(1),), 7)], [((string(2),), 7)]], {0: 1, 1: 3})
    drawn = Counter(split(shapes.draw(40_000, Stream(1, "x"))))
    assert abs(drawn[(string(2),)] - 30_000) < 5 * 87


def test_a_stream_decides():
    shapes = Shapes([[((UNARY, STATE), 1), ((string(1),), 1)]], {0: 1})
    first, again, other = (shapes.draw(50, Stream(*name)).tolist() for name in ((1, "x"), (1, "x"), (2, "x")))
    assert first == again != other
