"""Every test keeps from training what it tests, and only that."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from blicket.benchmarks.pcfg_set.cases import EXCEPTIONS, PAIRS, SYNONYMS
from blicket.benchmarks.pcfg_set.exceptions import rewritten
from blicket.benchmarks.pcfg_set.functions import symbols
from blicket.benchmarks.pcfg_set.interpretation import interpret
from blicket.core.errors import InputError

from .conftest import BINARY, UNARY, evaluated, functions_of, measured

FUNCTIONS = (*UNARY, *BINARY)


def texts(rows):
    return [row[0] for row in rows]


def beside(text, first, second):
    return (first, second) in pairwise(text.split())


def holds(text, pairs):
    return any(beside(text, *pair.split()) for pair in pairs)


def test_all_splits_are_there(small):
    assert list(small) == [
        "train",
        "dev",
        "test",
        "systematicity_train",
        "systematicity_dev",
        "systematicity_test",
        "productivity_train",
        "productivity_dev",
        "productivity_test",
        "substitutivity_equal_train",
        "substitutivity_primitive_train",
        "substitutivity_test",
        "substitutivity_twin",
        "localism_test",
        "overgeneralisation_train_100",
        "overgeneralisation_exceptions_100",
        "overgeneralisation_train_1000",
        "overgeneralisation_exceptions_1000",
        "overgeneralisation_dev",
        "functions",
        "lengths",
    ]


def test_tests_that_are_not_wanted_are_not_made(build):
    assert set(build(tests=[])) == {"train", "dev", "test"}
    assert set(build(tests=["localism"])) == {"train", "dev", "test", "localism_test"}


def test_the_task_has_the_sizes_that_are_asked_for(small):
    assert [len(small[name]) for name in ("train", "dev", "test")] == [1500, 300, 600]
    assert {row[2] for name in ("train", "dev", "test") for row in small[name]} == {""}


def test_targets_are_meanings(small):
    for name, rows in small.items():
        for text, target, _, tags in rows:
            right = " ".join(evaluated(text.split()))
            assert target == right or (name.startswith("overgen") and tags["rule"] == right), (name, text)


def test_tags_are_structures(small):
    for rows in small.values():
        for text, _, _, tags in rows[:300]:
            words = text.split()
            found = len(functions_of(words)), measured(words)[0], len(words)
            assert (tags["functions"], tags["depth"], tags["length"]) == found


def test_no_input_and_no_string_argument_stands_twice(small):
    task = [*small["train"], *small["dev"], *small["test"]]
    extra = [row for row in small["substitutivity_primitive_train"] if row not in small["train"]]
    everything = [*task, *extra, *small["functions"], *(row for row in small["lengths"])]
    strings = [string for text in texts(everything) for string in measured(text.split())[1]]
    assert len(set(strings)) == len(strings)
    assert len(set(texts(everything))) == len(everything)
    assert {word for text in texts(task) for word in text.split()} <= {*FUNCTIONS, ",", *symbols(520)}


def test_systematicity(small):
    pool = Counter(texts([*small["train"], *small["test"]]))
    assert Counter(texts([*small["systematicity_train"], *small["systematicity_test"]])) == pool
    assert not any(holds(text, PAIRS) for text in texts([*small["systematicity_train"], *small["systematicity_dev"]]))
    for text, _, case, _ in small["systematicity_test"]:
        assert holds(text, [case.removeprefix("systematicity:")])
    assert len(small["systematicity_dev"]) < 300
    assert set(texts(small["systematicity_dev"])) < set(texts(small["dev"]))


def test_productivity(small):
    pool = Counter(texts([*small["train"], *small["test"]]))
    assert Counter(texts([*small["productivity_train"], *small["productivity_test"]])) == pool
    longest = max(len(functions_of(t.split())) for t in texts(small["productivity_train"] + small["productivity_dev"]))
    assert longest == 8
    assert min(len(functions_of(text.split())) for text in texts(small["productivity_test"])) == 9


@pytest.mark.parametrize("synonym", SYNONYMS)
def test_substitutivity_equally_distributed(small, synonym):
    having = [i for i, text in enumerate(texts(small["train"])) if synonym in text.split()]
    twinned = [text for i, text in enumerate(texts(small["substitutivity_equal_train"])) if i in set(having)]
    plain = [text for text in twinned if synonym in text.split()]
    assert len(plain) == len(having) - len(having) // 2
    assert all(f"{synonym}_twin" not in text.split() for text in plain)
    for (text, target, *_), (base, meaning, *_) in zip(
        small["substitutivity_equal_train"], small["train"], strict=True
    ):
        assert (text.replace("_twin", ""), target) == (base, meaning)


def test_substitutivity_in_primitive_contexts(small):
    rows = small["substitutivity_primitive_train"]
    assert rows[:1500] == small["train"]
    assert len(rows) == 1500 + 4 * 83
    assert Counter(tuple(functions_of(text.split())) for text in texts(rows[1500:])) == {
        (f"{synonym}_twin",): 83 for synonym in SYNONYMS
    }


def test_tested_rows_and_their_twins(small):
    pairs = list(zip(small["substitutivity_test"], small["substitutivity_twin"], strict=True))
    for (text, target, case, _), (twin, meaning, twin_case, _) in pairs:
        synonym = case.removeprefix("substitutivity:")
        assert twin.split() == [f"{word}_twin" if word == synonym else word for word in text.split()]
        assert synonym in text.split()
        assert (target, case) == (meaning, twin_case)
    assert set(texts(small["substitutivity_test"])) <= set(texts(small["test"]))
    for synonym in SYNONYMS:  # fewer than 2,500 have each: all are taken
        expected = sum(synonym in text.split() for text in texts(small["test"]))
        assert sum(row[2] == f"substitutivity:{synonym}" for row, _ in pairs) == expected


def test_as_many_rows_a_synonym_as_are_asked_for(build):
    rows = build(tests=["substitutivity"], synonyms=["copy"], twin_rows=7)["substitutivity_twin"]
    assert [functions_of(row[0].split()).count("copy_twin") > 0 for row in rows] == [True] * 7


def test_localism(small):
    assert texts(small["localism_test"]) == [t for t in texts(small["test"]) if len(functions_of(t.split())) > 1]


@pytest.mark.parametrize(("ratio", "share"), [(100, Fraction(1, 100)), (1000, Fraction(1, 10))])
def test_overgeneralisation(small, ratio, share):
    train = {row[0]: row[1] for row in small[f"overgeneralisation_train_{ratio}"]}
    exceptions = small[f"overgeneralisation_exceptions_{ratio}"]
    for text, target, case, tags in exceptions:
        assert target == train[text] == " ".join(evaluated(rewritten(text, EXCEPTIONS).split()))
        assert tags["rule"] == " ".join(evaluated(text.split()))
        assert holds(text, [case.removeprefix("overgeneralisation:")])
    assert {text for text in train if holds(text, EXCEPTIONS)} == set(texts(exceptions))
    assert set(train) < set(texts(small["train"]))
    assert set(texts(small["train"])) - set(train) == {
        text for text in texts(small["train"]) if holds(text, EXCEPTIONS) and text not in train
    }
    for pair in EXCEPTIONS:
        rarer = min(sum(function in text.split() for text in texts(small["train"])) for function in pair.split())
        wanted = round(share * rarer)
        of_pair = [row for row in exceptions if row[2] == f"overgeneralisation:{pair}"]
        two = sum(row[3]["functions"] == 2 for row in of_pair)
        more = len(of_pair) - two
        assert two <= wanted - wanted // 2
        assert more <= wanted // 2
        assert more == wanted // 2 or ratio == 1000


def test_half_the_exceptions_have_two_functions_if_there_are_as_many(build):
    rows = build(train=20_000, tests=["overgeneralisation"], ratios=[10])["overgeneralisation_exceptions_10"]
    for pair in EXCEPTIONS:
        two = [row[3]["functions"] == 2 for row in rows if row[2] == f"overgeneralisation:{pair}"]
        assert len(two) in range(6, 10)
        assert sum(two) == len(two) - len(two) // 2


def test_exceptions_of_a_lower_ratio_are_among_those_of_a_higher(small):
    few, many = (set(texts(small[f"overgeneralisation_exceptions_{ratio}"])) for ratio in (100, 1000))
    assert few < many


def test_regular_rows_with_a_pair_may_stay(build, small):
    made = build(tests=["overgeneralisation"], ratios=[100], regular_pairs=True)
    assert texts(made["overgeneralisation_train_100"]) == texts(small["train"])
    assert texts(made["overgeneralisation_exceptions_100"]) == texts(small["overgeneralisation_exceptions_100"])


def test_dev_is_free_of_exceptions(small):
    assert not any(holds(text, EXCEPTIONS) for text in texts(small["overgeneralisation_dev"]))


def test_functions(small):
    assert Counter(row[2] for row in small["functions"]) == {f"functions:{name}": 100 for name in FUNCTIONS}
    for text, _, case, _ in small["functions"]:
        assert functions_of(text.split()) == [case.removeprefix("functions:")]


def test_lengths(small):
    assert Counter((row[2], row[3]["string_length"]) for row in small["lengths"]) == {
        (f"lengths:{name}", length): 20 for name in FUNCTIONS for length in range(1, 11)
    }
    for text, _, case, tags in small["lengths"]:
        _, strings = measured(text.split())
        assert {len(string.split()) for string in strings} == {tags["string_length"]}
        assert functions_of(text.split()) == [case.removeprefix("lengths:")]


def test_one_unfiltered_dev_set_on_request(build, pcfg_set):
    made = build(compat=["unfiltered-dev"], tests=["systematicity", "productivity", "overgeneralisation"], ratios=[50])
    for test in ("systematicity", "productivity", "overgeneralisation"):
        assert texts(made[f"{test}_dev"]) == texts(made["dev"])
    leaking = sum(holds(text, PAIRS) for text in texts(made["dev"]))
    assert 0 < leaking == sum(row[2].startswith("systematicity:") for row in made["systematicity_dev"])
    settings = {"train": 90, "dev": 300, "test": 90, "compat": ["unfiltered-dev"], "tests": ["systematicity"]}
    about = pcfg_set.build(1, pcfg_set.options(settings)).options
    assert about["leaking"]["systematicity_dev"] > 0
    assert "leaking" not in pcfg_set.build(1, pcfg_set.options({**settings, "compat": []})).options


def test_released_dev_rows_that_leak(released):
    dev = [text for text, _ in released["dev"]]
    assert sum(holds(text, PAIRS) for text in dev) == 521
    assert sum(len(functions_of(text.split())) > 8 for text in dev) == 611


def test_only_two_functions_on_request(build, small):
    made = build(compat=["two-function-exceptions"], tests=["overgeneralisation"], ratios=[1000])
    expected = [row for row in small["overgeneralisation_exceptions_1000"] if row[3]["functions"] == 2]
    assert made["overgeneralisation_exceptions_1000"] == expected
    assert 0 < len(expected) < len(small["overgeneralisation_exceptions_1000"])
    assert texts(made["overgeneralisation_train_1000"]) == texts(small["overgeneralisation_train_1000"])


def test_other_choices(build):
    pairs, exceptions = ["copy copy", "echo repeat"], {"copy echo": "echo copy"}
    made = build(pairs=pairs, exceptions=exceptions, ratios=[300], trained_functions=3, symbols=600, strings=[1, 3])
    assert all(holds(text, pairs) for text in texts(made["systematicity_test"]))
    assert not any(holds(text, pairs) for text in texts(made["systematicity_train"]))
    assert max(len(functions_of(text.split())) for text in texts(made["productivity_train"])) == 3
    assert all(beside(text, "copy", "echo") for text in texts(made["overgeneralisation_exceptions_300"]))
    lengths = Counter(len(string.split()) for text in texts(made["train"]) for string in measured(text.split())[1])
    assert set(lengths) == {1, 2, 3}
    symbols_used = {word for text in texts(made["train"]) for word in text.split() if word[0].isupper()}
    assert any(int(word[1:]) > 20 for word in symbols_used)
    assert symbols_used <= set(symbols(600))


def test_a_small_alphabet_runs_out_of_strings(build):
    with pytest.raises(InputError, match=r"strings of length \d are wanted .* distinct_strings=false"):
        build(symbols=3)
    made = build(symbols=3, distinct_strings=False, tests=[])
    everything = [row[0] for rows in made.values() for row in rows]
    assert len(set(everything)) == len(everything) == 2400


@pytest.mark.parametrize("naturalise", [True, False])
def test_short_strings_are_had_as_often_as_there_are_enough(build, naturalise):
    made = build(strings=[1, 5], tests=[], naturalise=naturalise)
    lengths = Counter(len(string.split()) for text in texts(made["train"]) for string in measured(text.split())[1])
    assert set(lengths) == {1, 2, 3, 4, 5}
    assert lengths[1] < 520


def test_the_seed_decides(build, small):
    assert build(ratios=[100, 1000]) == small
    other = build(2, ratios=[100, 1000])
    assert all(other[name] != rows for name, rows in small.items())


def test_the_task_does_not_depend_on_the_tests(build, small):
    made = build(tests=[])
    assert all(made[name] == small[name] for name in made)


GOLDEN = "e3795dfac0bac547f730c1ca84def6aed76b4c527ef77dfc9cdef4783ce568d7"


def test_the_same_bytes_everywhere(pcfg_set):
    settings = {"train": 400, "dev": 50, "test": 100, "ratios": [500]}
    assert pcfg_set.build(1, pcfg_set.options(settings)).content_hash() == GOLDEN


def test_no_exception_means_what_the_rules_say(small):
    """As in the released ones: what is thrown away, or happens to be the same, tells nothing."""
    for ratio in (100, 1000):
        rows = small[f"overgeneralisation_exceptions_{ratio}"]
        assert rows
        assert all(target != tags["rule"] for _, target, _, tags in rows)


def test_no_released_exception_means_what_the_rules_say(reference):
    sources, targets = (
        (reference / f"overgeneralisation/test_pcfg_ratio=0.001_exception.{ending}").read_text().splitlines()
        for ending in ("src", "tgt")
    )
    assert len(sources) == 125
    assert all(interpret(source) != target for source, target in zip(sources, targets, strict=True))
