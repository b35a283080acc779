"""Training one seed, on one core, in about a minute."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, final

import torch
from torch import Tensor
from torch.nn import functional

from blicket.core.graph import SemanticGraph
from blicket.core.learner import Fitted, Parameters
from blicket.core.randomness import Stream
from blicket.learners.structured.knowledge import Knowledge, Sentence
from blicket.learners.structured.network import HIDDEN, Dropout, Member, Parser
from blicket.learners.structured.treebank import Trees, batches

__all__ = ["ParserRegime", "Training", "loss_of"]

WARMUP = 100  # updates until the rate is what the regime says; from there it falls to zero in a line
BETAS = (0.9, 0.98)
TOLD_EVERY = 1.0  # seconds

Parse = Callable[[Parser, Sequence[tuple[str, ...]]], list[SemanticGraph]]


@final
@dataclass(frozen=True)
class ParserRegime:
    """A training regime.

    A word of frequency f is made unknown with a probability of `(word_dropout / (word_dropout + f)) ** steepness`, and
    then its spelling too with one of `spelling_dropout`. Words that occur at most `rare` times are always unknown.
    """

    epochs: int = 3
    batch: int = 64
    rate: float = 0.002
    word_dropout: float = 100.0
    steepness: float = 2.0
    spelling_dropout: float = 0.2
    dropout: float = 0.1
    rare: int = 3
    headline: Literal["best", "last"] = "last"


def loss_of(network: Member, trees: Trees, knowledge: Knowledge, dropout: Dropout | None = None) -> Tensor:
    """The loss of one member on the sentences of a batch, summed: of tags, heads, labels and slots."""
    scores = network(trees.words, dropout)
    fillable = torch.from_numpy(knowledge.fillable)[trees.tags]  # (batch, length, labels)
    inner = trees.heads >= 0
    tags = functional.cross_entropy(scores.tags.flatten(0, 1), trees.tags.flatten(), reduction="sum")
    can_head = functional.pad(fillable.any(-1), (0, 1), value=True)  # the root can
    arcs = scores.arcs.masked_fill(~can_head[:, None], HIDDEN)
    heads = functional.cross_entropy(arcs[inner], trees.heads[inner], reduction="sum")
    batch, dependent = torch.nonzero(inner & (trees.heads < trees.tags.shape[1]), as_tuple=True)
    head = trees.heads[batch, dependent]
    labels = functional.cross_entropy(
        scores.labels[batch, dependent, head], trees.labels[batch, dependent], reduction="sum"
    )
    slots = functional.binary_cross_entropy_with_logits(scores.slots[fillable], trees.slots[fillable], reduction="sum")
    total: Tensor = tags + heads + labels + slots
    return total


@final
@dataclass(frozen=True)
class Training:
    """What every seed is trained and validated on; `parse` is how graphs are found, for the accuracy on dev."""

    regime: ParserRegime
    knowledge: Knowledge
    train: Sequence[Trees]
    dev: Sequence[Trees]
    questions: Sequence[Sentence]
    parse: Parse

    def fit(
        self, network: Parser, seed: int, say: Callable[[Mapping[str, Any]], None], show: Callable[[int], None]
    ) -> Fitted:
        """Train in place, with a validation after every epoch; `show` is told its update."""
        regime = self.regime
        per_epoch = sum(-(-len(trees) // regime.batch) for trees in self.train)
        updates = Updates(self, network, seed, per_epoch * regime.epochs)
        curve: list[dict[str, Any]] = []
        best: tuple[float, int, Parameters] = (float("inf"), 0, {})
        for epoch in range(1, regime.epochs + 1):
            start = time.monotonic()
            summed = rows = 0.0
            for trees in batches(self.train, regime.batch, updates.generator):
                summed, rows = summed + updates.update(trees), rows + len(trees)
                updates.told(summed / rows, say)
            if summed != summed:
                return Fitted(seed, curve, best[1], updates.done, True, {})
            point = {"update": updates.done, "rate": updates.rate, "per_second": per_epoch / (time.monotonic() - start)}
            curve.append(point | {"train_loss": summed / rows} | self._validated(network))
            updates.told_of(curve[-1], (regime.epochs - epoch) * (time.monotonic() - start), say)
            show(updates.done)
            if curve[-1]["dev_loss"] <= best[0]:
                best = curve[-1]["dev_loss"], updates.done, _kept(network)
        return Fitted(seed, curve, best[1], None, False, {"best": best[2], "last": _kept(network)})

    @torch.no_grad()
    def _validated(self, network: Parser) -> dict[str, float]:
        """The loss a sentence of dev, and the share of its graphs that are found."""
        size = self.regime.batch
        parts = (trees.take(rows) for trees in self.dev for rows in torch.split(torch.arange(len(trees)), size))
        losses = (float(loss_of(member, trees, self.knowledge)) for trees in parts for member in network.each)
        asked = [sentence for sentence in self.questions if len(sentence.tokens) > 1]
        found = self.parse(network, [sentence.tokens for sentence in asked])
        right = sum(graph == sentence.graph for graph, sentence in zip(found, asked, strict=True))
        return {"dev_loss": sum(losses) / len(asked) / len(network.members), "dev_accuracy": right / len(asked)}


@final
class Updates:
    """Adam (Kingma & Ba 2015) with a rate that falls in a line, and noise from the seed alone."""

    def __init__(self, training: Training, network: Parser, seed: int, total: int) -> None:
        self._training, self._network, self._seed, self._total = training, network, seed, total
        self.generator = torch.Generator().manual_seed(int(Stream(seed, "training").words(1)[0] >> 1))
        self._dropout = Dropout(training.regime.dropout, self.generator)
        self._optimizer = torch.optim.Adam(network.parameters(), training.regime.rate, betas=BETAS)
        alpha = training.regime.word_dropout
        share = alpha / (alpha + torch.from_numpy(training.knowledge.frequencies).clamp(min=1))
        self._dropping = share**training.regime.steepness  # (words)
        self.done = 0
        self._start = self._told = time.monotonic()

    @property
    def rate(self) -> float:
        """The rate of the next update."""
        return self._training.regime.rate * min((self.done + 1) / WARMUP, 1 - self.done / self._total)

    def update(self, trees: Trees) -> float:
        """One update; the result is the loss summed over the sentences, in the mean over members.

        Each member sees the sentences in disguises of its own.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = self.rate
        members, knowledge = self._network.each, self._training.knowledge
        losses = [loss_of(member, self._disguised(trees), knowledge, self._dropout) for member in members]
        loss = torch.stack(losses).sum()
        self._optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss / len(trees))
        self._optimizer.step()
        self.done += 1
        return float(loss.detach()) / len(members)

    def told(self, train_loss: float, say: Callable[[Mapping[str, Any]], None]) -> None:
        """Say where training is, about once a second."""
        now = time.monotonic()
        if now - self._told >= TOLD_EVERY:
            self._told = now
            per_second = self.done / (now - self._start)
            say(self._progress(train_loss, per_second, (self._total - self.done) / per_second))

    def told_of(self, point: Mapping[str, Any], seconds: float, say: Callable[[Mapping[str, Any]], None]) -> None:
        """Say how a validation went, and how many seconds are left."""
        of_dev = {name: [point[name]] for name in ("dev_loss", "dev_accuracy")}
        known = {**of_dev, "stopped": [None], "failed": [False]}
        say(self._progress(point["train_loss"], point["per_second"], seconds) | known)

    def _progress(self, train_loss: float, per_second: float, seconds: float) -> dict[str, Any]:
        where = {"seeds": [self._seed], "update": self.done, "of": self._total, "train_loss": [train_loss]}
        return where | {"per_second": per_second, "seconds": seconds}

    def _disguised(self, trees: Trees) -> Trees:
        """The trees with some words made unknown, and of some of these the spelling too."""
        unknown = torch.rand(trees.tags.shape, generator=self.generator) < self._dropping[trees.words[..., 0]]
        spelling = self._training.regime.spelling_dropout
        unspelled = unknown & (torch.rand(trees.tags.shape, generator=self.generator) < spelling)
        gone = torch.stack((unknown, unspelled, unspelled), -1)
        return Trees(trees.words.masked_fill(gone, 0), trees.tags, trees.heads, trees.labels, trees.slots)


def _kept(network: Parser) -> Parameters:
    return {name: parameter.detach().clone().numpy() for name, parameter in network.state_dict().items()}
