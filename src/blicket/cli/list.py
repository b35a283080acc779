"""`blicket list`."""

import json
import sys

from blicket.cli.arguments import Json

__all__ = ["list_"]


def list_(*, json_: Json = False) -> None:
    """List the benchmarks."""
    from rich.console import Console
    from rich.table import Table

    from blicket.core.errors import BlicketError
    from blicket.core.registry import benchmark, benchmark_names

    found = []
    for name in benchmark_names():
        try:
            found.append(benchmark(name))
        except BlicketError as error:  # another package's fault, which is no reason to list nothing
            sys.stderr.write(f"{error}\n")
    if json_:
        print(json.dumps([{"name": b.name, "version": b.version, "title": b.title} for b in found], indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("benchmark", "version", "what it is"):
        table.add_column(column)
    for b in found:
        table.add_row(b.name, b.version, b.title)
    Console().print(table)
