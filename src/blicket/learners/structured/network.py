"""The network: it sees each word in its neighbourhood, and scores tags, arcs, labels, roots and slots."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast, final

import torch
from torch import Tensor, nn

from blicket.learners.structured.spelling import SHAPES

__all__ = ["Parser", "ParserShape", "Scores", "agreed"]

HIDDEN = -1e9  # the score of what cannot be


@final
@dataclass(frozen=True)
class ParserShape:
    """How large the network is, and how far it looks: each convolution sees two words more.

    `dependents` says what is seen of a word when its head is looked for: what stands `before` it, so that its own
    modifiers do not matter, or what is `around`. `roles` says what is seen of it when it is asked what it is to the
    head: its `place`, three words before it and three behind it without the word itself and without articles, so that
    what is true of one word there is true of all; or what is `around`, itself included. So many `members` vote.
    """

    members: int = 2
    width: int = 96
    spelling: int = 32
    layers: int = 2
    encoder: Literal["convolution", "bilstm"] = "convolution"
    dependents: Literal["before", "around"] = "before"
    roles: Literal["place", "around"] = "place"
    arcs: int = 64
    labels: int = 4


class Scores(NamedTuple):
    """The scores of a batch, before any softmax; an arc's second place is the head, the last one the root."""

    tags: Tensor  # (batch, length, tags)
    arcs: Tensor  # (batch, length, length + 1)
    labels: Tensor  # (batch, length, length, labels)
    slots: Tensor  # (batch, length, labels)


@final
class Parser(nn.Module):
    """The network of one seed: members of one shape that know nothing of each other until they vote."""

    def __init__(self, shape: ParserShape, articles: Tensor, endings: int, tags: int, labels: int) -> None:
        super().__init__()
        self.members = nn.ModuleList(Member(shape, articles, endings, tags, labels) for _ in range(shape.members))

    @property
    def each(self) -> list["Member"]:
        """The members."""
        return [cast(Member, member) for member in self.members]

    def forward(self, words: Tensor) -> Scores:
        """What the members say together of sentences of one length."""
        return agreed([member(words) for member in self.each])


def agreed(each: Sequence[Scores]) -> Scores:
    """The mean of logarithms, which is a product of experts (Hinton 2002): what one member rules out is out."""

    def mean(scores: Sequence[Tensor]) -> Tensor:
        return torch.stack(list(scores)).mean(0)

    def of_logarithms(scores: Sequence[Tensor]) -> Tensor:
        return mean([one.log_softmax(-1) for one in scores])

    tags, arcs, labels, slots = zip(*each, strict=True)
    return Scores(of_logarithms(tags), of_logarithms(arcs), of_logarithms(labels), mean(slots))


@final
class Member(nn.Module):
    """A network by itself; `articles` (words) says which words are passed over where places are told apart."""

    def __init__(self, shape: ParserShape, articles: Tensor, endings: int, tags: int, labels: int) -> None:
        super().__init__()
        width = shape.width
        self.articles: Tensor
        self.register_buffer("articles", articles, persistent=False)
        self.words = nn.Embedding(len(articles), width)
        self.shapes = nn.Embedding(len(SHAPES), shape.spelling)
        self.endings = nn.Embedding(endings, shape.spelling)
        self.entry = nn.Linear(width + 2 * shape.spelling, width)
        self.encoder: nn.Module = (
            _Bilstm(width, shape.layers) if shape.encoder == "bilstm" else _convolutions(width, shape.layers, (1, 1))
        )
        self.before = _convolutions(width, shape.layers, (2, 0)) if shape.dependents == "before" else None
        self.place = _Place(width) if shape.roles == "place" else None
        self.tag = nn.Linear(width, tags)
        self.root = nn.Linear(width, 1)
        self.slot = nn.Linear(width, labels)
        self.arc = _Biaffine(width, shape.arcs, 1)
        self.label = _Biaffine(width, shape.labels, labels)
        self.distance = nn.Parameter(torch.zeros(2))  # by direction

    def forward(self, words: Tensor, dropout: "Dropout | None" = None) -> Scores:
        """The scores of sentences of one length, given the numbers of their words (batch, length, 3)."""
        spelled = torch.cat((self.shapes(words[..., 1]), self.endings(words[..., 2])), -1)
        x = self.entry(torch.cat((self.words(words[..., 0]), spelled), -1))  # (batch, length, width)
        x = _dropped(x, dropout)
        around = _dropped(self.encoder(x), dropout)
        dependents = around if self.before is None else _dropped(self.before(x), dropout)
        roles = around if self.place is None else _dropped(self.place(x, self.articles[words[..., 0]]), dropout)
        length = words.shape[1]
        offset = torch.arange(length)[None, :] - torch.arange(length)[:, None]  # head minus dependent
        far = offset.abs().clamp(min=1).float().log()
        penalty = nn.functional.softplus(self.distance)[(offset > 0).long()] * far
        arcs = self.arc(dependents, around, offset > 0).squeeze(-1) - penalty
        arcs = arcs.masked_fill(offset == 0, HIDDEN)
        arcs = torch.cat((arcs, self.root(around)), -1)
        return Scores(self.tag(around), arcs, self.label(roles, around, offset > 0), self.slot(around))


