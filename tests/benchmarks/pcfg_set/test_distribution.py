"""Generated inputs beside the released ones."""

from collections import Counter
from itertools import product

import pytest

from blicket.benchmarks.pcfg_set import distribution
from blicket.benchmarks.pcfg_set.distribution import (
    cells,
    plain_shapes,
    string_frequencies,
    strings_at_most,
)
from blicket.benchmarks.pcfg_set.shapes import BINARY, COMMA, END, UNARY, string
from blicket.core.randomness import Stream

from .conftest import functions_of, measured
from .test_shapes import split

MANY = {"train": 30_000, "dev": 0, "test": 0, "tests": []}


def distance(one, other):
    """The total variation distance of two counts."""
    a, b = sum(one.values()), sum(other.values())
    return sum(abs(one[key] / a - other[key] / b) for key in {*one, *other}) / 2


def summary(texts):
    """Counts of what inputs are made of."""
    counts = {name: Counter() for name in ("cells", "functions", "number", "strings", "arguments")}
    for text in texts:
        words = text.split()
        depth, strings = measured(words)
        counts["cells"][len(words), depth] += 1
        counts["functions"].update(functions_of(words))
        counts["number"][len(functions_of(words))] += 1
        counts["strings"].update(len(string.split()) for string in strings)
        counts["arguments"][len(strings)] += 1
    return counts


@pytest.fixture(scope="module")
def made(build):
    return summary(row[0] for row in build(**MANY)["train"])


@pytest.fixture(scope="module")
def dev(released):
    return summary(text for text, _ in released["dev"])


def test_the_table_is_the_released_dev_set(dev):
    assert {(length, depth): inputs for length, depth, inputs in cells()} == dev["cells"]
    assert string_frequencies(2, 5) == dev["strings"]


def test_lengths_and_depths_are_those_of_the_release(made, dev):
    assert distance(made["cells"], dev["cells"]) < 0.04  # chance alone: .033


def test_another_released_set_is_hardly_farther_than_from_dev(made, dev, released):
    test = summary(text for text, _ in released["test"])
    assert distance(made["cells"], test["cells"]) < distance(dev["cells"], test["cells"]) + 0.015


@pytest.mark.parametrize(
    ("of", "most"), [("functions", 0.01), ("strings", 0.01), ("number", 0.05), ("arguments", 0.05)]
)
def test_what_was_not_fitted_by_a_table_is_close_too(made, dev, of, most):
    assert distance(made[of], dev[of]) < most


def test_the_ten_functions_are_about_uniform(made):
    shares = [n / sum(made["functions"].values()) for n in made["functions"].values()]
    assert len(shares) == 10
    assert 0.095 < min(shares) <= max(shares) < 0.105


def derivations(length, depth):
    """Every shape of a length and depth, one by one, with its weight in a million to the power of its length."""
    if depth == 0:
        if length in (1, 2):
            yield (string(length),), 10**6 * (3 if length == 1 else 1) // 4
        return
    for shape, weight in derivations(length - 1, depth - 1):
        yield (UNARY, *shape), weight * 298_279
    for first in range(1, length - 2):
        for one, two in product(range(depth), repeat=2):
            if depth - 1 in (one, two):
                for (x, a), (y, b) in product(derivations(first, one), derivations(length - 2 - first, two)):
                    yield (BINARY, *x, COMMA, *y), a * b * 89_265


@pytest.mark.parametrize(("length", "depth"), [(3, 1), (4, 1), (6, 2), (7, 3)])
def test_derivations_of_a_length_and_depth_are_drawn_by_their_weights(monkeypatch, length, depth):
    monkeypatch.setattr(distribution, "cells", lambda: iter([(length, depth, 1)]))
    items = distribution.natural_shapes({1: 3, 2: 1}).draw(40_000, Stream(1, "exact"))
    drawn = Counter(map(tuple, split(items)))
    weights = Counter()
    for shape, weight in derivations(length, depth):
        # A million for each word, so that shapes with more and with fewer items stand side by side.
        weights[shape] += weight * 10 ** (6 * (length - len(shape) + shape.count(COMMA)))
    assert set(drawn) <= set(weights)
    assert distance(drawn, weights) < 0.03


def test_the_plain_grammar_is_another(build, dev):
    plain = summary(row[0] for row in build(**{**MANY, "train": 5000, "naturalise": False})["train"])
    assert distance(plain["cells"], dev["cells"]) > 0.2
    assert min(plain["number"]) == 1
    assert 25 < max(plain["number"]) <= 35
    assert abs(plain["functions"]["copy"] / sum(plain["functions"].values()) - 0.1) < 0.01


def test_the_plain_grammar_has_as_many_functions_on_average():
    items = plain_shapes(string_frequencies(2, 5)).draw(20_000, Stream(1, "plain"))
    functions = ((items == UNARY) | (items == BINARY)).sum() / (items == END).sum()
    assert abs(functions - 5.2) < 0.15


def test_strings_of_other_lengths_are_as_frequent_as_the_released_on_average():
    assert string_frequencies(1, 3) == {1: 3733, 2: 2339, 3: 4438}


def test_strings_of_which_there_are_few_are_less_frequent():
    most = strings_at_most(1, 5, 520, 97_203)
    assert most[1] == 435  # 520 of 298,712 strings, and a quarter of that
    assert most[2] > 400_000
    assert most[3] == most[5] == 1_000_000
    limited = string_frequencies(1, 5, most)
    assert limited[1] == 8
    assert {n: limited[n] for n in range(2, 6)} == string_frequencies(2, 5)


def test_the_released_strings_are_not_limited_at_the_released_size():
    assert string_frequencies(2, 5, strings_at_most(2, 5, 520, 97_203)) == string_frequencies(2, 5)
