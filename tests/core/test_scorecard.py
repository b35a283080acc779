"""Scorecards against counting by hand, one verdict at a time."""

import math
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blicket.core.scorecard import Scorecard, Tally, scorecard
from blicket.core.verdict import Judge, Outcome, Verdict

MARKS, MEASURES = ("near", "far", "odd"), ("distance", "overlap")


class Marker(Judge):
    marks = MARKS
    measures = MEASURES

    def verdict(self, inputs, target, prediction):
        raise AssertionError("a scorecard counts verdicts, it gives none")


def verdicts():
    """An exact prediction is a correct one; a measure may be absent, as it is where no prediction was given."""
    measures = st.dictionaries(st.sampled_from(MEASURES), st.integers(0, 9).map(float))
    marks = st.frozensets(st.sampled_from(MARKS))
    exact = st.builds(Verdict, st.just(Outcome.CORRECT), st.just(True), marks, measures)
    other = st.builds(Verdict, st.sampled_from(list(Outcome)), st.just(False), marks, measures)
    return st.one_of(exact, other, st.just(Verdict.missing()))


@st.composite
def cards(draw):
    n = draw(st.integers(0, 12))
    seeds = draw(st.lists(st.text("abc", min_size=1), min_size=1, max_size=4, unique=True))
    groups = [
        draw(st.dictionaries(st.sampled_from(["case", "kind"]), st.sampled_from(["1", "2", "10", "b"])))
        for _ in range(n)
    ]
    return {seed: draw(st.lists(verdicts(), min_size=n, max_size=n)) for seed in seeds}, groups


def counted(rows):
    """The numbers of a group of verdicts of one seed."""
    n, wrong = len(rows), [v for v in rows if not v.exact]

    def share(holds):
        return sum(1 for v in rows if holds(v)) / n if n else None

    numbers = {
        "n": n,
        "exact": share(lambda v: v.exact),
        "meaning": share(lambda v: v.outcome == Outcome.CORRECT),
        "unparseable": share(lambda v: v.outcome == Outcome.UNPARSEABLE),
        "undecided": share(lambda v: v.outcome == Outcome.UNDECIDED),
    }
    for mark in MARKS:
        numbers[mark] = share(lambda v, mark=mark: mark in v.marks)
    for measure in MEASURES:
        known = [v.measures[measure] for v in wrong if measure in v.measures]
        numbers[measure] = sum(known) / len(known) if known else None
    return numbers


def over_seeds(of_seeds):
    if len(of_seeds) == 1:
        return of_seeds[0]
    result, spread = {"n": of_seeds[0]["n"]}, {}
    for name in of_seeds[0]:
        values = [numbers[name] for numbers in of_seeds if numbers[name] is not None]
        if name == "n":
            continue
        result[name] = sum(values) / len(values) if values else None
        if len(values) > 1:
            mean = sum(values) / len(values)
            spread[name] = math.sqrt(sum((x - mean) ** 2 for x in values) / (len(values) - 1))
    each = {name: [numbers[name] for numbers in of_seeds] for name in of_seeds[0] if name != "n"}
    return {**result, "sd": spread, "seeds": each}


