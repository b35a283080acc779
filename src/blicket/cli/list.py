"""`blicket list`."""

import json

from blicket.cli.arguments import Json

__all__ = ["list_"]


def list_(*, json_: Json = False) -> None:
    """List the benchmarks."""
    from rich.console import Console
    from rich.table import Table

    from blicket.core.registry import benchmark, benchmark_names

    found = [benchmark(name) for name in benchmark_names()]
    if json_:
        print(json.dumps([{"name": b.name, "version": b.version, "title": b.title} for b in found], indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("benchmark", "version", "what it is"):
        table.add_column(column)
    for b in found:
        table.add_row(b.name, b.version, b.title)
    Console().print(table)
