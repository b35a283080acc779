from collections import Counter

import pytest


@pytest.fixture(scope="module")
def published(natural_logic):
    return natural_logic.published()


def find(published, **about):
    return [p for p in published if all(p.about.get(key) == value for key, value in about.items())]


def test_tables_3_to_7_are_whole(published):
    counted = Counter(result.table for result in published)
    assert counted == {"table-3": 8, "table-4": 27, "table-5": 28, "table-6": 28, "table-7": 28, "section-8.3": 5}


def test_values_are_shares_with_deviations(published):
    for result in published:
        assert 0 <= result.value <= 1
        assert result.sd is None or 0 <= result.sd < 0.4
        assert "ection 8" in result.where
    assert [r.about["model"] for r in published if r.sd is None] == ["infs"]


def test_cells_named_in_the_text(published):
    """Section 8.5: the best model on negation reversal is SATT with 66.92%."""
    negation = find(published, probe="consistency", condition="small", relation="^")
    assert max((result.value, result.about["model"]) for result in negation) == (0.6692, "satt")
    best = find(published, probe="holdout", condition="small", model="infs")
    assert [(result.value, result.sd) for result in best] == [(0.9602, 0.0051)]


def test_every_record_says_what_it_is_of(published, natural_logic):
    for result in published:
        assert result.about["probe"] in ("holdout", "identical", "consistency", "perturbation")
        assert result.about.get("relation", "#") in natural_logic.choices["relation"]
