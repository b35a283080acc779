"""Whose answers: a run, a file of predictions, or a directory with one such file a seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, did_you_mean
from blicket.core.example import Role
from blicket.core.predictions import Prediction, read_predictions
from blicket.core.registry import benchmark
from blicket.core.storage import FORMATS
from blicket.runs.directory import RunDirectory

__all__ = ["Answers", "answers", "benchmark_of", "data_of", "form_of"]


@final
@dataclass(frozen=True)
class Answers:
    """A run, or else files of predictions; a run knows its benchmark, form and data, files do not."""

    path: Path
    run: RunDirectory | None
    files: tuple[Path, ...] = ()

    def read(self, input_names: tuple[str, ...], split: str | None = None) -> dict[str, list[Prediction]]:
        """The predictions by seed; of a run, those of one split if one is named.

        A seed is called as in the run, by what the column `respondent` says where that tells several apart, or after
        its file.
        """
        return self._of_files(input_names) if self.run is None else _of_run(self.run, input_names, split)

    def _of_files(self, input_names: tuple[str, ...]) -> dict[str, list[Prediction]]:
        found = {}
        for file in self.files:
            for name, predictions in read_predictions(file, input_names).items():
                respondent = name.removeprefix(str(file)).removeprefix(":")
                among = [file.stem] if not respondent or len(self.files) > 1 else []
                found[":".join([*among, *([respondent] if respondent else [])])] = predictions
        return found

    def said(self, key: str) -> Any:
        """What the recipe of a run says of its data."""
        if self.run is None:
            return None
        try:
            return self.run.about()["recipe"]["data"].get(key)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{self.run.path}/run.json: does not say what the run is about") from error


def answers(path: Path) -> Answers:
    """Whose answers are at a path; raises InputError where there are none."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file or directory; expected a run or predictions")
    if not path.is_dir():
        return Answers(path, None, (path,))
    if (path / "run.json").exists():
        return Answers(path, RunDirectory.existing(path))
    files = tuple(sorted(file for file in path.iterdir() if file.suffix[1:] in FORMATS))
    if not files:
        raise InputError(f"{path}: is neither a run, which has run.json, nor has it files of predictions, one a seed")
    stems = [file.stem for file in files]
    repeated = [file for file in files if stems.count(file.stem) > 1]
    if repeated:
        raise InputError(f"{path}: has both {repeated[0].name} and {repeated[1].name}; one file a seed is wanted")
    return Answers(path, None, files)


def _of_run(run: RunDirectory, input_names: tuple[str, ...], split: str | None) -> dict[str, list[Prediction]]:
    splits = run.splits()
    if not splits:
        raise InputError(f"{run.path}: no seed of this run is finished")
    if split is not None and split not in splits:
        raise InputError(f"{run.path}: no seed has answers to a split {split!r}{did_you_mean(split, splits)}")
    found: dict[str, list[Prediction]] = {str(seed): [] for seed in run.seeds()}
    for name in splits if split is None else [split]:
        for seed in run.scored(name):
            for predictions in read_predictions(run.predictions(seed, name), input_names).values():
                found[str(seed)] += predictions
    return found


def benchmark_of(sides: Sequence[Answers], name: str | None) -> Benchmark:
    """The benchmark that runs are about, or else the one of this name; raises InputError where they differ."""
    told = [(str(side.path), side.said("benchmark")) for side in sides if side.run is not None]
    told += [("--benchmark", name)] if name is not None else []
    agreed = _agreed("benchmark", told)
    if agreed is None:
        raise InputError("neither A nor B is a run; say with --benchmark NAME what they answer")
    return benchmark(agreed)


def form_of(sides: Sequence[Answers], about: Benchmark, name: str | None) -> str:
    """The form that runs answer in, or else the one of this name; raises InputError where they differ."""
    told = [(str(side.path), about.form(side.said("form"))) for side in sides if side.run is not None]
    told += [("--form", about.form(name))] if name is not None else []
    return _agreed("form", told) or about.form(None)


def data_of(
    sides: Sequence[Answers], form: str, given: tuple[Path, Dataset] | None, split: str | None
) -> Dataset | None:
    """The data that the answers are about: that of runs, and that given for files; raises InputError where they differ.

    Splits that are trained on may differ, since nobody is judged on them.
    """
    runs = [(side.path, side.run.dataset()) for side in sides if side.run is not None]
    if given is not None and len(runs) == len(sides):
        raise InputError(f"{given[0]}: runs know their data; --data and --official are for files of predictions")
    told = [*runs, *([given] if given is not None else [])]
    for path, data in told:
        if form not in data.forms:
            raise InputError(f"{path}: has targets as {' and '.join(data.forms)}, and not as {form}")
        _check_same(told[0], (path, data), form, split)
    return told[0][1] if told else None


def _check_same(one: tuple[Path, Dataset], other: tuple[Path, Dataset], form: str, split: str | None) -> None:
    """Refuse data in which a split that both have holds different rows."""
    (where, data), (elsewhere, beside) = one, other
    if data is beside:
        return
    for name, rows in data.splits.items():
        if name not in beside.splits or rows.role is Role.TRAIN or split not in (None, name):
            continue
        different = f"{where} and {elsewhere} have different gold rows"
        if len(rows) != len(beside[name]):
            raise InputError(f"{different}: {name} has {len(rows):,} and {len(beside[name]):,} rows")
        for (start, ours), (_, theirs) in zip(rows.batches(form), beside[name].batches(form), strict=True):
            columns = (ours.inputs, theirs.inputs), (ours.targets, theirs.targets), (ours.cases, theirs.cases)
            at = [i for mine, their in columns for i, (x, y) in enumerate(zip(mine, their, strict=True)) if x != y]
            if at:
                raise InputError(f"{different}, such as {name}/{start + min(at)}")


def _agreed(what: str, told: Sequence[tuple[str, str]]) -> str | None:
    """What all that say something say; raises InputError where they differ."""
    for path, found in told[1:]:
        if found != told[0][1]:
            raise InputError(f"different {what}s: {told[0][0]} says {told[0][1]}, and {path} says {found}")
    return told[0][1] if told else None
