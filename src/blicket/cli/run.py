"""`blicket run`."""

import json
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from blicket.cli.arguments import Json, Official, Settings, Whole

__all__ = ["run"]


def run(
    recipe: Annotated[Path, Parameter(help="A recipe in TOML, such as recipes/cogs-transformer.toml.")],
    /,
    *,
    seeds: Annotated[str | None, Parameter(help="Seeds instead of the recipe's, as 1,2,3.")] = None,
    settings: Settings = (),
    limit: Annotated[
        Whole | None, Parameter(help="Learn from the first rows alone; what comes out is no result.")
    ] = None,
    official: Official = None,
    checkpoint: Annotated[
        Literal["best", "last"] | None,
        Parameter(help="Let another checkpoint than the recipe's headline answer, into files of its own."),
    ] = None,
    runs: Annotated[Path, Parameter(help="Where runs are kept.")] = Path("runs"),
    json_: Json = False,
) -> None:
    """Run a recipe: make the data, train every seed, predict every split, score.

    A run that was interrupted goes on where it was; seeds that are done are not done again.
    """
    from blicket.cli.arguments import read_data
    from blicket.cli.progress import run_progress
    from blicket.cli.scoretable import print_scores
    from blicket.core.errors import InputError
    from blicket.core.registry import benchmark
    from blicket.core.scoring import score
    from blicket.runs.recipe import read_recipe

    chosen = read_recipe(recipe, settings)
    wanted = list(chosen.seeds) if seeds is None else _numbers(seeds)
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: at least one row is needed")
    b = benchmark(chosen.data.benchmark)
    form = b.form(chosen.data.form)
    options = b.options(chosen.data.options)
    from blicket.runs.run import prepared  # torch takes seconds to import: bad recipes are refused before

    with run_progress() as watcher:
        dataset = read_data(b, None, official, {}) or b.build(chosen.data.seed, options)
        going = prepared(chosen, b, dataset, runs, limit)
        about = "" if going.directory.about()["result"] else ", not a result"
        watcher.say(f"{going.directory.path}: {len(wanted)} seeds{about}")
        other = None if checkpoint == chosen.training.headline else checkpoint
        ready = going.go(wanted, watcher, other)
    if not ready:
        raise InputError(f"{going.directory.path}: every seed failed, so that there is nothing to score")
    scores = {
        split: score(b, [going.directory.predictions(seed, split, other) for seed in ready], form, going.dataset)
        for split in chosen.data.evaluate
    }
    if json_:
        said = {split: of_split.as_dict() for split, of_split in scores.items()}
        print(json.dumps({"run": str(going.directory.path), "seeds": ready, "splits": said}, indent=2))
        return
    for of_split in scores.values():
        print_scores(b, of_split)
        print()


def _numbers(seeds: str) -> list[int]:
    from blicket.core.errors import InputError

    try:
        wanted = [int(seed) for seed in seeds.split(",")]
    except ValueError:
        raise InputError(f"--seeds {seeds}: expected numbers such as 1,2,3") from None
    if len(set(wanted)) < len(wanted):
        raise InputError(f"--seeds {seeds}: a seed stands twice")
    return wanted
