"""Progress on long work, when there is a terminal to show it on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["rows_progress"]


@contextmanager
def rows_progress(doing: str) -> Iterator[Callable[[str, int, int], None]]:
    """A callable that is told what is worked on, how many rows are done and of how many; it draws on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda what, done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, int] = {}

        def update(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(f"{doing} {what}", total=total)
            bar.update(tasks[what], completed=done)  # type: ignore[arg-type]

        yield update
