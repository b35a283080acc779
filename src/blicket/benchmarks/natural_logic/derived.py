"""The pairs that probes ask about, derived from others and never drawn (section 7)."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.rows import PairRows

__all__ = ["Neighbours", "identical", "neighbours", "reversed_rows"]


@final
@dataclass(frozen=True, eq=False)
class Neighbours:
    """Pairs that are one closed-class word from another, by which edit."""

    rows: PairRows
    edits: NDArray[np.uint8]


def neighbours(base: PairRows) -> Neighbours:
    """All pairs one closed-class word away from those of `base` that are in another relation than these.

    They are ordered by the row they are derived from, and then by edit.
    """
    closed, pairs = base.language.closed, base.pairs
    edited, side = closed.edited, np.array([edit.side for edit in closed.edits])
    of, edits, parts, labels = [], [], [], []
    for edit in range(len(edited)):
        frames = pairs.frames.copy()
        frames[side[edit]] = edited[edit][frames[side[edit]]]
        related = pairs.with_frames(frames).related(base.language.table)
        changed = np.flatnonzero(related != base.labels)
        of.append(changed.astype(np.int32))
        edits.append(np.full(len(changed), edit, np.uint8))
        parts.append(pairs[changed].with_frames(frames[:, changed]))
        labels.append(related[changed])
    all_of, all_edits = np.concatenate(of), np.concatenate(edits)
    order = np.lexsort((all_edits, all_of))
    rows = PairRows(base.language, Pairs.joined(parts)[order], np.concatenate(labels)[order], all_of[order])
    return Neighbours(rows, all_edits[order])


def reversed_rows(base: PairRows) -> PairRows:
    """Every pair with its sentences in the opposite order."""
    pairs = base.pairs.reversed()
    return PairRows(base.language, pairs, pairs.related(base.language.table), np.arange(len(pairs), dtype=np.int32))


def identical(base: PairRows) -> PairRows:
    """Pairs whose two sentences have the same noun and the same verb: all frames, in every block of `base`.

    Each noun of a block stands in each pair of frames once, with every verb equally often.
    """
    frames = len(base.language.closed.frames)
    levels = int(base.pairs.nouns.max()) + 1
    blocks, premise, hypothesis, noun = np.indices((len(base.blocks), frames, frames, levels), np.uint16).reshape(4, -1)
    verb = (premise * frames + hypothesis + noun) % levels
    nouns, verbs = (np.stack([level, level]).astype(np.uint8) for level in (noun, verb))
    block = base.blocks[blocks].astype(np.uint16)
    pairs = Pairs(block, np.stack([premise, hypothesis]).astype(np.uint8), nouns, verbs)
    return PairRows(base.language, pairs, pairs.related(base.language.table))
