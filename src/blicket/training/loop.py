"""The training loop: all seeds together, each as if it were alone.

What happens at an update is a function of the seeds and its number: batches, masks and rate are not drawn from a
running state. So a checkpoint is the parameters, the moments and the number, and a run that is resumed ends as it would
have.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, final

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from blicket.core.errors import InputError
from blicket.core.storage import written_whole
from blicket.learners.network import SequenceNetwork
from blicket.learners.noise import noise_key
from blicket.training.backward import Backward
from blicket.training.batches import BatchPlan
from blicket.training.optimisation import Adam
from blicket.training.pairs import Pairs
from blicket.training.regime import Regime
from blicket.training.stacking import Stack, halved, judged

__all__ = ["Progress", "Trained", "train"]


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """Where training is, told at every validation, with dev loss a token and accuracy of each seed."""

    update: int
    of: int
    train_loss: tuple[float, ...]
    dev_loss: tuple[float, ...]
    dev_accuracy: tuple[float, ...]
    stopped: tuple[int | None, ...]
    seconds: float


@final
@dataclass(frozen=True)
class Trained:
    """The stacks of the best and the last checkpoint, the learning curve, and where each seed stopped and why."""

    best: Stack
    last: Stack
    curve: list[dict[str, Any]]
    best_update: list[int]
    stopped: list[int | None]
    failed: list[bool]


@final
class _Loop:
    """The state of training."""

    def __init__(
        self,
        network: SequenceNetwork,
        stack: Stack,
        train: Pairs,
        dev: Pairs,
        regime: Regime,
        seeds: Sequence[int],
        directory: Path | None,
    ) -> None:
        self.network, self.stack, self.regime, self.seeds = network, stack, regime, list(seeds)
        self.train, self.dev, self.directory = train, dev, directory
        self.device = next(iter(stack.values())).device
        half = regime.half and self.device.type == "cuda"
        self.half = half
        self.backward = Backward(network, stack, regime.smoothing, half=half, plain=False)
        self.backward.zero()
        self.adam = Adam(list(stack.values()), regime.betas, regime.clip)
        lengths = train.source_lengths, train.gold_lengths
        self.plan = BatchPlan(*lengths, regime.batch, regime.groups, self.seeds)
        self.judge = judged(network)
        self.update = 0
        self.curve: list[dict[str, Any]] = []
        self.best = {name: p.detach().clone() for name, p in stack.items()}
        self.last = {name: p.detach().clone() for name, p in stack.items()}
        n = len(self.seeds)
        self.best_value: list[float | None] = [None] * n
        self.best_update, self.waited = [0] * n, [0] * n
        self.stopped: list[int | None] = [None] * n
        self.failed = [False] * n

    def run(self, tell: Callable[[Progress], None]) -> Trained:
        start, first = time.monotonic(), self.update
        summed = torch.zeros(len(self.seeds), device=self.device)
        tokens = 0
        while self.update < self.regime.updates and None in self.stopped:
            losses, of_tokens = self._update()
            summed, tokens = summed + losses, tokens + of_tokens
            if self.update % self.regime.validate_every == 0 or self.update == self.regime.updates:
                done = self.update - first
                seconds = (time.monotonic() - start) / done * (self.regime.updates - self.update)
                tell(self._validate((summed / tokens).tolist(), seconds))
                summed, tokens = torch.zeros_like(summed), 0
                self._save()
        return Trained(self.best, self.last, self.curve, self.best_update, self.stopped, self.failed)

    def _update(self) -> tuple[Tensor, int]:
        """One update of all seeds; the result is their summed losses and the number of gold tokens of a seed."""
        self.update += 1
        summed = torch.zeros(len(self.seeds), device=self.device)
        examples = tokens = 0
        for part in range(self.regime.accumulate):
            batch = self.plan.batch((self.update - 1) * self.regime.accumulate + part)
            keys = [noise_key(seed, self.update, part) for seed in self.seeds]
            key = torch.tensor(keys, dtype=torch.int32, device=self.device)
            summed += self.backward(*self.train.batch(batch.rows, batch.source_length, batch.target_length), key)
            examples += int((batch.rows[0] >= 0).sum())
            tokens += int(self.train.gold_lengths[batch.rows[0][batch.rows[0] >= 0]].sum())
        self.adam.update(self.update, self.regime.schedule(self.update), examples)
        return summed, tokens

    def _validate(self, train_loss: list[float], seconds: float) -> Progress:
        loss, accuracy = self._dev()
        for seed in range(len(self.seeds)):
            if self.stopped[seed] is None:
                self._judge(seed, loss[seed], accuracy[seed], train_loss[seed])
        progress = Progress(
            self.update,
            self.regime.updates,
            tuple(train_loss),
            tuple(loss),
            tuple(accuracy),
            tuple(self.stopped),
            seconds,
        )
        about = {k: v for k, v in asdict(progress).items() if k not in ("of", "seconds")}
        self.curve.append({**about, "rate": self.regime.schedule(self.update)})
        return progress

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
        plan = BatchPlan(self.dev.source_lengths, self.dev.gold_lengths, 256, self.regime.groups, self.seeds[:1])
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

    def _save(self) -> None:
        """Write a checkpoint, the tensors first and the note that makes them count last."""
        if self.directory is None:
            return
        self.directory.mkdir(parents=True, exist_ok=True)
        tensors = {f"stack/{name}": p.detach() for name, p in self.stack.items()}
        for part, kept in (("best", self.best), ("last", self.last)):
            tensors |= {f"{part}/{name}": tensor for name, tensor in kept.items()}
        for name, mean, square in zip(self.stack, self.adam.means, self.adam.squares, strict=True):
            tensors |= {f"mean/{name}": mean, f"square/{name}": square}
        file = self.directory / f"update-{self.update}.safetensors"
        beside = file.with_suffix(".partial")
        try:
            save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, beside)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise InputError(f"{file}: cannot be written ({error.strerror})") from error
        beside.replace(file)
        note = {name: getattr(self, name) for name in NOTED}
        with written_whole(self.directory / "latest.json") as latest:
            latest.write(json.dumps({"file": file.name, **note}).encode())
        for old in self.directory.glob("update-*.safetensors"):
            if old != file:
                old.unlink(missing_ok=True)

    def resume(self) -> None:
        """Go on from the checkpoint in the directory, if there is one."""
        note = None if self.directory is None else self.directory / "latest.json"
        if note is None or not note.exists():
            return
        said = json.loads(note.read_bytes())
        tensors = load_file(note.parent / said["file"], device=str(self.device))
        with torch.no_grad():
            for i, name in enumerate(self.stack):
                self.stack[name].copy_(tensors[f"stack/{name}"])
                self.best[name].copy_(tensors[f"best/{name}"])
                self.last[name].copy_(tensors[f"last/{name}"])
                self.adam.means[i].copy_(tensors[f"mean/{name}"])
                self.adam.squares[i].copy_(tensors[f"square/{name}"])
        for name in NOTED:
            setattr(self, name, said[name])


NOTED = ("update", "curve", "best_value", "best_update", "waited", "stopped", "failed")
"""What a checkpoint notes beside the tensors."""


def train(
    network: SequenceNetwork,
    stack: Stack,
    train: Pairs,
    dev: Pairs,
    regime: Regime,
    seeds: Sequence[int],
    *,
    directory: Path | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> Trained:
    """Train the stacked networks; `directory` keeps a checkpoint to resume from."""
    loop = _Loop(network, stack, train, dev, regime, seeds, directory)
    loop.resume()
    return loop.run(tell)
