"""Predictions: what respondents answered, in files of ours or anybody's, set against the gold rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.example import Tag
from blicket.core.storage import SCHEMA_VERSION, written_whole
from blicket.core.tables import Table, read_table

__all__ = [
    "Aligned",
    "Gold",
    "Prediction",
    "Predictions",
    "align",
    "gold_rows",
    "read_predictions",
    "write_predictions",
]

NAMED = 3
LISTED = 10


@final
@dataclass(frozen=True, slots=True)
class Gold:
    """A row to be predicted; `id` is None where a predictions file itself holds the gold rows, and no ids."""

    id: str | None
    inputs: tuple[str, ...]
    target: str
    case: str
    tags: Mapping[str, Tag] = field(default_factory=dict)
    where: str = field(default="", compare=False)
    """The file and line it comes from, where it is known."""

    @property
    def name(self) -> str:
        """What to call the row in a message."""
        return self.id or " | ".join(self.inputs)


@final
@dataclass(frozen=True, slots=True)
class Prediction:
    """An output with what it says it is the output for: an id, inputs and target, or both."""

    output: str
    id: str | None = None
    inputs: tuple[str, ...] = ()
    target: str | None = None
    case: str = ""
    where: str = field(default="", compare=False)

    @property
    def key(self) -> str | tuple[tuple[str, ...], str | None, str]:
        """What it is found by."""
        return self.id if self.id is not None else (self.inputs, self.target, self.case)

    def check(self, row: Gold) -> None:
        """Refuse to be of a row with this id and other inputs, spaces aside.

        A target is not compared: it follows from the inputs, and may rightly be in another form, or be labelled as in
        another release, than the data that the predictions are judged by.
        """
        if self.inputs in ((), row.inputs) or [i.split() for i in self.inputs] == [i.split() for i in row.inputs]:
            return
        ours, theirs = (" | ".join(inputs) for inputs in (self.inputs, row.inputs))
        place = f" ({row.where})" if row.where else ""
        raise InputError(
            f"{self.where}: {self.id!r} is {ours!r} here, but {theirs!r} in the data{place}; "
            "the predictions are probably of other data (another seed or version)"
        )


@final
@dataclass(frozen=True)
class Predictions:
    """What one respondent (a seed, a participant, an endpoint) answered in one round, in the order of `ids`."""

    respondent: str
    ids: Sequence[str]
    outputs: Sequence[str]
    scores: Sequence[Sequence[float]] = ()
    round: int = 0


def write_predictions(path: Path, predictions: Iterable[Predictions]) -> None:
    """Write a Parquet file of predictions, a row an answer, that `read_predictions` reads back."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"id": pa.string(), "respondent": pa.string(), "round": pa.int32(), "prediction": pa.string()}
    schema = pa.schema({**types, "scores": pa.list_(pa.float32())}, metadata={"blicket": SCHEMA_VERSION})
    with written_whole(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for said in predictions:
            n = len(said.ids)
            scores = said.scores or [()] * n
            columns = [said.ids, [said.respondent] * n, [said.round] * n, said.outputs, scores]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema))


@final
@dataclass(frozen=True)
class Aligned:
    """One seed's predictions in the order of the gold rows, None where one is missing, and what did not fit.

    `seed` is the file, and after a colon the respondent where a file holds several.
    """

    seed: str
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
        return [f"{self.seed}: {len(names):,} {what}: {_some(names)}" for what, names in said.items() if names]

    def as_dict(self) -> dict[str, Any]:
        """How many rows did not fit, and which: the first few."""
        return {
            "file": self.seed,
            "missing": len(self.missing),
            "duplicates": len(self.duplicates),
            "unknown": len(self.unknown),
            "missing_rows": self.missing[:LISTED],
            "duplicate_rows": self.duplicates[:LISTED],
            "unknown_rows": self.unknown[:LISTED],
        }


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown}, and {len(names) - NAMED:,} more"


def read_predictions(path: Path, input_names: tuple[str, ...]) -> dict[str, list[Prediction]]:
    """The predictions of a file by seed.

    A file has the column `prediction` and `id`, or the inputs and `target`, where `case` may stand beside them, or
    all of these. A column `respondent` tells several seeds apart.
    """
    wanted = ("prediction", "id", *input_names, "target", "case", "respondent")
    table = read_table(path, wanted, integers=("respondent",))
    predictions = _predictions(table, input_names)
    respondents = table.columns.get("respondent", [""])
    if len(set(respondents)) == 1:
        return {str(path): predictions}
    by_seed: dict[str, list[Prediction]] = {}
    for prediction, respondent in zip(predictions, respondents, strict=True):
        by_seed.setdefault(f"{path}:{respondent}", []).append(prediction)
    return by_seed


