"""Probes are asked round by round; what several want to know is asked once."""

from blicket import Answer, Produce, Respondent
from blicket.core.probe import Probe
from blicket.probes import asked


class Chain(Probe):
    """Asks a row after the other, as long as the answer is yes."""

    def __init__(self, name, length):
        self.name, self.length = name, length

    def requests(self, answers):
        row = 0
        while f"x/{row}" in answers:
            if answers[f"x/{row}"].output != "yes":
                return []
            row += 1
        return [Produce(f"x/{row}", (str(row),), "form")] if row < self.length else []

    def finding(self, answers):
        return None


class Agreeing(Respondent):
    name = "agreeing"

    def __init__(self, until):
        self.until, self.asked = until, []

    def answer(self, requests):
        self.asked += [request.example for request in requests]
        return [Answer("yes" if int(request.inputs[0]) < self.until else "no", (0.5,)) for request in requests]


def test_rounds_follow_from_answers():
    respondent = Agreeing(until=2)
    rounds = list(asked([Chain("short", 2), Chain("long", 9)], respondent))
    assert respondent.asked == ["x/0", "x/1", "x/2"]
    assert [(said.round, list(said.ids), list(said.outputs)) for said in rounds] == [
        (0, ["x/0"], ["yes"]),
        (1, ["x/1"], ["yes"]),
        (2, ["x/2"], ["no"]),
    ]
    assert {said.respondent for said in rounds} == {"agreeing"}
    assert [list(said.scores) for said in rounds] == [[(0.5,)]] * 3


def test_no_probes_no_questions():
    assert list(asked([], Agreeing(0))) == []


def test_what_is_known_is_not_asked_again_and_stands_in_its_round():
    respondent = Agreeing(until=2)
    rounds = list(asked([Chain("chain", 9)], respondent, known={"x/1": Answer("yes"), "y/7": Answer("no")}))
    assert respondent.asked == ["x/0", "x/2"]
    assert [(said.round, list(said.ids), list(said.outputs)) for said in rounds] == [
        (0, ["x/0"], ["yes"]),
        (1, ["x/1"], ["yes"]),
        (2, ["x/2"], ["no"]),
    ]
