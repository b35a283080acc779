"""Trees as arrays, those of equally long sentences together, so that no batch is padded."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import torch
from torch import Tensor

from blicket.learners.structured.knowledge import Knowledge, Sentence

__all__ = ["Trees", "by_length", "treebank"]


@final
@dataclass(frozen=True)
class Trees:
    """Trees over sentences of one length; a head of -1 is none, and one beyond the last token is the root."""

    words: Tensor  # (batch, length, 3): word, shape, ending
    tags: Tensor  # (batch, length)
    heads: Tensor  # (batch, length)
    labels: Tensor  # (batch, length)
    slots: Tensor  # (batch, length, labels): whether the role is filled

    def __len__(self) -> int:
        return len(self.words)

    def take(self, rows: Tensor) -> "Trees":
        """Some of the trees."""
        return Trees(self.words[rows], self.tags[rows], self.heads[rows], self.labels[rows], self.slots[rows])


def by_length(sentences: Sequence[Sequence[str]]) -> dict[int, list[int]]:
    """The places of sentences by their number of tokens, from the shortest."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, tokens in enumerate(sentences):
        places[len(tokens)].append(place)
    return dict(sorted(places.items()))


def treebank(sentences: Sequence[Sentence], knowledge: Knowledge) -> list[Trees]:
    """The trees of the sentences with several words."""
    structured = [sentence for sentence in sentences if len(sentence.tokens) > 1]
    lengths = by_length([sentence.tokens for sentence in structured])
    return [_trees([structured[i] for i in places], length, knowledge) for length, places in lengths.items()]


def _trees(sentences: Sequence[Sentence], length: int, knowledge: Knowledge) -> Trees:
    tag_numbers = {tag: number for number, tag in enumerate(knowledge.tags)}
    label_numbers = {label: number for number, label in enumerate(knowledge.labels)}
    shape = (len(sentences), length)
    tags = np.zeros(shape, np.int64)
    heads = np.full(shape, -1, np.int64)
    labels = np.zeros(shape, np.int64)
    slots = np.zeros((*shape, len(knowledge.labels)), np.float32)
    for row, sentence in enumerate(sentences):
        for position, node in enumerate(sentence.graph.nodes):
            if node is not None:
                tags[row, position] = tag_numbers[node.tag]
                heads[row, position] = length
        for arc in knowledge.tree(sentence.graph):
            label = label_numbers[arc.label]
            heads[row, arc.dependent], labels[row, arc.dependent] = arc.head, label
            slots[row, arc.head, label] = 1
    words = np.array([knowledge.numbers(sentence.tokens) for sentence in sentences])
    return Trees(*map(torch.from_numpy, (words, tags, heads, labels, slots)))


def batches(bank: Sequence[Trees], size: int, generator: torch.Generator) -> Iterator[Trees]:
    """Every tree once, in batches of one length each, in random order."""
    parts = []
    for trees in bank:
        order = torch.randperm(len(trees), generator=generator)
        parts.extend((trees, rows) for rows in order.split(size))
    for at in torch.randperm(len(parts), generator=generator).tolist():
        trees, rows = parts[at]
        yield trees.take(rows)
