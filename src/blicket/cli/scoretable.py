"""A scorecard as a person reads it, in 80 columns."""

import re
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from blicket.core.benchmark import Benchmark
from blicket.core.scoring import Scores

__all__ = ["print_scores"]

HEADS = {"exact": "exact", "meaning": "meaning", "structure_match": "struct.", "unparseable": "unpars."}


def print_scores(benchmark: Benchmark, scores: Scores) -> None:
    """Print the whole, the groups beside the published numbers, and the kinds of error."""
    console = Console(width=None if Console().is_terminal else 80, highlight=False, markup=False)
    said = scores.as_dict()
    seeds = len(scores.card.seeds)
    console.print(f"{benchmark.name}: {said['n']:,} rows" + (f", {seeds} seeds: mean and sd" if seeds > 1 else ""))
    console.print(_summary(said))
    by = said["by"]
    titles = {
        "split": "By split",
        "case": "By case",
        "kind": "By kind",
        "depth_band": "By depth",
        "depth": "By each depth",
    }
    for kind, title in titles.items():
        if len(by.get(kind, ())) > (0 if kind in ("case", "split") else 1):
            console.print()
            console.print(_groups(benchmark, kind, title, by[kind]))
    if "familiar" in said:
        console.print()
        console.print(_familiar(said["familiar"]))
    console.print()
    console.print(_errors(said, scores))


def _summary(said: Mapping[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False)
    shown = [name for name in HEADS if name in said]
    for name in shown:
        table.add_column(HEADS[name], justify="right")
    table.add_row(*(_share(said, name) for name in shown))
    return table


def _groups(benchmark: Benchmark, kind: str, title: str, groups: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row a group; published accuracies stand to the right, under the names of their models.

    All numbers stand whole: where there is not room for everything, the names of the groups take more lines.
    """
    beside = {group: benchmark.beside(kind, group) for group in groups}
    models = list(dict.fromkeys(model for published in beside.values() for model in published))
    shown = [name for name in ("exact", "meaning", "structure_match") if name in next(iter(groups.values()))]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(title, ratio=1, min_width=16)
    for name in ("n", *(HEADS[name] for name in shown)):
        table.add_column(name, justify="right", no_wrap=True)
    for model in models:
        table.add_column(model, justify="right", no_wrap=True, style="dim")
    for group, numbers in groups.items():
        case = benchmark.cases.get(group)
        published = [f"{beside[group][model]:.2f}" if model in beside[group] else "" for model in models]
        name = case.title if case is not None and kind == "case" else group
        table.add_row(name, f"{numbers['n']:,}", *(_narrow(_share(numbers, s)) for s in shown), *published)
    if models:
        table.caption = f"dim: published exact match, {benchmark.citation.partition(',')[0]}"
        table.caption_justify = "left"
    return table


def _familiar(cards: Mapping[str, Mapping[str, Any]]) -> Table:
    names = {
        "words": "no input word unseen in train",
        "labels": "no target token unseen in train",
        "words_and_labels": "neither",
    }
    table = Table(box=None, pad_edge=False)
    table.add_column("Rows with")
    for head in ("n", "exact", "meaning"):
        table.add_column(head, justify="right")
    for name, card in cards.items():
        table.add_row(names[name], f"{card['n']:,}", _share(card, "exact"), _share(card, "meaning"))
    return table


def _errors(said: Mapping[str, Any], scores: Scores) -> Table:
    """The marks and measures that are about errors, which may overlap."""
    table = Table(box=None, pad_edge=False)
    table.add_column("Kinds of error (may overlap)")
    table.add_column("of all rows", justify="right")
    tally = scores.card.whole[0]
    for name in ("unparseable", "undecided", *tally.marks):
        if name not in HEADS or name == "unparseable":
            table.add_row(name.replace("_", " "), _share(said, name))
    for name in tally.measures:
        value = said[name]
        table.add_row(f"{name.replace('_', ' ')}, mean over errors", "" if value is None else f"{value:.1f}")
    return table


def _share(numbers: Mapping[str, Any], name: str) -> str:
    """A share to four places, with its standard deviation where there are several seeds."""
    value, sd = numbers[name], numbers.get("sd", {}).get(name)
    if value is None:
        return ""
    return f"{value:.4f}" if sd is None else f"{value:.3f}±{sd:.3f}"


def _narrow(share: str) -> str:
    """A mean and its deviation without the zeros that say nothing: `.504±.193`."""
    return re.sub(r"\b0\.", ".", share) if "±" in share else share
