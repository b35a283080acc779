import pytest

from blicket.benchmarks.pcfg_set.corpus import Writer
from blicket.benchmarks.pcfg_set.distribution import plain_shapes
from blicket.benchmarks.pcfg_set.shapes import FIRST_STATE, UNARY, Shapes, string
from blicket.benchmarks.pcfg_set.strings import Strings
from blicket.benchmarks.pcfg_set.structure import structure
from blicket.core.errors import Exhausted
from blicket.core.randomness import Stream

from .conftest import evaluated, measured


def writer(symbols=520, *, distinct=True):
    return Writer(symbols, Strings(symbols, Stream(1, "strings"), distinct=distinct))


def test_inputs_have_their_meanings_and_structures():
    corpus = writer().distinct(plain_shapes({2: 1, 3: 1}), 500, Stream(1, "inputs"))
    assert len(corpus) == len(set(corpus.inputs)) == 500
    for text, meaning, parts in zip(corpus.inputs, corpus.meanings, corpus.structures, strict=True):
        assert meaning.split() == list(evaluated(text.split()))
        assert parts == structure(text.split())


def test_calls_have_strings_of_the_lengths_that_are_given():
    corpus = writer().calls("append", [1, 2, 3, 4])
    assert [[len(s.split()) for s in measured(text.split())[1]] for text in corpus.inputs] == [[1, 2], [3, 4]]
    assert [text.split()[0] for text in writer().calls("echo", [1, 2]).inputs] == ["echo", "echo"]
    assert len(writer().calls("echo", [])) == 0


def test_a_language_runs_out_of_inputs():
    two = Shapes([[((string(1),), 1), ((UNARY, FIRST_STATE + 1), 1)], [((string(1),), 1)]], {0: 1})
    with pytest.raises(Exhausted, match="inputs: found 7 distinct sentences of the 8 wanted"):
        writer(1, distinct=False).distinct(two, 8, Stream(1, "inputs"))


def test_inputs_have_at_most_so_many_functions_as_in_the_release():
    endless = Shapes([[((UNARY, FIRST_STATE), 40), ((string(2),), 1)]], {0: 1})
    assert max(parts.functions for parts in writer().distinct(endless, 300, Stream(1, "x")).structures) == 35


def test_what_is_too_long_to_be_written_is_left_out():
    longest = Shapes(
        [[((UNARY,) * 3 + (FIRST_STATE + 1,), 1)], [((UNARY,) * 3 + (FIRST_STATE + 2,), 1)], [((string(2),), 1)]],
        {0: 1},
    )
    corpus = writer().distinct(longest, 20, Stream(1, "x"))
    assert all(corpus.meanings)
