"""`blicket run`."""

import json
import sys
from pathlib import Path
from typing import Annotated

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
    runs: Annotated[Path, Parameter(help="Where runs are kept.")] = Path("runs"),
    json_: Json = False,
) -> None:
    """Run a recipe: make the data, train every seed, predict every split, score.

    A run that was interrupted goes on where it was; seeds that are done are not done again.
    """
    from blicket.cli.arguments import read_data
    from blicket.cli.scoretable import print_scores
    from blicket.core.errors import InputError
    from blicket.core.registry import benchmark
    from blicket.core.scoring import score
    from blicket.runs.recipe import read_recipe
    from blicket.runs.run import Run, check_seeds
    from blicket.training.loop import Progress

    chosen = read_recipe(recipe, settings)
    try:
        wanted = [int(seed) for seed in seeds.split(",")] if seeds is not None else list(chosen.seeds)
    except ValueError:
        raise InputError(f"--seeds {seeds}: expected numbers such as 1,2,3") from None
    check_seeds(wanted)
    if limit is not None and limit < 1:
        raise InputError(f"--limit {limit}: at least one row is needed")
    b = benchmark(chosen.data.benchmark)
    dataset = read_data(b, None, official, {}) or b.build(chosen.data.seed, b.options(chosen.data.options))
    going = Run.of(chosen, b, dataset, runs, limit)

    def say(message: str) -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()

    def tell(progress: Progress) -> None:
        left = f"{progress.seconds / 60:.0f} min left at most"
        losses = " ".join(f"{loss:.4f}" for loss in progress.dev_loss)
        exact = " ".join(f"{share:.3f}" for share in progress.dev_accuracy)
        say(f"update {progress.update:,} of {progress.of:,}: dev loss {losses}, exact {exact}; {left}")

    say(f"{going.directory}: {len(wanted)} seeds" + ("" if chosen.result and limit is None else ", not a result"))
    going.go(wanted, say, tell)
    form = b.form(chosen.data.form)
    for split in chosen.data.evaluate:
        files = [going.directory / f"seed-{seed}" / f"{split}.parquet" for seed in wanted]
        scores = score(b, [file for file in files if file.exists()], form, dataset)
        if json_:
            print(json.dumps({"run": str(going.directory), "split": split, **scores.as_dict()}))
        else:
            print_scores(b, scores)
