"""A run: recipe to scorecards, stage by stage, each leaving a file; what is done already is not done again."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import torch

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import BlicketError, InputError
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.provenance import provenance
from blicket.core.scoring import score
from blicket.core.storage import made_directory, written_whole
from blicket.learners.lstm import LstmShape
from blicket.learners.sequence import Cohort, SequenceLearner, best_device, loaded, vocabularies
from blicket.learners.transformer import TransformerShape
from blicket.runs.recipe import Recipe
from blicket.training.decoding import Decoding
from blicket.training.loop import Progress
from blicket.training.optimisation import Schedule
from blicket.training.pairs import texts
from blicket.training.regime import Regime

__all__ = ["Run", "learner_of"]

Say = Callable[[str], None]


def learner_of(recipe: Recipe, form: str) -> SequenceLearner:
    """The learner that a recipe describes."""
    network = recipe.network.model_dump(exclude={"kind"})
    shape = TransformerShape(**network) if recipe.network.kind == "transformer" else LstmShape(**network)
    told = recipe.training.model_dump(exclude={"schedule", "rate", "warmup", "early_stopping"})
    if not recipe.training.early_stopping:
        told["patience"] = None
    schedule = Schedule(recipe.training.schedule, recipe.training.rate, recipe.training.warmup, int(network["width"]))
    return SequenceLearner(shape, Regime(**told, schedule=schedule), Decoding(**recipe.decoding.model_dump()), form)


@final
@dataclass(frozen=True)
class Run:
    """A recipe with its data and directory."""

    recipe: Recipe
    benchmark: Benchmark
    dataset: Dataset
    directory: Path
    limit: int | None = None

    @classmethod
    def of(cls, recipe: Recipe, benchmark: Benchmark, dataset: Dataset, runs: Path, limit: int | None) -> "Run":
        """The run of a recipe; its directory is made, and says what is in it."""
        form = benchmark.form(recipe.data.form)
        for split in (recipe.data.train, recipe.data.dev, *recipe.data.evaluate):
            dataset[split]
        data_hash = dataset.content_hash(form) + ("" if limit is None else f"/{limit}")
        directory = runs / f"{recipe.name}-{recipe.identity(data_hash)}"
        run = cls(recipe, benchmark, dataset, directory, limit)
        made_directory(directory)
        about = {
            "recipe": recipe.model_dump(mode="json", exclude={"seeds"}),
            "data": {**dataset.options, "benchmark": benchmark.name, "hash": data_hash, "limit": limit},
            "result": recipe.result and limit is None,
            "provenance": {**provenance(), "device": _device_name()},
        }
        if not (directory / "run.json").exists():
            _write(directory / "run.json", about)
        return run

    def go(self, seeds: Sequence[int], say: Say, tell: Callable[[Progress], None]) -> None:
        """Do what is not done yet for these seeds; a seed that fails leaves the others alone."""
        learner = learner_of(self.recipe, self.benchmark.form(self.recipe.data.form))
        missing = [seed for seed in seeds if not (self._of(seed) / "curve.json").exists()]
        if missing:
            self._train(learner, missing, say, tell)
        ready = [seed for seed in seeds if (self._of(seed) / "network.safetensors").exists()]
        for split in self.recipe.data.evaluate:
            unsaid = [seed for seed in ready if not (self._of(seed) / f"{split}.parquet").exists()]
            if unsaid:
                self._predict(learner, unsaid, split, say)
            for seed in ready:
                if not (self._of(seed) / f"{split}.json").exists():
                    self._score(seed, split)

    def _train(
        self, learner: SequenceLearner, seeds: Sequence[int], say: Say, tell: Callable[[Progress], None]
    ) -> None:
        """All together on a GPU, and fewer at a time if its memory runs out; one after the other on a CPU."""
        together = len(seeds) if best_device().type == "cuda" else 1
        at = 0
        while at < len(seeds):
            group = list(seeds[at : at + together])
            try:
                self._train_together(learner, group, tell)
            except torch.cuda.OutOfMemoryError:
                if together == 1:
                    raise BlicketError("the GPU's memory does not hold one network; a smaller batch may help") from None
                together = -(-together // 2)
                say(f"the GPU's memory ran out; going on with {together} seeds at a time")
                torch.cuda.empty_cache()
                continue
            at += len(group)

    def _train_together(self, learner: SequenceLearner, seeds: list[int], tell: Callable[[Progress], None]) -> None:
        checkpoints = self.directory / f"training-{'-'.join(map(str, seeds))}"
        train, dev = self._train_split(), self.dataset[self.recipe.data.dev]
        cohort, trained = learner.fit(train, dev, seeds, checkpoints=checkpoints, tell=tell)
        for i, seed in enumerate(seeds):
            made_directory(self._of(seed))
            if not trained.failed[i]:
                cohort.alone(seed).save(self._of(seed) / "network.safetensors")
            curve = [
                {k: v[i] if isinstance(v, list | tuple) else v for k, v in point.items()} for point in trained.curve
            ]
            stopped = trained.stopped[i]
            about = {"seed": seed, "failed": trained.failed[i], "best": trained.best_update[i], "stopped": stopped}
            kept = [point for point in curve if stopped is None or point["update"] <= stopped]
            _write(self._of(seed) / "curve.json", {**about, "together": seeds, "curve": kept})
        shutil.rmtree(checkpoints, ignore_errors=True)

    def _train_split(self) -> Any:
        split = self.dataset[self.recipe.data.train]
        return split if self.limit is None else split.limited(self.limit)

    def _predict(self, learner: SequenceLearner, seeds: list[int], split: str, say: Say) -> None:
        train = self._train_split()
        paths = [self._of(seed) / "network.safetensors" for seed in seeds]
        cohort = loaded(learner, paths, vocabularies(learner, *texts(train, learner.form)), seeds)
        for group in _groups(cohort):
            sources, _ = texts(self.dataset[split], learner.form)
            say(f"predicting {len(sources):,} rows of {split} with {len(group.seeds)} seeds")
            for seed, outputs in zip(group.seeds, group.produce(sources), strict=True):
                ids = [f"{split}/{row}" for row in range(len(outputs))]
                write_predictions(self._of(seed) / f"{split}.parquet", [Predictions(str(seed), ids, outputs)])

    def _score(self, seed: int, split: str) -> None:
        form = self.benchmark.form(self.recipe.data.form)
        file = self._of(seed) / f"{split}.parquet"
        scores = score(self.benchmark, [file], form, self.dataset)
        _write(self._of(seed) / f"{split}.json", scores.as_dict())

    def _of(self, seed: int) -> Path:
        return self.directory / f"seed-{seed}"


def _groups(cohort: Cohort) -> Iterator[Cohort]:
    """All seeds at once on a GPU; on a CPU, where stacking saves nothing, one by one."""
    if next(iter(cohort.stack.values())).device.type == "cuda":
        yield cohort
    else:
        yield from (cohort.alone(seed) for seed in cohort.seeds)


def _write(path: Path, about: Any) -> None:
    with written_whole(path) as file:
        file.write(json.dumps(about, indent=1, ensure_ascii=False).encode() + b"\n")


def _device_name() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"


def check_seeds(seeds: Sequence[int]) -> None:
    """Refuse repeated seeds."""
    if len(set(seeds)) < len(seeds):
        raise InputError(f"--seeds {','.join(map(str, seeds))}: a seed stands twice")
