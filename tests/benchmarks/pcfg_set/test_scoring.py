"""Verdicts, and the scores of the authors' own predictions."""

import pytest

from blicket.core.errors import FormError
from blicket.core.scoring import score
from blicket.core.verdict import Outcome

from .conftest import lines


@pytest.fixture
def judge(pcfg_set):
    return pcfg_set.judge("symbols")


@pytest.mark.parametrize(
    ("prediction", "exact", "outcome"),
    [
        ("A1 B2", True, "correct"),
        (" A1  B2 ", True, "correct"),
        ("A1", False, "incorrect"),
        ("B2 A1", False, "incorrect"),
        ("A1 B2 B2", False, "incorrect"),
        ("", False, "unparseable"),
        ("A1 ,", False, "unparseable"),
        ("copy A1 B2", False, "unparseable"),
        ("A1 B2 <unk>", False, "unparseable"),
    ],
)
def test_verdicts(judge, prediction, exact, outcome):
    verdict = judge.verdict(("copy A1 B2",), "A1 B2", prediction)
    assert (verdict.exact, verdict.outcome) == (exact, Outcome(outcome))


@pytest.mark.parametrize(
    ("source", "target", "prediction", "marked"),
    [
        ("reverse echo A1 B2", "A1 B2 B2", "B2 B2  A1", True),
        ("reverse echo A1 B2", "A1 B2 B2", "A1 B2 B2", False),
        ("reverse echo A1 B2", "A1 B2 B2", "A1", False),
        ("reverse echo A1 B2", "A1 B2 B2", "", False),
        ("copy A1 B2", "A1 B2", "B2", False),
        ("copy", "A1 B2", "B2", False),
    ],
)
def test_what_the_rules_give_in_place_of_an_exception(judge, source, target, prediction, marked):
    assert judge.verdict((source,), target, prediction).marks == ({"overgeneralised"} if marked else set())


def test_released_exceptions_answered_by_the_rules(pcfg_set, reference, tmp_path):
    stem = "overgeneralisation/test_pcfg_ratio=0.001_"
    columns = [lines(reference / f"{stem}{of}") for of in ("exception.src", "exception.tgt", "original.tgt")]
    rows = ["\t".join(row) for row in zip(*columns, strict=True)]
    (tmp_path / "p.tsv").write_text("\n".join(["source\ttarget\tprediction", *rows, ""]))
    card = score(pcfg_set, [tmp_path / "p.tsv"], "symbols").as_dict()
    agreeing = sum(exception == rule for _, exception, rule in zip(*columns, strict=True))
    assert card["overgeneralised"] == 1 - agreeing / 125
    assert card["by"]["functions"]["2"]["n"] == 66  # those of the published curves


def test_targets_are_strings_of_symbols(judge):
    judge.check("A1 B2")
    with pytest.raises(FormError, match="empty"):
        judge.check(" ")
    with pytest.raises(FormError, match="token 1: 'copy' is no symbol"):
        judge.check("A1 copy")


def test_the_first_transformer_on_the_task(pcfg_set, reference):
    card = score(pcfg_set, [reference / "predictions/transformer_task_run1.tsv"], "symbols").as_dict()
    assert (card["n"], round(card["exact"] * card["n"])) == (9721, 8817)
    for kind in ("functions", "depth", "length"):
        groups = card["by"][kind].values()
        assert sum(group["n"] for group in groups) == 9721
        assert round(sum(group["n"] * group["exact"] for group in groups)) == 8817
    assert max(map(int, card["by"]["functions"])) == 28
    assert card["by"]["functions"]["1"]["exact"] == 153 / 154


def test_the_first_transformer_and_synonyms(pcfg_set, reference):
    plain, twin = (reference / f"predictions/transformer_substitutivity_equal_run1{of}.tsv" for of in ("", "_synonym"))
    card = score(pcfg_set, [plain], "symbols", twins=[twin]).as_dict()
    assert card["n"] == 10_000
    assert card["exact"] == 0.8904
    assert card["twin_exact"] == 0.8897
    assert card["consistency"] == 0.9790
    assert card["both_correct"] == 0.8877
    assert card["consistent_wrong"] == pytest.approx(0.9790 - 0.8877)
    assert score(pcfg_set, [twin], "symbols").as_dict()["exact"] == 0.8897
    group = card["by"]["functions"]["9"]
    assert group["both_correct"] <= group["consistency"] < 1
