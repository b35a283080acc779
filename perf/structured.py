"""What the learner of structure takes on one core, and how it does on sentences deeper than any release has.

    python perf/structured.py [--rows 1000]

Trains the first seed of recipes/cogs-structured.toml, predicts its gen, and asks for fresh sentences at each depth from
3 to 12, and deeper ones up to 40. The stated baseline of time a sentence is depth 10: at depth 40, four times as long,
linear growth takes 4 times as much and cubic growth 64 times.
"""

import argparse
import resource
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

import blicket
from blicket.benchmarks.cogs.cases import recursion
from blicket.benchmarks.cogs.grammar import cogs_grammar
from blicket.benchmarks.cogs.lexicon import plain_lexicon
from blicket.benchmarks.cogs.splits import DerivedRows
from blicket.core.example import Columns
from blicket.core.learner import Cohort
from blicket.grammar import Sampler, SeenSentences, draw_distinct
from blicket.runs.learners import learner_of
from blicket.runs.recipe import read_recipe

RECIPE = Path(__file__).parents[1] / "recipes" / "cogs-structured.toml"
FORM = "conjunctive"
DEEP = (13, 20, 30, 40)
DEEP_ROWS = 100


def fresh(phenomenon: str, depth: int, rows: int) -> Columns:
    """Distinct sentences at exactly this depth, whose nouns may recur."""
    sampler = Sampler(cogs_grammar(plain_lexicon().entries), *recursion(phenomenon, depth))
    stream = blicket.Stream(77, "perf", phenomenon, depth)
    corpus = draw_distinct(sampler, stream, rows, what=phenomenon, seen=SeenSentences(), accept=None)
    return DerivedRows(corpus, phenomenon).columns(np.arange(rows), FORM)


def asked(cohort: Cohort, inputs: Sequence[tuple[str, ...]], targets: Sequence[str]) -> tuple[int, float]:
    """How many answers are right, and the seconds they took."""
    requests = [blicket.Produce(str(i), sentence, FORM) for i, sentence in enumerate(inputs)]
    start = time.perf_counter()
    (said,) = cohort.answers(requests)
    seconds = time.perf_counter() - start
    return sum(answer.output == target for answer, target in zip(said, targets, strict=True)), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1000, help="sentences at each depth from 3 to 12")
    rows = parser.parse_args().rows
    torch.set_num_threads(1)
    cogs = blicket.benchmark("cogs")
    data = cogs.build(1)
    learner = learner_of(read_recipe(RECIPE), FORM, data.notations)
    start = time.process_time()
    (fitted,) = learner.fit(data["train"], data["dev"], [1])
    print(f"train, validations included   {time.process_time() - start:8.1f} s of one core")
    last = fitted.checkpoints["last"]
    print(f"parameters                    {sum(np.asarray(p).size for p in last.values()):8,}")
    cohort = learner.revived(data["train"], data["dev"], {1: last})
    gen = data["gen"].rows.columns(np.arange(len(data["gen"])), FORM)
    right, seconds = asked(cohort, gen.inputs, gen.targets)
    print(f"gen, {len(gen.inputs):,} sentences        {seconds:8.1f} s by the clock; {right:,} right")
    print(f"memory, at most               {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")
    for phenomenon in ("cp", "pp"):
        baseline = 0.0
        for depth in (*range(3, 13), *DEEP):
            columns = fresh(phenomenon, depth, rows if depth <= 12 else DEEP_ROWS)
            right, seconds = asked(cohort, columns.inputs, columns.targets)
            each = 1000 * seconds / len(columns.inputs)
            baseline = each if depth == 10 else baseline
            ratio = f"  {each / baseline:4.1f} x depth 10" if depth > 10 else ""
            print(
                f"{phenomenon} at depth {depth:2}   {right:5,} of {len(columns.inputs):,}   {each:5.2f} ms each{ratio}"
            )


if __name__ == "__main__":
    main()
