"""What a sequence-to-sequence network is, for training and decoding.

Networks are written for one seed. Training and decoding stack the parameters of several and map over them
(`blicket.training.stacking`), so forward passes hold no state, draw no random numbers and look at no values.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import torch
from torch import Tensor, nn

from blicket.learners.noise import Noise
from blicket.learners.vocabulary import PAD

__all__ = ["SequenceNetwork", "State", "dropped", "padding"]

State = dict[str, Tensor]
"""What decoding remembers, by name; the first dimension of every tensor is the batch."""


class SequenceNetwork(nn.Module, ABC):
    """Reads a source and says, for each prefix of a target, what comes next.

    `unrolled` networks run one small step after the other, so that launching them takes longer than computing them.
    """

    unrolled: ClassVar[bool] = False

    @abstractmethod
    def forward(self, source: Tensor, target: Tensor, noise: Noise | None = None) -> Tensor:
        """Scores (batch, target length, vocabulary) of the next token after each of `target`, which begins with <s>."""

    @abstractmethod
    def start(self, source: Tensor, capacity: int) -> State:
        """What decoding starts from, with room for `capacity` tokens where room is needed."""

    def grown(self, state: State, capacity: int) -> State:
        """The state with room for more tokens, its batch behind a dimension for the seeds; most need no room."""
        return state

    @abstractmethod
    def step(self, state: State, token: Tensor, position: Tensor) -> tuple[Tensor, State]:
        """Scores (batch, vocabulary) of what follows `token` (batch) at `position`, and the new state."""


def padding(tokens: Tensor) -> Tensor:
    """Where there is no token."""
    return tokens == PAD


def dropped(x: Tensor, p: float, noise: Noise | None) -> Tensor:
    """Dropout while training, nothing otherwise."""
    return x if noise is None else noise.dropout(x, p)


def masked(scores: Tensor, hidden: Tensor) -> Tensor:
    """Attention scores in single precision, with what is hidden out of reach; a row may hide everything."""
    return scores.float().masked_fill(hidden, -1e9)


def attended(scores: Tensor, values: Tensor) -> Tensor:
    """The values weighted by a softmax over scores."""
    return torch.softmax(scores, dim=-1).to(values.dtype) @ values
