"""Sentence encoders: a sentence of any length to one vector (Goodwin et al. 2020, section 6.1; Conneau et al. 2017).

Written for one seed, like all networks here. Sentences are numbers of words, filled up with padding at their end;
`vectors` has a row a word. Padding changes nothing, however much of it there is.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, final

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from blicket.learners.lstm import gated
from blicket.learners.network import masked, padding

__all__ = [
    "BidirectionalGru",
    "EncoderShape",
    "HierarchicalConvolution",
    "InferSent",
    "SelfAttentive",
    "SentenceEncoder",
    "encoder_of",
]

KERNEL = 3
GRU_GATES, LSTM_GATES = 3, 4


@final
@dataclass(frozen=True)
class EncoderShape:
    """Which encoder, and its sizes: `width` is that of each direction, or the feature maps of each convolution.

    Of the views of a self-attentive encoder only the first `distinct_views` differ, if it is set; the last of these
    is repeated.
    """

    kind: Literal["gru", "infersent", "self-attentive", "convolution"]
    width: int = 300
    embedding: int = 300
    views: int = 4
    distinct_views: int | None = None
    layers: int = 4


class SentenceEncoder(nn.Module, ABC):
    """Reads sentences and gives each a vector of `size` numbers."""

    size: int

    @abstractmethod
    def forward(self, words: Tensor, vectors: Tensor) -> Tensor:
        """The encodings (sentences, size) of `words` (sentences, length), whose `vectors` are (words, embedding)."""


def encoder_of(shape: EncoderShape) -> SentenceEncoder:
    """The encoder of a shape."""
    match shape.kind:
        case "gru":
            return BidirectionalGru(shape)
        case "infersent":
            return InferSent(shape)
        case "self-attentive":
            return SelfAttentive(shape)
        case "convolution":
            return HierarchicalConvolution(shape)


@final
class BidirectionalGru(SentenceEncoder):
    """The last states of a GRU that reads forwards and of one that reads backwards."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.layer = TwoDirections(shape.embedding, shape.width, GRU_GATES)
        self.size = 2 * shape.width

    def forward(self, words: Tensor, vectors: Tensor) -> Tensor:
        """Of every sentence the states after its last word."""
        read = self.layer.read_off(words, vectors)  # (2, sentences, length, 3 * width)
        h = torch.zeros_like(read[:, :, 0, : self.size // 2])  # (2, sentences, width)
        states = []
        for position in range(words.shape[1]):
            h = gru_step(read[:, :, position], self.layer.recalled(h), h)
            states.append(h)
        last = _lengths(words) - 1
        at = last[None, :, None, None].expand(2, -1, 1, self.size // 2)
        ends = torch.stack(states, dim=2).gather(2, at)[:, :, 0]  # (2, sentences, width)
        return torch.cat((ends[0], ends[1]), dim=-1)


@final
class InferSent(SentenceEncoder):
    """A bidirectional LSTM, and of every number of its outputs the largest (Conneau et al. 2017, section 3.2.2)."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.layer = TwoDirections(shape.embedding, shape.width, LSTM_GATES)
        self.size = 2 * shape.width

    def forward(self, words: Tensor, vectors: Tensor) -> Tensor:
        """The largest numbers over the words; where a direction says them does not matter, and padding says none."""
        outputs = lstm_outputs(self.layer, words, vectors)  # (2, sentences, length, width)
        largest = masked(outputs, padding(words)[None, :, :, None]).amax(dim=2)  # (2, sentences, width)
        return torch.cat((largest[0], largest[1]), dim=-1)


@final
class SelfAttentive(SentenceEncoder):
    """Several views of the outputs of a bidirectional LSTM, each with attention of its own (Lin et al. 2017)."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.layer = TwoDirections(shape.embedding, shape.width, LSTM_GATES)
        self.key = nn.Linear(2 * shape.width, 2 * shape.width)
        self.distinct = shape.views if shape.distinct_views is None else shape.distinct_views
        self.repeats = shape.views - self.distinct
        self.query = nn.Linear(2 * shape.width, self.distinct, bias=False)
        self.size = shape.views * 2 * shape.width

    def forward(self, words: Tensor, vectors: Tensor) -> Tensor:
        """The views one after another; each is a mean of the outputs, weighted by how they answer its query."""
        forwards, backwards = lstm_outputs(self.layer, words, vectors)  # (sentences, length, width) each
        back = _reversal(words)[..., None].expand_as(backwards)
        outputs = torch.cat((forwards, backwards.gather(1, back)), dim=-1)  # (sentences, length, 2 * width)
        scores = self.query(torch.tanh(self.key(outputs)))  # (sentences, length, distinct views)
        attention = torch.softmax(masked(scores, padding(words)[..., None]), dim=1)
        views = attention.transpose(1, 2) @ outputs  # (sentences, distinct views, 2 * width)
        if self.repeats:
            views = torch.cat((views, *[views[:, -1:]] * self.repeats), dim=1)
        return views.flatten(1)


@final
class HierarchicalConvolution(SentenceEncoder):
    """Convolutions on top of each other, and of each its largest outputs (Conneau et al. 2017, section 3.2.4)."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        inputs = [shape.embedding] + [shape.width] * (shape.layers - 1)
        self.layers = nn.ModuleList(nn.Linear(KERNEL * size, shape.width) for size in inputs)
        self.size = shape.layers * shape.width

    def forward(self, words: Tensor, vectors: Tensor) -> Tensor:
        """The largest outputs of every layer; beyond the sentence there are zeros."""
        there = ~padding(words)[..., None]
        x = F.embedding(words, vectors) * there  # (sentences, length, embedding)
        largest = []
        for layer in self.layers:
            beside = F.pad(x, (0, 0, 1, 1))
            windows = torch.cat([beside[:, i : i + x.shape[1]] for i in range(KERNEL)], dim=-1)
            x = torch.relu(layer(windows)) * there  # (sentences, length, width)
            largest.append(x.amax(dim=1))
        return torch.cat(largest, dim=-1)


@final
class TwoDirections(nn.Module):
    """The weights of a recurrent layer that reads forwards and of one that reads backwards, side by side."""

    def __init__(self, inputs: int, width: int, gates: int) -> None:
        super().__init__()
        self.read_weight = nn.Parameter(torch.empty(2, gates * width, inputs))
        self.read_bias = nn.Parameter(torch.empty(2, gates * width))
        self.recur_weight = nn.Parameter(torch.empty(2, gates * width, width))
        self.recur_bias = nn.Parameter(torch.empty(2, gates * width))
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -(width**-0.5), width**-0.5)  # as torch.nn has it

    def read_off(self, words: Tensor, vectors: Tensor) -> Tensor:
        """What both read at every place (2, sentences, length, gates * width), the second from the last word on."""
        places = words, words.gather(1, _reversal(words))
        read = [
            _looked_up(at, vectors, w, b) for at, w, b in zip(places, self.read_weight, self.read_bias, strict=True)
        ]
        return torch.stack(read)

    def recalled(self, h: Tensor) -> Tensor:
        """What both make of their states (2, sentences, width)."""
        return torch.baddbmm(self.recur_bias[:, None], h, self.recur_weight.transpose(1, 2))


def lstm_outputs(layer: TwoDirections, words: Tensor, vectors: Tensor) -> Tensor:
    """The outputs of LSTMs (2, sentences, length, width); those of the second from the last word on."""
    read = layer.read_off(words, vectors)
    h = torch.zeros_like(read[:, :, 0, : read.shape[-1] // LSTM_GATES])  # (2, sentences, width)
    c, outputs = h, []
    for position in range(words.shape[1]):
        h, c = gated(read[:, :, position], layer.recalled(h), c)
        outputs.append(h)
    return torch.stack(outputs, dim=2)


def gru_step(read: Tensor, recalled: Tensor, h: Tensor) -> Tensor:
    """The new state of a GRU (Cho et al. 2014); gates in the order reset, update, new, as torch.nn.GRU has them."""
    reset, update, new = read.chunk(GRU_GATES, dim=-1)
    reset_too, update_too, new_too = recalled.chunk(GRU_GATES, dim=-1)
    candidate = torch.tanh(new + torch.sigmoid(reset + reset_too) * new_too)
    return torch.lerp(candidate, h, torch.sigmoid(update + update_too))


def _looked_up(words: Tensor, vectors: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """What a layer makes of the words; once a word, and not once a place, if there are fewer words than places."""
    if len(vectors) <= words.numel():
        return F.embedding(words, F.linear(vectors, weight, bias))
    return F.linear(F.embedding(words, vectors), weight, bias)


def _lengths(words: Tensor) -> Tensor:
    """The number of words of each sentence; a sentence of nothing but padding counts as one."""
    return (~padding(words)).sum(1).clamp(min=1)


def _reversal(words: Tensor) -> Tensor:
    """For each place the place of the word that stands there when the sentence is read backwards; padding stays."""
    position = torch.arange(words.shape[1], device=words.device)
    mirrored = _lengths(words)[:, None] - 1 - position
    return torch.where(mirrored >= 0, mirrored, position)
