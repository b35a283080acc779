"""The reference data, a small dataset, and an interpreter that shares no code with the package."""

from pathlib import Path

import pytest

from blicket.benchmarks.pcfg_set import PcfgSet

REFERENCE = Path(__file__).parents[3].parent / "shared" / "reference" / "pcfgset"
UNARY = ("copy", "reverse", "shift", "echo", "swap_first_last", "repeat")
BINARY = ("append", "prepend", "remove_first", "remove_second")
SMALL = {"train": 1500, "dev": 300, "test": 600}


def lines(path):
    return path.read_text("utf-8").split("\n")[:-1]


def evaluated(words):
    """The meaning of an input by the book: recursive descent from the left, symbol by symbol."""
    rest = list(words)

    def argument():
        word = rest.pop(0)
        name = word.removesuffix("_twin")
        if name in UNARY:
            return unary(name, argument())
        if name in BINARY:
            x = argument()
            assert rest.pop(0) == ","
            y = argument()
            return {"append": x + y, "prepend": y + x, "remove_first": y, "remove_second": x}[name]
        assert word[0].isupper()
        string = (word,)
        while rest and rest[0][0].isupper():
            string += (rest.pop(0),)
        return string

    def unary(name, x):
        match name:
            case "copy":
                return x
            case "reverse":
                return tuple(reversed(x))
            case "shift":
                return (*x[1:], x[0])
            case "echo":
                return (*x, x[-1])
            case "repeat":
                return (*x, *x)
        swapped = list(x)
        swapped[0], swapped[-1] = x[-1], x[0]
        return tuple(swapped)

    found = argument()
    assert not rest
    return found


def measured(words):
    """The depth of an input and its string arguments, by recursive descent as well."""
    rest = list(words)
    strings = []

    def depth():
        word = rest.pop(0)
        name = word.removesuffix("_twin")
        if name in UNARY:
            return 1 + depth()
        if name in BINARY:
            first = depth()
            assert rest.pop(0) == ","
            return 1 + max(first, depth())
        string = [word]
        while rest and rest[0][0].isupper():
            string.append(rest.pop(0))
        strings.append(" ".join(string))
        return 0

    found = depth()
    assert not rest
    return found, strings


def functions_of(words):
    return [word for word in words if word.removesuffix("_twin") in (*UNARY, *BINARY)]


@pytest.fixture(scope="session")
def reference() -> Path:
    if not (REFERENCE / "dev.src").exists():
        pytest.skip(f"the reference data are not at {REFERENCE}")
    return REFERENCE


@pytest.fixture(scope="session")
def released(reference):
    """The released dev set, and the test set as the predictions have it: input and target."""
    dev = list(zip(lines(reference / "dev.src"), lines(reference / "dev.tgt"), strict=True))
    test = [tuple(line.split("\t")[:2]) for line in lines(reference / "predictions/transformer_task_run1.tsv")[1:]]
    return {"dev": dev, "test": test}


@pytest.fixture(scope="session")
def pcfg_set() -> PcfgSet:
    return PcfgSet()


@pytest.fixture(scope="session")
def build(pcfg_set):
    """Splits as lists of (input, target, case, tags) for a seed and settings, small by default."""

    def built(seed=1, **settings):
        dataset = pcfg_set.build(seed, pcfg_set.options({**SMALL, **settings}))
        return {
            name: [(example.inputs[0], example.targets["symbols"], example.case, example.tags) for example in split]
            for name, split in dataset.splits.items()
        }

    return built


@pytest.fixture(scope="session")
def small(build):
    """Every test on a few inputs, with as many exceptions as there can be."""
    return build(ratios=[100, 1000])
