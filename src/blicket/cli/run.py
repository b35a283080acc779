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
    from blicket.cli.probetable import print_probes
    from blicket.cli.scoretable import print_scores
    from blicket.core.errors import InputError
    from blicket.core.scoring import score
    from blicket.runs.data import benchmark_of, data_of
    from blicket.runs.recipe import read_recipe

    chosen = read_recipe(recipe, settings)
    wanted = list(chosen.seeds) if seeds is None else _numbers(seeds)
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: at least one row is needed")
    b = benchmark_of(recipe, chosen)
    said: list[str] = []
    dataset = data_of(chosen, b, official=official, limit=limit, say=said.append)
    from blicket.cli.progress import run_progress  # torch takes seconds to import: bad recipes are refused before
    from blicket.runs.run import prepared

    with run_progress() as watcher:
        going = prepared(chosen, b, dataset, runs, limit)
        about = "" if going.directory.about().get("result") else ", not a result"
        for line in (*said, f"{going.directory.path}: {len(wanted)} seed{'s' * (len(wanted) > 1)}{about}"):
            watcher.say(line)
        other = None if checkpoint == chosen.training.headline else checkpoint
        ready = going.go(wanted, watcher, other)
    if not ready:
        raise InputError(f"{going.directory.path}: every seed failed, so that there is nothing to score")
    scores = {
        split: score(b, [going.directory.predictions(seed, split, other) for seed in ready], going.form, dataset)
        for split in going.answered
    }
    if json_:
        splits = {split: of_split.as_dict() for split, of_split in scores.items()}
        failed = [seed for seed in wanted if seed not in ready]
        path = str(going.directory.path)
        print(json.dumps({"run": path, "seeds": ready, "failed": failed, "splits": splits}, indent=2))
        return
    for split in chosen.data.evaluate:
        print_scores(b, scores[split])
        print()
    for of_split in list(scores.values())[len(chosen.data.evaluate) :]:
        print_probes(of_split.probes)


def _numbers(seeds: str) -> list[int]:
    from blicket.core.errors import InputError

    try:
        wanted = [int(seed) for seed in seeds.split(",")]
    except ValueError:
        raise InputError(f"--seeds {seeds}: expected numbers such as 1,2,3") from None
    if min(wanted) < 0:
        raise InputError(f"--seeds {seeds}: a seed is 0 or more")
    if len(set(wanted)) < len(wanted):
        raise InputError(f"--seeds {seeds}: a seed stands twice")
    return wanted
