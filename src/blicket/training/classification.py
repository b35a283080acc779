"""Training classifiers of sentence pairs: all seeds together, each as if it were alone.

As in `blicket.training.loop`, what happens at an update is a function of the seeds and its number, so that a run that
is resumed ends as it would have. There is a validation after every epoch, and a checkpoint.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.func import functional_call
from torch.nn import functional as F  # noqa: N812

from blicket.core.learner import Fitted, Progress
from blicket.core.randomness import Stream
from blicket.learners.classifier import PairClassifier
from blicket.training.backward import Graph
from blicket.training.checkpoints import Checkpoints
from blicket.training.labelled import NONE, LabelledPairs
from blicket.training.stacking import Parameters, Stack, calls, mapped

__all__ = ["EMBEDDING", "ClassifierRegime", "Extend", "classified", "train_classifiers"]

EMBEDDING = "embedding.weight"
"""The name of the parameter that holds the vectors of words."""

BETAS = (0.9, 0.999)
TOLD_EVERY = 1.0  # seconds; telling the loss waits for the device
NUMBERS_AT_ONCE = 1 << 25
"""The numbers that an answer may hold at once, of all seeds: some hundred megabytes with what is between."""

Tell = Callable[[Progress], None]
Extend = Callable[[Stack, Sequence[str]], Stack]
"""Adds the vectors of words that were not trained to those that were."""


@final
@dataclass(frozen=True)
class ClassifierRegime:
    """How to train: Adam at a constant rate, so many epochs, and the checkpoint that counts.

    With `patience`, a seed stops after so many epochs without a better dev; `weights` are what a label's loss counts,
    1 where none is said; `frozen` vectors of words stay what they began with.
    """

    batch: int = 64
    epochs: int = 20
    rate: float = 0.001
    patience: int | None = None
    watch: Literal["loss", "accuracy"] = "accuracy"
    headline: Literal["best", "last"] = "best"
    weights: Mapping[str, float] = field(default_factory=dict)
    frozen: bool = False


def train_classifiers(
    network: PairClassifier,
    stack: Stack,
    train: LabelledPairs,
    dev: LabelledPairs,
    regime: ClassifierRegime,
    seeds: Sequence[int],
    labels: Sequence[str],
    extend: Extend,
    *,
    directory: Path | None = None,
    tell: Tell = lambda progress: None,
    show: Callable[[int, Stack], None] | None = None,
) -> list[Fitted]:
    """Train the stacked networks; `directory` keeps a checkpoint, and `show` is shown the parameters every epoch."""
    loop = _Loop(network, stack, train, dev, regime, seeds, labels, extend)
    checkpoints = None if directory is None else Checkpoints(directory)
    if checkpoints is not None:
        loop.resume(checkpoints)
    loop.run(tell, checkpoints, show)
    return [loop.fitted(seed) for seed in range(len(seeds))]


def losses(network: PairClassifier, weights: Tensor) -> Callable[[Stack, Tensor, Tensor], Tensor]:
    """The mean loss of each seed (seeds) on its batch, of (stack, words, labels); `weights` are those of labels."""

    def one(parameters: Parameters, words: Tensor, gold: Tensor) -> Tensor:
        scores: Tensor = functional_call(network, parameters, (words,))
        counts = torch.where(gold == NONE, 0.0, weights[gold.clamp(min=0)])  # (batch)
        each = F.cross_entropy(scores, gold.clamp(min=0), reduction="none")
        return (counts * each).sum() / counts.sum()

    return mapped(one)


@final
class _Loop:
    """The state of training."""

    def __init__(
        self,
        network: PairClassifier,
        stack: Stack,
        train: LabelledPairs,
        dev: LabelledPairs,
        regime: ClassifierRegime,
        seeds: Sequence[int],
        labels: Sequence[str],
        extend: Extend,
    ) -> None:
        self.network, self.stack, self.regime, self.seeds = network, stack, regime, list(seeds)
        self.train, self.dev, self.extend = train, dev, extend
        weights = torch.tensor([regime.weights.get(label, 1.0) for label in labels], device=train.labels.device)
        self.losses = losses(network, weights)
        if regime.frozen:
            stack[EMBEDDING].requires_grad_(False)
        self.trained = {name: p for name, p in stack.items() if p.requires_grad}
        self.adam = torch.optim.Adam(self.trained.values(), regime.rate, betas=BETAS, fused=True)
        for parameter in self.trained.values():
            parameter.grad = torch.zeros_like(parameter)  # so that they are always added in the same place
        self.graph: Graph | None = None
        self.per_epoch = -(-len(train) // regime.batch)
        self.epoch = 0
        self.curve: list[dict[str, Any]] = []
        self.best = {name: p.detach().clone() for name, p in stack.items()}
        self.last = {name: p.detach().clone() for name, p in stack.items()}
        n = len(self.seeds)
        self.best_value: list[float | None] = [None] * n
        self.best_update, self.waited = [0] * n, [0] * n
        self.stopped: list[int | None] = [None] * n
        self.failed = [False] * n

    @property
    def updates(self) -> int:
        """How many updates there are at most."""
        return self.per_epoch * self.regime.epochs

    def run(self, tell: Tell, checkpoints: Checkpoints | None, show: Callable[[int, Stack], None] | None) -> None:
        """Train until the epochs are done or every seed has stopped."""
        while self.epoch < self.regime.epochs and None in self.stopped:
            train_loss, per_second = self._epoch(tell)
            tell(self._validate(train_loss, per_second))
            if show is not None:
                show(self.epoch * self.per_epoch, self.stack)
            if checkpoints is not None:
                checkpoints.save(self.epoch * self.per_epoch, self.note(), self.kept())

    def _epoch(self, tell: Tell) -> tuple[tuple[float, ...], float]:
        """Meet every pair once; the result is each seed's mean loss, and updates a second."""
        start = told = time.monotonic()
        orders = self._orders()
        self.epoch += 1
        summed = torch.zeros(len(self.seeds), device=self.train.labels.device)
        for number in range(1, self.per_epoch + 1):
            rows = orders[:, (number - 1) * self.regime.batch : number * self.regime.batch]
            summed += self._backward(*self.train.batch(rows))
            self.adam.step()
            self.adam.zero_grad(set_to_none=False)
            if time.monotonic() - told >= TOLD_EVERY:
                mean, told = (summed / number).tolist(), time.monotonic()
                tell(self._progress(tuple(mean), number, number / (told - start)))
        mean = (summed / self.per_epoch).tolist()
        return tuple(mean), self.per_epoch / (time.monotonic() - start)

    def _backward(self, words: Tensor, gold: Tensor) -> Tensor:
        """Add the gradients of a batch; on a GPU by a graph, since launching what is so small takes longer than it."""
        if words.device.type != "cuda":
            return self._forwards_and_backwards(words, gold)
        if self.graph is None:
            self.graph = Graph(self._forwards_and_backwards, list(self.trained.values()), (words, gold))
        return self.graph.replay((words, gold))

    def _forwards_and_backwards(self, words: Tensor, gold: Tensor) -> Tensor:
        loss: Tensor = self.losses(self.stack, words, gold)
        loss.sum().backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    def _orders(self) -> NDArray[np.int64]:
        """The order of the pairs in this epoch for each seed (seeds, pairs), filled up to whole batches with -1."""
        orders = np.full((len(self.seeds), self.per_epoch * self.regime.batch), -1, np.int64)
        for order, seed in zip(orders, self.seeds, strict=True):
            order[: len(self.train)] = Stream(seed, "order", self.epoch).permutation(len(self.train))
        return orders

    def _progress(self, train_loss: tuple[float, ...], number: int, per_second: float, **known: Any) -> Progress:
        update = (self.epoch - 1) * self.per_epoch + number
        left = (self.updates - update) / per_second
        return Progress(tuple(self.seeds), update, self.updates, train_loss, per_second, left, **known)

    def _validate(self, train_loss: tuple[float, ...], per_second: float) -> Progress:
        loss, accuracy = self._dev()
        for seed in range(len(self.seeds)):
            if self.stopped[seed] is None:
                self._judge(seed, loss[seed], accuracy[seed], train_loss[seed])
        point = {"update": self.epoch * self.per_epoch, "rate": self.regime.rate, "per_second": per_second}
        found = {"train_loss": list(train_loss), "dev_loss": loss, "dev_accuracy": accuracy}
        self.curve.append({**point, **found})
        known = {"dev_loss": tuple(loss), "dev_accuracy": tuple(accuracy)}
        now = {"stopped": tuple(self.stopped), "failed": tuple(self.failed)}
        return self._progress(train_loss, self.per_epoch, per_second, **known, **now)

    def _judge(self, seed: int, loss: float, accuracy: float, train_loss: float) -> None:
        """Keep what is best, and stop a seed that does not improve any more or has no loss left."""
        update = self.epoch * self.per_epoch
        if not (loss < float("inf") and train_loss < float("inf")):
            self.failed[seed], self.stopped[seed] = True, update
            return
        self._copy(self.last, seed)
        value = loss if self.regime.watch == "loss" else -accuracy
        best = self.best_value[seed]
        if best is None or value < best:
            self.best_value[seed], self.best_update[seed], self.waited[seed] = value, update, 0
            self._copy(self.best, seed)
            return
        self.waited[seed] += 1
        if self.regime.patience is not None and self.waited[seed] >= self.regime.patience:
            self.stopped[seed] = update

    def _copy(self, into: Stack, seed: int) -> None:
        for name, parameter in self.stack.items():
            into[name][seed] = parameter.detach()[seed]

    @torch.inference_mode()
    def _dev(self) -> tuple[list[float], list[float]]:
        """The mean loss and the accuracy on dev, for each seed; a label that training never showed costs nothing."""
        scores = classified(self.network, self.extend(self.stack, self.dev.novel), self.dev.sentences, self.dev.at)
        gold = self.dev.labels.expand(len(self.seeds), -1)
        known = gold < scores.shape[-1]
        of_gold = torch.log_softmax(scores, -1).gather(-1, gold.clamp(max=scores.shape[-1] - 1)[..., None])[..., 0]
        accuracy = (scores.argmax(-1) == gold).float().mean(1)
        return (-(of_gold * known).mean(1)).tolist(), accuracy.tolist()

    def kept(self) -> dict[str, Tensor]:
        """All tensors that training goes on from, where they lie."""
        parts = {"stack": self.stack, "best": self.best, "last": self.last}
        for name, key in MOMENTS.items():
            parts[name] = {of: self.adam.state[p][key] for of, p in self.trained.items()}
        return {
            f"{part}/{name}": tensor.detach() for part, of_part in parts.items() for name, tensor in of_part.items()
        }

    def note(self) -> dict[str, Any]:
        """What a checkpoint notes beside the tensors."""
        return {name: getattr(self, name) for name in NOTED}

    def resume(self, checkpoints: Checkpoints) -> None:
        """Go on from the newest checkpoint, if there is one."""
        found = checkpoints.newest(self.train.labels.device)
        if found is None:
            return
        note, tensors = found
        for name, p in self.trained.items():
            self.adam.state[p] = {key: tensors[f"{part}/{name}"].clone() for part, key in MOMENTS.items()}
        with torch.no_grad():
            for name, tensor in self.kept().items():
                tensor.copy_(tensors[name])
        for name in NOTED:
            setattr(self, name, note[name])

    def fitted(self, seed: int) -> Fitted:
        """What became of a seed."""
        stopped, failed = self.stopped[seed], self.failed[seed]
        points = [point for point in self.curve if stopped is None or point["update"] <= stopped]
        curve = [{k: v[seed] if isinstance(v, list) else v for k, v in point.items()} for point in points]
        checkpoints = {"best": self.best, "last": self.last}
        alone = {at: {name: p[seed].cpu().numpy() for name, p in of.items()} for at, of in checkpoints.items()}
        return Fitted(self.seeds[seed], curve, self.best_update[seed], stopped, failed, {} if failed else alone)


