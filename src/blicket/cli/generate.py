"""`blicket generate`."""

import json
from typing import Annotated

from cyclopts import Parameter

from blicket.cli.arguments import (
    BenchmarkName,
    Compat,
    Directory,
    Form,
    Json,
    Official,
    Settings,
    Whole,
    read_data,
    settings_of,
)

__all__ = ["generate"]

MOST_WORKERS = 256


def generate(
    name: BenchmarkName,
    /,
    *,
    output: Annotated[Directory, Parameter(name=("--output", "-o"), help="The directory to write to.")],
    seed: Annotated[
        Whole | None, Parameter(help="The same seed gives the same bytes everywhere; 1 if none is given.")
    ] = None,
    format_: Annotated[str, Parameter(name="--format", help="tsv (as released), jsonl, csv or parquet.")] = "tsv",
    form: Form = None,
    compat: Compat = (),
    settings: Settings = (),
    official: Official = None,
    workers: Annotated[Whole, Parameter(help="How many processes write; the result is the same.")] = 1,
    json_: Json = False,
) -> None:
    """Make a benchmark's data, one file a split, or put the released files into another form or format.

    A directory holds one set: the files of an earlier one there are replaced, or removed.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from blicket.cli.progress import rows_progress
    from blicket.core.errors import InputError, UnknownName
    from blicket.core.progress import watched
    from blicket.core.registry import benchmark
    from blicket.core.storage import FORMATS, write_dataset

    b = benchmark(name)
    wanted = b.form(form)
    if format_ not in FORMATS:
        raise UnknownName("format", format_, FORMATS)
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError(f"--workers {workers}: expected a number from 1 to {MOST_WORKERS}")
    if seed is not None and official is not None:
        raise InputError(f"--seed {seed}: is for data that are made; those of --official are as they are")
    chosen = settings_of(settings, compat)
    with rows_progress("making") as progress, watched(progress):
        dataset = read_data(b, None, official, chosen) or b.build(1 if seed is None else seed, b.options(chosen))
    with rows_progress("writing") as progress:
        totals = {split.name: len(split) for split in dataset.splits.values()}
        manifest = write_dataset(
            dataset, output, format_, wanted, workers=workers, progress=lambda s, done: progress(s, done, totals[s])
        )
    if json_:
        print(json.dumps(manifest, indent=2, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("split", "for", "rows", "file"):
        table.add_column(column, justify="right" if column == "rows" else "left")
    for split, about in manifest["splits"].items():
        table.add_row(split, about["role"], f"{about['rows']:,}", Text(str(output / about["file"])))
    Console(soft_wrap=True).print(table)
