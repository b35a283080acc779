"""COGS in five minutes: make the data, let two learners learn it, and see what each does in the gaps.

    python examples/demo.py DIRECTORY

The learner of structure trains with three seeds, a plain Transformer with one. What is done already is not done again.
"""

import sys
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.table import Table

import blicket
from blicket.cli.progress import run_progress
from blicket.report.report import report_of, write_report
from blicket.runs.data import benchmark_of, data_of
from blicket.runs.directory import RunDirectory
from blicket.runs.recipe import read_recipe
from blicket.runs.run import prepared

RECIPES = Path(__file__).parents[1] / "recipes"
TUNED = {"gen": 0.81, "obj_pp_to_subj_pp": 0.0, "cp_recursion": 0.0, "pp_recursion": 0.0}
"""Csordas et al. 2021; of the cases they give no others."""


def run(recipe: str, seeds: list[int], runs: Path) -> RunDirectory:
    """Make the data of a recipe, train the seeds, predict and score; what was interrupted goes on."""
    path = RECIPES / f"{recipe}.toml"
    chosen = read_recipe(path)
    benchmark = benchmark_of(path, chosen)
    with run_progress() as watcher:
        watcher.say(f"\n{chosen.about}: making the data")
        going = prepared(chosen, benchmark, data_of(chosen, benchmark), runs, None)
        going.go(seeds, watcher)
    return going.directory


def accuracies(of: RunDirectory) -> dict[str, float]:
    """The mean over the seeds of exact match: on test, on gen as a whole and by case."""
    seeds = of.scored("gen")
    cards = [of.read_scores(seed, "gen") for seed in seeds]
    whole = {
        "test": fmean(of.read_scores(seed, "test")["exact"] for seed in seeds),
        "gen": fmean(card["exact"] for card in cards),
    }
    cases = cards[0]["by"]["case"]
    return whole | {case: fmean(card["by"]["case"][case]["exact"] for card in cards) for case in cases}


def table(ours: RunDirectory, plain: RunDirectory) -> Table:
    """A row a case: ours, the plain Transformer, and what is published for a tuned and an untuned one."""
    cogs = blicket.benchmark("cogs")
    columns = accuracies(ours), accuracies(plain), TUNED
    drawn = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title="COGS, exact match", title_justify="left")
    drawn.add_column("case", ratio=1)
    for head in ("ours", "plain", "tuned", "published"):
        drawn.add_column(head, justify="right", style="" if head in ("ours", "plain") else "dim")
    titles = {"test": "test", "gen": "gen, all cases"} | {name: case.title for name, case in cogs.cases.items()}
    for case, title in titles.items():
        published = cogs.beside("case" if case in cogs.cases else "split", case)
        values = (*(column.get(case) for column in columns), published.get("Transf."))
        drawn.add_row(
            title, *("" if value is None else f"{value:.3f}" for value in values[:2]), *map(rounded, values[2:])
        )
        if case == "gen":
            drawn.add_row()
    return drawn


def rounded(value: float | None) -> str:
    """A published share, which has two places."""
    return "" if value is None else f"{value:.2f}"


def main(here: Path) -> None:
    """Run both, print the table, write the report."""
    ours = run("cogs-structured", [1, 2, 3], here)
    plain = run("cogs-transformer-demo", [1], here)
    console = Console(width=None if Console().is_terminal else 80, highlight=False)
    console.print()
    console.print(table(ours, plain))
    console.print(
        "\nours: the learner of structure, mean of three seeds; plain: a small Transformer given about a minute, one "
        "seed, 100 rows a case; tuned: Csordas et al. 2021; published: the Transformer of Kim & Linzen 2020. Test is "
        "like train; the rest is gen."
    )
    page = write_report(report_of([ours.path, plain.path]), here / "report")
    console.print(f"\nThe report, with every seed, figure and error: {page}", soft_wrap=True)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
