"""What several commands' arguments have in common."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, Token

from blicket.core.errors import InputError

if TYPE_CHECKING:
    from blicket.core.benchmark import Benchmark
    from blicket.core.dataset import Dataset

__all__ = [
    "BenchmarkName",
    "Compat",
    "Data",
    "Directory",
    "Form",
    "Json",
    "Official",
    "Settings",
    "Whole",
    "read_data",
    "settings_of",
]

BenchmarkName = Annotated[str, Parameter(help="A benchmark, by its name in `blicket list`.")]
Form = Annotated[str | None, Parameter(name="--form", help="The form of targets; `blicket show` lists them.")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON object.")]
Compat = Annotated[
    tuple[str, ...],
    Parameter(
        name="--compat",
        negative="",
        help="A flaw of the published release to reproduce; `published` stands for all. Repeatable.",
    ),
]


def _directory(_: object, tokens: Sequence[Token]) -> Path:
    """A path as it is written, but that nothing is not the directory one is in."""
    if not tokens[0].value:
        raise ValueError("it is empty; expected a directory")
    return Path(tokens[0].value)


Directory = Annotated[Path, Parameter(converter=_directory)]
Data = Annotated[
    Path | None,
    Parameter(name="--data", converter=_directory, help="A directory with the data, as `generate` writes it."),
]
Official = Annotated[
    Path | None,
    Parameter(name="--official", converter=_directory, help="A directory with the files of the published release."),
]


def _whole(_: type, tokens: Sequence[Token]) -> int:
    """A whole number as it is written: 1.5 is none."""
    return int(tokens[0].value)


Whole = Annotated[int, Parameter(converter=_whole)]
Settings = Annotated[
    tuple[str, ...],
    Parameter(name="--set", negative="", help="An option of the benchmark, as NAME=VALUE. Repeatable."),
]


def settings_of(assignments: Sequence[str], compat: Sequence[str] = ()) -> dict[str, Any]:
    """`["train=10", "nonce=true"]` as settings; values are written as in TOML, and may be bare words."""
    import tomllib

    settings: dict[str, Any] = {"compat": list(compat)} if compat else {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--set {assignment}: expected NAME=VALUE")
        if name in settings:
            raise InputError(f"--set {name}: is set twice")
        try:
            settings[name] = tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            settings[name] = text
    return settings


def read_data(
    benchmark: "Benchmark", data: Path | None, official: Path | None, settings: Mapping[str, Any]
) -> "Dataset | None":
    """The dataset that --data or --official names, if one does."""
    from blicket.core.reading import read_dataset

    if data is not None and official is not None:
        raise InputError("--data and --official exclude each other")
    directory = official if official is not None else data
    if directory is None:
        return None
    for name in settings:
        if name not in benchmark.options_of_files:
            applying = ", ".join(sorted(benchmark.options_of_files))
            raise InputError(f"--set {name}: says how to make data, not how to read it; {applying} can be set here")
    return read_dataset(benchmark, directory, benchmark.options(settings))
