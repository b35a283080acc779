"""`blicket compare`."""

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from blicket.cli.arguments import Data, Form, Json, Official, read_data

__all__ = ["compare"]

A_OR_B = "A run, a file of predictions, or a directory with one such file a seed."


def compare(
    a: Annotated[Path, Parameter(help=A_OR_B)],
    b: Annotated[Path, Parameter(help=A_OR_B)],
    /,
    *,
    split: Annotated[str | None, Parameter(name="--split", help="One split instead of all both answered.")] = None,
    name: Annotated[
        str | None, Parameter(name="--benchmark", help="What files of predictions answer; a run knows it.")
    ] = None,
    form: Form = None,
    data: Data = None,
    official: Official = None,
    confidence: Annotated[float, Parameter(name="--confidence", help="That of the intervals.")] = 0.95,
    json_: Json = False,
) -> None:
    """Compare two respondents: what they differ in, with intervals by resampling items and seeds.

    Both are judged on the same rows. A file of predictions is as for `score`; values in its column `respondent` are
    seeds. Seeds of A and B make pairs if they have the same names.
    """
    from blicket.cli.comparetable import print_comparison
    from blicket.cli.progress import rows_progress
    from blicket.core.errors import InputError
    from blicket.runs.answers import answers, benchmark_of, data_of, form_of
    from blicket.statistics.comparison import compare as compared

    if a.resolve() == b.resolve():
        raise InputError(f"{b}: given twice; A and B are the same")
    sides = answers(a), answers(b)
    about = benchmark_of(sides, name)
    wanted = form_of(sides, about, form)
    read = read_data(about, data, official, {})
    dataset = data_of(sides, wanted, None if read is None else (data or official or Path(), read), split)
    said_a, said_b = (side.read(about.input_names, split) for side in sides)
    with rows_progress("judging") as progress:
        found = compared(about, wanted, said_a, said_b, dataset, split=split, confidence=confidence, progress=progress)
    for part in found.splits:
        for remark in part.remarks:
            sys.stderr.write(f"{remark}\n")
    if json_:
        names = {"benchmark": about.name, "version": about.version, "form": wanted, "a": str(a), "b": str(b)}
        print(json.dumps({**names, **found.as_dict()}, indent=2))
    else:
        print_comparison(about, found, str(a), str(b))
