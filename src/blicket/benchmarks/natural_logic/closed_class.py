"""The closed-class words and the frames they make: all that stays of a sentence without its noun and verb.

Goodwin et al. 2020, table 2: quantifier, adjective, noun, relative clause, negation, verb. Adjectives and relative
clauses are chains, each narrower than the one before it: roses are red, and those that sing hum.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["NEGATION", "NOTHING", "QUANTIFIERS", "SIDES", "ClosedClass", "Edit", "Frame"]

QUANTIFIERS = ("all", "some", "no")
NEGATION = "not"
NOTHING = ""
"""What stands in an optional place that is left empty."""

SIDES = ("premise", "hypothesis")


class Frame(NamedTuple):
    """What stands in the four closed-class places, as numbers of their words; 0 is nothing, but of a quantifier."""

    quantifier: int
    adjective: int
    relative: int
    negation: int


class Edit(NamedTuple):
    """A change of one closed-class word: on which side, in which place, and how many words further on."""

    side: int
    place: int
    step: int


@final
@dataclass(frozen=True)
class ClosedClass:
    """The closed-class words; those of the paper unless others are wanted."""

    quantifiers: tuple[str, ...] = ("all", "some")
    adjectives: tuple[str, ...] = ("red", "rose")
    relatives: tuple[str, ...] = ("that hum", "that sing")
    negation: bool = True

    @cached_property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """What can stand in each of the four places."""
        negation = (NOTHING, NEGATION) if self.negation else (NOTHING,)
        return self.quantifiers, (NOTHING, *self.adjectives), (NOTHING, *self.relatives), negation

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """All frames, in the order of their numbers; 36 with the paper's words."""
        return tuple(Frame(*words) for words in product(*(range(len(place)) for place in self.places)))

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """Each frame as a sentence with gaps for the noun and the verb."""
        return tuple(self._template(frame) for frame in self.frames)

    def _template(self, frame: Frame) -> str:
        words = [place[word] for place, word in zip(self.places, frame, strict=True)]
        return " ".join(word for word in (*words[:2], "%s", *words[2:], "%s") if word)

    def number(self, frame: Frame) -> int:
        """The number of a frame."""
        sizes = [len(place) for place in self.places]
        return int(np.ravel_multi_index(frame, sizes))

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """All ways to insert, delete or exchange one closed-class word; twelve with the paper's words."""
        return tuple(
            Edit(side, place, step)
            for side in range(len(SIDES))
            for place, words in enumerate(self.places)
            for step in range(1, len(words))
        )

    @cached_property
    def edited(self) -> NDArray[np.uint8]:
        """The number of the frame that an edit makes of a frame: (edits, frames)."""
        return np.array([[self._edited(frame, edit) for frame in self.frames] for edit in self.edits], np.uint8)

    def _edited(self, frame: Frame, edit: Edit) -> int:
        words = list(frame)
        words[edit.place] = (words[edit.place] + edit.step) % len(self.places[edit.place])
        return self.number(Frame(*words))
