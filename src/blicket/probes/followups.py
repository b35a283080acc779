"""A probe whose items may each follow from another: such an item counts if the other was answered correctly.

Known-word perturbation, consistency under reversal and identical open-class words are three of them (Goodwin et al.
2020, section 7); the items of the last follow from none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.example import Split
from blicket.core.probe import Finding, OverBlocks, Probe
from blicket.core.respondent import Answer, Request
from blicket.core.verdict import Judge, Outcome

__all__ = ["Beginning", "FollowUps", "Groups"]


@final
@dataclass(frozen=True, eq=False)
class Groups:
    """A kind of group: the number of each item's group, and the names of the groups."""

    of: NDArray[np.intp]
    names: Sequence[str]


@final
@dataclass(frozen=True, eq=False)
class Beginning:
    """What items follow from: a split, and for each item the row there."""

    split: Split
    rows: NDArray[np.intp]


@final
@dataclass(frozen=True, eq=False)
class FollowUps(Probe):
    """Items in blocks, grouped in several ways; `ask` makes the request for an example."""

    name: str
    title: str
    items: Split
    blocks: NDArray[np.intp]
    groups: Mapping[str, Groups]
    judge: Judge
    ask: Callable[[str, tuple[str, ...]], Request]
    after: Beginning | None = None
    beside: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def requests(self, answers: Mapping[str, Answer]) -> Sequence[Request]:
        """First what the items follow from, and then the items that count."""
        before = self.after
        first = [] if before is None else self._unanswered(before.split, answers, np.arange(len(before.split)))
        return first or self._unanswered(self.items, answers, self._counting(answers))

    def finding(self, answers: Mapping[str, Answer]) -> Finding | None:
        """Accuracy of the items that count; one without an answer is wrong."""
        to_items = sum(example.startswith(f"{self.items.name}/") for example in answers)
        if not to_items:
            return None
        known, right = self._judged(self.items, answers)
        counting = self._counting(answers)
        if not known[counting].any():
            return None
        missing = int(np.count_nonzero(~known[counting]))
        by = {kind: self._over_blocks(groups, counting, right) for kind, groups in self.groups.items()}
        unknown = to_items - int(np.count_nonzero(known))
        return Finding(self.name, self.title, len(counting), missing, unknown, by, self.beside)

    def _counting(self, answers: Mapping[str, Answer]) -> NDArray[np.intp]:
        """The items that follow from something that was answered correctly."""
        if self.after is None:
            return np.arange(len(self.items))
        _, right = self._judged(self.after.split, answers)
        return np.flatnonzero(right[self.after.rows])

    def _unanswered(self, split: Split, answers: Mapping[str, Answer], rows: NDArray[np.intp]) -> list[Request]:
        fresh = np.array([row for row in rows.tolist() if f"{split.name}/{row}" not in answers], np.intp)
        inputs = split.rows.columns(fresh, split.forms[0]).inputs
        return [self.ask(f"{split.name}/{row}", of_row) for row, of_row in zip(fresh.tolist(), inputs, strict=True)]

    def _judged(self, split: Split, answers: Mapping[str, Answer]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which rows have an answer, and which a correct one."""
        known, right = np.zeros(len(split), bool), np.zeros(len(split), bool)
        for start, columns in split.batches(split.forms[0]):
            for row, (inputs, target) in enumerate(zip(columns.inputs, columns.targets, strict=True), start):
                answer = answers.get(f"{split.name}/{row}")
                if answer is not None:
                    known[row] = True
                    verdict = self.judge.verdict(inputs, target, answer.output)
                    right[row] = verdict.outcome is Outcome.CORRECT
        return known, right

    def _over_blocks(
        self, groups: Groups, counting: NDArray[np.intp], right: NDArray[np.bool_]
    ) -> Mapping[str, OverBlocks]:
        """Means over the blocks that have items of a group; groups without items are left out."""
        blocks, place = np.unique(self.blocks, return_inverse=True)
        cell = groups.of[counting] * len(blocks) + place[counting]
        shape = len(groups.names), len(blocks)
        items = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
        correct = np.bincount(cell, weights=right[counting], minlength=shape[0] * shape[1]).reshape(shape)
        return {
            name: _spread(items[group], correct[group]) for group, name in enumerate(groups.names) if items[group].any()
        }


def _spread(items: NDArray[np.intp], correct: NDArray[np.float64]) -> OverBlocks:
    there = items > 0
    shares = (correct[there] / items[there]).tolist()
    return OverBlocks(int(items.sum()), len(shares), fmean(shares), stdev(shares) if len(shares) > 1 else None)
