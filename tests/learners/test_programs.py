"""The learner of programs: what it finds out from pairs alone, what it does with it, and what it cannot learn."""

import itertools
import random

import pytest

from blicket import InputError, Produce, Role, Split, benchmark
from blicket.core.example import ListedRows
from blicket.learners.programs import PARTS, Knowledge, ProgramLearner, ProgramShape, learned
from blicket.probes import asked

FORM = "symbols"
DO = {
    "wug": lambda x: x[::-1] + x[:1],
    "dax": lambda x: x[-1:] + x[1:],
    "mip": lambda x, y: y + x[:-1],
    "blick": lambda x, y: x,
}


def call(name, drawn, depth):
    """A call of a language that was made up, with its meaning; the separator is called `zu`."""

    def argument():
        if depth and drawn.random() < 0.4:
            return call(drawn.choice(list(DO)), drawn, depth - 1)
        symbols = tuple(drawn.choice("abcdefgh") for _ in range(drawn.randint(2, 4)))
        return " ".join(symbols), symbols

    arguments = [argument() for _ in range(DO[name].__code__.co_argcount)]
    return f"{name} {' zu '.join(text for text, _ in arguments)}", DO[name](*(value for _, value in arguments))


def pairs(number, depth, seed=1):
    drawn = random.Random(seed)
    made = [call(name, drawn, depth) for name in itertools.islice(itertools.cycle(DO), number)]
    return [(text, " ".join(value)) for text, value in made]


def test_words_are_told_apart_and_programs_found():
    knowledge, explained = learned(pairs(400, 2), 3)
    assert (knowledge.separator, explained) == ("zu", 1)
    assert knowledge.symbols == set("abcdefgh")
    assert knowledge.arities == {"wug": 1, "dax": 1, "mip": 2, "blick": 2}
    assert knowledge.programs == {
        "wug": ((0, "whole reversed"), (0, "first")),
        "dax": ((0, "last"), (0, "but first")),
        "mip": ((1, "whole"), (0, "but last")),
        "blick": ((0, "whole"),),
    }


def test_what_is_deeper_than_anything_learned_is_answered():
    knowledge, _ = learned(pairs(400, 1), 3)
    for text, meaning in pairs(300, 6, seed=2):
        assert knowledge.answer(text) == meaning


def test_what_is_no_short_program_is_not_learned():
    """Sorting is none; what was found explains only what happens to be so."""
    drawn = random.Random(1)
    rows = []
    for _ in range(200):
        x = [drawn.choice("abcdefgh") for _ in range(4)]
        text = " ".join(x)
        rows += [(f"sort {text}", " ".join(sorted(x))), (f"join {text} zu a", f"{text} a"), (f"take {text} zu a", text)]
    knowledge, explained = learned(rows, 3)
    assert knowledge.programs["join"] == ((0, "whole"), (1, "whole"))
    assert 2 / 3 <= explained < 0.75


@pytest.mark.parametrize("text", ["", "wug", "mip a b", "mip a zu b zu a", "wug a z", "grolp a b", "a zu b", "zu"])
def test_what_is_no_input_is_answered_with_nothing(text):
    knowledge, _ = learned(pairs(200, 1), 3)
    assert knowledge.answer(text) == ""


def test_without_a_separator_nothing_is_learned():
    with pytest.raises(InputError, match="whose arguments a word parts"):
        learned([("f a b", "b a"), ("g a", "a")], 3)


@pytest.mark.parametrize("part", PARTS)
def test_parts_are_what_they_are_called(part):
    for length in range(6):
        x = tuple("abcdef"[:length])
        wanted = x[::-1] if "reversed" in part else x
        if "but first" in part:
            wanted = wanted[:-1] if "reversed" in part else wanted[1:]
        if "but last" in part:
            wanted = wanted[1:] if "reversed" in part else wanted[:-1]
        if "but both" in part:
            wanted = wanted[1:-1]
        wanted = {"first": x[:1], "last": x[-1:]}.get(part, wanted)
        assert PARTS[part](x) == wanted


def test_what_was_learned_is_kept():
    knowledge, _ = learned(pairs(200, 1), 3)
    assert Knowledge.read(knowledge.saved()) == knowledge


@pytest.fixture(scope="module")
def data():
    pcfg_set = benchmark("pcfg-set")
    return pcfg_set, pcfg_set.build(1, pcfg_set.options({"train": 20_000, "dev": 200, "test": 1000}))


@pytest.mark.parametrize(
    ("train", "tests"),
    [
        ("train", ["test"]),
        ("systematicity_train", ["systematicity_test"]),
        ("productivity_train", ["productivity_test"]),
        ("substitutivity_primitive_train", ["substitutivity_twin"]),
    ],
)
def test_what_networks_fail_at_it_answers(data, train, tests):
    _, dataset = data
    learner = ProgramLearner(ProgramShape(), FORM)
    (fitted,) = learner.fit(dataset[train], dataset["dev"], [1])
    (respondent,) = learner.revived(dataset[train], dataset["dev"], {1: fitted.checkpoints["last"]}).respondents()
    for name in tests:
        said = respondent.answer([Produce(e.id, e.inputs, FORM) for e in dataset[name]])
        assert [answer.output for answer in said] == [e.targets[FORM] for e in dataset[name]]


def test_it_is_local_and_knows_no_exceptions(data):
    pcfg_set, dataset = data
    learner = ProgramLearner(ProgramShape(), FORM)
    train = dataset["overgeneralisation_train_50"]
    (fitted,) = learner.fit(train, dataset["dev"], [1])
    (respondent,) = learner.revived(train, dataset["dev"], {1: fitted.checkpoints["last"]}).respondents()
    exceptions = dataset["overgeneralisation_exceptions_50"]
    said = respondent.answer([Produce(e.id, e.inputs, FORM) for e in exceptions])
    assert [answer.output for answer in said] == [e.tags["rule"] for e in exceptions]
    (local,) = (probe for probe in pcfg_set.probes(dataset) if probe.name == "localism")
    rounds = list(asked([local], respondent))
    answers = {name: type(said[0])(out) for r in rounds for name, out in zip(r.ids, r.outputs, strict=True)}
    assert local.finding(answers).by["measure"]["consistency"].mean == 1


def test_seeds_are_alike_and_roles_are_checked(data):
    _, dataset = data
    learner = ProgramLearner(ProgramShape(), FORM)
    train = Split("train", Role.TRAIN, ListedRows(*columns(pairs(200, 1))))
    dev = Split("dev", Role.DEV, ListedRows(*columns(pairs(20, 2, seed=5))))
    one, two = learner.fit(train, dev, [1, 2])
    assert (one.seed, two.seed) == (1, 2)
    assert one.curve[0]["dev_accuracy"] == 1
    assert Knowledge.read(one.checkpoints["last"]) == Knowledge.read(two.checkpoints["best"])
    with pytest.raises(InputError, match="wanted to fit on"):
        learner.fit(dataset["test"], dev, [1])


def columns(rows):
    return [(text,) for text, _ in rows], {FORM: [target for _, target in rows]}, [""] * len(rows)
