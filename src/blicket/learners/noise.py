"""Dropout as a function of seed, update and place.

A mask is a hash of the position of each number, of the dropout's place in the network and of a key for seed and update.
So a network that is trained together with others drops exactly what it would have dropped alone, on any device; a run
can be resumed anywhere; and under a compiler the hash is computed where it is used and costs no memory.
"""

from collections.abc import Callable
from functools import cache
from typing import final

import torch
from torch import Tensor

from blicket.learners.fused import fused

__all__ = ["Noise", "noise_key"]

# The finalizer of MurmurHash3 (Appleby, public domain) on 32-bit words; products wrap around.
MIX = (0x85EBCA6B - (1 << 32), 0xC2B2AE35 - (1 << 32))
GOLDEN = 0x9E3779B1 - (1 << 32)
MASK = 0xFFFFFFFF
PLACES = 1024  # places that are numbered at once, because numbering one costs as much


@final
class Noise:
    """The dropout masks of one forward pass; `key` is a 32-bit number for seed and update."""

    def __init__(self, key: Tensor) -> None:
        self._key = key
        self._place = 0
        self._numbered: Tensor | None = None

    def dropout(self, x: Tensor, p: float) -> Tensor:
        """`x` with a share `p` of its numbers set to zero and the others scaled up."""
        if p == 0.0:
            return x
        self._place += 1
        if torch.compiler.is_compiling():  # what follows is one graph; there a product of numbers would be folded
            return _dropping(p)(x, self._key + _signed(self._place * GOLDEN))
        place: Tensor = self._places()[(self._place - 1) % PLACES]
        dropped: Tensor = fused(_dropping_at(p))(x, self._key, place)
        return dropped

    def _places(self) -> Tensor:
        if self._numbered is None or self._place % PLACES == 1:
            first = self._place
            self._numbered = torch.arange(first, first + PLACES, dtype=torch.int32, device=self._key.device)
        return self._numbered


@cache
def _dropping(p: float) -> Callable[[Tensor, Tensor], Tensor]:
    def dropped(x: Tensor, key: Tensor) -> Tensor:
        index = torch.arange(x.numel(), dtype=torch.int32, device=x.device).view(x.shape)
        keep = _mixed(index ^ _mixed(key)) > round((p - 0.5) * 2**32)
        return torch.where(keep, x * (1.0 / (1.0 - p)), 0.0)

    return dropped


@cache
def _dropping_at(p: float) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    dropping = _dropping(p)

    def dropped(x: Tensor, key: Tensor, place: Tensor) -> Tensor:
        return dropping(x, key + place * GOLDEN)

    return dropped


def noise_key(seed: int, update: int, part: int) -> int:
    """A key for the masks of one part of an update."""
    key = 0
    for number in (seed & MASK, seed >> 32, update, part):
        key = _mixed_number((key + number) * (GOLDEN & MASK) + 1)
    return _signed(key)


def _mixed(x: Tensor) -> Tensor:
    x = x ^ _shifted(x, 16)
    x = x * MIX[0]
    x = x ^ _shifted(x, 13)
    x = x * MIX[1]
    return x ^ _shifted(x, 16)


def _shifted(x: Tensor, n: int) -> Tensor:
    """A logical shift to the right, which signed words do not have."""
    return (x >> n) & ((1 << (32 - n)) - 1)


def _mixed_number(x: int) -> int:
    x &= MASK
    x ^= x >> 16
    x = x * (MIX[0] & MASK) & MASK
    x ^= x >> 13
    x = x * (MIX[1] & MASK) & MASK
    return x ^ (x >> 16)


def _signed(x: int) -> int:
    x &= MASK
    return x - (1 << 32) if x >> 31 else x
