"""Predictions: what respondents answered, in files of ours or anybody's, set against the gold rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.example import Tag
from blicket.core.tables import read_table

__all__ = ["Aligned", "Gold", "Prediction", "align", "gold_rows", "read_predictions"]

NAMED = 3


@final
@dataclass(frozen=True, slots=True)
class Gold:
    """A row to be predicted; `id` is None where a predictions file itself holds the gold rows."""

    id: str | None
    inputs: tuple[str, ...]
    target: str
    case: str
    tags: Mapping[str, Tag] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What to call the row in a message."""
        return self.id or " | ".join(self.inputs)


@final
@dataclass(frozen=True, slots=True)
class Prediction:
    """An output with what it says it is the output for: an id, or inputs and target."""

    output: str
    id: str | None = None
    inputs: tuple[str, ...] = ()
    target: str = ""
    case: str = ""

    @property
    def key(self) -> str | tuple[tuple[str, ...], str, str]:
        """What it is found by."""
        return self.id if self.id is not None else (self.inputs, self.target, self.case)


@final
@dataclass(frozen=True)
class Aligned:
    """One file's predictions in the order of the gold rows, None where one is missing, and what did not fit."""

    file: Path
    outputs: list[str | None]
    missing: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def remarks(self) -> list[str]:
        """The rows that did not fit, counted and named."""
        said = {
            "missing, counted as incorrect": self.missing,
            "given more than once, the first counts": self.duplicates,
            "unknown, left out": self.unknown,
        }
        return [f"{self.file}: {len(names):,} {what}: {_some(names)}" for what, names in said.items() if names]


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown}, and {len(names) - NAMED:,} more"


def read_predictions(path: Path, input_names: tuple[str, ...]) -> list[Prediction]:
    """The predictions of a file, which has the column `prediction` and either `id` or the inputs and `target`.

    With `id` the other columns are not looked at. `case` may stand beside inputs and target.
    """
    table = read_table(path, ("prediction", "id", *input_names, "target", "case"))
    outputs = table.require("prediction")
    if "id" in table.columns:
        return [Prediction(output, id_) for output, id_ in zip(outputs, table.columns["id"], strict=True)]
    if not any(name in table.columns for name in (*input_names, "target")):
        expected = " and ".join(f"'{name}'" for name in (*input_names, "target"))
        raise InputError(f"{path}: there is no column that says which row is which; expected 'id', or {expected}")
    columns = [table.require(name) for name in (*input_names, "target")]
    cases = table.columns.get("case", [""] * len(outputs))
    rows = zip(outputs, cases, *columns, strict=True)
    return [Prediction(output, None, tuple(rest[:-1]), rest[-1], case) for output, case, *rest in rows]


def gold_rows(
    files: Iterable[list[Prediction]],
    dataset: Dataset | None,
    form: str,
    tags: Callable[[str, str], Mapping[str, Tag]],
) -> list[Gold]:
    """The rows that the predictions are about.

    With ids, all rows of every split that some id names; otherwise the rows that the files themselves hold.
    """
    files = list(files)
    named = dict.fromkeys(p.id.rpartition("/")[0] for file in files for p in file if p.id is not None)
    if named and dataset is None:
        raise InputError("the predictions name rows by 'id'; say where the data is with --data DIR or --official DIR")
    if named and dataset is not None:
        splits = [dataset.splits[name] for name in named if name in dataset.splits]
        if not splits:
            raise InputError(f"no id names a split of the data, which has {', '.join(dataset.splits)}")
        return [
            Gold(f"{split.name}/{start + i}", inputs, columns.targets[i], columns.cases[i], columns.tag(i))
            for split in splits
            for start, columns in split.batches(form)
            for i, inputs in enumerate(columns.inputs)
        ]
    rows = dict.fromkeys((p.inputs, p.target, p.case) for file in files for p in file)
    return [Gold(None, inputs, target, case, tags(case, target)) for inputs, target, case in rows]


def align(file: Path, predictions: list[Prediction], gold: Sequence[Gold]) -> Aligned:
    """Find the prediction of each gold row; the first of several counts."""
    place: dict[object, int] = {}
    for i, row in enumerate(gold):
        for key in (row.id, (row.inputs, row.target, row.case), (row.inputs, row.target, "")):
            place.setdefault(key, i)
    aligned = Aligned(file, [None] * len(gold))
    for prediction in predictions:
        row = place.get(prediction.key)
        name = prediction.id or " | ".join(prediction.inputs)
        if row is None:
            aligned.unknown.append(name)
        elif aligned.outputs[row] is not None:
            aligned.duplicates.append(name)
        else:
            aligned.outputs[row] = prediction.output
    aligned.missing.extend(
        row.name for row, output in zip(gold, aligned.outputs, strict=True) if output is None
    )
    return aligned
