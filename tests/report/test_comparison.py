from dataclasses import replace

import pytest

from blicket.core.published import Published
from blicket.report.comparison import Compared, Comparison, compared, comparison, groups_of, overview, title_of
from blicket.report.published import Quantity
from blicket.report.reading import read_runs


@pytest.fixture(scope="module")
def of(transformer):
    return compared(read_runs([transformer]))[0]


def beside(of, value, *ours, decimals=2):
    row = Published("table-2", "exact", value, None, 5, "", {"decimals": decimals})
    return Comparison(of.run, Quantity("gen", "exact"), 10, dict(enumerate(ours)), row)


def test_ours_are_the_scorecards_of_the_seeds_that_have_one(of):
    one = comparison(of, Quantity("gen", "exact"))
    assert one.by_seed == {seed: of.run.directory.read_scores(seed, "gen")["exact"] for seed in (1, 2, 3)}
    assert one.rows == 420
    assert one.published.value == 0.35
    assert one.difference == pytest.approx(one.over.mean - 0.35)


def test_what_no_seed_has_is_not_compared(of):
    assert comparison(of, Quantity("gen", "clauses")) is None
    assert comparison(of, Quantity("gen", "exact", "case", "nothing")) is None


def test_the_overview_has_splits_and_kinds_of_cases(of):
    titles = [title_of(one) for one in overview(of)]
    assert titles == [
        *("dev", "dev: meaning", "test", "test: meaning", "gen", "gen: meaning"),
        *("gen, lexical", "gen, structural"),
    ]


def test_other_measures_that_are_published_are_compared_as_well(of):
    quantity = Quantity("gen", "edit_distance")
    row = Published("appendix-g", "edit_distance", 42, None, 5, "", {})
    more = Compared(of.run, {quantity: row})
    assert "gen: edit distance" in [title_of(one) for one in overview(more)]
    in_case = replace(quantity, kind="case", group="cp_recursion")
    titles = [title_of(one) for one in groups_of(Compared(of.run, {in_case: row}), "gen", "case")]
    assert titles.index("Depth: sentential complements: edit distance") == (
        titles.index("Depth: sentential complements") + 1
    )


def test_groups_by_case_and_depth_are_called_by_the_title_of_the_case(of):
    titles = [title_of(one) for one in groups_of(of, "gen", "case_depth")]
    assert "Depth: PP modifiers, depth 12" in titles


@pytest.mark.parametrize(
    ("value", "place"), [(0.35, "inside"), (0.2, "below"), (0.5, "above"), (0.378, "above, by rounding")]
)
def test_where_the_published_value_lies(of, value, place):
    # Mean 0.35, sd 0.01, n 3: the interval reaches 0.0248 to each side.
    one = beside(of, value, 0.34, 0.35, 0.36)
    assert one.place == place
    assert ("inside" in one.words) == (place == "inside")
    assert one.words.endswith("by no more than its rounding") == place.endswith("rounding")


def test_one_seed_has_no_interval_for_it_to_lie_in(of):
    one = beside(of, 0.3, 0.35)
    assert (one.place, one.words) == ("", "one seed has no interval")
