"""Verdicts are values, and a judge says what it can find."""

from dataclasses import FrozenInstanceError

import pytest

from blicket.core.verdict import Judge, Outcome, Verdict


class Echo(Judge):
    def verdict(self, inputs, target, prediction):
        return Verdict(Outcome.CORRECT if target == prediction else Outcome.INCORRECT, target == prediction)


def test_there_are_four_outcomes():
    assert [str(outcome) for outcome in Outcome] == ["correct", "incorrect", "unparseable", "undecided"]


def test_a_verdict_says_nothing_more_than_it_was_told():
    verdict = Verdict(Outcome.UNDECIDED, exact=False)
    assert verdict.marks == frozenset()
    assert dict(verdict.measures) == {}
    with pytest.raises(FrozenInstanceError):
        verdict.exact = True


def test_verdicts_are_compared_by_what_they_say():
    one, two = (Verdict(Outcome.CORRECT, True, frozenset({"m"}), {"d": 0.0}) for _ in range(2))
    assert one == two
    assert one != Verdict(Outcome.CORRECT, True, frozenset({"m"}), {"d": 1.0})
    assert Verdict(Outcome.CORRECT, False).measures is not Verdict(Outcome.CORRECT, False).measures


def test_a_missing_prediction_is_incorrect_and_nothing_else():
    missing = Verdict.missing()
    assert missing == Verdict(Outcome.INCORRECT, exact=False)
    assert missing.marks == frozenset()
    assert dict(missing.measures) == {}


def test_a_judge_is_an_interface():
    with pytest.raises(TypeError, match="abstract"):
        Judge()


def test_a_judge_without_syntax_takes_any_gold():
    judge = Echo()
    assert judge.check("(((") is None
    assert (judge.marks, judge.measures) == ((), ())
    assert judge.verdict(("x",), "y", "y").exact
