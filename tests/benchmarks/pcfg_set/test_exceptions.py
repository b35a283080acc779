import pytest

from blicket.benchmarks.pcfg_set.cases import EXCEPTIONS
from blicket.benchmarks.pcfg_set.exceptions import exceptional_meaning, rewritten
from blicket.benchmarks.pcfg_set.interpretation import interpret

from .conftest import lines


def test_every_released_exception(reference):
    stem = reference / "overgeneralisation/test_pcfg_ratio=0.001_"
    sources, exceptions, rules = (lines(stem.with_name(f"{stem.name}{of}")) for of in
                                  ("exception.src", "exception.tgt", "original.tgt"))  # fmt: skip
    assert [exceptional_meaning(text, EXCEPTIONS) for text in sources] == exceptions
    assert [interpret(text) for text in sources] == rules
    assert len(sources) == 125


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reverse echo A1 B1", "echo copy A1 B1"),
        ("prepend remove_first A1 , B1 , C1", "remove_second append A1 , B1 , C1"),
        ("echo remove_first A1 , B1", "append copy A1 , B1"),
        ("prepend reverse A1 , B1", "remove_second echo A1 , B1"),
        # In the order of priority and not from the left: `reverse echo` goes before the `prepend reverse` around it.
        ("prepend reverse echo A1 , B1", "prepend echo copy A1 , B1"),
        # What was rewritten stays so, even where it makes up another pair.
        ("reverse reverse echo A1", "reverse echo copy A1"),
        ("prepend echo remove_first A1 , B1 , C1", "prepend append copy A1 , B1 , C1"),
        ("copy reverse A1", "copy reverse A1"),
        ("reverse_twin echo A1", "reverse_twin echo A1"),
    ],
)
def test_rewriting(text, expected):
    assert rewritten(text, EXCEPTIONS) == expected


def test_half_of_a_pair_that_was_rewritten_is_no_part_of_another():
    exceptions = {"copy reverse": "copy echo", "echo repeat": "echo shift", "shift copy": "shift shift"}
    assert rewritten("copy reverse repeat A1", exceptions) == "copy echo repeat A1"
    assert rewritten("shift copy reverse A1", exceptions) == "shift copy echo A1"
