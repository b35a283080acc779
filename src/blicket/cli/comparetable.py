"""A comparison as a person reads it, in 80 columns."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from blicket.core.benchmark import Benchmark
from blicket.statistics.bootstrap import Difference
from blicket.statistics.comparison import Comparison, Differences, SplitComparison
from blicket.statistics.seeds import OverSeeds, percent

__all__ = ["print_comparison"]

TITLES = {"kind": "By kind", "case": "By case"}
MARK = "*"


def print_comparison(benchmark: Benchmark, comparison: Comparison, a: str, b: str) -> None:
    """Print the differences of each split in exact match, and in meaning where it differs; and how they were found."""
    console = Console(width=None if Console().is_terminal else 80, highlight=False, markup=False)
    console.print(f"A: {a}\nB: {b}", soft_wrap=True)
    for part in comparison.splits:
        console.print(f"\n{' '.join(filter(None, (benchmark.name, part.split)))}: {part.n:,} rows, exact match")
        console.print(_table(benchmark, part, "exact", comparison.confidence))
        _print_seeds(console, part, "exact")
        if any(_differ(found) for _, _, found in _rows(benchmark, part)):
            console.print("\nMeaning, where it says something else")
            console.print(_table(benchmark, part, "meaning", comparison.confidence))
            if _differ(part.whole):
                _print_seeds(console, part, "meaning")
    console.print(f"\n{_how(comparison)}")


def _rows(benchmark: Benchmark, part: SplitComparison) -> Iterator[tuple[str, str, Differences]]:
    """The section and name of each row; a section of a single group would say the same again."""
    yield "", "all rows", part.whole
    for kind, title in TITLES.items():
        groups = part.by.get(kind, {})
        for group, found in groups.items() if len(groups) > 1 else ():
            yield title, benchmark.cases[group].title if kind == "case" and group in benchmark.cases else group, found


def _table(benchmark: Benchmark, part: SplitComparison, measure: str, confidence: float) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", ratio=1, min_width=20)
    for head in ("n", "A", "B", "A - B", f"{percent(confidence)} interval"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    last = ""
    for section, name, found in _rows(benchmark, part):
        if measure == "meaning" and not _differ(found):
            continue
        if section != last:
            table.add_row()
            table.add_row(section)
            last = section
        table.add_row(name, *_cells(found[measure]))
    return table


def _cells(found: Difference) -> list[str]:
    interval = f"{found.low:+.3f} to {found.high:+.3f}"
    marked = MARK if found.excludes_zero else ""
    return [f"{found.n:,}", _mean(found.a), _mean(found.b), f"{found.difference:+.3f}", interval, marked]


def _differ(found: Differences) -> bool:
    """Whether meaning reads otherwise than exact match."""
    return _cells(found["exact"]) != _cells(found["meaning"])


def _mean(side: OverSeeds) -> str:
    return f"{side.mean:.3f}" if side.deviation is None else f"{side.mean:.3f}±{side.deviation:.3f}"


def _print_seeds(console: Console, part: SplitComparison, measure: str) -> None:
    """What each seed has of all rows, where there are several."""
    whole = part.whole[measure]
    for name, seeds, side in (("A", part.seeds_a, whole.a), ("B", part.seeds_b, whole.b)):
        if len(seeds) > 1:
            each = ", ".join(f"{seed}: {value:.3f}" for seed, value in zip(seeds, side.values, strict=True))
            console.print(f"{name} by seed, all rows: {each}")


def _how(comparison: Comparison) -> str:
    """What was resampled, what the signs mean, and how often chance alone would set the mark."""
    said = percent(comparison.confidence)
    lines = [f"Rows were resampled {comparison.replicates:,} times, always the same for A and B."]
    told = {part.split: part.seeds for part in comparison.splits}
    same = len(set(told.values())) == 1
    lines += [next(iter(told.values()))] if same else [f"{split}: {seeds}" for split, seeds in told.items()]
    lines.append(f"{MARK}: the {said} interval of the difference excludes 0.")
    if any(len(seeds) > 1 for part in comparison.splits for seeds in (part.seeds_a, part.seeds_b)):
        lines[-1] += " ±: standard deviation over seeds."
    cases = sum(len(groups) for part in comparison.splits if len(groups := part.by.get("case", {})) > 1)
    if cases:
        by_chance = f"{cases * (1 - comparison.confidence):.1f}"
        lines.append(
            f"Of {cases} intervals by case, {by_chance} would exclude 0 by chance if A and B were equally good."
        )
    return "\n".join(lines)
