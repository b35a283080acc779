"""`blicket show`."""

import json

from blicket.cli.arguments import BenchmarkName, Json

__all__ = ["show"]


def show(name: BenchmarkName, /, *, json_: Json = False) -> None:
    """Show a benchmark's card: what it is, its splits, cases and options, what was corrected, what to beware of."""
    from rich.console import Console
    from rich.markdown import Markdown

    from blicket.core.registry import benchmark

    b = benchmark(name)
    if not json_:
        Console().print(Markdown(b.card()))
        return
    about = {
        "name": b.name,
        "version": b.version,
        "title": b.title,
        "citation": b.citation,
        "forms": list(b.forms),
        "inputs": list(b.input_names),
        "splits": dict(b.roles),
        "cases": [{"name": case.name, "title": case.title, "kind": case.kind} for case in b.cases.values()],
        "compat": dict(b.compat),
        "published": [
            {
                "table": p.table,
                "measure": p.measure,
                "value": p.value,
                "sd": p.sd,
                "n": p.n,
                "where": p.where,
                **p.about,
            }
            for p in b.published()
        ],
    }
    print(json.dumps(about, indent=2, ensure_ascii=False))
