"""Conditions on derivations, as automata that read a tree from its words upwards.

Whatever a finite automaton can check can be multiplied into the grammar, so that sampling under a condition needs no
rejection: see `blicket.grammar.sampling`.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import final

__all__ = ["Absent", "Condition", "Count", "Depth"]


class Condition(ABC):
    """A property of derivations; a subclass says what state a tree has, given the states of its children.

    `phenomena` are the names that it is about, which a grammar has to have.
    """

    phenomena: frozenset[str] = frozenset()

    @abstractmethod
    def state(self, phenomena: frozenset[str], children: tuple[Hashable, ...]) -> Hashable:
        """The state of a tree from its top node and its children's states, or None where no tree above can help.

        States must be finitely many and hashable; None is reserved.
        """

    @abstractmethod
    def accepts(self, state: Hashable) -> bool:
        """Whether a whole derivation in this state satisfies the condition."""


@final
@dataclass(frozen=True)
class Absent(Condition):
    """None of these phenomena occurs."""

    phenomena: frozenset[str]

    def state(self, phenomena: frozenset[str], children: tuple[Hashable, ...]) -> Hashable:
        """One state, or none."""
        return None if phenomena & self.phenomena else 0

    def accepts(self, state: Hashable) -> bool:
        """Every tree that was not given up is accepted."""
        return True


@final
@dataclass(frozen=True)
class Depth(Condition):
    """The phenomenon is nested at least `least` and at most `most` deep."""

    phenomenon: str
    least: int
    most: int

    @property
    def phenomena(self) -> frozenset[str]:  # type: ignore[override]
        """The one it counts."""
        return frozenset({self.phenomenon})

    def state(self, phenomena: frozenset[str], children: tuple[Hashable, ...]) -> Hashable:
        """The depth so far."""
        below = max((child for child in children if isinstance(child, int)), default=0)
        depth = below + (self.phenomenon in phenomena)
        return depth if depth <= self.most else None

    def accepts(self, state: Hashable) -> bool:
        """Deep enough; too deep was given up."""
        return isinstance(state, int) and state >= self.least


@final
@dataclass(frozen=True)
class Count(Condition):
    """The phenomenon occurs at least `least` and at most `most` times, each time inside one called `within`.

    What shows both counts as inside.
    """

    phenomenon: str
    least: int
    most: int
    within: str | None = None

    @property
    def phenomena(self) -> frozenset[str]:  # type: ignore[override]
        """The one it counts, and the one around it."""
        return frozenset({self.phenomenon}) | ({self.within} if self.within is not None else set())

    def state(self, phenomena: frozenset[str], children: tuple[Hashable, ...]) -> Hashable:
        """A pair: occurrences that are still outside `within`, and those inside."""
        pairs = [child for child in children if isinstance(child, tuple)]
        outside = sum(pair[0] for pair in pairs) + (self.phenomenon in phenomena)
        inside = sum(pair[1] for pair in pairs)
        if self.within is None or self.within in phenomena:
            outside, inside = 0, inside + outside
        return (outside, inside) if outside + inside <= self.most else None

    def accepts(self, state: Hashable) -> bool:
        """Often enough, and nothing left outside."""
        return isinstance(state, tuple) and state[0] == 0 and state[1] >= self.least
