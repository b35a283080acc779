from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.report.dotplot import NARROW, WIDE, DotRow, Strip, dot_plot, scattered
from blicket.report.marks import Linear, drawing, shape, shown, ticks, words
from blicket.report.panels import Panel, Series, panel

SVG = "http://www.w3.org/2000/svg"


def parsed(markup):
    return ElementTree.fromstring(str(markup))


def test_a_scale_places_values():
    scale = Linear(0, 10, 100, 200)
    assert [scale(0), scale(5), scale(10)] == [100, 150, 200]
    assert Linear(3, 3, 100, 200)(3) == 100


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0, 0.1, [0, 0.02, 0.04, 0.06, 0.08, 0.1]), (0, 12_000, [0, 5000, 10_000])],
)
def test_ticks_are_round_numbers(low, high, expected):
    assert ticks(low, high) == pytest.approx(expected)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_lie_in_the_range_and_are_few(low, span):
    found = ticks(low, low + span)
    assert 1 <= len(found) <= 7
    assert all(low - 1e-6 * span <= tick <= low + span * (1 + 1e-6) for tick in found)


def test_numbers_on_axes_are_short():
    assert [shown(value) for value in (0.02, 500, 5_000, 12_500, 1_234)] == ["0.02", "500", "5k", "12.5k", "1234"]


def test_text_is_escaped():
    assert "<script>" not in words(0, 0, "<script>")
    drawn = drawing("n", '"<b>', "a & b", 10, 10, [words(0, 0, "]]><i>")], 'c"')
    assert [node.text for node in parsed(drawn)] == ['"<b>', "a & b", "]]><i>"]


def test_seven_models_differ_in_colour_or_shape():
    faces = set()
    for series in range(12):
        node = parsed(shape(series, 0, 0, 3))
        faces.add((node.get("class"), node.get("d")))
    assert len(faces) == 12


def test_dots_in_one_place_are_all_seen():
    assert sorted(scattered([5, 5, 5, 5, 5], 6)) == [-2, -1, 0, 1, 2]
    assert scattered([0, 100, 200], 6) == [0, 0, 0]


def test_every_seed_has_a_dot_in_its_place_and_the_published_value_a_tick():
    strips = (Strip(0, (("seed 1", 0.2), ("seed 2", 0.4)), 0.3), Strip(1, (), None))
    drawn = parsed(dot_plot("name", "title", "says", [DotRow("", "row", strips)], WIDE))
    dots = [node for node in drawn.iter("path") if node.get("class") == "dot m0"]
    assert [dot.find("title").text for dot in dots] == ["seed 1: 0.200", "seed 2: 0.400"]
    (tick,) = (node for node in drawn.iter("line") if node.get("class") == "published")
    first, second = (float(dot.get("d")[1:].split()[0]) for dot in dots)
    assert float(tick.get("x1")) == pytest.approx((first + second) / 2 + 3.4, abs=0.2)
    assert (drawn.find("title").text, drawn.find("desc").text) == ("title", "says")


def test_an_interval_ends_where_shares_end():
    strip = Strip(0, (("seed 1", 0.0), ("seed 2", 1.0)))
    drawn = parsed(dot_plot("name", "title", "says", [DotRow("", "row", (strip,))], NARROW))
    (interval,) = (node for node in drawn.iter("line") if node.get("class") == "interval m0")
    assert 0 <= float(interval.get("x1")) < float(interval.get("x2")) <= NARROW.total


def test_long_titles_are_wrapped_within_the_figure():
    title = "Theme NP to object-omitted transitive subject under a further complement"
    for width in (WIDE, NARROW):
        drawn = parsed(dot_plot("name", "title", "says", [DotRow("", title, (Strip(0, ()),))], width))
        labels = [node.text for node in drawn.iter("text") if node.get("class") == "label"]
        assert len(labels) > 1
        assert " ".join(labels) == title


def test_a_panel_draws_lines_dots_and_ends():
    series = Series(2, [(0, 0), (10, 1)], [(10, 1, "best")], "seed", [(10, 1, "stopped")])
    drawn = parsed(
        panel(Panel("p", "title", "says", "update", [(0, "0"), (10, "10")], (0, 10), [series], mark=(5, "m")))
    )
    assert [node.get("class") for node in drawn.iter("path")] == ["line m2 seed", "dot m2"]
    assert "line end m2" in [node.get("class") for node in drawn.iter("line")]
    assert "published thin" in [node.get("class") for node in drawn.iter("line")]
