"""The training loop: together as alone, resumed as if never interrupted, stopped when there is reason to."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from blicket.core.errors import InputError
from blicket.core.example import ListedRows, Role, Split
from blicket.core.learner import Cohort, Fitted, Progress
from blicket.core.respondent import Answer, Produce
from blicket.learners.convs2s import ConvS2SShape
from blicket.learners.lstm import LstmShape
from blicket.learners.sequence import NetworkCohort, SequenceLearner, Shape
from blicket.learners.transformer import TransformerShape
from blicket.training import checkpoints, loop
from blicket.training.batches import BatchPlan
from blicket.training.decoding import Decoding
from blicket.training.regime import Regime
from blicket.training.schedules import Schedule

FORM = "backwards"
TRANSFORMER = TransformerShape(layers=1, width=32, heads=2, hidden=32, dropout=0.1)
LSTM = LstmShape(layers=1, width=32, embedding=16, dropout=0.1)
CONVOLUTION = ConvS2SShape(((32, 3, 2),), embedding=32, output=32, dropout=0.1, positions=32)
SHAPES = {"transformer": TRANSFORMER, "lstm": LSTM, "convolution": CONVOLUTION}
NESTEROV = {
    "optimiser": "sgd",
    "momentum": 0.9,
    "clip": 0.5,
    "mean": "tokens",
    "schedule": Schedule("plateau", 0.2, factor=0.5),
    "initialisation": "embeddings-tenth",
}
DECAY = {"optimiser": "sgd", "clip": 5.0, "schedule": Schedule("decay", 0.5, factor=0.5, decay_from=3)}
REGIME = Regime(
    batch=8,
    accumulate=2,
    updates=50,
    validate_every=10,
    patience=None,
    schedule=Schedule("constant", 0.003),
    groups=3,
)


def backwards(name: str, role: Role, rows: int, seed: int) -> Split:
    """Words, and the same words backwards."""
    chance = np.random.default_rng(seed)
    words = [[f"w{w}" for w in chance.integers(0, 6, chance.integers(2, 7))] for _ in range(rows)]
    targets = [" ".join(reversed(row)) for row in words]
    return Split(name, role, ListedRows([(" ".join(row),) for row in words], {FORM: targets}, [""] * rows))


TRAIN, DEV = backwards("train", Role.TRAIN, 300, 1), backwards("dev", Role.DEV, 40, 2)


def learner(shape: Shape = TRANSFORMER, **changes: object) -> SequenceLearner:
    return SequenceLearner(shape, replace(REGIME, **changes), Decoding(1, 12), FORM)


def same(one: Fitted, other: Fitted) -> bool:
    """Equal to the last bit, but for the clock."""
    told = [[{k: v for k, v in p.items() if k != "per_second"} for p in fitted.curve] for fitted in (one, other)]
    return told[0] == told[1] and all(
        np.array_equal(one.checkpoints[part][name], other.checkpoints[part][name])
        for part in one.checkpoints
        for name in one.checkpoints[part]
    )


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_seeds_trained_together_are_those_trained_alone(shape: Shape) -> None:
    told: list[Progress] = []
    together = learner(shape, validate_every=1).fit(TRAIN, DEV, [3, 1, 2], tell=told.append)
    for fitted in together:
        (alone,) = learner(shape, validate_every=1).fit(TRAIN, DEV, [fitted.seed])
        for key in ("train_loss", "dev_loss"):
            ours, theirs = [p[key] for p in fitted.curve], [p[key] for p in alone.curve]
            assert len(ours) == 50
            np.testing.assert_allclose(ours, theirs, atol=1e-4)
    losses = np.array([[p["train_loss"] for p in fitted.curve] for fitted in together])
    assert (abs(losses[0] - losses[1]) > 1e-3).any()
    assert (losses[:, 0] > losses[:, -1] + 0.2).all()
    assert [p.update for p in told] == list(range(1, 51))


class Killed(BaseException):
    pass


@pytest.mark.parametrize("changes", [{}, NESTEROV, DECAY], ids=["adam", "nesterov", "decay"])
@pytest.mark.parametrize("killed_at", [5, 10, 29, 30, 49])
def test_a_run_that_was_killed_ends_as_if_it_had_not_been(
    killed_at: int, changes: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "SHARE", 1.0)
    (whole,) = learner(**changes).fit(TRAIN, DEV, [1])
    update = loop._Loop._update

    def dies(self: loop._Loop) -> tuple[torch.Tensor, int]:
        if self.update == killed_at:
            raise Killed
        return update(self)

    monkeypatch.setattr(loop._Loop, "_update", dies)
    with pytest.raises(Killed):
        learner(**changes).fit(TRAIN, DEV, [1], checkpoints=tmp_path)
    done: list[int] = []
    monkeypatch.setattr(loop._Loop, "_update", lambda self: (done.append(self.update), update(self))[1])
    (resumed,) = learner(**changes).fit(TRAIN, DEV, [1], checkpoints=tmp_path)
    assert done[0] == killed_at // 10 * 10
    assert same(whole, resumed)


def test_a_broken_checkpoint_is_said_to_be_one(tmp_path: Path) -> None:
    learner(updates=10).fit(TRAIN, DEV, [1], checkpoints=tmp_path)
    note = json.loads((tmp_path / "newest.json").read_text())
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["newest.json", note["file"]])
    (tmp_path / note["file"]).write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be read"):
        learner().fit(TRAIN, DEV, [1], checkpoints=tmp_path)


def test_writing_checkpoints_takes_a_small_share_of_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock takes a second, and so does every checkpoint: one in twenty."""
    clock = iter(np.arange(0.0, 1e4, 1.0))
    monkeypatch.setattr(checkpoints.time, "monotonic", lambda: float(next(clock)))
    kept = checkpoints.Checkpoints(tmp_path)
    written = []
    for number in range(1, 401):
        kept.save(number, {}, {"x": torch.zeros(1)})
        written.append((tmp_path / f"update-{number}.safetensors").exists())
    assert written[0]
    assert 18 <= sum(written) <= 22


