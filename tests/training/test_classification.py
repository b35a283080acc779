"""Training classifiers: what a loss is, when it stops, and that a run that is resumed ends as it would have."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

import blicket
from blicket.core.errors import InputError
from blicket.learners.classifier import ClassifierShape, PairClassifier
from blicket.learners.encoders import EncoderShape
from blicket.learners.pairs import PairLearner
from blicket.training.classification import ClassifierRegime, classified, losses
from blicket.training.labelled import NONE
from blicket.training.stacking import stacked

EPOCH = 7  # batches
SHAPE = ClassifierShape(EncoderShape("gru", width=6, embedding=6), hidden=6)


@pytest.fixture(scope="module")
def data():
    benchmark = blicket.benchmark("natural-logic")
    return benchmark.build(1, benchmark.options({"blocks": 2, "jabberwocky": 0, "levels": 3}))


def learner(**regime):
    return PairLearner(SHAPE, ClassifierRegime(batch=20, **regime), "relation")


def fitted(data, seeds=(1,), **how):
    regime = {key: how.pop(key) for key in list(how) if key not in ("checkpoints", "tell", "observers")}
    return learner(**regime).fit(data["train"], data["dev"], seeds, **how)


def same(one, other):
    assert one.best == other.best
    for checkpoint in ("best", "last"):
        ours, theirs = one.checkpoints[checkpoint], other.checkpoints[checkpoint]
        assert {name: p.tobytes() for name, p in ours.items()} == {name: p.tobytes() for name, p in theirs.items()}


@pytest.mark.parametrize("seeds", [1, 3])
def test_the_loss_is_torchs_weighted_mean(seeds):
    networks = [PairClassifier(SHAPE, 12, 3) for _ in range(seeds)]
    weights = torch.tensor([1.0, 0.3, 7.0])
    words, gold = torch.randint(4, 12, (seeds, 10, 4)), torch.randint(0, 3, (seeds, 5))
    wanted = nn.CrossEntropyLoss(weights)
    found = losses(networks[0], weights)(stacked(networks, torch.device("cpu")), words, gold)
    for network, value, of_words, of_gold in zip(networks, found, words, gold, strict=True):
        torch.testing.assert_close(value, wanted(network(of_words), of_gold))


def test_rows_that_are_not_there_cost_nothing():
    network = PairClassifier(SHAPE, 12, 3)
    stack, weights = stacked([network], torch.device("cpu")), torch.ones(3)
    words, gold = torch.randint(4, 12, (1, 10, 4)), torch.tensor([[0, 2, 1, NONE, NONE]])
    there = torch.cat((words[:, :3], words[:, 5:8]), dim=1)
    loss = losses(network, weights)
    torch.testing.assert_close(loss(stack, words, gold), loss(stack, there, gold[:, :3]))


def test_scores_do_not_depend_on_how_many_are_computed_at_once(monkeypatch):
    network = PairClassifier(SHAPE, 12, 3)
    stack, words = stacked([network, PairClassifier(SHAPE, 12, 3)], torch.device("cpu")), torch.randint(4, 12, (9, 4))
    at = torch.randint(0, 9, (2, 30))
    whole = classified(network, stack, words, at)
    torch.testing.assert_close(whole[0], network(torch.cat((words[at[0]], words[at[1]]))))
    monkeypatch.setattr("blicket.training.classification.NUMBERS_AT_ONCE", 500)
    told = []
    torch.testing.assert_close(classified(network, stack, words, at, told.append), whole)
    assert told[-1] == 30
    assert len(told) > 2


class Killed(Exception):
    pass


@pytest.mark.parametrize("frozen", [False, True])
def test_a_run_that_was_killed_ends_with_the_same_bits(data, tmp_path, frozen):
    (whole,) = fitted(data, epochs=4, frozen=frozen)

    def stop(update, cohort):
        if update == 2 * EPOCH:
            raise Killed

    told = []
    monkey = {"epochs": 4, "frozen": frozen, "checkpoints": tmp_path}
    with pytest.raises(Killed):
        fitted(data, observers=[stop], **monkey)
    assert [path.suffix for path in sorted(tmp_path.iterdir())] == [".json", ".safetensors"]
    (again,) = fitted(data, tell=told.append, **monkey)
    assert told[0].update > EPOCH
    same(again, whole)
    timeless = [[{k: v for k, v in p.items() if k != "per_second"} for p in f.curve] for f in (again, whole)]
    assert timeless[0] == timeless[1]


def test_observers_see_networks_and_change_nothing(data):
    (whole,) = fitted(data, epochs=2)
    seen = []

    def watch(update, cohort):
        seen.append(update)
        for parameter in cohort.stack.values():
            parameter.fill_(0)

    (watched,) = fitted(data, epochs=2, observers=[watch])
    assert seen == [EPOCH, 2 * EPOCH]
    same(watched, whole)


def test_the_best_is_the_first_of_the_best_on_dev(data):
    for watch in ("loss", "accuracy"):
        (one,) = fitted(data, epochs=6, watch=watch, rate=0.02)
        values = [point["dev_loss"] if watch == "loss" else -point["dev_accuracy"] for point in one.curve]
        assert one.best == one.curve[values.index(min(values))]["update"]
        (until,) = fitted(data, epochs=one.best // EPOCH, watch=watch, rate=0.02)
        for name, parameter in one.checkpoints["best"].items():
            assert np.array_equal(parameter, until.checkpoints["last"][name])


def test_a_seed_stops_when_it_has_waited_long_enough(data):
    free = fitted(data, [1, 2, 3], epochs=30, rate=0.02, watch="loss")
    patient = fitted(data, [1, 2, 3], epochs=30, rate=0.02, patience=2, watch="loss")
    for one, other in zip(patient, free, strict=True):
        losses = [point["dev_loss"] for point in other.curve]
        wanted = next((e for e in range(3, 31) if min(losses[e - 2 : e]) >= min(losses[: e - 2])), None)
        assert wanted is not None
        assert one.stopped == EPOCH * wanted == one.curve[-1]["update"]
        assert other.stopped is None
    assert len({one.stopped for one in patient}) > 1  # otherwise nothing says that they stop apart


def test_weights_of_labels_change_what_is_learned(data):
    heavy = fitted(data, epochs=6, rate=0.02, weights={"#": 0.01})
    gold = [example.targets["relation"] for example in data["dev"]]
    assert gold.count("#") / len(gold) > 0.5
    assert heavy[0].curve[-1]["dev_accuracy"] < 0.45 < fitted(data, epochs=6, rate=0.02)[0].curve[-1]["dev_accuracy"]


def test_a_rate_that_is_far_too_high_fails(data):
    (one,) = fitted(data, epochs=3, rate=1e38)
    assert (one.failed, one.checkpoints, one.stopped) == (True, {}, EPOCH)


def test_progress_is_told(data):
    told = []
    (one,) = fitted(data, epochs=2, tell=told.append)
    validations = [progress for progress in told if progress.dev_loss]
    assert [(p.seeds, p.update, p.of) for p in validations] == [((1,), EPOCH, 2 * EPOCH), ((1,), 2 * EPOCH, 2 * EPOCH)]
    assert validations[-1].dev_accuracy == (one.curve[-1]["dev_accuracy"],)
    assert all(math.isfinite(p.seconds) and p.seconds >= 0 for p in told)


def test_a_checkpoint_that_is_damaged_is_one_line(data, tmp_path):
    (tmp_path / "newest.json").write_text("{")
    with pytest.raises(InputError, match="the checkpoint cannot be read"):
        fitted(data, epochs=1, checkpoints=tmp_path)


def test_an_absolute_difference_is_another_network(data):
    other = replace(learner(epochs=1), shape=replace(SHAPE, difference="absolute"))
    (one,), (two,) = (each.fit(data["train"], data["dev"], [1]) for each in (learner(epochs=1), other))
    assert one.curve[0]["train_loss"] != two.curve[0]["train_loss"]
