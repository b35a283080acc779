"""Accuracy by the size of the input: its length, its depth, its number of functions.

Compare Hupkes et al. (2020), figure 3. Splits that training resembles and splits that ask for more stand in one panel,
so that what is hard because it is long can be told from what is longer than anything that was learned from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, final

from markupsafe import Markup

from blicket.core.example import Role
from blicket.report.comparison import Compared, groups_of
from blicket.report.figure import Figure, as_csv, key
from blicket.report.marks import shape, shown, ticks
from blicket.report.panels import Panel, Series, Tick, panel

__all__ = ["size_figure"]

BINS = 12
"""Bins of a panel at most; where there are fewer sizes, each is by itself."""
FEWEST = 10
"""Rows that a bin needs to have a share."""
APART = 0.12
"""How far the dots of two lines stand apart, where a bin is 1 wide."""


@final
@dataclass(frozen=True)
class Line:
    """A split of a run: by size how many rows there are, and the share exact of each seed."""

    of: Compared
    split: str
    sizes: Mapping[int, tuple[int, Mapping[int, float]]]

    @property
    def label(self) -> str:
        """What it is called."""
        run = self.of.run
        return f"{run.label}, {self.split}" + ("" if run.is_result else " (not a result)")


def size_figure(of: Sequence[Compared]) -> tuple[Figure | None, list[str]]:
    """The figure, and the kinds of groups that it shows; none without a test split whose groups are numbers."""
    asked = [(run, split) for run in of for split in run.run.scores if _shown(run, split)]
    kinds = dict.fromkeys(kind for run, split in asked for kind in _numbered(run, split))
    tested = {kind for run, split in asked if _role(run, split) is Role.TEST for kind in _numbered(run, split)}
    panels = {kind: [_line(run, split, kind) for run, split in asked] for kind in kinds if kind in tested}
    if not panels:
        return None, []
    drawings = [_panel(kind, lines) for kind, lines in panels.items()]
    records = [record for kind, lines in panels.items() for line in lines for record in _records(kind, line)]
    keys = [(key(shape(i, 13, 8, 4.2)), line.label) for i, line in enumerate(next(iter(panels.values())))]
    caption = (
        "Exact match by the size of the input, on test and on what asks for generalization. Where there are more than "
        f"{BINS} sizes, a point is a range of them; points of fewer than {FEWEST} rows are left out. Each dot is a "
        "seed, lines join the means."
    )
    return Figure("size", "Accuracy by size of the input", caption, keys, [("", drawings)], as_csv(records)), [*panels]


def _role(run: Compared, split: str) -> Role:
    return run.run.benchmark.role(split)


def _shown(run: Compared, split: str) -> bool:
    """Numbers of rows with a choice among a few are names, of blocks of words, and no sizes."""
    chosen = run.run.form in run.run.benchmark.choices
    return not chosen and _role(run, split) in (Role.TEST, Role.GENERALIZATION)


def _numbered(run: Compared, split: str) -> list[str]:
    """The kinds of groups that are numbers."""
    by = next(iter(run.run.scores[split].values()))["by"]
    return [kind for kind, groups in by.items() if len(groups) > 1 and all(group.isdecimal() for group in groups)]


def _line(run: Compared, split: str, kind: str) -> Line:
    found = [one for one in groups_of(run, split, kind) if one.quantity.measure == "exact"]
    return Line(run, split, {int(one.quantity.group): (one.rows, one.by_seed) for one in found})


def _panel(kind: str, lines: Sequence[Line]) -> Markup:
    sizes = sorted({size for line in lines for size in line.sizes})
    first, last = sizes[0], sizes[-1]
    wide = -(-(last - first + 1) // BINS) if len(sizes) > BINS else 1
    series = []
    for i, line in enumerate(lines):
        aside = (wide - 1) / 2 + (i - (len(lines) - 1) / 2) * APART * wide
        points = [(start + aside, by_seed) for start, by_seed in _binned(line, first, wide)]
        dots = [(x, share, f"seed {seed}: {share:.3f}") for x, by_seed in points for seed, share in by_seed.items()]
        series.append(Series(i, [(x, fmean(by_seed.values())) for x, by_seed in points], dots))
    marks: list[Tick] = [(size, shown(size)) for size in (ticks(first, last) if wide > 1 else sizes)]
    title = "Length in words" if kind == "length" else kind.replace("_", " ").capitalize()
    says = f"Exact match by {kind}, from {first} to {last}."
    return panel(Panel(f"size-{kind}", f"By {kind.replace('_', ' ')}", says, title, marks, (first, last), series))


def _binned(line: Line, first: int, wide: int) -> list[tuple[int, dict[int, float]]]:
    """The first size of each bin that has rows enough, and the share exact of each seed in it."""
    bins: dict[int, list[tuple[int, Mapping[int, float]]]] = {}
    for size, of_size in sorted(line.sizes.items()):
        bins.setdefault(first + (size - first) // wide * wide, []).append(of_size)
    found = []
    for start, parts in bins.items():
        rows = sum(n for n, _ in parts)
        if rows >= FEWEST:
            seeds = set[int].intersection(*(set(by_seed) for _, by_seed in parts))
            right = {seed: sum(n * by_seed[seed] for n, by_seed in parts) for seed in sorted(seeds)}
            found.append((start, {seed: number / rows for seed, number in right.items()}))
    return found


def _records(kind: str, line: Line) -> list[dict[str, Any]]:
    run = line.of.run
    about = {"run": run.label, "result": run.is_result, "split": line.split, "kind": kind}
    return [
        {**about, "size": size, "rows": rows, "seed": seed, "exact": share}
        for size, (rows, by_seed) in sorted(line.sizes.items())
        for seed, share in by_seed.items()
    ]