MOMENTS = {"mean": "exp_avg", "square": "exp_avg_sq", "step": "step"}
NOTED = ("epoch", "curve", "best_value", "best_update", "waited", "stopped", "failed")


def classified(
    network: PairClassifier,
    stack: Stack,
    sentences: Tensor,
    at: Tensor,
    progress: Callable[[int], None] = lambda done: None,
) -> Tensor:
    """Scores (seeds, pairs, labels) of pairs, whose sentences stand `at` (2, pairs) among sentences.

    Every sentence is encoded once, however many pairs it is in.
    """
    seeds = len(next(iter(stack.values())))
    encode, compare = calls(network, "encode"), calls(network, "compare")
    size = max(1, NUMBERS_AT_ONCE // (seeds * network.encoder.size * 2 * max(1, sentences.shape[1])))
    parts = [encode(stack, part.expand(seeds, -1, -1)) for part in torch.split(sentences, size)]
    encoded = torch.cat(parts, dim=1)  # (seeds, sentences, size)
    scores, done = [], 0
    for part in torch.split(at, max(1, NUMBERS_AT_ONCE // (seeds * network.encoder.size * 4)), dim=1):
        scores.append(compare(stack, encoded[:, part[0]], encoded[:, part[1]]))
        done += part.shape[1]
        progress(done)
    return torch.cat(scores, dim=1)
