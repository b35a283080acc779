"""Training: one seed, on one core, in about a minute."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor
from torch.nn import functional

from blicket.core.randomness import Stream
from blicket.learners.structured.knowledge import Knowledge
from blicket.learners.structured.network import HIDDEN, Dropout, Parser
from blicket.learners.structured.treebank import Trees, batches

__all__ = ["ParserRegime", "loss_of", "train"]


@final
@dataclass(frozen=True)
class ParserRegime:
    """A training regime; words are dropped with a probability of `word_dropout / (word_dropout + frequency)`."""

    epochs: int = 6
    batch: int = 64
    rate: float = 0.002
    word_dropout: float = 30.0
    spelling_dropout: float = 0.2
    dropout: float = 0.1
    rare: int = 3


def loss_of(network: Parser, trees: Trees, knowledge: Knowledge, dropout: Dropout | None = None) -> Tensor:
    """The mean loss of the sentences of a batch: of tags, heads, labels and slots."""
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
    return total / len(trees)


def train(
    network: Parser, bank: Sequence[Trees], knowledge: Knowledge, regime: ParserRegime, seed: int
) -> Iterator[tuple[int, float]]:
    """Train in place; after each update its number and its loss are yielded."""
    generator = torch.Generator().manual_seed(int(Stream(seed, "training").words(1)[0] >> 1))
    dropout = Dropout(regime.dropout, generator)
    dropping = regime.word_dropout / (regime.word_dropout + torch.from_numpy(knowledge.frequencies) + 1e-9)
    per_epoch = sum(-(-len(trees) // regime.batch) for trees in bank)
    total = regime.epochs * per_epoch
    optimizer = torch.optim.Adam(network.parameters(), regime.rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: min((done + 1) / 100, 1 - done / total))
    update = 0
    for _ in range(regime.epochs):
        for trees in batches(bank, regime.batch, generator):
            update += 1
            disguised = _disguised(trees, dropping, regime.spelling_dropout, generator)
            loss = loss_of(network, disguised, knowledge, dropout)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            yield update, float(loss.detach())


def _disguised(trees: Trees, dropping: Tensor, spelling: float, generator: torch.Generator) -> Trees:
    """The trees with some words made unknown, and of some of these the spelling too."""
    unknown = torch.rand(trees.tags.shape, generator=generator) < dropping[trees.words[..., 0]]
    unspelled = unknown & (torch.rand(trees.tags.shape, generator=generator) < spelling)
    words = torch.stack(
        (
            trees.words[..., 0].masked_fill(unknown, 0),
            trees.words[..., 1].masked_fill(unspelled, 0),
            trees.words[..., 2].masked_fill(unspelled, 0),
        ),
        -1,
    )
    return Trees(words, trees.tags, trees.heads, trees.labels, trees.slots)