def close(ours, theirs):
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(close(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(close, ours, theirs))
    return ours == theirs or (ours is not None and theirs is not None and math.isclose(ours, theirs, abs_tol=1e-12))


@settings(max_examples=200, deadline=None)
@given(cards())
def test_a_card_counts_as_by_hand(card):
    by_seed, groups = card
    said = scorecard(Marker(), by_seed, groups).as_dict()
    expected = over_seeds([counted(r) for r in by_seed.values()])
    assert close(*({k: v for k, v in card.items() if k not in ("by", "seeds")} for card in (said, expected)))
    members = defaultdict(lambda: defaultdict(list))
    for row, of_row in enumerate(groups):
        for kind, group in of_row.items():
            members[kind][group].append(row)
    assert said["by"].keys() == members.keys()
    for kind, of_kind in members.items():
        assert said["by"][kind].keys() == of_kind.keys()
        for group, rows in of_kind.items():
            expected = over_seeds([counted([verdicts[i] for i in rows]) for verdicts in by_seed.values()])
            assert close(said["by"][kind][group], expected)
    if len(by_seed) > 1:
        for (seed, verdicts), listed in zip(by_seed.items(), said["seeds"], strict=True):
            assert listed["file"] == seed
            assert close({k: v for k, v in listed.items() if k != "file"}, counted(verdicts))
    else:
        assert "seeds" not in said
        assert "sd" not in said


def row(exact, **measures):
    return Verdict(Outcome.CORRECT if exact else Outcome.INCORRECT, exact, frozenset(), measures)


def test_mean_and_spread_over_three_seeds():
    """Shares 1, 1/2, 0: mean 1/2, and with n - 1 a standard deviation of 1/2."""
    by_seed = {"a": [row(True), row(True)], "b": [row(True), row(False)], "c": [row(False), row(False)]}
    said = scorecard(Marker(), by_seed, [{}, {}]).as_dict()
    assert (said["n"], said["exact"], said["sd"]["exact"]) == (2, 0.5, 0.5)
    assert [seed["exact"] for seed in said["seeds"]] == [1.0, 0.5, 0.0]
    assert "n" not in said["sd"]


def test_distances_are_means_over_errors():
    by_seed = {"a": [row(True, distance=0.0), row(False, distance=3.0), row(False, distance=4.0), Verdict.missing()]}
    said = scorecard(Marker(), by_seed, [{}] * 4).as_dict()
    assert said["distance"] == 3.5
    assert said["overlap"] is None


def test_a_seed_without_errors_has_no_distance_and_takes_no_part_in_the_mean():
    by_seed = {"a": [row(True, distance=0.0)], "b": [row(False, distance=6.0)]}
    said = scorecard(Marker(), by_seed, [{}]).as_dict()
    assert said["distance"] == 6.0
    assert "distance" not in said["sd"]


def test_meaning_and_exact_are_told_apart():
    by_seed = {"a": [Verdict(Outcome.CORRECT, False), row(True), Verdict(Outcome.UNPARSEABLE, False)]}
    said = scorecard(Marker(), by_seed, [{}] * 3).as_dict()
    assert (said["exact"], said["meaning"], said["unparseable"]) == (1 / 3, 2 / 3, 1 / 3)


def test_groups_come_in_the_order_that_was_given_and_then_by_length_and_name():
    groups = [{"case": name} for name in ("zeta", "b", "10", "9", "alpha", "a")]
    card = scorecard(Marker(), {"s": [row(True)] * 6}, groups, {"case": ["alpha", "zeta", "absent"]})
    assert list(card.by["case"]) == ["alpha", "zeta", "9", "a", "b", "10"]
    assert all(tallies[0].n == 1 for tallies in card.by["case"].values())


def test_every_group_has_the_numbers_of_each_seed():
    by_seed = {"a": [row(True), row(True)], "b": [row(True), row(False, distance=6.0)]}
    card = scorecard(Marker(), by_seed, [{"case": "x"}, {"case": "y"}]).as_dict()["by"]["case"]
    assert (card["x"]["seeds"]["exact"], card["y"]["seeds"]["exact"]) == ([1.0, 1.0], [1.0, 0.0])
    assert card["y"]["seeds"]["distance"] == [None, 6.0]
    assert "n" not in card["y"]["seeds"]


def test_kinds_of_groups_that_are_asked_for_are_there():
    card = scorecard(Marker(), {"s": [row(True)]}, [{"split": "gen"}], {"case": ["a"], "kind": ()})
    assert {kind: list(groups) for kind, groups in card.by.items()} == {"case": [], "kind": [], "split": ["gen"]}


def test_a_row_in_no_group_counts_as_a_whole():
    card = scorecard(Marker(), {"s": [row(True), row(False)]}, [{"case": "a"}, {}])
    assert card.whole[0].n == 2
    assert {group: tallies[0].n for group, tallies in card.by["case"].items()} == {"a": 1}


def test_nothing_to_count():
    said = scorecard(Marker(), {"s": []}, []).as_dict()
    assert (said["n"], said["exact"], said["distance"], said["by"]) == (0, None, None, {})


def test_tallies_and_cards_are_values():
    card = scorecard(Marker(), {"s": [row(True)]}, [{"case": "a"}])
    assert isinstance(card, Scorecard)
    assert isinstance(card.whole[0], Tally)
    assert card == scorecard(Marker(), {"s": [row(True)]}, [{"case": "a"}])
    assert card.seeds == ("s",)
    assert list(card.whole[0].as_dict()) == ["n", "exact", "meaning", *MARKS, "unparseable", "undecided", *MEASURES]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_numbers_are_plain_python(n):
    said = scorecard(Marker(), {"s": [row(i % 2 == 0, distance=1.0) for i in range(n)]}, [{"k": "g"}] * n).as_dict()
    for numbers in (said, said["by"]["k"]["g"]):
        assert type(numbers["n"]) is int
        assert all(type(numbers[name]) is float for name in ("exact", "meaning", *MARKS))
        assert numbers["distance"] is None or type(numbers["distance"]) is float
