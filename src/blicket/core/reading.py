"""Datasets from files: those we wrote, in any format, and the releases' own."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, UnknownName
from blicket.core.example import Split
from blicket.core.storage import FORMATS, MANIFEST
from blicket.core.tables import read_headless_tsv, read_table

__all__ = ["read_dataset"]

Lists = tuple[list[tuple[str, ...]], list[str], list[str]]


def read_dataset(benchmark: Benchmark, directory: Path, options: Any) -> Dataset:
    """The dataset in a directory: what its manifest lists, or else the files that are named after splits."""
    if not directory.is_dir():
        raise InputError(f"{directory}: is no directory")
    manifest = _manifest(benchmark, directory)
    form = benchmark.form(manifest.get("form"))
    paths = _listed(directory, manifest) if manifest else _found(benchmark, directory)
    if not paths:
        expected = ", ".join(f"{name}.tsv" for name in benchmark.roles)
        raise InputError(f"{directory}: holds no data of {benchmark.name}; expected {expected}")
    splits = {
        name: Split(name, benchmark.role(name), benchmark.rows(*_lists(benchmark, path), form, options))
        for name, path in paths.items()
    }
    return Dataset(benchmark.name, benchmark.version, splits, benchmark.input_names, {"read": str(directory)})


def _manifest(benchmark: Benchmark, directory: Path) -> Mapping[str, Any]:
    path = directory / MANIFEST
    if not path.exists():
        return {}
    try:
        manifest = json.loads(path.read_bytes())
        found = manifest["benchmark"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: is not the manifest of a dataset") from error
    if found != benchmark.name:
        raise InputError(f"{path}: is a dataset of {found}, not of {benchmark.name}")
    return dict(manifest)


def _listed(directory: Path, manifest: Mapping[str, Any]) -> dict[str, Path]:
    try:
        paths = {name: directory / split["file"] for name, split in manifest["splits"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{directory / MANIFEST}: does not say which files there are") from error
    for path in paths.values():
        if not path.is_file():
            raise InputError(f"{path}: is missing, though {MANIFEST} lists it")
    return paths


def _found(benchmark: Benchmark, directory: Path) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        if path.suffix[1:] not in FORMATS:
            continue
        try:
            benchmark.role(path.stem)
        except UnknownName:
            continue
        if path.stem in paths:
            raise InputError(f"{directory}: has both {paths[path.stem].name} and {path.name}; one is wanted")
        paths[path.stem] = path
    return {name: paths[name] for name in sorted(paths, key=_release_order(benchmark))}


def _release_order(benchmark: Benchmark) -> Any:
    roles = list(benchmark.roles)
    return lambda name: (roles.index(name.rstrip("0123456789").rstrip("_")), len(name), name)


def _lists(benchmark: Benchmark, path: Path) -> Lists:
    """Inputs, targets and cases; a case the benchmark does not have is taken as it is."""
    names: Sequence[str] = benchmark.input_names
    if path.suffix == ".tsv":
        rows = list(read_headless_tsv(path, len(names) + 2))
        return [row[:-2] for row in rows], [row[-2] for row in rows], [row[-1] for row in rows]
    table = read_table(path, (*names, "target", "case"))
    inputs = list(zip(*(table.require(name) for name in names), strict=True))
    return inputs, table.require("target"), table.columns.get("case", [""] * table.rows)
