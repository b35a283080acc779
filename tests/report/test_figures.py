import csv
import io
from dataclasses import replace
from itertools import pairwise
from math import nan
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.report.comparison import compared
from blicket.report.dotfigures import cases_figure, errors_figure, overview_figure
from blicket.report.judged import judge_runs
from blicket.report.linefigures import bins, curves_figure, depth_figure, length_figure
from blicket.report.reading import Curve, Point, read_runs


@pytest.fixture(scope="module")
def runs(transformer, lstm):
    return read_runs([transformer, lstm])


@pytest.fixture(scope="module")
def judged(runs):
    return judge_runs(runs)


def numbers(figure):
    return list(csv.DictReader(io.StringIO(figure.numbers.decode())))


def drawings(figure):
    return [ElementTree.fromstring(str(drawn)) for _, drawn_of in figure.parts for drawn in drawn_of]


def dots(drawn, series):
    return [node for node in drawn.iter("path") if node.get("class") == f"dot m{series}"]


def test_every_seed_of_every_case_has_a_row_and_a_dot(runs):
    figure = cases_figure(compared(runs), "gen")
    rows = numbers(figure)
    assert len(rows) == 2 * 3 * 21
    for row in rows:
        run = next(run for run in runs if run.label == row["run"])
        card = run.scores["gen"][int(row["seed"])]
        assert float(row["value"]) == card["by"]["case"][row["group"]]["exact"]
    assert {float(r["published"]) for r in rows if r["group"] == "active_to_passive"} == {0.99, 0.48}
    for drawn in drawings(figure):
        assert [len(dots(drawn, series)) for series in (0, 1)] == [63, 63]
        assert len([node for node in drawn.iter("line") if node.get("class") == "published"]) == 42
        headings = [node.text for node in drawn.iter("text") if node.get("class") == "heading"]
        assert headings == ["Lexical", "Structural"]


def test_the_overview_says_in_words_what_it_shows(runs):
    figure = overview_figure(compared(runs))
    assert [row["split"] for row in numbers(figure)[:3]] == ["dev"] * 3
    (says, *_) = (drawn.find("desc").text for drawn in drawings(figure))
    assert "cogs-transformer, gen: mean 0." in says
    assert "published 0.35" in says


def test_accuracy_by_depth_is_pooled_and_by_case(runs):
    figure = depth_figure(compared(runs), "gen", "depth")
    titles = [drawn.find("title").text for drawn in drawings(figure)]
    assert titles == ["All cases with a depth", "Depth: sentential complements", "Depth: PP modifiers"]
    rows = numbers(figure)
    assert len(rows) == 2 * 3 * 10 * 3
    assert {row["case"] for row in rows} == {"", "cp_recursion", "pp_recursion"}
    assert "Mind the axis" in figure.caption or "ends at" not in figure.caption


def test_groups_that_are_no_numbers_have_no_depth(runs):
    assert depth_figure(compared(runs), "gen", "depth_band") is None


def test_accuracy_by_length_counts_every_row_once(runs, judged):
    figure = length_figure(judged, runs)
    rows = [row for row in numbers(figure) if (row["run"], row["split"], row["seed"]) == ("cogs-lstm", "gen", "2")]
    assert sum(int(row["rows"]) for row in rows) == 420
    card = next(run for run in runs if run.label == "cogs-lstm").scores["gen"][2]
    assert sum(int(row["rows"]) * float(row["exact"]) for row in rows) / 420 == pytest.approx(card["exact"])
    assert [int(row["shortest"]) for row in rows[1:]] == [int(row["longest"]) + 1 for row in rows[:-1]]


@given(st.lists(st.integers(0, 8_000), min_size=1, max_size=300))
def test_bins_hold_every_length(lengths):
    found = bins(lengths)
    assert found[0][0] == 1
    for length in lengths:
        assert sum(first <= max(length, 1) <= last for first, last in found) == 1
    assert all(after[0] == before[1] + 1 for before, after in pairwise(found))


def test_a_few_long_ones_count_with_the_last_bin():
    assert bins([15] * 500 + [35] * 500 + [700]) == [(1, 20), (21, 1000)]


def test_curves_have_a_line_a_seed_the_best_checkpoint_and_the_end(runs):
    figure = curves_figure(runs)
    assert [heading for heading, _ in figure.parts] == ["cogs-transformer", "cogs-lstm"]
    for drawn in drawings(figure)[:3]:
        lines = [node.get("class") for node in drawn.iter("path") if node.get("class").startswith("line")]
        assert lines == ["line m0 seed"] * 3 + ["line m0 failed"]
        assert len(dots(drawn, 0)) == 3
        assert len([node for node in drawn.iter("line") if node.get("class") == "line end m0"]) == 4
    assert len(numbers(figure)) == sum(len(curve.points) for run in runs for curve in run.curves.values())


def test_curves_without_any_number_are_no_figure(runs):
    empty = {1: Curve(1, True, None, 500, ())}
    assert curves_figure([replace(runs[0], curves=empty)]) is None
    lost = {1: Curve(1, True, 0, 500, (Point(500, nan, nan, 0.0),))}
    (drawn,) = drawings(curves_figure([replace(runs[0], curves=lost)]))
    assert drawn.find("title").text == "Dev accuracy"


def test_a_loss_of_nothing_is_drawn(runs):
    points = (Point(500, 0.0, 0.0, 1.0), Point(1000, 0.0, 0.0, 1.0))
    figure = curves_figure([replace(runs[0], curves={1: Curve(1, False, 500, None, points)})])
    assert len(drawings(figure)) == 3


def test_kinds_of_error_are_shares_of_errors(runs, judged):
    gen = [of for of in judged if of.split == "gen"]
    figure = errors_figure(gen, "gen", {run.label: i for i, run in enumerate(runs)})
    rows = [row for row in numbers(figure) if (row["run"], row["seed"], row["case"]) == ("cogs-lstm", "1", "")]
    for row in rows:
        assert float(row["of_errors"]) == int(row["n"]) / int(row["errors"])
    labels = [node.text for node in drawings(figure)[0].iter("text") if node.get("class") == "label"]
    assert "early end" in labels
    assert "too long" not in labels
    assert "more than one" in figure.caption


def test_where_all_is_right_there_are_no_kinds_of_error(runs, judged):
    perfect = [
        replace(of, verdicts={seed: [v for v in verdicts if v.exact] for seed, verdicts in of.verdicts.items()})
        for of in judged
    ]
    assert errors_figure(perfect, "gen", {run.label: i for i, run in enumerate(runs)}) is None
