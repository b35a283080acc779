"""The meaning of every input, and refusals of everything else, with the word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blicket.benchmarks.pcfg_set.interpretation import interpret, meaning
from blicket.core.errors import Refusal

from .conftest import BINARY, UNARY, evaluated, lines

SYMBOLS = st.sampled_from(["A1", "B2", "C20", "Z20", "Q7", "M400"])
STRINGS = st.lists(SYMBOLS, min_size=1, max_size=6).map(" ".join)
TWINS = [f"{name}_twin" for name in (*UNARY, *BINARY)]
INPUTS = st.recursive(
    STRINGS,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from([*UNARY, *TWINS[:6]]), inner).map(" ".join),
        st.tuples(st.sampled_from([*BINARY, *TWINS[6:]]), inner, inner).map(lambda t: f"{t[0]} {t[1]} , {t[2]}"),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("copy A1 B2 C3", "A1 B2 C3"),
        ("reverse A1 B2 C3", "C3 B2 A1"),
        ("shift A1 B2 C3", "B2 C3 A1"),
        ("echo A1 B2 C3", "A1 B2 C3 C3"),
        ("swap_first_last A1 B2 C3", "C3 B2 A1"),
        ("swap_first_last A1 B2 C3 D4", "D4 B2 C3 A1"),
        ("repeat A1 B2", "A1 B2 A1 B2"),
        ("append A1 B2 , C3", "A1 B2 C3"),
        ("prepend A1 B2 , C3", "C3 A1 B2"),
        ("remove_first A1 B2 , C3", "C3"),
        ("remove_second A1 B2 , C3", "A1 B2"),
        *((f"{name} A1", "A1") for name in ("copy", "reverse", "shift", "swap_first_last")),
        ("A1 B2", "A1 B2"),
        ("repeat_twin append_twin A1 , B1", "A1 B1 A1 B1"),
        ("append A1 , append B1 , C1", "A1 B1 C1"),
        ("prepend prepend A1 , B1 , C1", "C1 B1 A1"),
        ("echo append C1 , prepend B1 , A1", "C1 A1 B1 B1"),
        ("swap_first_last shift reverse copy M2 H16 K3 Z20", "Z20 H16 M2 K3"),
    ],
)
def test_meanings(text, expected):
    assert interpret(text) == expected


def test_the_released_dev_set(released):
    right = sum(interpret(text) == target for text, target in released["dev"])
    assert (right, len(released["dev"])) == (4860, 4860)


def test_every_other_released_pair(released, reference):
    assert sum(interpret(text) == target for text, target in released["test"]) == 9721
    for name in ("equal_run1", "equal_run1_synonym"):
        rows = lines(reference / f"predictions/transformer_substitutivity_{name}.tsv")[1:]
        assert all(interpret(row.split("\t")[0]) == row.split("\t")[1] for row in rows)


@given(INPUTS)
def test_it_agrees_with_another_reader(text):
    assert interpret(text) == " ".join(evaluated(text.split()))


@given(INPUTS, st.data())
def test_a_damaged_input_is_refused_or_still_is_one(text, data):
    words = text.split()
    at = data.draw(st.integers(0, len(words) - 1))
    change = data.draw(st.sampled_from([[], [","], ["copy"], ["append"], ["A1"], [words[at]] * 2]))
    words[at : at + 1] = change
    try:
        expected = " ".join(evaluated(words))
    except (AssertionError, IndexError):
        with pytest.raises(Refusal) as refused:
            interpret(" ".join(words))
        assert 1 <= refused.value.word <= max(1, len(words))
    else:
        assert interpret(" ".join(words)) == expected


def test_depth_and_length_do_not_matter():
    deep = "copy " * 200_000 + "A1"
    assert interpret(deep) == "A1"
    wide = "append A1 , " * 200 + "B1"
    assert interpret(wide) == " ".join(["A1"] * 200 + ["B1"])


def test_what_is_thrown_away_may_be_of_any_size():
    huge = "repeat " * 90 + "A1"
    assert interpret(f"remove_first append {huge} , {huge} , B1 C1") == "B1 C1"
    for text in (huge, f"append A1 , {huge}", f"prepend A1 , {huge}", f"swap_first_last shift echo reverse {huge}"):
        with pytest.raises(Refusal, match=r"more than 10,000,000 symbols"):
            interpret(text)


REFUSED = [
    ("", 1, "the line is empty"),
    ("revers A1", 1, "there is no function 'revers'; did you mean 'reverse'"),
    ("copy xyzzy A1", 2, "there is no function 'xyzzy'; there is copy, reverse"),
    ("append A1 B1", 3, "a comma and the second argument of 'append' (word 1) are missing"),
    ("append A1 reverse B1", 3, "'reverse' follows 'A1'; a comma is missing before the second argument of 'append'"),
    ("append copy A1 copy B1", 4, "a comma is missing before the second argument of 'append' (word 1)"),
    ("append append A1 , B1", 5, "a comma and the second argument of 'append' (word 1) are missing"),
    ("copy A1 , B2", 3, "too many arguments: 'copy' (word 1) takes one argument"),
    ("append A1 , B1 , C1", 5, "too many arguments: 'append' (word 1) takes two arguments"),
    ("copy append A1 , B1 , C1", 6, "too many arguments: 'append' (word 2) takes two arguments"),
    ("A1 , B1", 2, "too many arguments: there is no function"),
    ("copy A1 copy", 3, "'copy' follows 'A1', where the input is complete; too many arguments"),
    ("copy", 1, "the input ends too early: the argument of 'copy' (word 1) is missing"),
    ("repeat append", 2, "the first argument of 'append' (word 2) is missing"),
    ("append A1 ,", 3, "the second argument of 'append' (word 1) is missing"),
    ("append append A1 , B1 , ", 6, "a space follows ',', where the line should end"),
    ("append A1 , , B1", 4, "the second argument of 'append' (word 1) is missing before the comma"),
    ("append , B1", 2, "the first argument of 'append' (word 1) is missing before the comma"),
    (",", 1, "a string is missing before the comma"),
    ("copy AA1", 2, "'AA1' is no symbol"),
    ("copy A01", 2, "'A01' is no symbol"),
    ("copy 7", 2, "'7' is no symbol"),
    ("copy a1", 2, "there is no function 'a1'"),
    ("copy  A1", 1, "'copy' is followed by 2 spaces"),
    (" copy A1", 1, "a space stands before 'copy'"),
    ("copy\tA1", 1, "'copy' is followed by a tab"),
    ("append A1, B1", 2, "'A1,' is no symbol"),
]


@pytest.mark.parametrize(("text", "word", "says"), REFUSED)
def test_refusals_say_where_and_why(text, word, says):
    with pytest.raises(Refusal) as refused:
        interpret(text)
    assert refused.value.word == word
    assert str(refused.value).startswith(f"word {word}: ")
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_words_that_are_no_input_have_no_meaning():
    assert meaning([]) is None
    assert meaning(["copy"]) is None
    assert meaning(["copy", "A1"]) == ["A1"]