def fit_with_dev_losses(
    losses: Sequence[Sequence[float]], monkeypatch: pytest.MonkeyPatch, **changes: object
) -> Sequence[Fitted]:
    """Train two seeds whose dev losses are as told, validation by validation."""
    told = iter(losses)
    monkeypatch.setattr(loop._Loop, "_dev", lambda self: (list(next(told)), [0.0, 0.0]))
    return learner(updates=2 * len(losses), validate_every=2, **changes).fit(TRAIN, DEV, [1, 2])


def test_a_seed_stops_after_so_many_validations_without_improvement(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = [(5, 5), (4, 6), (4, 7), (3, 6), (3, 4), (3, 3), (9, 3), (9, 9)]
    first, second = fit_with_dev_losses(losses, monkeypatch, patience=3)
    assert (first.best, first.stopped, len(first.curve)) == (8, 14, 7)
    assert (second.best, second.stopped, len(second.curve)) == (2, 8, 4)
    assert not first.failed
    assert not second.failed


def test_a_stopped_seed_keeps_the_networks_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = [(5, 5), (4, 6), (3, 6), (2, 6)]
    first, second = fit_with_dev_losses(losses, monkeypatch, patience=2)
    monkeypatch.undo()
    (alone,) = learner(updates=6, validate_every=2).fit(TRAIN, DEV, [2])
    (early,) = learner(updates=2, validate_every=2).fit(TRAIN, DEV, [2])
    assert first.stopped is None
    for name in ("output.weight", "encoder.0.expand.weight", "decoder.0.memory_attention.value.weight"):
        np.testing.assert_allclose(second.checkpoints["last"][name], alone.checkpoints["last"][name], atol=1e-5)
        np.testing.assert_allclose(second.checkpoints["best"][name], early.checkpoints["last"][name], atol=1e-5)


def test_without_patience_nothing_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = fit_with_dev_losses([(n, n) for n in range(9)], monkeypatch)
    assert [f.stopped for f in fitted] == [None, None]
    assert [f.best for f in fitted] == [2, 2]


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_seed_without_a_loss_stops_alone(bad: float, monkeypatch: pytest.MonkeyPatch) -> None:
    update, said = loop._Loop._update, []

    def poisoned(self: loop._Loop) -> tuple[torch.Tensor, int]:
        if self.update == 15:
            with torch.no_grad():
                next(iter(self.stack.values()))[0].fill_(bad)
        return update(self)

    monkeypatch.setattr(loop._Loop, "_update", poisoned)
    first, second = learner().fit(TRAIN, DEV, [1, 2], tell=said.append)
    assert first.failed
    assert first.stopped == 20
    assert not first.checkpoints
    monkeypatch.undo()
    (alone,) = learner().fit(TRAIN, DEV, [2])
    np.testing.assert_allclose([p["dev_loss"] for p in second.curve], [p["dev_loss"] for p in alone.curve], atol=1e-4)
    assert [p.failed for p in said] == [(False, False)] + [(True, False)] * 4


def test_epochs_say_how_often_everything_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    met = np.zeros(300, int)
    update = loop._Loop._update

    def counted(self: loop._Loop) -> tuple[torch.Tensor, int]:
        for part in range(self.regime.accumulate):
            rows = self.plan.batch(self.update * self.regime.accumulate + part).rows[0]
            np.add.at(met, rows[rows >= 0], 1)
        return update(self)

    monkeypatch.setattr(loop._Loop, "_update", counted)
    learner(epochs=2, accumulate=1).fit(TRAIN, DEV, [1])
    assert (met == 2).all()


@pytest.mark.parametrize("accumulate", [1, 2])
def test_dev_can_be_looked_at_after_each_epoch(accumulate: int) -> None:
    told: list[Progress] = []
    learner(epochs=3, accumulate=accumulate, validate_each_epoch=True).fit(TRAIN, DEV, [1], tell=told.append)
    batches = len(BatchPlan(*lengths_of(TRAIN), 8, 3, [1])._slices)
    wanted = [-(-epoch * batches // accumulate) for epoch in (1, 2, 3)]
    assert [p.update for p in told if p.dev_loss] == wanted


def lengths_of(split: Split) -> tuple[np.ndarray, np.ndarray]:
    words = [len(example.inputs[0].split()) for example in split]
    return np.array(words), np.array(words) + 1


def test_seeds_that_are_trained_together_slow_down_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first stands still from the third validation on, the second gets better all the time."""
    losses = [(5, 5), (4, 4), (4, 3), (4, 2), (4, 1)]
    changes = {**NESTEROV, "patience": None}
    first, second = fit_with_dev_losses(losses, monkeypatch, **changes)
    assert [point["rate"] for point in first.curve] == [0.2, 0.2, 0.2, 0.1, 0.05]
    assert [point["rate"] for point in second.curve] == [0.2] * 5
    monkeypatch.setattr(loop._Loop, "_dev", lambda self: ([9.0 - self.update], [0.0]))
    (alone,) = learner(updates=10, validate_every=2, **changes).fit(TRAIN, DEV, [2])
    losses_of = [[p["train_loss"] for p in fitted.curve] for fitted in (second, alone)]
    np.testing.assert_allclose(*losses_of, atol=1e-4)


def test_accuracy_can_be_what_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    told = iter([([1.0], [0.1]), ([2.0], [0.9]), ([0.5], [0.5])])
    monkeypatch.setattr(loop._Loop, "_dev", lambda self: next(told))
    (fitted,) = learner(updates=6, validate_every=2, watch="accuracy").fit(TRAIN, DEV, [1])
    assert fitted.best == 4


def test_observers_see_networks_and_steer_nothing() -> None:
    seen: list[tuple[int, list[list[Answer]]]] = []
    questions = [Produce("dev/0", ("w1 w2",), FORM)]

    def vandal(update: int, cohort: Cohort) -> None:
        seen.append((update, cohort.answers(questions)))
        for parameter in cohort.stack.values():  # type: ignore[attr-defined]
            parameter.zero_()

    watched = learner().fit(TRAIN, DEV, [1, 2], observers=[vandal])
    unwatched = learner().fit(TRAIN, DEV, [1, 2])
    assert all(map(same, watched, unwatched))
    assert [update for update, _ in seen] == [10, 20, 30, 40, 50]


@pytest.mark.parametrize("role", [Role.TEST, Role.GENERALIZATION, Role.PROBE, Role.DEV])
def test_nothing_but_train_and_dev_is_fitted_on(role: Role) -> None:
    with pytest.raises(InputError, match="wanted to fit on"):
        learner().fit(replace(TRAIN, role=role), DEV, [1])
    if role is not Role.DEV:
        with pytest.raises(InputError, match="wanted to fit on"):
            learner().fit(TRAIN, replace(DEV, role=role), [1])


LEARNING = {
    "transformer": TRANSFORMER,
    "lstm": LSTM,
    "tied": replace(TRANSFORMER, tied=True),
    "convolution": CONVOLUTION,
    "general": replace(LSTM, attention="general", bidirectional=True),
}


@pytest.mark.parametrize("shape", LEARNING.values(), ids=LEARNING.keys())
def test_words_can_be_learned_backwards(shape: Shape) -> None:
    """Real training to real accuracy on words that were never seen in this order."""
    trained = replace(
        learner(replace(shape, dropout=0.0), updates=1200, validate_every=400, smoothing=0.0, batch=16, accumulate=1),
        decoding=Decoding(1, 12),
    )
    train, test = backwards("train", Role.TRAIN, 3000, 5), backwards("test", Role.TEST, 200, 6)
    (fitted,) = trained.fit(train, DEV, [1])
    (network,) = trained.revived(train, DEV, {1: fitted.checkpoints["best"]}).respondents()

    def right(split: Split) -> float:
        answers = network.answer([Produce(e.id, e.inputs, FORM) for e in split])
        return float(np.mean([answer.output == e.targets[FORM] for answer, e in zip(answers, split, strict=True)]))

    assert right(test) > 0.9
    # What training calls accuracy on dev is that of greedy decoding.
    assert right(DEV) == pytest.approx(max(point["dev_accuracy"] for point in fitted.curve))


def test_a_cohort_gives_the_embeddings_of_its_words() -> None:
    fitted = learner(updates=10).fit(TRAIN, DEV, [4, 7])
    kept = {one.seed: one.checkpoints["last"] for one in fitted}
    cohort = learner().revived(TRAIN, DEV, kept)
    assert isinstance(cohort, NetworkCohort)
    for seed in (4, 7):
        found = cohort.embeddings(seed)
        assert set(found) == {"<pad>", "<unk>", "<s>", "</s>", *(f"w{n}" for n in range(6))}
        np.testing.assert_array_equal(found["w3"], kept[seed]["source_embedding.weight"][4 + 3])
