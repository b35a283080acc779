"""Batches: every example once an epoch, of like length together, at lengths that depend on the step alone.

Examples are grouped by length. Which group a batch comes from is decided by the epoch and not by the seed; which of its
examples stand in it, by the seed. So networks of different seeds can be trained as one computation, on batches that
each would have met alone, and there are only as many shapes as groups for a compiler to look at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.randomness import Stream

__all__ = ["Batch", "BatchPlan", "length_groups"]

ROUNDED_TO = 8  # lengths are padded to multiples, which suits the matrix units


@final
@dataclass(frozen=True)
class Batch:
    """The rows of each seed (seeds, batch), -1 where there is none, and the lengths to pad to."""

    rows: NDArray[np.int64]
    source_length: int
    target_length: int


def length_groups(lengths: NDArray[np.int64], groups: int) -> list[NDArray[np.intp]]:
    """Part examples into groups by length so that the least padding is needed: exactly, by dynamic programming."""
    order = np.argsort(lengths, kind="stable")
    rounded = -(-lengths[order] // ROUNDED_TO) * ROUNDED_TO
    values, counts = np.unique(rounded, return_counts=True)
    below = np.concatenate(([0], np.cumsum(counts)))
    groups = min(groups, len(values))
    # cost[k, j]: the least padded size of the first j lengths in k groups, each padded to its longest.
    cost = np.full((groups + 1, len(values) + 1), np.inf)
    cut = np.zeros((groups + 1, len(values) + 1), int)
    cost[0, 0] = 0
    for k in range(1, groups + 1):
        for j in range(1, len(values) + 1):
            options = cost[k - 1, :j] + values[j - 1] * (below[j] - below[:j])
            cut[k, j] = int(options.argmin())
            cost[k, j] = options[cut[k, j]]
    parts, j = [], len(values)
    for k in range(int(cost[:, -1].argmin()), 0, -1):
        parts.append(order[below[cut[k, j]] : below[j]])
        j = cut[k, j]
    return parts[::-1]


@final
class BatchPlan:
    """Which examples stand in which batch, as a function of seed and number of the batch."""

    def __init__(
        self,
        source_lengths: NDArray[np.int64],
        target_lengths: NDArray[np.int64],
        size: int,
        groups: int,
        seeds: Sequence[int],
    ) -> None:
        self._size = size
        self._seeds = tuple(seeds)
        self._groups = length_groups(target_lengths, groups)
        self._lengths = [
            (_rounded(source_lengths[group].max()), _rounded(target_lengths[group].max())) for group in self._groups
        ]
        self._slices = [(g, at) for g, group in enumerate(self._groups) for at in range(0, len(group), size)]
        self._epoch = -1
        self._sequence: NDArray[np.intp] = np.empty(0, np.intp)
        self._orders: list[list[NDArray[np.intp]]] = []

    @property
    def per_epoch(self) -> int:
        """Batches in an epoch."""
        return len(self._slices)

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """The source and target lengths of the groups."""
        return self._lengths

    def batch(self, number: int) -> Batch:
        """The batch of this number, counted through all epochs."""
        epoch, place = divmod(number, self.per_epoch)
        if epoch != self._epoch:
            self._turn(epoch)
        group, at = self._slices[self._sequence[place]]
        rows = np.full((len(self._seeds), self._size), -1, np.int64)
        for of_seed, orders in zip(rows, self._orders, strict=True):
            chosen = self._groups[group][orders[group][at : at + self._size]]
            of_seed[: len(chosen)] = chosen
        return Batch(rows, *self._lengths[group])

    def _turn(self, epoch: int) -> None:
        self._epoch = epoch
        self._sequence = Stream(0, "batches", epoch).permutation(self.per_epoch)
        self._orders = []
        for seed in self._seeds:
            stream = Stream(seed, "order", epoch)
            self._orders.append([stream.permutation(len(group)) for group in self._groups])


def _rounded(length: int) -> int:
    return int(-(-length // ROUNDED_TO) * ROUNDED_TO)
