"""Vocabularies: the tokens of a train split as numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["BEGIN", "END", "PAD", "SPECIALS", "UNKNOWN", "Vocabulary"]

SPECIALS = ("<pad>", "<unk>", "<s>", "</s>")
PAD, UNKNOWN, BEGIN, END = range(len(SPECIALS))


@final
@dataclass(frozen=True)
class Vocabulary:
    """Tokens by number, the special ones first; what it does not have is `<unk>`."""

    tokens: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Vocabulary":
        """The tokens of texts, parted by spaces, in alphabetical order, which no order of the texts changes."""
        found = {token for text in texts for token in text.split()}
        return cls((*SPECIALS, *sorted(found - set(SPECIALS))))

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(self.tokens)}

    def numbers(self, text: str) -> list[int]:
        """The tokens of a text as numbers."""
        return [self._numbers.get(token, UNKNOWN) for token in text.split()]

    def matrix(self, texts: Sequence[str], *, ended: bool) -> NDArray[np.int32]:
        """A row a text, filled up with <pad>; `ended` puts </s> after each."""
        rows = [self.numbers(text) + [END] * ended for text in texts]
        table = np.full((len(rows), max(map(len, rows), default=0)), PAD, np.int32)
        for row, numbers in zip(table, rows, strict=True):
            row[: len(numbers)] = numbers
        return table

    def text(self, numbers: Iterable[int], source: str = "") -> str:
        """The text of some tokens, up to </s>; numbers below zero are words of the source: -1 is its first."""
        words = []
        for number in numbers:
            if number == END:
                break
            words.append(self.tokens[number] if number >= 0 else source.split()[-number - 1])
        return " ".join(words)