@final
class Dropout:
    """Masks while training, from a generator of their own."""

    def __init__(self, share: float, generator: torch.Generator) -> None:
        self.share, self.generator = share, generator

    def __call__(self, x: Tensor) -> Tensor:
        """The numbers that stay, scaled up."""
        stay = torch.rand(x.shape, generator=self.generator) >= self.share
        return x * stay / (1 - self.share)


def _dropped(x: Tensor, dropout: Dropout | None) -> Tensor:
    return x if dropout is None else dropout(x)


def _convolutions(width: int, layers: int, sides: tuple[int, int]) -> nn.Sequential:
    return nn.Sequential(*(_GatedConvolution(width, sides) for _ in range(layers)))


@final
class _GatedConvolution(nn.Module):
    """A gated convolution (Dauphin et al. 2017, section 2) that sees so many words to the left and to the right."""

    def __init__(self, width: int, sides: tuple[int, int]) -> None:
        super().__init__()
        self.sides = sides
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(3 * width, 2 * width)

    def forward(self, x: Tensor) -> Tensor:
        padded = nn.functional.pad(self.norm(x), (0, 0, *self.sides))
        window = torch.cat((padded[:, :-2], padded[:, 1:-1], padded[:, 2:]), -1)  # (batch, length, 3 * width)
        return self.gated(x, window)

    def gated(self, x: Tensor, window: Tensor) -> Tensor:
        """The words, to which is added what a gate lets through of their windows."""
        value, gate = self.linear(window).chunk(2, -1)
        out: Tensor = x + value * torch.sigmoid(gate)
        return out

    def along(self, x: Tensor, near: Tensor, far: Tensor) -> Tensor:
        """The same, where the windows are a word and the words at the places `near` and `far` from it."""
        normed = self.norm(x)
        return self.gated(x, torch.cat((_at(normed, far), _at(normed, near), normed), -1))


@final
class _Place(nn.Module):
    """What stands on either side of each word, without the word itself; articles are passed over.

    An article is of the noun behind it: with and without one, what stands before a noun and behind it is the same.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.before = _GatedConvolution(width, (2, 0))
        self.behind = _GatedConvolution(width, (0, 2))

    def forward(self, x: Tensor, articles: Tensor) -> Tensor:
        """Places (batch, length, width) of words (batch, length, width), some of them articles (batch, length)."""
        length = x.shape[1]
        at = torch.arange(length).expand(articles.shape)
        last = at.masked_fill(articles, -1).cummax(-1).values[:, :-1]
        first = at.masked_fill(articles, length).flip(-1).cummin(-1).values.flip(-1)[:, 1:]
        before = nn.functional.pad(last, (1, 0), value=-1) % (length + 1)
        behind = nn.functional.pad(first, (0, 1), value=length)
        return _beyond(x, self.before, before) + _beyond(x, self.behind, behind)


def _beyond(x: Tensor, layer: _GatedConvolution, near: Tensor) -> Tensor:
    """The three words on one side, from that which is `near` each (batch, length); one beyond the last is none."""
    far = nn.functional.pad(near, (0, 1), value=x.shape[1]).gather(1, near)
    return _at(layer.along(x, near, far), near)


def _at(x: Tensor, places: Tensor) -> Tensor:
    """The words at places (batch, length), zeros at the place beyond the last."""
    index = places[..., None].expand(-1, -1, x.shape[-1])
    return nn.functional.pad(x, (0, 0, 0, 1)).gather(1, index)


@final
class _Bilstm(nn.Module):
    """An encoder that sees the whole sentence, to compare with."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, width // 2, layers, batch_first=True, bidirectional=True)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.lstm(x)[0]
        return out


@final
class _Biaffine(nn.Module):
    """Scores for every dependent and head, with parameters of their own for heads on the left and on the right."""

    def __init__(self, width: int, rank: int, outputs: int) -> None:
        super().__init__()
        self.rank, self.outputs = rank, outputs
        self.dependent = nn.Linear(width, 2 * outputs * (rank + 1))
        self.head = nn.Linear(width, 2 * outputs * (rank + 1))

    def forward(self, dependents: Tensor, heads: Tensor, right: Tensor) -> Tensor:
        shape = (*heads.shape[:2], 2, self.outputs, self.rank + 1)
        dependent, head = self.dependent(dependents).view(shape), self.head(heads).view(shape)
        # The last component of each is a score by itself; the others are multiplied.
        pairs = torch.einsum("bisor,bjsor->bijso", dependent[..., :-1], head[..., :-1]) / math.sqrt(self.rank)
        scores = pairs + dependent[:, :, None, ..., -1] + head[:, None, ..., -1]
        return torch.where(right[None, :, :, None], scores[..., 1, :], scores[..., 0, :])
