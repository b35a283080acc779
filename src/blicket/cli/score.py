"""`blicket score`."""

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from blicket.cli.arguments import BenchmarkName, Compat, Data, Form, Json, Official, read_data, settings_of

__all__ = ["score"]


def score(
    name: BenchmarkName,
    /,
    *files: Annotated[
        Path, Parameter(help="Predictions as TSV with a header, CSV, JSONL or Parquet; - is standard input.")
    ],
    form: Form = None,
    data: Data = None,
    official: Official = None,
    compat: Compat = (),
    twin: Annotated[
        tuple[Path, ...],
        Parameter(
            name="--twin",
            negative="",
            help="The same questions put in another way, row by row, for how consistent the answers are. "
            "One for each file, in their order.",
        ),
    ] = (),
    json_: Json = False,
) -> None:
    """Score predictions; several files are several seeds.

    A file has the column `prediction` and either `id` (SPLIT/ROW, found in --data or --official) or the inputs and
    `target` (for sentences: `source` and `target`, and `case` if it is known), and then its rows are the gold rows.
    """
    from blicket.cli.probetable import print_probes
    from blicket.cli.progress import rows_progress
    from blicket.cli.scoretable import print_scores
    from blicket.core.errors import InputError
    from blicket.core.registry import benchmark
    from blicket.core.scoring import score as scored

    b = benchmark(name)
    wanted = b.form(form)
    if not files:
        raise InputError("score: no file of predictions is given")
    dataset = read_data(b, data, official, settings_of((), compat))
    with rows_progress("scoring") as progress:
        scores = scored(b, files, wanted, dataset, twins=twin, progress=progress)
    for file in scores.files:
        for remark in file.remarks():
            sys.stderr.write(f"{remark}\n")
    for by_seed in scores.probes.values():
        for seed, finding in by_seed.items():
            for remark in finding.remarks():
                sys.stderr.write(f"{seed}: {remark}\n")
    if json_:
        print(json.dumps({"benchmark": b.name, "version": b.version, "form": wanted, **scores.as_dict()}, indent=2))
    else:
        print_scores(b, scores)
        print_probes(scores.probes)
