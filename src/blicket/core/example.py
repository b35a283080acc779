"""What a learner is shown or asked: examples, and splits of them with a role."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.errors import UnknownName

__all__ = [
    "BATCH",
    "Columns",
    "Example",
    "FirstRows",
    "ListedRows",
    "Role",
    "Rows",
    "Split",
    "Tag",
    "known_form",
    "unnumbered",
]

Tag = str | int
BATCH = 8192


def known_form(name: str, forms: Sequence[str]) -> str:
    """The name of a form of targets if it is one of these; raises UnknownName."""
    if name not in forms:
        raise UnknownName("form", name, forms)
    return name


def unnumbered(split: str) -> str:
    """The name of a split without a number at its end: `train` for `train_100`."""
    return split.rstrip("0123456789").rstrip("_")


class Role(StrEnum):
    """What a split is for: learners are fitted on train and dev alone."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"
    GENERALIZATION = "generalization"
    PROBE = "probe"


@final
@dataclass(frozen=True, slots=True)
class Example:
    """One row: its inputs, and its target in each form.

    `id` is SPLIT/ROW with rows from 0; `inputs` is one sentence, or premise and hypothesis.
    """

    id: str
    inputs: tuple[str, ...]
    targets: Mapping[str, str]
    case: str
    tags: Mapping[str, Tag] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class Columns:
    """Some rows of a split, column by column, with their targets in one form."""

    inputs: list[tuple[str, ...]]
    targets: list[str]
    cases: list[str]
    tags: list[Mapping[str, Tag]] = field(default_factory=list)

    def tag(self, row: int) -> Mapping[str, Tag]:
        """The tags of a row; a split whose rows have none keeps none."""
        return self.tags[row] if self.tags else {}


class Rows(ABC):
    """Where the rows of a split come from; they may be written down or made when they are asked for."""

    @property
    @abstractmethod
    def forms(self) -> tuple[str, ...]:
        """The forms the targets can be had in, the default first."""

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """These rows, in this order, with targets in this form."""

    def place(self, row: int) -> str:
        """The file and line of a row that was read, for messages; nothing for one that was made."""
        return ""


@final
@dataclass(frozen=True)
class ListedRows(Rows):
    """Rows that are written down: targets by form, tags where there are any, and of files where a row stands."""

    inputs: Sequence[tuple[str, ...]]
    targets: Mapping[str, Sequence[str]]
    cases: Sequence[str]
    tags: Sequence[Mapping[str, Tag]] = ()
    where: Callable[[int], str] | None = None

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that are written down."""
        return tuple(self.targets)

    def __len__(self) -> int:
        return len(self.inputs)

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """A selection of the lists."""
        at, targets = rows.tolist(), self.targets[known_form(form, self.forms)]
        return Columns(
            [self.inputs[i] for i in at],
            [targets[i] for i in at],
            [self.cases[i] for i in at],
            [self.tags[i] for i in at] if self.tags else [],
        )

    def place(self, row: int) -> str:
        """As it was told."""
        return "" if self.where is None else self.where(row)


@final
@dataclass(frozen=True)
class FirstRows(Rows):
    """The first of some rows."""

    rows: Rows
    number: int

    @property
    def forms(self) -> tuple[str, ...]:
        """Theirs."""
        return self.rows.forms

    def __len__(self) -> int:
        return self.number

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """Theirs."""
        return self.rows.columns(rows, form)

    def place(self, row: int) -> str:
        """Theirs."""
        return self.rows.place(row)


@final
@dataclass(frozen=True)
class Split(Sequence[Example]):
    """A named part of a dataset, with what it is for; a sequence of examples that may be made on demand."""

    name: str
    role: Role
    rows: Rows

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms the targets can be had in, the default first."""
        return self.rows.forms

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int | slice) -> Example | list[Example]:  # type: ignore[override]
        """One example, or a list of some."""
        places = range(len(self))[index]
        if isinstance(places, range):
            return list(self._examples(np.array(places, np.intp)))
        return next(self._examples(np.array([places], np.intp)))

    def __iter__(self) -> Iterator[Example]:
        for start in range(0, len(self), BATCH):
            yield from self._examples(np.arange(start, min(start + BATCH, len(self))))

    def limited(self, rows: int) -> "Split":
        """The first rows alone, under the same name."""
        return Split(self.name, self.role, FirstRows(self.rows, min(rows, len(self))))

    def batches(self, form: str, size: int = BATCH) -> Iterator[tuple[int, Columns]]:
        """The rows in order, as columns, each batch with the number of its first row; raises UnknownName."""
        known_form(form, self.forms)
        starts = range(0, len(self), size)
        return ((start, self.rows.columns(np.arange(start, min(start + size, len(self))), form)) for start in starts)

    def _examples(self, rows: NDArray[np.intp]) -> Iterator[Example]:
        by_form = {form: self.rows.columns(rows, form) for form in self.forms}
        first = by_form[self.forms[0]]
        for i, row in enumerate(rows.tolist()):
            targets = {form: columns.targets[i] for form, columns in by_form.items()}
            yield Example(f"{self.name}/{row}", first.inputs[i], targets, first.cases[i], first.tag(i))
