"""A run: recipe to scorecards, stage by stage, each leaving a file; what is done already is not done again."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, final

from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import BlicketError, InputError
from blicket.core.example import Role, Split
from blicket.core.learner import Cohort, Fitted, Learner, Parameters, Progress
from blicket.core.predictions import Predictions, read_predictions, write_predictions
from blicket.core.probe import Probe
from blicket.core.provenance import provenance
from blicket.core.respondent import Answer
from blicket.core.scoring import score
from blicket.core.storage import made_directory, write_dataset, written_whole
from blicket.probes import asked
from blicket.runs.directory import PROBES, RunDirectory
from blicket.runs.learners import learner_of
from blicket.runs.locks import locked
from blicket.runs.recipe import Recipe
from blicket.runs.watching import Watching, profile
from blicket.runs.words import open_class_words, right_by_word, words_found
from blicket.training.device import device_name, within_memory

__all__ = ["Run", "Watcher", "prepared"]


@final
@dataclass(frozen=True)
class Watcher:
    """Who is told how a run goes: in words, in training, and in rows of a split that are answered."""

    say: Callable[[str], None] = lambda message: None
    tell: Callable[[Progress], None] = lambda progress: None
    answered: Callable[[str, int, int], None] = lambda split, done, rows: None


@final
@dataclass(frozen=True)
class Run:
    """A recipe with its data and directory."""

    recipe: Recipe
    benchmark: Benchmark
    dataset: Dataset
    directory: RunDirectory
    learner: Learner

    @property
    def form(self) -> str:
        """The form that is learned."""
        return self.benchmark.form(self.recipe.data.form)

    def go(self, seeds: Sequence[int], watcher: Watcher, checkpoint: str | None = None) -> list[int]:
        """Do what is not done yet for these seeds; the result are those that did not fail, which harms no other.

        Another checkpoint than the headline, `best` or `last`, answers for comparison, into files of its own.
        """
        self._train(seeds, watcher)
        ready = [seed for seed in seeds if not self.directory.read_curve(seed)["failed"]]
        for split in self.recipe.data.evaluate:
            unsaid = [seed for seed in ready if not self.directory.predictions(seed, split, checkpoint).exists()]
            self._together(unsaid, partial(self._predict, split, checkpoint, watcher), watcher.say)
        if self.probes:
            unsaid = [seed for seed in ready if not self.directory.predictions(seed, PROBES, checkpoint).exists()]
            self._together(unsaid, partial(self._ask, checkpoint, watcher), watcher.say)
        for seed, name in product(ready, self.answered):
            if not self.directory.scores(seed, name, checkpoint).exists():
                self._score(seed, name, checkpoint)
        for seed, split in product(ready, self.recipe.data.watch):
            if not self.directory.profile(seed, split).exists():
                cards = profile(self.directory, self.benchmark, self.form, self.dataset, seed, split)
                _write(self.directory.profile(seed, split), {"points": cards})
        return ready

    @property
    def probes(self) -> Sequence[Probe]:
        """What the benchmark asks beyond its splits, of the data that there is."""
        return self.benchmark.probes(self.dataset)

    @property
    def answered(self) -> Sequence[str]:
        """The splits that are answered, and `probes` if there are any."""
        return (*self.recipe.data.evaluate, *([PROBES] if self.probes else []))

    def _train(self, seeds: Sequence[int], watcher: Watcher) -> None:
        def untrained() -> list[int]:
            return [seed for seed in seeds if not self.directory.curve(seed).exists()]

        with locked([self.directory.of_seed(seed) / "lock" for seed in untrained()], watcher.say):
            ours = untrained()
            self._together(ours, partial(self._train_together, watcher), watcher.say)
            self._clear()
        self._say_failed([seed for seed in seeds if seed not in ours], watcher)

    def _together(self, seeds: Sequence[int], work: Callable[[list[int]], None], say: Callable[[str], None]) -> None:
        """Work on as many seeds at once as is good, and on fewer where the GPU's memory is too small for them."""
        at, size = 0, len(seeds) if self.learner.together else 1
        while at < len(seeds):
            if within_memory(partial(work, list(seeds[at : at + size]))):
                at += size
                continue
            if size == 1:
                raise BlicketError("the GPU's memory does not hold one network; a smaller batch may help")
            size = -(-size // 2)
            say(f"the GPU's memory ran out; going on with {size} at a time")

    def _train_together(self, watcher: Watcher, seeds: list[int]) -> None:
        checkpoints = self.directory.training(seeds)
        watcher.say(f"training seed{'s' * (len(seeds) > 1)} {', '.join(map(str, seeds))}")
        watched = [self.dataset[name] for name in self.recipe.data.watch]
        observers = [Watching(self.directory, self.benchmark, self.form, watched)] if watched else []
        fit = partial(self.learner.fit, *self._splits, seeds, checkpoints=checkpoints, observers=observers)
        for fitted in fit(tell=watcher.tell):
            self._keep(fitted, seeds)
        self._say_failed(seeds, watcher)
        self._clear()

    def _clear(self) -> None:
        """Remove the checkpoints that nobody will go on from, also those that a killed process left."""
        for checkpoints in self.directory.trainings(self.directory.seeds()):
            shutil.rmtree(checkpoints, ignore_errors=True)

    @property
    def _splits(self) -> tuple[Split, Split]:
        return self.dataset[self.recipe.data.train], self.dataset[self.recipe.data.dev]

    def _keep(self, fitted: Fitted, together: Sequence[int]) -> None:
        """Write what became of a seed; the curve comes last, since it says that the seed is trained."""
        made_directory(self.directory.of_seed(fitted.seed))
        for checkpoint, parameters in fitted.checkpoints.items():
            with written_whole(self.directory.network(fitted.seed, checkpoint)) as file:
                file.write(save(dict(parameters)))
        about = {"seed": fitted.seed, "failed": fitted.failed, "best": fitted.best, "stopped": fitted.stopped}
        _write(self.directory.curve(fitted.seed), {**about, "together": list(together), "curve": list(fitted.curve)})

    def _say_failed(self, seeds: Sequence[int], watcher: Watcher) -> None:
        for curve in map(self.directory.read_curve, seeds):
            if curve["failed"]:
                watcher.say(f"seed {curve['seed']} failed: its loss was no number at update {curve['stopped']:,}")

    def _predict(self, split: str, checkpoint: str | None, watcher: Watcher, seeds: list[int]) -> None:
        cohort = self._cohort(checkpoint, seeds)
        requests = [self.benchmark.request(example.id, example.inputs, self.form) for example in self.dataset[split]]
        answers = cohort.answers(requests, lambda done: watcher.answered(split, done, len(requests)))
        for seed, said in zip(seeds, answers, strict=True):
            outputs = [answer.output for answer in said]
            predictions = Predictions(str(seed), [request.example for request in requests], outputs)
            write_predictions(self.directory.predictions(seed, split, checkpoint), [predictions])

    def _ask(self, checkpoint: str | None, watcher: Watcher, seeds: list[int]) -> None:
        """Ask what probes want to know; answers on which they build stand in the same file, which is whole by that."""
        cohort = self._cohort(checkpoint, seeds)
        self._find_words(cohort, checkpoint)
        for respondent in cohort.respondents():
            seed = int(respondent.name)
            known = {
                example.id: Answer(output)
                for split in self.recipe.data.evaluate
                for example, output in zip(self.dataset[split], self._outputs(seed, split, checkpoint), strict=True)
            }
            said = asked(self.probes, respondent, partial(watcher.answered, PROBES), known)
            rounds = (replace(of_round, scores=()) for of_round in said)
            write_predictions(self.directory.predictions(seed, PROBES, checkpoint), rounds)

    def _find_words(self, cohort: Cohort, checkpoint: str | None) -> None:
        """Write where the vectors of open-class words lie, of the splits that are answered and not selected on."""
        splits = [self.dataset[name] for name in self.recipe.data.evaluate if self.benchmark.role(name) != Role.DEV]
        words = open_class_words(self.dataset, splits)
        vectors = cohort.vectors(words)
        if not words or vectors is None:
            return
        shown = set(open_class_words(self.dataset, self._splits[:1]))
        for seed, of_seed in zip(cohort.seeds, vectors, strict=True):
            answers = {split.name: self._outputs(seed, split.name, checkpoint) for split in splits}
            right = right_by_word(splits, answers, self.benchmark.judge(self.form), self.form)
            found = words_found(words, [word in shown for word in words], of_seed, right)
            _write(self.directory.words(seed, checkpoint), found)

    def _outputs(self, seed: int, split: str, checkpoint: str | None) -> list[str]:
        file = self.directory.predictions(seed, split, checkpoint)
        (said,) = read_predictions(file, self.benchmark.input_names).values()
        return [prediction.output for prediction in said]

    def _cohort(self, checkpoint: str | None, seeds: list[int]) -> Cohort:
        kept = {seed: _parameters(self.directory.network(seed, checkpoint or self.learner.headline)) for seed in seeds}
        return self.learner.revived(*self._splits, kept)

    def _score(self, seed: int, split: str, checkpoint: str | None) -> None:
        file = self.directory.predictions(seed, split, checkpoint)
        scores = score(self.benchmark, [file], self.form, self.dataset)
        _write(self.directory.scores(seed, split, checkpoint), scores.as_dict())


def prepared(recipe: Recipe, benchmark: Benchmark, dataset: Dataset, runs: Path, limit: int | None) -> Run:
    """The run of a recipe, in a directory with its data and what it is about, which are written once.

    `dataset` and `limit` are as of `blicket.runs.data.data_of`; with a limit, what comes out is no result.
    """
    form = benchmark.form(recipe.data.form)
    learner = learner_of(recipe, form, dataset.notations, dataset.hierarchy)
    data_hash = dataset.content_hash(form)
    directory = RunDirectory(runs / f"{recipe.name}-{recipe.identity(data_hash, limit)}")
    about = {
        "recipe": recipe.model_dump(mode="json", exclude={"seeds"}),
        "data": {**dataset.options, "benchmark": benchmark.name, "hash": data_hash, "limit": limit},
        "result": recipe.result and limit is None,
        "provenance": {**provenance(), "device": device_name()},
    }
    if not directory.about_file.exists():
        made_directory(directory.path)
        write_dataset(dataset, directory.data, "parquet", form)
        _write(directory.about_file, about)
    return Run(recipe, benchmark, dataset, directory, learner)


def _parameters(path: Path) -> Parameters:
    try:
        return load_file(path)
    except (OSError, SafetensorError) as error:
        raise InputError(f"{path}: cannot be read ({error}); remove {path.parent} to train the seed again") from error


def _write(path: Path, about: Any) -> None:
    with written_whole(path) as file:
        file.write(json.dumps(about, indent=1, ensure_ascii=False).encode() + b"\n")
