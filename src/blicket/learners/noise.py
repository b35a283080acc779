"""Dropout as a function of seed, update and place.

A mask is a hash of the position of each number, of the dropout's place in the network and of a key for seed and update.
So a network that is trained together with others drops exactly what it would have dropped alone, on any device; a run
can be resumed anywhere; and under a compiler the hash is computed where it is used and costs no memory.
"""

from typing import final

import torch
from torch import Tensor

__all__ = ["Noise", "noise_key"]

# The finalizer of MurmurHash3 (Appleby, public domain) on 32-bit words; products wrap around.
MIX = (0x85EBCA6B - (1 << 32), 0xC2B2AE35 - (1 << 32))
GOLDEN = 0x9E3779B1 - (1 << 32)
MASK = 0xFFFFFFFF


@final
class Noise:
    """The dropout masks of one forward pass; `key` is a 32-bit number for seed and update."""

    def __init__(self, key: Tensor) -> None:
        self._key = key
        self._place = 0

    def dropout(self, x: Tensor, p: float) -> Tensor:
        """`x` with a share `p` of its numbers set to zero and the others scaled up."""
        if p == 0.0:
            return x
        self._place += 1
        index = torch.arange(x.numel(), dtype=torch.int32, device=x.device).view(x.shape)
        bits = _mixed(index ^ _mixed(self._key + _signed(self._place * GOLDEN)))  # no product: compilers fold those
        keep = bits > round((p - 0.5) * 2**32)
        return torch.where(keep, x * (1.0 / (1.0 - p)), 0.0)


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
