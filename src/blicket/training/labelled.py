"""The labelled sentence pairs of a split as numbers on a device: every distinct sentence once, and pairs of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from blicket.core.errors import InputError
from blicket.core.example import Split
from blicket.learners.relational import Rewriting, unchanged
from blicket.learners.vocabulary import PAD, SPECIALS, Vocabulary

__all__ = ["NONE", "LabelledPairs", "PairsOfSentences", "numbered", "pairs_of", "sentences_of"]

NONE = -1
"""The label of a row that is not there."""


@final
@dataclass(frozen=True)
class PairsOfSentences:
    """Distinct sentences, and for each pair where its premise and its hypothesis stand among them: (2, pairs)."""

    sentences: Sequence[str]
    at: NDArray[np.int64]


def sentences_of(pairs: Sequence[tuple[str, ...]]) -> PairsOfSentences:
    """The distinct sentences of some pairs."""
    place: dict[str, int] = {}
    at = np.array([[place.setdefault(sentence, len(place)) for sentence in pair] for pair in pairs], np.int64)
    return PairsOfSentences(list(place), at.reshape(len(pairs), -1).T)


def numbered(sentences: Sequence[str], known: Vocabulary) -> tuple[NDArray[np.int64], list[str]]:
    """Sentences as numbers, filled up with padding; words that are not known are numbered after all that are.

    These stand in the second result, in the order of their numbers.
    """
    met = {word for sentence in sentences for word in sentence.split()}
    novel = sorted(met - set(known.tokens[len(SPECIALS) :]))
    words = Vocabulary((*known.tokens, *novel))
    return words.matrix(sentences, ended=False).astype(np.int64), novel


def pairs_of(split: Split, form: str, rewritten: Rewriting = unchanged) -> tuple[list[tuple[str, ...]], list[str]]:
    """Premises and hypotheses as they are read, and their relations; raises InputError for what is no pair."""
    columns = split.rows.columns(np.arange(len(split)), form)
    if len(columns.inputs[0]) != 2:
        raise InputError(f"{split.name}: has {len(columns.inputs[0])} input a row; pairs of sentences are wanted")
    return [rewritten(pair) for pair in columns.inputs], columns.targets


@final
@dataclass(frozen=True)
class LabelledPairs:
    """The sentences (sentences, length) of a split, where those of each pair stand (2, pairs), and labels (pairs).

    `novel` are the words that training did not show, in the order of their numbers.
    """

    sentences: Tensor
    at: Tensor
    labels: Tensor
    novel: Sequence[str]

    @classmethod
    def of(
        cls,
        split: Split,
        form: str,
        words: Vocabulary,
        labels: Sequence[str],
        device: torch.device,
        rewritten: Rewriting = unchanged,
    ) -> "LabelledPairs":
        """The pairs of a split; a label that training did not show is one that is never right."""
        inputs, targets = pairs_of(split, form, rewritten)
        distinct = sentences_of(inputs)
        sentences, novel = numbered(distinct.sentences, words)
        number = {label: i for i, label in enumerate(labels)}
        gold = np.array([number.get(target, len(labels)) for target in targets])
        numbers, at, of_pairs = (torch.from_numpy(array).to(device) for array in (sentences, distinct.at, gold))
        return cls(numbers, at, of_pairs, novel)

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """The sentences (seeds, 2 * batch, length) of rows (seeds, batch), premises first, and labels (seeds, batch).

        A row of -1 is one that is not there.
        """
        there = torch.from_numpy(rows).to(self.labels.device)
        at = self.at[:, there.clamp(min=0)]  # (2, seeds, batch)
        words = self.sentences[torch.cat((at[0], at[1]), dim=1)]
        gone = torch.cat((there, there), dim=1)[..., None] < 0
        return words.masked_fill(gone, PAD), torch.where(there < 0, NONE, self.labels[there.clamp(min=0)])
