import pytest
from hypothesis import given

from blicket.benchmarks.pcfg_set.structure import Structure, first_pair, has_word, structure
from blicket.core.errors import Refusal

from .conftest import functions_of, measured
from .test_interpretation import INPUTS, REFUSED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A1", Structure(0, 0, 1)),
        ("copy A1 B1", Structure(1, 1, 3)),
        ("append copy copy A1 , B1", Structure(3, 3, 6)),
        ("append B1 , copy copy A1", Structure(3, 3, 6)),
        ("append_twin B1 , A1", Structure(1, 1, 4)),
    ],
)
def test_structure(text, expected):
    assert structure(text.split()) == expected


@given(INPUTS)
def test_it_agrees_with_another_reader(text):
    words = text.split()
    assert structure(words) == Structure(len(functions_of(words)), measured(words)[0], len(words))


@pytest.mark.parametrize("text", [text for text, _, _ in REFUSED])
def test_what_is_no_input_has_none(text):
    with pytest.raises(Refusal):
        structure(text.split(" ") if text else [])


def test_words_are_whole():
    assert has_word("append repeat A1", "repeat")
    assert not has_word("prepend repeat_twin A1 , B1", "append")
    assert not has_word("prepend repeat_twin A1 , B1", "repeat")
    pairs = ("copy copy", "append repeat")
    assert first_pair("append repeat copy copy A1 , B1", pairs) == "copy copy"
    assert first_pair("append copy repeat A1 , B1", pairs) is None
