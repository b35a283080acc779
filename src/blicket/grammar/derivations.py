"""Derivations: how a sentence was made, down to the place of every word.

A derivation is kept in two parts. Its frame is the tree without the words: the rules and lexical categories in
preorder, as numbers. There are few frames and many words, so what follows from structure alone (a meaning with gaps,
a depth) is worked out once a frame. A corpus of derivations is a table of frames and flat arrays of entries.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from blicket.grammar.rules import Entry, Grammar, Rule

__all__ = ["Corpus", "Derivation", "Frame"]

Value = TypeVar("Value")


@final
class Frame:
    """A derivation without its words.

    `codes` is the tree in preorder: a rule is its number; a lexical category is minus one minus its place in
    `grammar.entries_of`.
    """

    __slots__ = ("__dict__", "codes", "grammar")

    def __init__(self, grammar: Grammar, codes: tuple[int, ...]) -> None:
        self.grammar = grammar
        self.codes = codes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self.grammar is other.grammar and self.codes == other.codes

    def __hash__(self) -> int:
        return hash(self.codes)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The lexical category of every word."""
        names = tuple(self.grammar.entries_of)
        return tuple(names[-1 - code] for code in self.codes if code < 0)

    @property
    def phenomena(self) -> frozenset[str]:
        """Every phenomenon that a rule of the frame shows."""
        return frozenset().union(*(self.grammar.rules[code].phenomena for code in self.codes if code >= 0))

    def depth(self, phenomenon: str) -> int:
        """How deep the rules that show the phenomenon are nested in one another."""
        return self.fold(lambda rule, below: max(below) + (phenomenon in rule.phenomena), lambda category, position: 0)

    def fold(self, phrase: Callable[[Rule, list[Value]], Value], word: Callable[[str, int], Value]) -> Value:
        """The value of the tree: `word` gives that of a category at a position, `phrase` that of a rule's node.

        Preorder read backwards has every child before its parent, so a stack replaces recursion and depth is free.
        """
        rules, categories = self.grammar.rules, self.categories
        position = len(categories)
        stack: list[Value] = []
        for code in reversed(self.codes):
            if code < 0:
                position -= 1
                stack.append(word(categories[position], position))
            else:
                rule = rules[code]
                children = [stack.pop() for _ in rule.children]
                stack.append(phrase(rule, children))
        return stack.pop()


@final
@dataclass(frozen=True)
class Derivation:
    """A frame with its words."""

    frame: Frame
    entries: tuple[Entry, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The sentence."""
        return tuple(entry.word for entry in self.entries)

    @property
    def phenomena(self) -> frozenset[str]:
        """Every phenomenon that a rule or a word shows."""
        return self.frame.phenomena.union(*(entry.phenomena for entry in self.entries))

    def depth(self, phenomenon: str) -> int:
        """How deep the phenomenon is nested in itself, in rules and words."""
        return self.frame.fold(
            lambda rule, below: max(below) + (phenomenon in rule.phenomena),
            lambda category, position: int(phenomenon in self.entries[position].phenomena),
        )

    def __str__(self) -> str:
        """The tree in brackets."""
        return self.frame.fold(
            lambda rule, children: f"[{rule.parent} {' '.join(children)}]",
            lambda category, position: self.entries[position].word,
        )


@final
@dataclass(frozen=True, eq=False)
class Corpus(Sequence[Derivation]):
    """Many derivations of one grammar in little room: some 40 bytes each.

    `frame_of` says which of `frames` a derivation has; its entries are `entries[offsets[i]:offsets[i + 1]]`.
    """

    grammar: Grammar
    frames: Sequence[Frame]
    frame_of: NDArray[np.int32]
    entries: NDArray[np.unsignedinteger[Any]]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        """How many derivations there are."""
        return len(self.frame_of)

    @overload
    def __getitem__(self, index: int) -> Derivation: ...
    @overload
    def __getitem__(self, index: slice) -> "Corpus": ...
    def __getitem__(self, index: int | slice) -> "Derivation | Corpus":
        """One derivation, or a part of the corpus."""
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        start, stop = self.offsets[range(len(self))[index]], self.offsets[range(len(self))[index] + 1]
        entries = tuple(self.grammar.entries[code] for code in self.entries[start:stop].tolist())
        return Derivation(self.frames[self.frame_of[index]], entries)

    def __iter__(self) -> Iterator[Derivation]:
        """The derivations in order."""
        return (self[index] for index in range(len(self)))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each derivation."""
        return np.diff(self.offsets)

    def take(self, rows: NDArray[np.intp]) -> "Corpus":
        """These derivations, in this order."""
        lengths = self.lengths[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        starts = np.repeat(self.offsets[:-1][rows] - offsets[:-1], lengths)
        entries = self.entries[starts + np.arange(offsets[-1])]
        return Corpus(self.grammar, self.frames, self.frame_of[rows], entries, offsets)

    def matrix(self, of: NDArray[np.int32]) -> NDArray[np.int32]:
        """`of[entry]` for every word: a row a derivation, filled up with -1."""
        lengths = self.lengths
        table = np.full((len(self), int(lengths.max(initial=0))), -1, np.int32)
        table[np.arange(table.shape[1]) < lengths[:, None]] = of[self.entries]
        return table
