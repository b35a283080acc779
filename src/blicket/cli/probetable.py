"""What probes found as a person reads it, in 80 columns."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from blicket.core.probe import Finding, over_seeds

__all__ = ["print_probes"]

MOST = 12
SHOWN = 5


def print_probes(probes: Mapping[str, Mapping[str, Finding]]) -> None:
    """Print a table a probe."""
    console = Console(width=None if Console().is_terminal else 80, highlight=False, markup=False)
    for by_seed in probes.values():
        console.print()
        console.print(_table(over_seeds(by_seed)))


def _table(said: Mapping[str, Any]) -> Table:
    """A row a group, with the published means of models to the right."""
    published = said.get("published", {})
    models = list(dict.fromkeys(model for of_group in published.values() for model in of_group))
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title=said["title"], title_justify="left")
    table.add_column("", ratio=1, min_width=20)
    for head in ("n", "mean", "sd"):
        table.add_column(head, justify="right", no_wrap=True)
    for model in models:
        table.add_column(model, justify="right", no_wrap=True, style="dim")
    for kind, groups in said["by"].items():
        chosen = groups
        if len(groups) > MOST:
            chosen = _worst(groups)
            table.add_row(f"by {kind}, the worst of {len(groups)}")
        for group, numbers in chosen.items():
            beside = (f"{published[group][m]:.3f}" if m in published.get(group, ()) else "" for m in models)
            table.add_row(group.replace("_", " ") if len(groups) <= MOST else group, *_cells(numbers), *beside)
    seeds = "; ±: over seeds" if len(said["n"]) > 1 else ""
    table.caption = f"sd: over blocks{seeds}{'; dim: published means' if models else ''}"
    table.caption_justify = "left"
    return table


def _worst(groups: Mapping[str, Any]) -> Mapping[str, Any]:
    """The groups with the lowest means, of those that have items in every block: a single item says nothing."""
    most = max(numbers["blocks"] for numbers in groups.values())
    everywhere = [group for group in groups.items() if group[1]["blocks"] == most]
    return dict(sorted(everywhere, key=lambda group: group[1]["mean"])[:SHOWN])


def _cells(numbers: Mapping[str, Any]) -> tuple[str, str, str]:
    spread = f"±{numbers['sd_over_seeds']:.3f}" if "sd_over_seeds" in numbers else ""
    deviation = "" if numbers["sd"] is None else f"{numbers['sd']:.3f}"
    return f"{numbers['n']:,.0f}", f"{numbers['mean']:.3f}{spread}", deviation
