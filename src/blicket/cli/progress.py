"""Progress on long work, when there is a terminal to show it on."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blicket.core.learner import Progress as Training
    from blicket.runs.run import Watcher

__all__ = ["rows_progress", "run_progress"]


@contextmanager
def rows_progress(doing: str) -> Iterator[Callable[[str, int, int], None]]:
    """A callable that is told what is worked on, how many rows are done and of how many; it draws on standard error.

    It is a single line, whatever is worked on, so that work of many parts does not fill the screen.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda what, done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:

        def update(what: str, done: int, total: int) -> None:
            description = f"{doing} {what}"
            if not bar.tasks or bar.tasks[0].description != description:
                for task in bar.task_ids:
                    bar.remove_task(task)
                bar.add_task(description, total=total)
            bar.update(bar.task_ids[0], completed=done)

        yield update


@contextmanager
def run_progress() -> Iterator["Watcher"]:
    """A watcher that writes a line for every stage and validation, and draws what goes on in between."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from blicket.runs.run import Watcher

    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    if not console.is_terminal:
        yield Watcher(_line, lambda training: _line(_validated(training)) if training.dev_loss else None)
        return
    with Progress(TextColumn("{task.description}"), BarColumn(20), console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(training: "Training") -> None:
            if training.dev_loss:
                console.print(_validated(training))
            bar.update(task, description=_between(training), completed=training.update, total=training.of)

        def answered(split: str, done: int, rows: int) -> None:
            bar.update(task, description=f"{split}: {done:,} of {rows:,} rows answered", completed=done, total=rows)

        yield Watcher(console.print, tell, answered)


def _line(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


def _between(training: "Training") -> str:
    loss = sum(training.train_loss) / len(training.train_loss)
    speed, left = training.per_second, _span(training.seconds)
    return f"{training.update:,}/{training.of:,}  loss {loss:.4f}  {speed:.1f} updates/s  {left} left at most"


def _validated(training: "Training") -> str:
    losses = " ".join(f"{loss:.4f}" for loss in training.dev_loss)
    exact = " ".join(f"{share:.3f}" for share in training.dev_accuracy)
    stopped = [str(seed) for seed, at in zip(training.seeds, training.stopped, strict=True) if at is not None]
    rest = f"; stopped: {' '.join(stopped)}" if stopped else ""
    left = f"{training.per_second:.1f}/s, {_span(training.seconds)} left at most"
    return f"update {training.update:,} of {training.of:,}: dev loss {losses}, exact {exact}; {left}{rest}"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
