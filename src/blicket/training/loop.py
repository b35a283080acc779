"""The training loop: all seeds together, each as if it were alone.

What happens at an update is a function of the seeds and its number: batches and masks are not drawn from a running
state, and the rate is not either, but for the pace that dev sets. So a checkpoint is the parameters, what the optimiser
remembers, the number and the paces, and a run that is resumed ends as it would have.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from blicket.core.learner import Fitted, Parameters, Progress
from blicket.learners.network import SequenceNetwork
from blicket.learners.noise import noise_key
from blicket.training.backward import Backward
from blicket.training.batches import BatchPlan
from blicket.training.checkpoints import Checkpoints
from blicket.training.optimisation import Adam, Optimiser, Sgd
from blicket.training.pairs import Pairs
from blicket.training.regime import Regime
from blicket.training.schedules import Pace
from blicket.training.stacking import Stack, halved, judged

__all__ = ["train"]

DEV_BATCH = 512
TOLD_EVERY = 1.0  # seconds; telling the loss waits for the device

Tell = Callable[[Progress], None]


@final
class _Loop:
    """The state of training."""

    def __init__(
        self, network: SequenceNetwork, stack: Stack, train: Pairs, dev: Pairs, regime: Regime, seeds: Sequence[int]
    ) -> None:
        self.stack, self.regime, self.seeds = stack, regime, list(seeds)
        self.train, self.dev = train, dev
        self.device = next(iter(stack.values())).device
        self.half = regime.half and self.device.type == "cuda"
        self.backward = Backward(network, stack, regime.smoothing, half=self.half, whole=regime.compiled == "whole")
        self.backward.zero()
        self.optimiser = _optimiser(list(stack.values()), regime)
        self.plan = BatchPlan(train.source_lengths, train.gold_lengths, regime.batch, regime.groups, self.seeds)
        self.judge = judged(network)
        self.updates = regime.updates_for(self.plan.per_epoch)
        self.update = 0
        self.curve: list[dict[str, Any]] = []
        self.best = {name: p.detach().clone() for name, p in stack.items()}
        self.last = {name: p.detach().clone() for name, p in stack.items()}
        n = len(self.seeds)
        self.paces = [Pace()] * n
        self.best_value: list[float | None] = [None] * n
        self.best_update, self.waited = [0] * n, [0] * n
        self.stopped: list[int | None] = [None] * n
        self.failed = [False] * n

    def run(self, tell: Tell, checkpoints: Checkpoints | None, show: Callable[[int, Stack], None] | None) -> None:
        """Train until the updates are done or every seed has stopped."""
        start = told = time.monotonic()
        first = self.update  # speed is that since the last validation, which itself is left out
        summed, tokens = torch.zeros(len(self.seeds), device=self.device), np.zeros(len(self.seeds), np.int64)
        while self.update < self.updates and None in self.stopped:
            losses, of_tokens = self._update()
            summed, tokens = summed + losses, tokens + of_tokens
            validates = self.regime.validates(self.update, self.plan.per_epoch) or self.update == self.updates
            if not validates and time.monotonic() - told < TOLD_EVERY:
                continue
            train_loss = tuple((summed.cpu().numpy() / tokens).tolist())
            told = time.monotonic()
            per_second = (self.update - first) / (told - start)
            left = (self.updates - self.update) / per_second
            progress = Progress(tuple(self.seeds), self.update, self.updates, train_loss, per_second, left)
            if not validates:
                tell(progress)
                continue
            tell(self._validate(progress))
            if show is not None:
                show(self.update, self.stack)
            summed, tokens = torch.zeros_like(summed), np.zeros_like(tokens)
            if checkpoints is not None:
                checkpoints.save(self.update, self.note(), self.kept())
            start, first = time.monotonic(), self.update

    def _update(self) -> tuple[Tensor, NDArray[np.int64]]:
        """One update of all seeds; the result is their summed losses and numbers of gold tokens (seeds)."""
        self.update += 1
        summed, tokens = torch.zeros(len(self.seeds), device=self.device), np.zeros(len(self.seeds), np.int64)
        examples = 0
        for part in range(self.regime.accumulate):
            batch = self.plan.batch((self.update - 1) * self.regime.accumulate + part)
            keys = [noise_key(seed, self.update, part) for seed in self.seeds]
            key = torch.tensor(keys, dtype=torch.int32, device=self.device)
            summed += self.backward(*self.train.batch(batch.rows, batch.source_length, batch.target_length), key)
            there = batch.rows >= 0  # in the same places for all seeds
            examples += int(there[0].sum())
            tokens += np.where(there, self.train.gold_lengths[batch.rows], 0).sum(1)
        per_token = self.regime.mean == "tokens"
        self.optimiser.update(self.update, self._rates(), tokens.tolist() if per_token else [examples] * len(keys))
        return summed, tokens

    def _rates(self) -> list[float]:
        """The learning rate of each seed."""
        return [self.regime.schedule(self.update) * pace.share for pace in self.paces]

    def _validate(self, progress: Progress) -> Progress:
        loss, accuracy = self._dev()
        train_loss = progress.train_loss
        for seed in range(len(self.seeds)):
            if self.stopped[seed] is None:
                self._judge(seed, loss[seed], accuracy[seed], train_loss[seed])
        self.curve.append(
            {
                "update": self.update,
                "rate": self._rates(),
                "per_second": progress.per_second,
                "train_loss": list(train_loss),
                "dev_loss": loss,
                "dev_accuracy": accuracy,
            }
        )
        paces = zip(self.paces, loss, strict=True)
        self.paces = [self.regime.schedule.after(pace, len(self.curve), of_seed) for pace, of_seed in paces]
        known = tuple(loss), tuple(accuracy), tuple(self.stopped), tuple(self.failed)
        return Progress(
            progress.seeds, progress.update, progress.of, train_loss, progress.per_second, progress.seconds, *known
        )

    def _judge(self, seed: int, loss: float, accuracy: float, train_loss: float) -> None:
        """Keep what is best, and stop a seed that does not improve any more or has no loss left."""
        if not (loss < float("inf") and train_loss < float("inf")):
            self.failed[seed], self.stopped[seed] = True, self.update
            return
        self._copy(self.last, seed)
        value = loss if self.regime.watch == "loss" else -accuracy
        best = self.best_value[seed]
        if best is None or value < best:
            self.best_value[seed], self.best_update[seed], self.waited[seed] = value, self.update, 0
            self._copy(self.best, seed)
            return
        self.waited[seed] += 1
        if self.regime.patience is not None and self.waited[seed] >= self.regime.patience:
            self.stopped[seed] = self.update

    def _copy(self, into: Stack, seed: int) -> None:
        for name, parameter in self.stack.items():
            into[name][seed] = parameter.detach()[seed]

    @torch.inference_mode()
    def _dev(self) -> tuple[list[float], list[float]]:
        """Loss a token and accuracy of whole targets on dev, for each seed."""
        stack = halved(self.stack) if self.half else self.stack
        lengths = self.dev.source_lengths, self.dev.gold_lengths
        plan = BatchPlan(*lengths, DEV_BATCH, self.regime.groups, self.seeds[:1])
        losses = torch.zeros(len(self.seeds), dtype=torch.float64, device=self.device)
        right = torch.zeros(len(self.seeds), device=self.device)
        for number in range(plan.per_epoch):
            batch = plan.batch(number)
            rows = batch.rows.repeat(len(self.seeds), axis=0)
            loss, exact = self.judge(stack, *self.dev.batch(rows, batch.source_length, batch.target_length))
            losses += loss.sum(1)
            right += (exact & torch.from_numpy(rows >= 0).to(self.device)).sum(1)
        tokens = int(self.dev.gold_lengths.sum())
        return (losses / tokens).tolist(), (right / len(self.dev)).tolist()

    def kept(self) -> dict[str, Tensor]:
        """All tensors that training goes on from, where they lie."""
        parts = {"stack": self.stack, "best": self.best, "last": self.last}
        for name, tensors in self.optimiser.memory.items():
            parts[name] = dict(zip(self.stack, tensors, strict=True))
        return {
            f"{part}/{name}": tensor.detach() for part, of_part in parts.items() for name, tensor in of_part.items()
        }

    def note(self) -> dict[str, Any]:
        """What a checkpoint notes beside the tensors."""
        return {name: getattr(self, name) for name in NOTED}

    def resume(self, checkpoints: Checkpoints) -> None:
        """Go on from the newest checkpoint, if there is one."""
        found = checkpoints.newest(self.device)
        if found is None:
            return
        note, tensors = found
        for name, tensor in self.kept().items():
            tensor.copy_(tensors[name])
        for name in NOTED:
            setattr(self, name, note[name])
        self.paces = [Pace(*pace) for pace in self.paces]

    def fitted(self, seed: int) -> Fitted:
        """What became of a seed."""
        stopped, failed = self.stopped[seed], self.failed[seed]
        points = [point for point in self.curve if stopped is None or point["update"] <= stopped]
        curve = [{k: v[seed] if isinstance(v, list) else v for k, v in point.items()} for point in points]
        kept = {"best": _alone(self.best, seed), "last": _alone(self.last, seed)}
        best = self.best_update[seed]
        return Fitted(self.seeds[seed], curve, best, stopped, failed, {} if failed else kept)


NOTED = ("update", "curve", "best_value", "best_update", "waited", "stopped", "failed", "paces")


def _optimiser(parameters: list[Tensor], regime: Regime) -> Optimiser:
    if regime.optimiser == "sgd":
        return Sgd(parameters, regime.momentum, regime.clip)
    return Adam(parameters, regime.betas, regime.clip)


def _alone(stack: Stack, seed: int) -> Parameters:
    return {name: tensor[seed].cpu().numpy() for name, tensor in stack.items()}


def train(
    network: SequenceNetwork,
    stack: Stack,
    train: Pairs,
    dev: Pairs,
    regime: Regime,
    seeds: Sequence[int],
    *,
    directory: Path | None = None,
    tell: Tell = lambda progress: None,
    show: Callable[[int, Stack], None] | None = None,
) -> list[Fitted]:
    """Train the stacked networks; `directory` keeps a checkpoint to resume from.

    `show` is shown the parameters after each validation.
    """
    loop = _Loop(network, stack, train, dev, regime, seeds)
    checkpoints = None if directory is None else Checkpoints(directory)
    if checkpoints is not None:
        loop.resume(checkpoints)
    loop.run(tell, checkpoints, show)
    return [loop.fitted(seed) for seed in range(len(seeds))]
