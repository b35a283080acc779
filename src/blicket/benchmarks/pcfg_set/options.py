"""The options of PCFG SET; the defaults are those of the release."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from blicket.benchmarks.pcfg_set.cases import EXCEPTIONS, PAIRS, SYNONYMS, TESTS
from blicket.benchmarks.pcfg_set.functions import FUNCTIONS, RELEASED_SYMBOLS, arity
from blicket.core import options
from blicket.core.errors import did_you_mean

__all__ = ["COMPAT", "PcfgSetOptions", "parsed"]

COMPAT = {
    "unfiltered-dev": "one dev set for every test, which also holds what the test keeps from training: of the 4,860 "
    "released rows 521 have a pair of functions that systematicity holds out, 611 more functions than productivity has",
    "two-function-exceptions": "overgeneralisation is measured on exceptions of exactly two functions alone, as in the "
    "published curves: on 5, 32, 66 and 253 of the 9, 59, 125 and 554 released ones",
}
"""The flaws of the release that can be asked for."""

Count = Annotated[int, Field(ge=0, le=100_000_000)]
Length = Annotated[int, Field(ge=1, le=50)]


class PcfgSetOptions(options.Options):
    """How many of what, in which words, and how each test is made."""

    train: Count = 82_622
    dev: Count = 4_860
    test: Count = 9_721
    naturalise: bool = True
    """Whether lengths and depths are distributed as in the released dev set, and not as the plain grammar has them."""
    symbols: Annotated[int, Field(ge=1, le=1_000_000)] = RELEASED_SYMBOLS
    strings: tuple[Length, Length] = (2, 5)
    """The lengths of string arguments."""
    distinct_strings: bool = True
    """Whether no string argument may stand twice in the data; a small alphabet runs out of them."""
    tests: tuple[str, ...] = tuple(TESTS)
    pairs: tuple[str, ...] = PAIRS
    trained_functions: Annotated[int, Field(ge=1)] = 8
    """The functions of the longest input in training, in the test of productivity."""
    synonyms: tuple[str, ...] = SYNONYMS
    twin_rows: Count = 2_500
    """Test rows a synonym."""
    twin_primitives: Count = 83
    """Training rows a synonym in which it is the only function, in the primitive condition."""
    exceptions: dict[str, str] = EXCEPTIONS
    """By priority: the rows that hold a pair mean what they would with the other pair."""
    ratios: tuple[Annotated[int, Field(ge=1, le=10_000)], ...] = (1, 5, 10, 50)
    """Exceptions in ten thousand occurrences of the rarer function of a pair; a train set each."""
    regular_pairs: bool = False
    """Whether rows with a pair that are no exceptions stay in training, and mean what the rules say."""
    function_rows: Count = 100
    """Rows a function of the test of functions."""
    string_lengths: tuple[Length, Length] = (1, 10)
    """The lengths of strings in the test of lengths."""
    length_rows: Count = 20
    """Rows a function and length of the test of lengths."""
    compat: frozenset[str] = frozenset()

    @model_validator(mode="after")
    def _check(self) -> "PcfgSetOptions":
        for name, (shortest, longest) in (("strings", self.strings), ("string_lengths", self.string_lengths)):
            if shortest > longest:
                raise ValueError(f"{name}: {shortest} is longer than {longest}")
        _check_names("tests", "test", self.tests, TESTS)
        _check_names("synonyms", "function", self.synonyms, FUNCTIONS)
        _check_pairs("pairs", self.pairs)
        _check_pairs("exceptions", self.exceptions)
        for pair, other in self.exceptions.items():
            _check_pairs("exceptions", [other])
            if sum(map(arity, pair.split(" "))) != sum(map(arity, other.split(" "))):
                raise ValueError(f"exceptions: {pair!r} and {other!r} take different numbers of arguments")
        if len(set(self.ratios)) < len(self.ratios):
            raise ValueError("ratios: a number stands twice")
        return self


def parsed(settings: Mapping[str, Any]) -> PcfgSetOptions:
    """Options from settings; raises InputError with the first thing that is wrong."""
    return options.parsed(PcfgSetOptions, "pcfg-set", COMPAT, settings)


def _check_names(option: str, kind: str, names: tuple[str, ...], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{option}: there is no {kind} {name!r}{did_you_mean(name, known)}")
    if len(set(names)) < len(names):
        raise ValueError(f"{option}: a {kind} stands twice")


def _check_pairs(option: str, pairs: Iterable[str]) -> None:
    listed = list(pairs)
    for pair in listed:
        if len(pair.split(" ")) != 2:
            raise ValueError(f"{option}: expected two functions with a space between, got {pair!r}")
        for function in pair.split(" "):
            if function not in FUNCTIONS:
                raise ValueError(f"{option}: there is no function {function!r}{did_you_mean(function, FUNCTIONS)}")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{option}: a pair stands twice")
