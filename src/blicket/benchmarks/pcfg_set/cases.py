"""The tests of PCFG SET, their splits, and the cases that results are told apart by: what each row was chosen for."""

from collections.abc import Mapping
from itertools import product

from blicket.benchmarks.pcfg_set.functions import FUNCTIONS
from blicket.core.benchmark import Case
from blicket.core.example import Role

__all__ = ["EXCEPTIONS", "OTHER_CASES", "PAIRS", "ROLES", "SYNONYMS", "TESTS", "case", "cases", "kind_of"]

PAIRS = ("swap_first_last repeat", "repeat remove_second", "append remove_second", "append swap_first_last")
"""Pairs of functions that training does not show side by side in the test of systematicity."""
SYNONYMS = ("swap_first_last", "repeat", "append", "remove_second")
"""Functions that get a synonym in the test of substitutivity."""
EXCEPTIONS = {
    "reverse echo": "echo copy",
    "prepend remove_first": "remove_second append",
    "echo remove_first": "append copy",
    "prepend reverse": "remove_second echo",
}
"""Pairs of functions that mean another pair in the test of overgeneralisation, in the order of their priority."""

TESTS: Mapping[str, str] = {
    "systematicity": "Pair of functions that training never shows side by side",
    "productivity": "More functions than in training",
    "substitutivity": "Function that has a synonym",
    "localism": "Input that can be unrolled",
    "overgeneralisation": "Pair of functions that is an exception",
    "functions": "Single function",
    "lengths": "Single function on strings of any length",
}

ROLES: Mapping[str, Role] = {
    "train": Role.TRAIN,
    "dev": Role.DEV,
    "test": Role.TEST,
    "systematicity_train": Role.TRAIN,
    "systematicity_dev": Role.DEV,
    "systematicity_test": Role.GENERALIZATION,
    "productivity_train": Role.TRAIN,
    "productivity_dev": Role.DEV,
    "productivity_test": Role.GENERALIZATION,
    "substitutivity_equal_train": Role.TRAIN,
    "substitutivity_primitive_train": Role.TRAIN,
    "substitutivity_test": Role.PROBE,
    "substitutivity_twin": Role.PROBE,
    "localism_test": Role.PROBE,
    "localism_unrolled": Role.PROBE,
    "overgeneralisation_train": Role.TRAIN,
    "overgeneralisation_dev": Role.DEV,
    "overgeneralisation_exceptions": Role.PROBE,
    "functions": Role.PROBE,
    "lengths": Role.PROBE,
}


def case(test: str, what: str = "") -> str:
    """The name of a case, such as `systematicity:append repeat`."""
    return f"{test}:{what}" if what else test


def kind_of(name: str) -> str:
    """The test that a case belongs to."""
    return name.partition(":")[0]


def cases() -> dict[str, Case]:
    """The cases of the released tests."""
    found = {
        "systematicity": PAIRS,
        "productivity": ("",),
        "substitutivity": SYNONYMS,
        "localism": ("",),
        "overgeneralisation": tuple(EXCEPTIONS),
        "functions": FUNCTIONS,
        "lengths": FUNCTIONS,
    }
    return {
        case(test, what): Case(case(test, what), f"{TESTS[test]}: {what}" if what else TESTS[test], test)
        for test, names in found.items()
        for what in names
    }


def _possible() -> frozenset[str]:
    pairs = [" ".join(pair) for pair in product(FUNCTIONS, repeat=2)]
    of_pairs = {case(test, pair) for test in ("systematicity", "overgeneralisation") for pair in pairs}
    return frozenset(of_pairs | {case("substitutivity", function) for function in FUNCTIONS})


OTHER_CASES = _possible() - cases().keys()
"""The cases of other choices of pairs and synonyms than the released ones."""
