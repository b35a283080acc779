"""The data of a run: what its recipe names, made or read; what cannot be learned from is refused before anything is."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.example import Role
from blicket.core.learner import check_roles
from blicket.core.reading import read_dataset
from blicket.core.registry import benchmark
from blicket.runs.recipe import Recipe
from blicket.runs.tables import ClassifierRecipe, SequenceRecipe

__all__ = ["benchmark_of", "data_of"]


def benchmark_of(path: Path, recipe: Recipe) -> Benchmark:
    """The benchmark that a recipe names; raises InputError if its form, options or splits are not as the recipe says.

    `path` is where the recipe comes from, for messages.
    """
    told = recipe.data
    try:
        found = benchmark(told.benchmark)
        form = found.form(told.form)
        _check_form(recipe, found, form)
        found.options(told.options)
        for name in (*told.evaluate, *told.watch):
            found.role(name)
        for key, name, role in (("train", told.train, Role.TRAIN), ("dev", told.dev, Role.DEV)):
            if found.role(name) != role:
                raise InputError(f"{key}: {name} is a {found.role(name)} split, and a {role} split is wanted")
    except InputError as error:
        raise InputError(f"{path}: data: {error}") from error
    return found


def _check_form(recipe: Recipe, benchmark: Benchmark, form: str) -> None:
    """Refuse a form that a kind of network cannot learn, and weights of labels that are none."""
    choices = benchmark.choices.get(form, ())
    if recipe.network.kind == "parser" and form not in benchmark.notations:
        able = " or ".join(benchmark.notations) or f"a benchmark that has some, which {benchmark.name} has not"
        raise InputError(f"form: a parser learns from forms that are graphs: expected {able}, got {form}")
    if isinstance(recipe, SequenceRecipe) and choices:
        raise InputError(f"form: a {recipe.network.kind} learns to produce, and {form} is one of {' '.join(choices)}")
    if not isinstance(recipe, ClassifierRecipe):
        return
    if not choices or len(benchmark.input_names) != 2:
        raise InputError(
            f"form: a {recipe.network.kind} learns which of a few relations pairs of sentences are in; "
            f"{form} of {benchmark.name} is something else"
        )
    for label in recipe.training.weights:
        if label not in choices:
            raise InputError(f"form: training.weights has {label!r}, and {form} is one of {' '.join(choices)}")


def data_of(
    recipe: Recipe,
    benchmark: Benchmark,
    *,
    official: Path | None = None,
    limit: int | None = None,
    say: Callable[[str], None] = lambda message: None,
) -> Dataset:
    """The splits that a recipe names, and with a limit only the first rows of the train split.

    They are made, or read from the directory of the release, to which those options of the recipe do not apply that are
    about how to make data.
    """
    told, options = recipe.data, recipe.data.options
    if official is None:
        dataset = benchmark.build(told.seed, benchmark.options(options))
    else:
        applying = {name: value for name, value in options.items() if name in benchmark.options_of_files}
        dataset = read_dataset(benchmark, official, benchmark.options(applying))
        if len(applying) < len(options):
            unused = ", ".join(name for name in options if name not in applying)
            say(f"{official} is read as it is; how to make data, which the recipe says, is left aside: {unused}")
    splits = {name: dataset[name] for name in dict.fromkeys((told.train, told.dev, *told.evaluate, *told.watch))}
    check_roles(splits[told.train], splits[told.dev])
    for name in (*told.evaluate, *told.watch):
        if not len(splits[name]):
            raise InputError(f"{name} has no rows to answer")
    if limit is not None:
        splits[told.train] = splits[told.train].limited(limit)
    return replace(dataset, splits=splits)
