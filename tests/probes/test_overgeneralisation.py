"""Profiles from scorecards of answers that are known."""

import pytest

from blicket import benchmark
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.scoring import score
from blicket.probes import Moment, overgeneralisation_peak, overgeneralisation_profile


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """Three epochs: by the rule; half of it memorised; and all but every third, which is something else."""
    pcfg_set = benchmark("pcfg-set")
    options = pcfg_set.options({"train": 3000, "dev": 50, "test": 0, "tests": ["overgeneralisation"], "ratios": [200]})
    dataset = pcfg_set.build(1, options)
    rows = list(dataset["overgeneralisation_exceptions_200"])
    right, rule = [row.targets["symbols"] for row in rows], [str(row.tags["rule"]) for row in rows]
    half = len(rows) // 2
    epochs = [rule, right[:half] + rule[half:], ["A1" if i % 3 == 0 else said for i, said in enumerate(right)]]
    files = tmp_path_factory.mktemp("epochs")
    found = []
    for number, outputs in enumerate(epochs):
        file = files / f"{number}.parquet"
        write_predictions(file, [Predictions("1", [row.id for row in rows], outputs)])
        found.append(score(pcfg_set, [file], "symbols", dataset).card.as_dict())
    return rows, found


def test_a_profile_parts_what_is_memorised_from_the_rule_and_the_rest(cards):
    rows, found = cards
    first, second, third = overgeneralisation_profile(found)
    n = len(rows)
    assert n > 20
    assert first == Moment(1, n, 0.0, 1.0)
    assert (second.memorised, second.by_rule) == (pytest.approx(n // 2 / n), pytest.approx(1 - n // 2 / n))
    assert (third.by_rule, third.neither) == (0.0, pytest.approx(-(-n // 3) / n))
    assert overgeneralisation_peak([second, third, first]) == first
    assert overgeneralisation_peak([]) is None


def test_profiles_are_of_pairs_and_of_inputs_of_two_functions_too(cards):
    rows, found = cards
    two = overgeneralisation_profile(found, "functions", "2")
    assert [moment.n for moment in two] == [sum(row.tags["functions"] == 2 for row in rows)] * 3
    pairs = {row.case for row in rows}
    of_pairs = [overgeneralisation_profile(found, "case", pair) for pair in pairs]
    assert sum(moments[0].n for moments in of_pairs) == len(rows)
    assert {moments[0].by_rule for moments in of_pairs} == {1.0}
    assert overgeneralisation_profile(found, "functions", "17") == []
