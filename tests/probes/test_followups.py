"""Items that follow from others, on a toy: rows of letters in two blocks, to be answered in capitals."""

import numpy as np
import pytest

from blicket import Answer, Judge, ListedRows, Outcome, Produce, Role, Split, Verdict
from blicket.probes import Beginning, FollowUps, Groups


class Capitals(Judge):
    def verdict(self, inputs, target, prediction):
        return Verdict(Outcome.CORRECT if prediction == target else Outcome.INCORRECT, exact=prediction == target)


def split(name, letters):
    rows = ListedRows([(letter,) for letter in letters], {"capital": [letter.upper() for letter in letters]}, [""] * 9)
    return Split(name, Role.PROBE, rows)


BASE, ITEMS = split("base", "abcd"), split("items", "efghij")


def ask(example, inputs):
    return Produce(example, inputs, "capital")


@pytest.fixture
def probe():
    """Items 0 to 2 are in block 7, the others in block 9; they follow from rows 0 0 1 2 3 3."""
    groups = {"vowel": Groups(np.array([0, 1, 1, 1, 0, 1]), ["vowel", "consonant", "none"])}
    after = Beginning(BASE, np.array([0, 0, 1, 2, 3, 3]))
    return FollowUps("p", "A probe", ITEMS, np.array([7, 7, 7, 9, 9, 9]), groups, Capitals(), ask, after)


def answers(base, items=""):
    """Answers by row; a dot is none."""
    return {
        f"{name}/{row}": Answer(letter)
        for name, letters in (("base", base), ("items", items))
        for row, letter in enumerate(letters)
        if letter != "."
    }


def test_first_what_the_items_follow_from_is_asked(probe):
    assert probe.requests({}) == [ask(f"base/{row}", (letter,)) for row, letter in enumerate("abcd")]
    assert [request.example for request in probe.requests(answers("A.C"))] == ["base/1", "base/3"]


def test_then_items_that_follow_from_correct_answers(probe):
    assert probe.requests(answers("AxCx")) == [ask("items/0", ("e",)), ask("items/1", ("f",)), ask("items/3", ("h",))]
    assert [request.example for request in probe.requests(answers("AxCx", "E"))] == ["items/1", "items/3"]


def test_until_all_is_known(probe):
    assert probe.requests(answers("AxCx", "Ex.y")) == []
    assert probe.requests(answers("xxxx")) == []


def test_means_and_deviations_are_over_blocks(probe):
    found = probe.finding(answers("ABCx", "EFxH"))
    vowel, consonant = found.by["vowel"]["vowel"], found.by["vowel"]["consonant"]
    assert (found.name, found.n, found.missing, found.unknown) == ("p", 4, 0, 0)
    assert (vowel.n, vowel.blocks, vowel.mean, vowel.deviation) == (1, 1, 1.0, None)
    assert (consonant.n, consonant.blocks, consonant.mean) == (3, 2, 0.75)  # one of two, and one of one
    assert consonant.deviation == pytest.approx(0.125**0.5)
    assert set(found.by["vowel"]) == {"vowel", "consonant"}


def test_what_has_no_answer_is_wrong_and_counted(probe):
    found = probe.finding(answers("ABCx", "E"))
    assert (found.n, found.missing) == (4, 3)
    assert found.by["vowel"]["consonant"].mean == 0


def test_answers_to_items_that_need_not_be_asked_do_not_count(probe):
    """A file may have answers to everything."""
    assert probe.finding(answers("AxCx", "EFGHIJ")).n == 3


def test_answers_to_no_item_are_counted(probe):
    assert probe.finding(answers("ABCx", "EFxHIJKL")).unknown == 2


def test_nothing_is_found_where_nothing_was_asked(probe):
    assert probe.finding(answers("ABCD")) is None
    assert probe.finding(answers("xxxx", "EFGHIJ")) is None


def test_items_that_follow_from_nothing_are_all_asked():
    probe = FollowUps("p", "A probe", ITEMS, np.zeros(6, int), {}, Capitals(), ask)
    assert len(probe.requests({})) == 6
    assert probe.finding(answers("", "EFGHIj")).n == 6
