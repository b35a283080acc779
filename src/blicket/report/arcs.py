"""Where the arcs over a sentence go: levels, feet and labels that keep out of each other's way.

An arc rises from its head, runs level, and comes down on its dependent. What only points at a token, such as the mark
of the root, is an arc from the token to itself, and comes down from above all arcs over the token.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, final

__all__ = ["PlacedArc", "Spanning", "arranged"]

STEP = 9.0
"""How far the feet of arcs on one token stand apart."""
GAP = 12.0
"""Room between what stands beside each other."""


class Spanning(Protocol):
    """An arc by its tokens, and how wide its label is."""

    @property
    def head(self) -> int:
        """The token it comes from."""

    @property
    def dependent(self) -> int:
        """The token it points at."""

    @property
    def width(self) -> float:
        """The width of its label."""


@final
@dataclass(frozen=True, slots=True)
class PlacedArc:
    """An arc in place: its level from 0, the feet at its head and its dependent, and the middle of its label."""

    level: int
    start: float
    end: float
    label: float


def arranged(
    arcs: Sequence[Spanning], above: Sequence[float], beneath: Sequence[float], margin: float = 0.0
) -> tuple[list[float], list[PlacedArc]]:
    """The middles of the tokens, and the arcs in place.

    `above` are the widths of tokens, `beneath` those of what stands under them, 0 where nothing does: it may reach
    under neighbours that have nothing.
    """
    levels = _levels(arcs)
    offsets = _offsets(arcs, levels, len(above))
    starts, ends = ([offsets[i, end] for i in range(len(arcs))] for end in ("head", "dependent"))
    wide = [max(width, *_needed(token, arcs, offsets)) for token, width in enumerate(above)]
    at: list[float] = []
    for token, width in enumerate(wide):
        least = [margin + max(width, beneath[token]) / 2]
        least += [at[i] + (wide[i] + width) / 2 + GAP for i in range(max(0, token - 1), token)]
        if beneath[token]:
            least += [at[i] + (beneath[i] + beneath[token]) / 2 + GAP for i in range(token) if beneath[i]]
        for arc, start, end in zip(arcs, starts, ends, strict=True):
            left, right = (start, end) if arc.head < arc.dependent else (end, start)
            if max(arc.head, arc.dependent) == token and arc.head != arc.dependent:
                least.append(at[min(arc.head, arc.dependent)] + left - right + arc.width + GAP)
        at.append(max(least))
    at = _even(
        at, wide, [not beneath[i] and not any(i in (arc.head, arc.dependent) for arc in arcs) for i in range(len(at))]
    )
    feet = [(at[arc.head] + start, at[arc.dependent] + end) for arc, start, end in zip(arcs, starts, ends, strict=True)]
    return at, [PlacedArc(level, *feet[i], _middle(i, arcs[i].width, levels, feet)) for i, level in enumerate(levels)]


def _even(at: Sequence[float], wide: Sequence[float], free: Sequence[bool]) -> list[float]:
    """Tokens with nothing over or under them, set evenly between those that have something."""
    even = list(at)
    fixed = [i for i, loose in enumerate(free) if not loose]
    for before, after in pairwise(fixed):
        between = range(before + 1, after)
        room = at[after] - at[before] - (wide[before] + wide[after]) / 2 - sum(wide[i] for i in between)
        for i in between:
            even[i] = even[i - 1] + (wide[i - 1] + wide[i]) / 2 + room / (len(between) + 1)
    return even


def _levels(arcs: Sequence[Spanning]) -> list[int]:
    """Short arcs lie low, and arcs over the same stretch on different levels; what points at a token comes last."""
    spans = [(min(arc.head, arc.dependent), max(arc.head, arc.dependent)) for arc in arcs]
    levels = [-1] * len(arcs)
    order = sorted(range(len(arcs)), key=lambda i: (spans[i][0] == spans[i][1], spans[i][1] - spans[i][0], i))
    for place, i in enumerate(order):
        left, right = spans[i]
        taken, inside = set(), -1
        for other in order[:place]:
            low, high = spans[other]
            if (low < right and left < high) or left == right in (low, high):
                taken.add(levels[other])
                if (left <= low and high <= right) or left == right:
                    inside = max(inside, levels[other])
        levels[i] = next(level for level in range(inside + 1, len(arcs)) if level not in taken)
    return levels


def _offsets(arcs: Sequence[Spanning], levels: Sequence[int], tokens: int) -> dict[tuple[int, str], float]:
    """How far each foot stands from the middle of its token, such that arcs that nest do not cross."""
    on: list[list[tuple[int, int, int, str]]] = [[] for _ in range(tokens)]
    for i, (arc, level) in enumerate(zip(arcs, levels, strict=True)):
        way = (arc.dependent > arc.head) - (arc.dependent < arc.head)
        # To the left of a token's middle stand arcs that go left, the lowest outermost.
        on[arc.head].append((way, -way * level, i, "head"))
        if way:
            on[arc.dependent].append((-way, way * level, i, "dependent"))
    offsets = {}
    for feet in on:
        for place, (_, _, i, end) in enumerate(sorted(feet)):
            offsets[i, end] = (place - (len(feet) - 1) / 2) * STEP
    return {(i, end): offsets.get((i, end), offsets[i, "head"]) for i in range(len(arcs)) for end in _ENDS}


_ENDS = ("head", "dependent")


def _needed(token: int, arcs: Sequence[Spanning], offsets: dict[tuple[int, str], float]) -> list[float]:
    """The widths that the feet on a token need, and the labels of what only points at it."""
    feet = [abs(offsets[i, end]) for i, arc in enumerate(arcs) for end in _ENDS if getattr(arc, end) == token]
    pointing = [
        arc.width + 2 * abs(offsets[i, "head"]) for i, arc in enumerate(arcs) if arc.head == arc.dependent == token
    ]
    return [2 * max(feet, default=0.0), *pointing]


def _middle(i: int, width: float, levels: Sequence[int], feet: Sequence[tuple[float, float]]) -> float:
    """The middle of a label: where no higher arc comes down through it, as near to the middle of its arc as can be."""
    left, right = sorted(feet[i])
    middle = (left + right) / 2
    crossing = [x for other, ends in enumerate(feet) if levels[other] > levels[i] for x in ends if left < x < right]
    edges = sorted((left, right, *crossing))
    places = [
        min(max(middle, low + 3 + width / 2), high - 3 - width / 2)
        for low, high in pairwise(edges)
        if high - low >= width + 6
    ]
    return min(places, key=lambda x: abs(x - middle), default=middle)
