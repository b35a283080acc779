import pytest
from hypothesis import given

from blicket.benchmarks.pcfg_set.interpretation import interpret
from blicket.benchmarks.pcfg_set.unrolling import filled, unrolled
from blicket.core.errors import Refusal

from .conftest import functions_of, lines
from .test_interpretation import INPUTS


def test_the_released_sample(reference):
    calls, seen = [], 0
    for line in lines(reference / "localism/unrolled_sample.tsv"):
        kind, source, _ = line.split("\t")
        if kind == "unrolled":
            calls.append(source.strip())
            continue
        assert unrolled(source) == calls
        calls, seen = [], seen + 1
    assert seen > 50


def test_an_example():
    assert unrolled("echo append C1 , prepend B1 , A1") == ["prepend B1 , A1", "append C1 , *1", "echo *2"]
    assert filled("append C1 , *2", ["A1", "B1 B2"]) == "append C1 , B1 B2"


@given(INPUTS)
def test_the_last_answer_is_the_meaning_of_the_whole(text):
    answers = []
    for call in unrolled(text):
        answers.append(interpret(filled(call, answers)))
    assert len(answers) == len(functions_of(text.split()))
    if answers:
        assert answers[-1] == interpret(text)


def test_what_is_no_input_cannot_be_unrolled():
    with pytest.raises(Refusal):
        unrolled("append A1")
