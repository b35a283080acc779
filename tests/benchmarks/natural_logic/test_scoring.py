import pytest

from blicket import FormError, Outcome
from blicket.benchmarks.natural_logic.scoring import RelationJudge

PAIR = ("all N1.1 V1.1", "all N1.1 V1.1")


@pytest.mark.parametrize(
    ("prediction", "outcome", "exact"),
    [
        ("v", Outcome.CORRECT, True),
        (" v\n", Outcome.CORRECT, True),
        ("#", Outcome.INCORRECT, False),
        ("V", Outcome.UNPARSEABLE, False),
        ("cover", Outcome.UNPARSEABLE, False),
        ("", Outcome.UNPARSEABLE, False),
        ("v v", Outcome.UNPARSEABLE, False),
    ],
)
def test_verdicts(prediction, outcome, exact):
    verdict = RelationJudge().verdict(PAIR, "v", prediction)
    assert (verdict.outcome, verdict.exact) == (outcome, exact)


def test_gold_is_checked():
    RelationJudge().check("^")
    with pytest.raises(FormError, match=r"'neutral'; expected one of = < > \^ \| v #"):
        RelationJudge().check("neutral")
