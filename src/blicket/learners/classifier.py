"""Classifiers of sentence pairs: both sentences are encoded, and what becomes of them is compared."""

from dataclasses import dataclass
from typing import Literal, final

import torch
from torch import Tensor, nn

from blicket.learners.encoders import EncoderShape, encoder_of

__all__ = ["ClassifierShape", "PairClassifier"]


@final
@dataclass(frozen=True)
class ClassifierShape:
    """An encoder and what is made of two encodings.

    With `difference` absolute |u - v| stands for u - v; a `linear` classifier has layers and nothing between them.
    """

    encoder: EncoderShape
    hidden: int = 512
    difference: Literal["signed", "absolute"] = "signed"
    linear: bool = False


@final
class PairClassifier(nn.Module):
    """One encoder for both sentences, and layers that see (u, v, u * v, u - v) (Goodwin et al. 2020, section 6.1)."""

    def __init__(self, shape: ClassifierShape, words: int, labels: int) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(words, shape.encoder.embedding)
        self.encoder = encoder_of(shape.encoder)
        self.first = nn.Linear(4 * self.encoder.size, shape.hidden)
        self.second = nn.Linear(shape.hidden, shape.hidden)
        self.third = nn.Linear(shape.hidden, labels)

    def encode(self, words: Tensor) -> Tensor:
        """The encodings (sentences, size) of sentences (sentences, length)."""
        encoded: Tensor = self.encoder(words, self.embedding.weight)
        return encoded

    def compare(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        """Scores (pairs, labels) of pairs of encodings (pairs, size)."""
        difference = premise - hypothesis
        if self.shape.difference == "absolute":
            difference = difference.abs()
        x = torch.cat((premise, hypothesis, premise * hypothesis, difference), dim=-1)  # (pairs, 4 * size)
        for layer in (self.first, self.second):
            x = layer(x) if self.shape.linear else torch.tanh(layer(x))
        scores: Tensor = self.third(x)
        return scores

    def forward(self, words: Tensor) -> Tensor:
        """Scores (pairs, labels); the first half of `words` (2 * pairs, length) are premises."""
        premise, hypothesis = self.encode(words).chunk(2)
        return self.compare(premise, hypothesis)
