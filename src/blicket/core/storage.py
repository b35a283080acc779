"""Datasets on disk: whole files or none, the same bytes for the same rows."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

import numpy as np

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, UnknownName
from blicket.core.example import BATCH, Columns, Split, known_form
from blicket.core.workers import in_order

__all__ = ["FORMATS", "MANIFEST", "SCHEMA_VERSION", "made_directory", "write_dataset", "written_whole"]

FORMATS = ("tsv", "jsonl", "csv", "parquet")
MANIFEST = "dataset.json"
SCHEMA_VERSION = "1"
TAB = "\t"

Progress = Callable[[str, int], None]


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears under its name when it is complete, and not at all if writing it fails."""
    beside = path.with_name(f".{path.name}.{os.getpid()}-{token_hex(4)}.partial")
    try:
        with beside.open("wb") as file:
            yield file
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error
    finally:
        beside.unlink(missing_ok=True)


def made_directory(directory: Path) -> Path:
    """A directory, made if it is not there."""
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory}: is a file; a directory is wanted")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{directory}: cannot be made ({error.strerror})") from error
    return directory


def write_dataset(
    dataset: Dataset,
    directory: Path,
    format_: str,
    form: str,
    *,
    workers: int = 1,
    progress: Progress = lambda split, rows: None,
) -> dict[str, Any]:
    """Write each split to a file, and last the manifest, which is also the result.

    The manifest names the rows and the SHA-256 of each file and says how they were made. TSV has the columns of the
    releases (inputs, target, case) and no header; the other formats name their columns.
    """
    if format_ not in FORMATS:
        raise UnknownName("format", format_, FORMATS)
    known_form(form, dataset.forms)
    made_directory(directory)
    files = {}
    for split in dataset.splits.values():
        path = directory / f"{split.name}.{format_}"
        digest = _write_split(split, dataset, path, format_, form, workers, progress)
        files[split.name] = {"file": path.name, "role": split.role, "rows": len(split), "sha256": digest}
    manifest = {
        "schema": SCHEMA_VERSION,
        "benchmark": dataset.benchmark,
        "version": dataset.version,
        "form": form,
        "inputs": list(dataset.input_names),
        "options": dict(dataset.options),
        "splits": files,
    }
    with written_whole(directory / MANIFEST) as file:
        file.write(json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n")
    return manifest


def _write_split(
    split: Split, dataset: Dataset, path: Path, format_: str, form: str, workers: int, progress: Progress
) -> str:
    if format_ == "parquet":
        return _write_parquet(split, dataset, path, form, progress)
    digest = sha256()
    block_of = {"tsv": _tsv, "jsonl": _jsonl, "csv": _csv}[format_]
    starts = range(0, max(1, len(split)), BATCH)  # an empty split has one empty block: CSV has a header
    with written_whole(path) as file:
        for start, block in zip(
            starts, in_order(partial(block_of, split, dataset, form), starts, workers), strict=True
        ):
            digest.update(block)
            file.write(block)
            progress(split.name, min(start + BATCH, len(split)))
    return digest.hexdigest()


def _columns(split: Split, form: str, start: int) -> Columns:
    return split.rows.columns(np.arange(start, min(start + BATCH, len(split))), form)


def _tsv(split: Split, _: Dataset, form: str, start: int) -> bytes:
    columns = _columns(split, form, start)
    rows = zip(columns.inputs, columns.targets, columns.cases, strict=True)
    text = "".join([f"{TAB.join(inputs)}\t{target}\t{case}\n" for inputs, target, case in rows])
    width = len(columns.inputs[0]) + 1 if columns.inputs else 0
    if text.count(TAB) != width * len(columns.inputs) or text.count("\n") != len(columns.inputs):
        raise InputError(f"{split.name}.tsv: a text holds a tab or a line feed, which TSV cannot; use another format")
    return text.encode()


def _jsonl(split: Split, dataset: Dataset, form: str, start: int) -> bytes:
    encode = json.JSONEncoder(ensure_ascii=False).encode
    return "".join([encode(record) + "\n" for record in _records(split, dataset, form, start)]).encode()


def _csv(split: Split, dataset: Dataset, form: str, start: int) -> bytes:
    fields = ("id", *dataset.input_names, "target", "case")
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, fields, extrasaction="ignore", lineterminator="\n")
    if start == 0:
        writer.writeheader()
    writer.writerows(_records(split, dataset, form, start))
    return buffer.getvalue().encode()


def _records(split: Split, dataset: Dataset, form: str, start: int) -> list[dict[str, Any]]:
    columns = _columns(split, form, start)
    return [
        {
            "id": f"{split.name}/{start + i}",
            **dict(zip(dataset.input_names, inputs, strict=True)),
            "target": columns.targets[i],
            "case": columns.cases[i],
            **columns.tag(i),
        }
        for i, inputs in enumerate(columns.inputs)
    ]


def _write_parquet(split: Split, dataset: Dataset, path: Path, form: str, progress: Progress) -> str:
    """Parquet with the same columns; tags are one column of JSON, since they differ from row to row."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("id", *dataset.input_names, "target", "case", "tags")
    about = {"blicket": SCHEMA_VERSION, "benchmark": dataset.benchmark, "form": form, "split": split.name}
    schema = pa.schema([(name, pa.string()) for name in names], metadata=about)
    with written_whole(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for start, columns in split.batches(form):
            stop = start + len(columns.cases)
            data = [
                [f"{split.name}/{row}" for row in range(start, stop)],
                *([inputs[i] for inputs in columns.inputs] for i in range(len(dataset.input_names))),
                columns.targets,
                columns.cases,
                [json.dumps(dict(columns.tag(i))) for i in range(stop - start)],
            ]
            writer.write_table(pa.table([pa.array(column, pa.string()) for column in data], schema=schema))
            progress(split.name, stop)
    return sha256(path.read_bytes()).hexdigest()
