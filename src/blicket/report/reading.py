"""What a report is made of: runs read whole and checked, each with its scorecards and learning curves by seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from pathlib import Path
from typing import Any, TypeVar, final

from blicket.core.benchmark import Benchmark
from blicket.core.errors import InputError, UnknownName
from blicket.core.example import Role
from blicket.runs.directory import PROBES, RunDirectory

__all__ = ["Curve", "Measured", "Point", "read_runs"]

Card = Mapping[str, Any]
Kind = TypeVar("Kind")
BESIDE_NUMBERS = ("by", "files", "familiar", "probes", "seeds", "sd")
"""What stands in a scorecard among the numbers."""


@final
@dataclass(frozen=True, slots=True)
class Point:
    """What a validation found; nan is what was not measured or is no number."""

    update: int
    train_loss: float
    dev_loss: float
    dev_accuracy: float


@final
@dataclass(frozen=True, slots=True)
class Curve:
    """How the training of a seed went; `best` and `stopped` are updates."""

    seed: int
    failed: bool
    best: int | None
    stopped: int | None
    points: tuple[Point, ...]


@final
@dataclass(frozen=True)
class Measured:
    """A run: what it says of itself, and its scorecards by split and seed, and its curves by seed."""

    label: str
    directory: RunDirectory
    about: Mapping[str, Any]
    benchmark: Benchmark
    form: str
    scores: Mapping[str, Mapping[int, Card]]
    curves: Mapping[int, Curve]
    probes: Mapping[int, Card] = field(default_factory=dict)
    """By seed what each probe found, by name."""

    @property
    def recipe(self) -> Mapping[str, Any]:
        """The recipe with all its defaults."""
        recipe: Mapping[str, Any] = self.about["recipe"]
        return recipe

    @property
    def data_hash(self) -> str:
        """The hash of the data."""
        return str(self.about["data"]["hash"])

    @property
    def is_result(self) -> bool:
        """Whether its numbers count as a result."""
        return bool(self.about["result"])

    @property
    def failed(self) -> list[int]:
        """The seeds whose training failed."""
        return [seed for seed, curve in self.curves.items() if curve.failed]

    @property
    def finished(self) -> list[int]:
        """The seeds that are scored on every split."""
        return [seed for seed in self.curves if all(seed in cards for cards in self.scores.values())]

    @property
    def unfinished(self) -> list[int]:
        """The seeds that are trained, and not scored on every split."""
        done = {*self.finished, *self.failed}
        return [seed for seed in self.curves if seed not in done]

    @property
    def focus(self) -> list[str]:
        """The splits that ask for generalization; where there are none, the last."""
        asking = (Role.GENERALIZATION, Role.PROBE)
        return [split for split in self.scores if self.benchmark.role(split) in asking] or list(self.scores)[-1:]


def read_runs(paths: Sequence[Path]) -> list[Measured]:
    """The runs in some directories, each under a name of its own; raises InputError for what is no finished run."""
    places = [path.resolve() for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise InputError(f"{path}: given twice")
    runs = [_read(RunDirectory.existing(path)) for path in paths]
    names = [run.label for run in runs]
    if len(set(names)) < len(names):
        names = [run.directory.path.resolve().name for run in runs]
    if len(set(names)) < len(names):
        names = [str(run.directory.path) for run in runs]
    return [replace(run, label=name) for run, name in zip(runs, names, strict=True)]


def _read(directory: RunDirectory) -> Measured:
    file = directory.path / "run.json"
    about = _of(dict, directory.about(), file, "it")
    recipe = _of(dict, about.get("recipe"), file, "recipe")
    data = _of(dict, recipe.get("data"), file, "recipe.data")
    _of(str, _of(dict, about.get("data"), file, "data").get("hash"), file, "data.hash")
    _of(bool, about.get("result"), file, "result")
    label = _of(str, recipe.get("name"), file, "recipe.name")
    evaluated = [_of(str, split, file, "recipe.data.evaluate") for split in _of(list, data.get("evaluate"), file, "")]
    benchmark = _benchmark(directory, _of(str, data.get("benchmark"), file, "recipe.data.benchmark"), file)
    for split in evaluated:
        benchmark.role(split)
    curves = {seed: _curve(directory, seed) for seed in directory.seeds()}
    scored = {split: [s for s in curves if directory.scores(s, split).exists()] for split in evaluated}
    cards = {split: {s: _card(directory, s, split) for s in seeds} for split, seeds in scored.items() if seeds}
    if not cards:
        failed = ", ".join(str(seed) for seed, curve in curves.items() if curve.failed)
        also = f"; training failed with seed {failed}" if failed else ""
        raise InputError(f"{directory.path}: no seed of this run is finished{also}")
    probes = {seed: _probes(directory, seed) for seed in directory.probed()}
    return Measured(label, directory, about, benchmark, benchmark.form(data.get("form")), cards, curves, probes)


def _benchmark(directory: RunDirectory, name: str, file: Path) -> Benchmark:
    try:
        return directory.benchmark()
    except UnknownName as error:
        raise InputError(f"{file}: recipe.data.benchmark is {name!r}, and {error}") from error


def _of(kind: type[Kind], value: object, file: Path, name: str) -> Kind:
    """A value that has to be of a kind."""
    if not isinstance(value, kind):
        names = {
            dict: "an object",
            str: "a string",
            bool: "true or false",
            list: "an array",
            int: "a number",
            float: "a number",
        }
        found = "is missing" if value is None else f"is {str(value)[:40]!r}"
        raise InputError(f"{file}: {name or 'recipe.data.evaluate'} {found}, expected {names[kind]}")
    return value


def _curve(directory: RunDirectory, seed: int) -> Curve:
    file = directory.curve(seed)
    said = _of(dict, directory.read_curve(seed), file, "it")
    points = []
    for entry in _of(list, said.get("curve"), file, "curve"):
        point = _of(dict, entry, file, "an entry of curve")
        numbers = (_number(point.get(name)) for name in ("train_loss", "dev_loss", "dev_accuracy"))
        points.append(Point(_of(int, point.get("update"), file, "update"), *numbers))
    best, stopped = (value if isinstance(value := said.get(name), int) else None for name in ("best", "stopped"))
    return Curve(seed, _of(bool, said.get("failed"), file, "failed"), best, stopped, tuple(points))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else nan


def _card(directory: RunDirectory, seed: int, split: str) -> Card:
    file = directory.scores(seed, split)
    said = _of(dict, directory.read_scores(seed, split), file, "it")
    _check_tally(said, file, "")
    for kind, groups in _of(dict, said.get("by"), file, "by").items():
        for group, tally in _of(dict, groups, file, f"by.{kind}").items():
            _check_tally(_of(dict, tally, file, f"by.{kind}.{group}"), file, f"by.{kind}.{group}.")
    return said


def _probes(directory: RunDirectory, seed: int) -> Card:
    file = directory.scores(seed, PROBES)
    said = _of(dict, _of(dict, directory.read_probes(seed), file, "it").get("probes"), file, "probes")
    for name, found in said.items():
        _of(str, _of(dict, found, file, f"probes.{name}").get("title"), file, f"probes.{name}.title")
        for kind, groups in _of(dict, found.get("by"), file, f"probes.{name}.by").items():
            for group, numbers in _of(dict, groups, file, f"probes.{name}.by.{kind}").items():
                where = f"probes.{name}.by.{kind}.{group}"
                for key in ("n", "blocks", "mean"):
                    _of(
                        float if key == "mean" else int,
                        _of(dict, numbers, file, where).get(key),
                        file,
                        f"{where}.{key}",
                    )
    return said


def _check_tally(tally: Mapping[str, Any], file: Path, where: str) -> None:
    for name in ("n", "exact", "meaning"):
        if name not in tally:
            raise InputError(f"{file}: {where}{name} is missing, expected a scorecard as `blicket score --json` prints")
    for name, value in tally.items():
        if name not in BESIDE_NUMBERS and not isinstance(value, int | float | None):
            raise InputError(f"{file}: {where}{name} is {str(value)[:40]!r}, expected a number")
