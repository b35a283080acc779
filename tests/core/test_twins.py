import pytest

from blicket.core.errors import InputError
from blicket.core.predictions import Gold
from blicket.core.twins import TWIN_MARKS, beside_twins, check_twins
from blicket.core.verdict import Outcome, Verdict

RIGHT, WRONG = Verdict(Outcome.CORRECT, exact=True), Verdict(Outcome.INCORRECT, exact=False, marks=frozenset({"own"}))


@pytest.mark.parametrize(
    ("verdict", "said", "twin", "also", "marks"),
    [
        (RIGHT, "A1", RIGHT, "A1", {"consistency", "both_correct", "twin_exact"}),
        (WRONG, "B1", WRONG, " B1 ", {"consistency", "consistent_wrong"}),
        (RIGHT, "A1", WRONG, "B1", set()),
        (WRONG, "B1", RIGHT, "A1", {"twin_exact"}),
        (WRONG, "", WRONG, "", set()),
        (WRONG, " ", WRONG, " ", set()),
        (WRONG, None, WRONG, None, set()),
        (WRONG, "B1", WRONG, None, set()),
    ],
)
def test_what_holds_of_an_answer_and_its_twin(verdict, said, twin, also, marks):
    (found,) = beside_twins([verdict], [said], [twin], [also])
    assert found.marks - {"own"} == marks <= set(TWIN_MARKS)
    assert (found.exact, found.marks & {"own"}) == (verdict.exact, verdict.marks)


def gold(*targets, where=""):
    return [Gold(None, ("copy",), target, "", where=where) for target in targets]


def test_twins_pair_by_position():
    check_twins(gold("A1", "B1"), gold("A1", " B1"))
    with pytest.raises(InputError, match=r"q.tsv, line 2: 1 rows, expected 2: twins pair by position"):
        check_twins(gold("A1", "B1"), gold("A1", where="q.tsv, line 2"))
    with pytest.raises(InputError, match=r"q.tsv, line 2: has another target than p.tsv, line 2"):
        check_twins(gold("A1", where="p.tsv, line 2"), gold("B1", where="q.tsv, line 2"))
