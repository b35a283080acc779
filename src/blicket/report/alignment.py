"""Gold and prediction token by token, as linguists set a text above its gloss."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import final

from rapidfuzz.distance import Levenshtein

__all__ = ["Link", "Pair", "aligned", "folded"]

BESIDE = 5
"""How many tokens of a long stretch stay on each side of a fold."""
FOLD = 8
"""What is folded is at least this long: less would not be worth the mark."""


class Link(StrEnum):
    """What became of a token."""

    SAME = "same"
    CHANGED = "changed"
    MISSING = "missing"
    ADDED = "added"
    FOLDED = "folded"


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """A gold token and what was said for it; of a fold, how many tokens and of which kind."""

    link: Link
    gold: str = ""
    said: str = ""
    folds: int = 0
    of: Link = Link.SAME


KINDS = {"equal": Link.SAME, "replace": Link.CHANGED, "delete": Link.MISSING, "insert": Link.ADDED}


def aligned(gold: Sequence[str], said: Sequence[str]) -> list[Pair]:
    """Tokens linked by a shortest edit."""
    pairs = []
    for step in Levenshtein.opcodes(gold, said):
        kind = KINDS[step.tag]
        golds = gold[step.src_start : step.src_end] or [""] * (step.dest_end - step.dest_start)
        saids = said[step.dest_start : step.dest_end] or [""] * (step.src_end - step.src_start)
        pairs += [Pair(kind, a, b) for a, b in zip(golds, saids, strict=True)]
    return pairs


def folded(pairs: Sequence[Pair]) -> list[Pair]:
    """The middle of long stretches of one kind folded away."""
    return [pair for stretch in _stretches(pairs) for pair in _fold(stretch)]


def _stretches(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    stretch: list[Pair] = []
    for pair in pairs:
        if stretch and stretch[-1].link != pair.link:
            yield stretch
            stretch = []
        stretch.append(pair)
    if stretch:
        yield stretch


def _fold(stretch: list[Pair]) -> list[Pair]:
    away = len(stretch) - 2 * BESIDE
    if away < FOLD:
        return stretch
    return [*stretch[:BESIDE], Pair(Link.FOLDED, folds=away, of=stretch[0].link), *stretch[-BESIDE:]]
