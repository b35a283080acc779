"""Pairs as rows: written out as sentences when they are asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.natural_logic.closed_class import ClosedClass
from blicket.benchmarks.natural_logic.interpretation import Find, Reader
from blicket.benchmarks.natural_logic.open_class import MOST_BLOCKS, MOST_LEVELS, Lexicon
from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.relations import NAMES, RELATIONS
from blicket.core.errors import InputError, Refusal
from blicket.core.example import Columns, Rows, Tag, known_form

__all__ = ["FORMS", "Language", "PairRows", "read_labels", "read_pairs"]

FORMS = ("relation",)
CASES = tuple(NAMES.values())


@final
@dataclass(frozen=True, eq=False)
class Language:
    """Closed-class words, what open-class words look like, and the table of relations."""

    closed: ClosedClass
    lexicon: Lexicon
    table: NDArray[np.uint8]

    def sentences(self, pairs: Pairs, side: int) -> list[str]:
        """The premises (0) or the hypotheses (1)."""
        templates, nouns, verbs = self.closed.templates, self.lexicon.nouns, self.lexicon.verbs
        columns = (pairs.block, pairs.frames[side], pairs.nouns[side], pairs.verbs[side])
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [templates[frame] % (nouns[block][noun], verbs[block][verb]) for block, frame, noun, verb in rows]


@final
@dataclass(frozen=True, eq=False)
class PairRows(Rows):
    """Pairs in a language, each with the number of its relation.

    `of` has for derived pairs the row that each is derived from; `where` names the place of a row that was read.
    """

    language: Language
    pairs: Pairs
    labels: NDArray[np.uint8]
    of: NDArray[np.int32] | None = None
    where: Callable[[int], str] | None = None

    @property
    def forms(self) -> tuple[str, ...]:
        """The one form there is."""
        return FORMS

    def __len__(self) -> int:
        return len(self.pairs)

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """Sentences from templates; the case is the name of the relation."""
        known_form(form, FORMS)
        pairs, labels = self.pairs[rows], self.labels[rows].tolist()
        inputs: list[tuple[str, ...]] = list(
            zip(self.language.sentences(pairs, 0), self.language.sentences(pairs, 1), strict=True)
        )
        targets, cases = [RELATIONS[label] for label in labels], [CASES[label] for label in labels]
        tags: list[Mapping[str, Tag]] = [{"block": block + 1} for block in pairs.block.tolist()]
        if self.of is not None:
            of = self.of[rows].tolist()
            tags = [{**tag, "of": row} for tag, row in zip(tags, of, strict=True)]
        return Columns(inputs, targets, cases, tags)

    def place(self, row: int) -> str:
        """As it was told."""
        return "" if self.where is None else self.where(row)

    @cached_property
    def blocks(self) -> NDArray[np.intp]:
        """The blocks there are, counted from 0, in order."""
        return np.unique(self.pairs.block).astype(np.intp)


def read_pairs(
    closed: ClosedClass, find: Find, inputs: Sequence[tuple[str, ...]], where: Callable[[int], str]
) -> Pairs:
    """The pairs of a file; raises InputError at the first that cannot be read."""
    reader = Reader(closed, find)
    columns = np.empty((7, len(inputs)), np.uint16)
    for row, pair in enumerate(inputs):
        try:
            premise, hypothesis = reader.pair(pair)
        except Refusal as refusal:
            raise InputError(f"{where(row)}: {refusal}") from refusal
        levels = premise.noun.level, hypothesis.noun.level, premise.verb.level, hypothesis.verb.level
        if premise.noun.block > MOST_BLOCKS or max(levels) > MOST_LEVELS:
            raise InputError(f"{where(row)}: data has at most {MOST_BLOCKS:,} blocks of {MOST_LEVELS} levels")
        columns[:, row] = (premise.noun.block, premise.frame, hypothesis.frame, *levels)
    small = columns.astype(np.uint8)
    return Pairs(columns[0] - 1, small[1:3], small[3:5] - 1, small[5:7] - 1)


def read_labels(targets: Sequence[str], where: Callable[[int], str]) -> NDArray[np.uint8]:
    """The numbers of the relations of a file; raises InputError at the first that is none."""
    labels = np.empty(len(targets), np.uint8)
    for row, target in enumerate(targets):
        if target not in RELATIONS:
            raise InputError(f"{where(row)}: the target is {target!r}; expected one of {' '.join(RELATIONS)}")
        labels[row] = RELATIONS.index(target)
    return labels
