"""Pairs of sentences as small numbers: eight bytes a pair."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Pairs"]


@final
@dataclass(frozen=True, eq=False)
class Pairs:
    """Premises and hypotheses: the block that their words are of, their frames, and the levels of nouns and verbs.

    Blocks and levels count from 0 here, and from 1 in words.
    """

    block: NDArray[np.uint16]  # (n,)
    frames: NDArray[np.uint8]  # (2, n): of premises, of hypotheses
    nouns: NDArray[np.uint8]  # (2, n)
    verbs: NDArray[np.uint8]  # (2, n)

    def __len__(self) -> int:
        return len(self.block)

    def __getitem__(self, rows: NDArray[np.intp] | NDArray[np.bool_] | slice) -> "Pairs":
        """Some of the pairs."""
        return Pairs(self.block[rows], self.frames[:, rows], self.nouns[:, rows], self.verbs[:, rows])

    def reversed(self) -> "Pairs":
        """Hypotheses as premises, and premises as hypotheses."""
        return Pairs(self.block, self.frames[::-1], self.nouns[::-1], self.verbs[::-1])

    def with_frames(self, frames: NDArray[np.uint8]) -> "Pairs":
        """The same words in other frames."""
        return Pairs(self.block, frames, self.nouns, self.verbs)

    def related(self, table: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The relation of each pair, looked up in a table over frames and lexical relations.

        A higher level is narrower: levels alone say which relation two words have.
        """
        frames, _, lexical, _ = table.shape
        nouns, verbs = (_lexical(levels) for levels in (self.nouns, self.verbs))
        place = self.frames[0].astype(np.int32)
        for size, more in ((frames, self.frames[1]), (lexical, nouns), (lexical, verbs)):
            place *= size
            place += more
        related: NDArray[np.uint8] = table.ravel().take(place)
        return related

    def keys(self) -> NDArray[np.int64]:
        """A number for each pair, the same for equal pairs and for no others."""
        key = self.block.astype(np.int64)
        for column in (*self.frames, *self.nouns, *self.verbs):
            key = (key << 8) | column
        return key

    @staticmethod
    def joined(parts: Sequence["Pairs"]) -> "Pairs":
        """The pairs of several one after another."""
        return Pairs(
            np.concatenate([part.block for part in parts]),
            np.concatenate([part.frames for part in parts], axis=1),
            np.concatenate([part.nouns for part in parts], axis=1),
            np.concatenate([part.verbs for part in parts], axis=1),
        )


def _lexical(levels: NDArray[np.uint8]) -> NDArray[np.int8]:
    """0 where the premise's word is narrower than the hypothesis's, 1 where they are the same, 2 where it is wider."""
    premise, hypothesis = levels
    lexical: NDArray[np.int8] = 1 + (premise < hypothesis).astype(np.int8) - (premise > hypothesis)
    return lexical
