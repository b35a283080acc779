"""Datasets from files: those we wrote, in any format, and the releases' own."""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, UnknownName
from blicket.core.example import Split, unnumbered
from blicket.core.storage import FORMATS, MANIFEST, PARALLEL_ENDINGS, SCHEMA_VERSION, files_of
from blicket.core.tables import read_headless_tsv, read_lines, read_table

__all__ = ["read_dataset"]

SOURCES, TARGETS = PARALLEL_ENDINGS

Lists = tuple[list[tuple[str, ...]], list[str], list[str], Callable[[int], str]]


def read_dataset(benchmark: Benchmark, directory: Path, options: Any) -> Dataset:
    """The dataset in a directory: what its manifest lists, or else the files that are named after splits."""
    if not directory.is_dir():
        raise InputError(f"{directory}: is no directory")
    manifest = _manifest(benchmark, directory)
    form = benchmark.form(manifest.get("form"))
    paths = _listed(benchmark, directory, manifest) if manifest else _found(benchmark, directory)
    if not paths:
        expected = ", ".join(f"{name}.tsv" for name in benchmark.roles)
        raise InputError(f"{directory}: holds no data of {benchmark.name}; expected {expected}")
    options = _of_language(benchmark, manifest, options)
    splits = {}
    for name, path in paths.items():
        inputs, targets, cases, where = _lists(benchmark, path)
        rows = benchmark.rows(inputs, targets, cases, form, options, where)
        splits[name] = Split(name, benchmark.role(name), rows)
    applying = benchmark.options_of_files | benchmark.options_of_language
    applied = {k: v for k, v in benchmark.listed(options).items() if k in applying}
    about = {**manifest.get("options", {}), **applied}
    return Dataset(benchmark.name, benchmark.version, splits, benchmark.input_names, about, benchmark.notations)


def _of_language(benchmark: Benchmark, manifest: Mapping[str, Any], options: Any) -> Any:
    """Options with those of the manifest that say what rows mean, unless others than the defaults were asked for.

    Flaws that the data were made with are theirs, whatever others are asked for.
    """
    if not benchmark.options_of_language:
        return options
    asked, unasked = dict[str, Any](benchmark.listed(options)), benchmark.listed(benchmark.options({}))
    made = {k: v for k, v in manifest.get("options", {}).items() if k in benchmark.options_of_language}
    wanted = {k: v for k, v in asked.items() if v != unasked[k]}
    if "compat" in made and "compat" in wanted:
        wanted["compat"] = [*made["compat"], *wanted["compat"]]
    return benchmark.options({**made, **wanted})


def _manifest(benchmark: Benchmark, directory: Path) -> Mapping[str, Any]:
    path = directory / MANIFEST
    if not path.exists():
        return {}
    try:
        manifest = json.loads(path.read_bytes())
        found, schema, form = manifest["benchmark"], manifest["schema"], manifest["form"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: is not the manifest of a dataset") from error
    if schema != SCHEMA_VERSION:
        raise InputError(f"{path}: has schema {schema!r}, and this version reads {SCHEMA_VERSION!r}")
    if found != benchmark.name:
        raise InputError(f"{path}: is a dataset of {found}, not of {benchmark.name}")
    if not isinstance(form, str):
        raise InputError(f"{path}: the form is {form!r}, expected a name")
    return dict(manifest)


def _listed(benchmark: Benchmark, directory: Path, manifest: Mapping[str, Any]) -> dict[str, Path]:
    """The files of a manifest, which have to be in the directory and as they were."""
    about = directory / MANIFEST
    if not isinstance(manifest.get("splits"), dict):
        raise InputError(f"{about}: does not say which files there are")
    for name in manifest["splits"]:
        benchmark.role(name)
    try:
        files = {name: files_of(split) for name, split in manifest["splits"].items()}
        listed = [(directory / file, digest) for of_split in files.values() for file, digest in of_split]
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{about}: does not say which files there are") from error
    for path, expected in listed:
        if path.parent != directory:
            raise InputError(f"{about}: lists {path}, which is not in the directory")
        try:
            found = sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror}), though {MANIFEST} lists it") from error
        if found != expected:
            raise InputError(f"{path}: is not the file that {MANIFEST} lists; remove {MANIFEST} if the change is meant")
    return {name: directory / of_split[0][0] for name, of_split in files.items()}


def _found(benchmark: Benchmark, directory: Path) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        if path.suffix[1:] not in (*FORMATS, SOURCES[1:]):
            continue
        split = benchmark.split_of(path.stem)
        try:
            benchmark.role(split)
        except UnknownName:
            continue
        if split in paths:
            raise InputError(f"{directory}: has both {paths[split].name} and {path.name}; one is wanted")
        paths[split] = path
    return {name: paths[name] for name in sorted(paths, key=_release_order(benchmark))}


def _release_order(benchmark: Benchmark) -> Callable[[str], tuple[int, int, str]]:
    roles = list(benchmark.roles)
    return lambda name: (roles.index(unnumbered(name)), len(name), name)


def _lists(benchmark: Benchmark, path: Path) -> Lists:
    """Inputs, targets and cases, and how to name a row; a case that the benchmark does not have is taken as it is."""
    names = benchmark.input_names
    if path.suffix == SOURCES:
        sources, targets = read_lines(path), read_lines(path.with_suffix(TARGETS))
        if len(sources) != len(targets):
            told = f"{len(targets):,} lines, expected {len(sources):,} as in {path.name}"
            raise InputError(f"{path.with_suffix(TARGETS)}: {told}")
        return [(s,) for s in sources], targets, [""] * len(sources), lambda row: f"{path}, line {row + 1}"
    if path.suffix == ".tsv":
        rows = list(read_headless_tsv(path, len(names) + 2))
        if rows and (rows[0][:-2] == names or rows[0][-2] == "target"):
            raise InputError(f"{path}, line 1: is a header, and TSV of data has none; remove the line")
        inputs = [row[:-2] for row in rows]
        return inputs, [row[-2] for row in rows], [row[-1] for row in rows], lambda row: f"{path}, line {row + 1}"
    table = read_table(path, (*names, "target", "case"), may_be_empty=True)
    if table.rows == 0:
        return [], [], [], table.where
    columns = zip(*(table.require(name) for name in names), strict=True)
    return list(columns), table.require("target"), table.columns.get("case", [""] * table.rows), table.where
