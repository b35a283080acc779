"""The summary of a report as a person reads it, in 80 columns."""

from rich.console import Console
from rich.table import Table

from blicket.report import Report
from blicket.report.comparison import Comparison, overview, title_of
from blicket.report.page import notes
from blicket.report.tables import number

__all__ = ["print_summary"]


def print_summary(report: Report) -> None:
    """Print ours beside published, run by run, and what has to be known about the runs."""
    console = Console(width=None if Console().is_terminal else 80, highlight=False, markup=False)
    for of in report.of:
        console.print()
        console.print(f"{of.run.label}, {of.run.benchmark.name}" + ("" if of.run.is_result else ": not a result"))
        console.print(_table(overview(of)))
    for note in notes(report.runs):
        console.print()
        console.print(note)


def _table(ones: list[Comparison]) -> Table:
    published = any(one.published is not None for one in ones)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", ratio=1)
    for head in ("n", "mean", "sd", "95% interval", *(("published", "differ.", "lies") if published else ())):
        table.add_column(head, justify="right", no_wrap=True)
    for one in ones:
        table.add_row(*_row(one, published=published))
    table.caption = "n seeds; the interval is of the mean over seeds"
    table.caption_justify = "left"
    return table


def _row(one: Comparison, *, published: bool) -> list[str]:
    over = one.over
    low, high = (number(None if end is None else min(max(end, 0.0), 1.0)) for end in (over.low, over.high))
    row = [title_of(one), str(over.n), number(over.mean), number(over.deviation), f"{low} {high}".strip()]
    if published:
        value = "" if one.published is None else f"{one.published.value:g}"
        sd = "" if one.published is None or one.published.sd is None else f"±{one.published.sd:g}"
        row += [f"{value}{sd}", number(one.difference), one.place]
    return row
