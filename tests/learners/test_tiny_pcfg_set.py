"""The networks of PCFG SET learn a small part of it, a function of one short string, to a real accuracy."""

from dataclasses import replace

import pytest

from blicket import Produce, Split, benchmark
from blicket.core.example import ListedRows
from blicket.learners.convs2s import ConvS2SShape
from blicket.learners.lstm import LstmShape
from blicket.learners.sequence import SequenceLearner, Shape
from blicket.learners.transformer import TransformerShape
from blicket.training.decoding import Decoding
from blicket.training.regime import Regime
from blicket.training.schedules import Schedule

FORM = "symbols"
SETTINGS = {
    "train": 12000, "dev": 300, "test": 4000, "naturalise": False, "symbols": 8, "strings": [2, 3],
    "distinct_strings": False, "tests": [],
}  # fmt: skip
ADAM = Regime(
    batch=32,
    accumulate=1,
    epochs=10,
    validate_each_epoch=True,
    patience=None,
    watch="accuracy",
    smoothing=0.0,
    schedule=Schedule("constant", 0.003),
    groups=2,
)
LEARNERS: dict[str, tuple[Shape, Regime]] = {
    "transformer": (TransformerShape(layers=2, width=32, heads=2, hidden=64, dropout=0.0), ADAM),
    "lstm": (
        LstmShape(layers=1, width=48, embedding=32, dropout=0.0, bidirectional=True, attention="general"),
        replace(ADAM, batch=16, clip=5.0, schedule=Schedule("decay", 0.005, decay_from=9), initialisation="uniform"),
    ),
    "convs2s": (
        ConvS2SShape(((32, 3, 2),), embedding=32, output=32, dropout=0.0, positions=32),
        replace(
            ADAM,
            optimiser="sgd",
            momentum=0.9,
            clip=0.5,
            mean="tokens",
            schedule=Schedule("plateau", 0.25, factor=0.1),
            initialisation="embeddings-tenth",
        ),
    ),
}


@pytest.fixture(scope="module")
def splits() -> dict[str, Split]:
    """Train, dev and test, of what has a single function of one argument."""
    pcfg_set = benchmark("pcfg-set")
    made = pcfg_set.build(1, pcfg_set.options(SETTINGS))
    return {name: simple(split) for name, split in made.splits.items()}


def simple(split: Split) -> Split:
    rows = [example for example in split if example.tags["functions"] == 1 and "," not in example.inputs[0]]
    targets = {FORM: [example.targets[FORM] for example in rows]}
    return replace(split, rows=ListedRows([example.inputs for example in rows], targets, [""] * len(rows)))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_function_is_learned_from_its_calls(name: str, splits: dict[str, Split]) -> None:
    shape, regime = LEARNERS[name]
    learner = SequenceLearner(shape, regime, Decoding(2, 12), FORM)
    train, dev, test = splits["train"], splits["dev"], splits["test"]
    seen = {example.inputs for example in train}
    (fitted,) = learner.fit(train, dev, [1])
    (network,) = learner.revived(train, dev, {1: fitted.checkpoints["best"]}).respondents()
    fresh = [example for example in test if example.inputs not in seen]
    answers = network.answer([Produce(example.id, example.inputs, FORM) for example in fresh])
    right = sum(said.output == example.targets[FORM] for said, example in zip(answers, fresh, strict=True))
    assert len(fresh) > 40

    assert right / len(fresh) > 0.8
