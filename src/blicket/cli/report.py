"""`blicket report`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

__all__ = ["report"]


def report(
    *runs: Annotated[
        Path, Parameter(help="Directories of runs, as `blicket run` makes them; several stand side by side.")
    ],
    output: Annotated[Path, Parameter(name=("--output", "-o"), help="The directory to write to.")] = Path("report"),
) -> None:
    """Make a page about runs, ours beside published, which works offline; tables and numbers are in files beside it."""
    from blicket.cli.progress import rows_progress
    from blicket.cli.summarytable import print_summary
    from blicket.core.errors import InputError
    from blicket.report import report_of, write_report

    if not runs:
        raise InputError("report: no run is given; expected a directory such as `blicket run` makes")
    with rows_progress("judging") as progress:
        made = report_of(runs, progress)
    page = write_report(made, output)
    print(page)
    print_summary(made)
