"""What localism costs: all inputs unrolled with a network's own answers, beside one pass with gold arguments.

The pass answers the same calls, and the inputs as wholes, in one batched prediction; the probe has to wait for the
answers to a round before it can ask the next. `--run DIR` takes the network of a finished run, best of all on a GPU.
Without it a fresh small network is asked, which says nothing sensible, and so its answers are replaced by the right
ones: the same calls are then computed in both ways, and what differs is the waiting, the smaller batches and the probe.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import final

import torch

import blicket
from blicket.core.benchmark import Benchmark
from blicket.core.probe import Probe
from blicket.core.respondent import Answer, Request, Respondent
from blicket.learners.sequence import SequenceLearner
from blicket.learners.transformer import TransformerShape
from blicket.probes import asked
from blicket.runs.directory import RunDirectory
from blicket.runs.learners import learner_of
from blicket.runs.tables import SequenceRecipe
from blicket.training.decoding import Decoding
from blicket.training.regime import Regime

FORM = "symbols"


@final
class Corrected(Respondent):
    """Lets a network answer, and then gives the right answers instead."""

    name = "corrected"

    def __init__(self, network: Respondent, benchmark: Benchmark) -> None:
        self.network, self.benchmark = network, benchmark

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        self.network.answer(requests)
        return [Answer(self.benchmark.interpret(request.inputs, FORM)) for request in requests]


def fresh(benchmark: Benchmark, rows: int) -> tuple[Respondent, Probe]:
    """A small network that has learned nothing, and the probe of as many test rows."""
    made = benchmark.build(1, benchmark.options({"train": 2000, "dev": 10, "test": rows, "tests": ["localism"]}))
    regime = Regime(batch=64, accumulate=1, updates=1, validate_every=1)
    shape = TransformerShape(layers=1, width=32, heads=2, hidden=32)
    learner = SequenceLearner(shape, regime, Decoding(1, 10, 1024), FORM)
    (fitted,) = learner.fit(made["train"], made["dev"], [1])
    (network,) = learner.revived(made["train"], made["dev"], {1: fitted.checkpoints["last"]}).respondents()
    return Corrected(network, benchmark), probe_of(benchmark, made)


def probe_of(benchmark: Benchmark, dataset: blicket.Dataset) -> Probe:
    """Localism."""
    return next(probe for probe in benchmark.probes(dataset) if probe.name == "localism")


def of_run(path: Path) -> tuple[Respondent, Probe]:
    """The network of a run's first seed, and the probe of its data."""
    from safetensors.numpy import load_file

    run = RunDirectory.existing(path)
    recipe = SequenceRecipe(**run.about()["recipe"])
    dataset, benchmark = run.dataset(), run.benchmark()
    learner = learner_of(recipe, FORM, dataset.notations)
    parameters = {seed: load_file(run.network(seed, learner.headline)) for seed in run.seeds()[:1]}
    (network,) = learner.revived(dataset[recipe.data.train], dataset[recipe.data.dev], parameters).respondents()
    return network, probe_of(benchmark, dataset)


def gold_requests(probe: Probe, benchmark: Benchmark) -> list[Request]:
    """Everything that the probe asks of somebody who is always right."""
    answers: dict[str, Answer] = {}
    found: list[Request] = []
    while requests := probe.requests(answers):
        found += requests
        answers |= {request.example: Answer(benchmark.interpret(request.inputs, FORM)) for request in requests}
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--run", type=Path)
    options.add_argument("--rows", type=int, default=9_721)
    told = options.parse_args()
    torch.set_num_threads(1)
    benchmark = blicket.benchmark("pcfg-set")
    respondent, probe = fresh(benchmark, told.rows) if told.run is None else of_run(told.run)
    requests = gold_requests(probe, benchmark)
    respondent.answer(requests[:2000])  # so that neither pays for warming up
    start = time.perf_counter()
    respondent.answer(requests)
    once = time.perf_counter() - start
    start = time.perf_counter()
    rounds = list(asked([probe], respondent))
    unrolled = time.perf_counter() - start
    questions = sum(len(said.ids) for said in rounds)
    print(f"one pass over {len(requests):,} inputs with gold arguments: {once:.1f} s")
    print(f"localism: {questions:,} questions in {len(rounds)} rounds: {unrolled:.1f} s")
    print(f"{unrolled / once:.2f} times as long; the bound is 3")


if __name__ == "__main__":
    main()
