"""A dataset: the splits of a benchmark, made with a seed or read from files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import final

from blicket.core.errors import UnknownName
from blicket.core.example import Role, Split
from blicket.core.graph import GraphNotation

__all__ = ["Dataset", "Hierarchy"]

Hierarchy = Callable[[str], tuple[str, int] | None]
"""The chain that an open-class word is in, and how far down, further down being narrower; None for any other word."""


@final
@dataclass(frozen=True)
class Dataset:
    """Splits by name, of one benchmark and version; `options` says how they were made.

    `notations` has, by form, how targets are read as labelled graphs over tokens, for learners of structure;
    `hierarchy` says how words are related, for learners that are told.
    """

    benchmark: str
    version: str
    splits: Mapping[str, Split]
    input_names: tuple[str, ...]
    options: Mapping[str, object]
    notations: Mapping[str, GraphNotation] = field(default_factory=dict, compare=False)
    hierarchy: Hierarchy | None = field(default=None, compare=False)

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms every split has its targets in, the default first."""
        return next(iter(self.splits.values())).forms

    def __getitem__(self, split: str) -> Split:
        """The split of this name; raises UnknownName."""
        if split not in self.splits:
            raise UnknownName("split", split, self.splits)
        return self.splits[split]

    def with_role(self, role: Role) -> tuple[Split, ...]:
        """The splits that are for this."""
        return tuple(split for split in self.splits.values() if split.role == role)

    def content_hash(self, form: str | None = None) -> str:
        """A hash of every input, target and case, whatever file they are kept in."""
        digest = sha256()
        for split in self.splits.values():
            digest.update(f"\x1d{split.name}\x1d{split.role}\x1d".encode())
            for _, columns in split.batches(form or self.forms[0]):
                rows = zip(columns.inputs, columns.targets, columns.cases, strict=True)
                lines = ("\x1f".join((*inputs, target, case)) for inputs, target, case in rows)
                digest.update("\x1e".join(lines).encode())
                digest.update(b"\x1e")
        return digest.hexdigest()