def _predictions(table: Table, input_names: tuple[str, ...]) -> list[Prediction]:
    outputs = table.require("prediction")
    ids: Sequence[str | None] = table.columns.get("id", [])
    known = [name in table.columns for name in (*input_names, "target")]
    if ids and not all(known):
        inputs: Iterable[tuple[str, ...]] = [()] * table.rows
        if all(known[:-1]):
            inputs = zip(*(table.require(name) for name in input_names), strict=True)
        rows_of_ids = enumerate(zip(outputs, ids, inputs, strict=True))
        return [Prediction(output, id_, of, where=table.where(row)) for row, (output, id_, of) in rows_of_ids]
    if not any(known):
        expected = " and ".join(f"'{name}'" for name in (*input_names, "target"))
        raise InputError(f"{table.path}: no column says which row is which; expected 'id', or {expected}")
    columns = [table.require(name) for name in (*input_names, "target")]
    cases = table.columns.get("case", [""] * table.rows)
    rows = enumerate(zip(outputs, ids or [None] * table.rows, cases, *columns, strict=True))
    return [
        Prediction(output, id_, tuple(rest[:-1]), rest[-1], case, table.where(row))
        for row, (output, id_, case, *rest) in rows
    ]


def gold_rows(
    by_seed: Mapping[str, list[Prediction]],
    dataset: Dataset | None,
    form: str,
    tags: Callable[[str, str], Mapping[str, Tag]],
) -> list[Gold]:
    """The rows that the predictions are about.

    With ids and a dataset, all rows of every split that some id names; otherwise the rows that the files themselves
    hold.
    """
    everything = [prediction for predictions in by_seed.values() for prediction in predictions]
    ids = [prediction.id for prediction in everything if prediction.id is not None]
    if ids and dataset is None and (len(ids) < len(everything) or any(p.target is None for p in everything)):
        raise InputError(f"{', '.join(by_seed)}: rows are named by 'id'; say with --data DIR or --official DIR of what")
    if ids and dataset is not None:
        named = dict.fromkeys(id_.rpartition("/")[0] for id_ in ids)
        splits = [dataset.splits[name] for name in named if name in dataset.splits]
        if not splits:
            there = ", ".join(dataset.splits)
            raise InputError(f"{', '.join(by_seed)}: no id, such as {ids[0]!r}, names a split of the data: {there}")
        return [
            Gold(f"{split.name}/{row}", inputs, columns.targets[i], columns.cases[i], columns.tag(i), place(row))
            for split, place in ((split, split.rows.place) for split in splits)
            for start, columns in split.batches(form)
            for i, (row, inputs) in enumerate(enumerate(columns.inputs, start))
        ]
    rows = _identified(everything) if ids else _told_apart(everything)
    return [
        Gold(p.id, p.inputs, p.target, p.case, tags(p.case, p.target), p.where) for p in rows if p.target is not None
    ]


def _identified(everything: Iterable[Prediction]) -> Iterable[Prediction]:
    """One prediction a row, by id: one that knows the case if there is one."""
    rows: dict[object, Prediction] = {}
    for prediction in everything:
        known = rows.setdefault(prediction.key, prediction)
        cases = {known.case, prediction.case} - {""}
        if (known.inputs, known.target) != (prediction.inputs, prediction.target) or len(cases) > 1:
            raise InputError(f"{prediction.where}: {prediction.id!r} is another row than in {known.where}")
        if not known.case:
            rows[prediction.key] = prediction
    return rows.values()


def _told_apart(everything: Sequence[Prediction]) -> Iterable[Prediction]:
    """One prediction a row, by inputs, target and case; one without a case is of a row that has one elsewhere."""
    cased = {(p.inputs, p.target) for p in everything if p.case}
    rows: dict[object, Prediction] = {}
    for prediction in everything:
        if prediction.case or (prediction.inputs, prediction.target) not in cased:
            rows.setdefault(prediction.key, prediction)
    return rows.values()


def align(seed: str, predictions: list[Prediction], gold: Sequence[Gold]) -> Aligned:
    """Find the prediction of each gold row; the first of several counts. Raises InputError if its inputs are others."""
    place: dict[object, int] = {}
    for i, wanted in enumerate(gold):
        for key in (wanted.id, (wanted.inputs, wanted.target, wanted.case), (wanted.inputs, wanted.target, "")):
            place.setdefault(key, i)
    aligned = Aligned(seed, [None] * len(gold))
    for prediction in predictions:
        row = place.get(prediction.key)
        name = prediction.id or " | ".join(prediction.inputs)
        if row is None:
            aligned.unknown.append(name)
            continue
        prediction.check(gold[row])
        if aligned.outputs[row] is not None:
            aligned.duplicates.append(name)
        else:
            aligned.outputs[row] = prediction.output
    aligned.missing.extend(row.name for row, output in zip(gold, aligned.outputs, strict=True) if output is None)
    return aligned
