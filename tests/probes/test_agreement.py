"""Two answers to one question, on a toy: sums of digits, such as `( 1 + 2 ) + 3`, to be answered in digits."""

import pytest

from blicket import Answer, Judge, ListedRows, Outcome, Produce, Respondent, Role, Split, Verdict
from blicket.probes import Agreement, Call, Localism, Substitutivity, asked


class Digits(Judge):
    def verdict(self, inputs, target, prediction):
        right = prediction == target
        return Verdict(Outcome.CORRECT if right else Outcome.INCORRECT, exact=right)


def split(name, *sums):
    rows = [(text,) for text in sums]
    targets = [str(eval(text)) for text in sums]
    return Split(name, Role.PROBE, ListedRows(rows, {"sum": targets}, ["short" if len(t) < 4 else "" for t in sums]))


def ask(example, inputs):
    return Produce(example, inputs, "sum")


def agreement(of):
    def groups(example):
        return {"length": str(len(example.inputs[0])), **({"case": example.case} if example.case else {})}

    return Agreement("a", "An agreement", of, Digits(), groups, {"consistency": {"M": 0.5}})


PLAIN, TWINS = split("plain", "1+2", "3+4", "1+1+1"), split("twins", "2+1", "4+3", "1+1+1")


def answers(plain, twins):
    """Answers by row; a dot is none."""
    both = (("plain", plain), ("twins", twins))
    return {f"{name}/{row}": Answer(said) for name, of in both for row, said in enumerate(of) if said != "."}


@pytest.fixture
def substitutivity():
    return Substitutivity(agreement(PLAIN), TWINS, ask)


def test_both_are_asked_at_once(substitutivity):
    wanted = [f"{name}/{row}" for name in ("plain", "twins") for row in range(3)]
    assert [request.example for request in substitutivity.requests({})] == wanted
    left = substitutivity.requests(answers("3..", ".7."))
    assert [request.example for request in left] == ["plain/1", "plain/2", "twins/0", "twins/2"]
    assert substitutivity.requests(answers("378", "378")) == []


@pytest.mark.parametrize(
    ("plain", "twins", "consistency", "both", "wrong", "exact", "twin_exact"),
    [
        ("373", "373", 3, 3, 0, 3, 3),
        ("379", "379", 3, 2, 1, 2, 2),
        ("333", "777", 0, 0, 0, 2, 1),
        ("3 3", "3 3", 2, 2, 0, 2, 2),  # nothing is no answer
        ("3.3", "3.3", 2, 2, 0, 2, 2),
    ],
)
def test_agreement_is_told_apart_from_being_right(
    substitutivity, plain, twins, consistency, both, wrong, exact, twin_exact
):
    found = substitutivity.finding(answers(plain, twins))
    said = {name: round(share.mean * 3) for name, share in found.by["measure"].items()}
    assert list(said.values()) == [consistency, both, wrong, exact, twin_exact]
    assert list(said) == ["consistency", "both_correct", "consistent_wrong", "exact", "twin_exact"]
    assert (found.n, found.missing) == (3, plain.count("."))


def test_consistency_is_by_group_too(substitutivity):
    found = substitutivity.finding(answers("378", "377"))
    assert {name: (share.n, share.mean) for name, share in found.by["length"].items()} == {"3": (2, 1.0), "5": (1, 0.0)}
    assert {name: share.n for name, share in found.by["case"].items()} == {"short": 2}
    assert found.beside == {"consistency": {"M": 0.5}}


def test_one_of_both_shows_nothing_and_strangers_are_counted(substitutivity):
    assert substitutivity.finding(answers("373", "...")) is None
    found = substitutivity.finding({**answers("373", "373"), "twins/17": Answer("1"), "other/1": Answer("1")})
    assert found.unknown == 1


def steps(text):
    """`1+2+3` is `1+2`, and then what that gives, `+3`."""
    first, *rest = text.split("+")
    if len(rest) == 1:
        return [Call(text, ())]
    return [Call(f"{first}+{rest[0]}", ()), *(Call(f"{{{i}}}+{d}", (i,)) for i, d in enumerate(rest[1:]))]


SUMS = split("sums", "1+2", "1+2+3", "1+2+3+4")


@pytest.fixture
def localism():
    return Localism(agreement(SUMS), "steps", steps, lambda text, said: text.format(*said), ask)


class Adder(Respondent):
    """Adds two digits; of more it takes the first two alone. A total of 6 it takes for 7."""

    name = "adder"

    def __init__(self):
        self.rounds = []

    def answer(self, requests):
        self.rounds.append([request.inputs[0] for request in requests])
        totals = [sum(map(int, request.inputs[0].split("+")[:2])) for request in requests]
        return [Answer("7" if total == 6 else str(total)) for total in totals]


def test_calls_are_asked_as_soon_as_their_arguments_are_known(localism):
    adder = Adder()
    list(asked([localism], adder))
    assert adder.rounds == [["1+2", "1+2+3", "1+2+3+4", "1+2", "1+2", "1+2"], ["3+3", "3+3"], ["7+4"]]


def test_localism_is_whether_the_whole_is_what_its_parts_come_to(localism):
    rounds = list(asked([localism], Adder()))
    said = {example: Answer(out) for r in rounds for example, out in zip(r.ids, r.outputs, strict=True)}
    found = localism.finding(said)
    measured = {name: share.mean * 3 for name, share in found.by["measure"].items()}
    assert measured["consistency"] == pytest.approx(1)  # 3 and 3; 3 and 7; 3 and 11
    assert measured["twin_exact"] == pytest.approx(1)
    assert found.missing == 0
    assert localism.requests(said) == []


def test_the_whole_alone_shows_nothing(localism):
    assert localism.finding({"sums/0": Answer("3")}) is None
    assert localism.finding({"sums/0": Answer("3"), "steps/0": Answer("3")}).missing == 2
    assert localism.finding({"steps/0": Answer("3"), "steps/99": Answer("3")}).unknown == 1
