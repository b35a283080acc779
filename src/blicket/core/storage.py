"""Datasets on disk: whole files or none, the same bytes for the same rows."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
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

__all__ = [
    "FORMATS",
    "MANIFEST",
    "PARALLEL",
    "PARALLEL_ENDINGS",
    "SCHEMA_VERSION",
    "files_of",
    "made_directory",
    "write_dataset",
    "written_whole",
]

FORMATS = ("tsv", "jsonl", "csv", "parquet")
PARALLEL = "parallel"
"""Two files a split, inputs and targets line by line, as translators have them; cases and tags are not in them."""
PARALLEL_ENDINGS = (".src", ".tgt")
MANIFEST = "dataset.json"
SCHEMA_VERSION = "1"
TAB = "\t"

Progress = Callable[[str, int], None]


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears under its name when it is complete, and not at all if writing it fails."""
    beside = _beside(path)
    try:
        with _writing(path):
            with beside.open("wb") as file:
                yield file
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """Where to write what will become a file."""
    return path.with_name(f".{path.name}.{os.getpid()}-{token_hex(4)}.partial")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from error


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
    """Write each split to a file, and a manifest, which is also the result; they appear together or not at all.

    The manifest names the rows and the SHA-256 of each file and says how they were made. TSV has the columns of the
    releases (inputs, target, case) and no header; parallel are two files, inputs and targets line by line; the other
    formats name their columns. A directory holds one dataset:
    the files of an earlier one are replaced, or removed if they still are what its manifest lists.
    """
    if format_ not in (*FORMATS, PARALLEL):
        raise UnknownName("format", format_, (*FORMATS, PARALLEL))
    known_form(form, dataset.forms)
    made_directory(directory)
    if format_ == PARALLEL and len(dataset.input_names) > 1:
        raise InputError(f"--format parallel: is for one input a row, and here are {' and '.join(dataset.input_names)}")
    files = {}
    with _appearing_together(directory) as parts:
        for split in dataset.splits.values():
            written = []
            for ending in PARALLEL_ENDINGS if format_ == PARALLEL else (f".{format_}",):
                path = directory / f"{split.name}{ending}"
                parts[path] = _beside(path)
                with _writing(path):
                    digest = _write_split(split, dataset, parts[path], ending[1:], form, workers, progress)
                written.append({"file": path.name, "sha256": digest})
            first, *others = written
            targets = {"targets": others[0]} if others else {}
            files[split.name] = {**first, "role": split.role, "rows": len(split), **targets}
        manifest = _manifest(dataset, form, files)
        about = directory / MANIFEST
        parts[about] = _beside(about)
        with _writing(about):
            parts[about].write_bytes(json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n")
    return manifest


def _manifest(dataset: Dataset, form: str, files: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "schema": SCHEMA_VERSION,
        "benchmark": dataset.benchmark,
        "version": dataset.version,
        "form": form,
        "inputs": list(dataset.input_names),
        "options": dict(dataset.options),
        "splits": dict(files),
    }


@contextmanager
def _appearing_together(directory: Path) -> Iterator[dict[Path, Path]]:
    """The files of a dataset, each with where it is written first: all of them get their names at the end, or none."""
    parts: dict[Path, Path] = {}
    about = directory / MANIFEST
    try:
        yield parts
        superseded = _superseded(about, parts)
        _put_in_place(about, parts)
        for path in superseded:
            path.unlink(missing_ok=True)
    finally:
        for beside in parts.values():
            beside.unlink(missing_ok=True)


def _put_in_place(about: Path, parts: Mapping[Path, Path]) -> None:
    """Give complete files their names; if that fails, what was not there before is not there after.

    A manifest stands there all the while, so that its hashes tell a mixture of old and new files even after a kill:
    the old one until all the others are in place, or where there was none the new one from the start.
    """
    for path in parts:
        if path.is_dir():
            raise InputError(f"{path}: is a directory; a file is to be written there")
    manifest_last = about.exists()
    added = []
    try:
        for path in sorted(parts, key=lambda path: (path == about) is manifest_last):
            if not path.exists():
                added.append(path)
            with _writing(path):
                parts[path].replace(path)
    except BaseException:
        for path in added:
            path.unlink(missing_ok=True)
        raise


def _superseded(about: Path, parts: Mapping[Path, Path]) -> list[Path]:
    """The files of the dataset that a manifest lists, if they are unchanged and are not written again."""
    try:
        listed = [file for split in json.loads(about.read_bytes())["splits"].values() for file in files_of(split)]
        files = {about.parent / name: digest for name, digest in listed}
        return [
            path
            for path, digest in files.items()
            if path.parent == about.parent and path not in parts and _is_still(path, digest)
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []  # no manifest that could be read, and so none that vouches for a file


def files_of(split: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The name and hash of each file of a split, by what a manifest says about it."""
    return [(file["file"], file["sha256"]) for file in (split, *([split["targets"]] if "targets" in split else []))]


def _is_still(path: Path, digest: object) -> bool:
    return path.is_file() and sha256(path.read_bytes()).hexdigest() == digest


def _write_split(
    split: Split, dataset: Dataset, path: Path, ending: str, form: str, workers: int, progress: Progress
) -> str:
    if ending == "parquet":
        return _write_parquet(split, dataset, path, form, progress)
    digest = sha256()
    block_of = {"tsv": _tsv, "jsonl": _jsonl, "csv": _csv, "src": _src, "tgt": _tgt}[ending]
    starts = range(0, max(1, len(split)), BATCH)  # an empty split has one empty block: CSV has a header
    with path.open("wb") as file:
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


def _src(split: Split, _: Dataset, form: str, start: int) -> bytes:
    return _lines(split, [text for (text,) in _columns(split, form, start).inputs])


def _tgt(split: Split, _: Dataset, form: str, start: int) -> bytes:
    return _lines(split, _columns(split, form, start).targets)


def _lines(split: Split, texts: Sequence[str]) -> bytes:
    text = "".join([f"{line}\n" for line in texts])
    if text.count("\n") != len(texts):
        raise InputError(f"{split.name}: a text holds a line feed, which parallel files cannot; use another format")
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
    with path.open("wb") as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
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
