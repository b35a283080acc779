"""Findings of several seeds as one."""

import pytest

from blicket.core.probe import Finding, OverBlocks, over_seeds


def finding(mean, deviation, n=10, missing=0):
    return Finding("p", "A probe", n, missing, 0, {"all": {"all": OverBlocks(n, 2, mean, deviation)}})


def test_one_seed_is_as_it_was():
    assert over_seeds({"a": finding(0.75, 0.1, missing=3)}) == {
        "title": "A probe",
        "files": ["a"],
        "n": [10],
        "missing": [3],
        "unknown": [0],
        "by": {"all": {"all": {"n": 10, "blocks": 2, "mean": 0.75, "sd": 0.1}}},
    }


def test_several_seeds_have_a_mean_and_two_deviations():
    said = over_seeds({"a": finding(0.5, 0.1), "b": finding(1.0, 0.3, n=20)})["by"]["all"]["all"]
    assert (said["n"], said["mean"], said["sd"]) == (15, 0.75, pytest.approx(0.2))
    assert said["sd_over_seeds"] == pytest.approx(0.125**0.5)
    assert [seed["mean"] for seed in said["seeds"]] == [0.5, 1.0]


def test_groups_that_one_seed_lacks_are_of_the_others():
    more = Finding("p", "A probe", 1, 0, 0, {"all": {"rare": OverBlocks(1, 1, 0.0, None)}}, {"rare": {"M": 0.5}})
    said = over_seeds({"a": more, "b": finding(0.5, None), "c": finding(1.0, None)})
    assert said["by"]["all"]["rare"] == {"n": 1, "blocks": 1, "mean": 0.0, "sd": None}
    assert said["by"]["all"]["all"]["sd"] is None
    assert said["published"] == {"rare": {"M": 0.5}}


def test_what_did_not_fit_is_counted():
    assert Finding("p", "A probe", 1000, 0, 0, {}).remarks() == []
    assert Finding("p", "A probe", 1000, 3, 2, {}).remarks() == [
        "p: 3 of 1,000 items have no answer, counted as incorrect",
        "p: 2 answers are to items that are not there, left out",
    ]
