"""Recipes: what to make, learn, and with which seeds, in TOML; an unknown key is an error with a suggestion."""

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blicket.core.errors import InputError, did_you_mean

__all__ = ["Recipe", "read_recipe"]

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, lt=1)]
Seed = Annotated[int, Field(ge=0)]

Element = TypeVar("Element")
Listed = Annotated[tuple[Element, ...], Field(strict=False)]  # which is a list in TOML


class Strict(BaseModel):
    """Frozen, with no keys but its own, and with values of their own types: 1 is not true, "1" is not 1."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Data(Strict):
    """Which data: made with a seed and options, or read with `--official`."""

    benchmark: str
    seed: int = 1
    train: str = "train"
    dev: str = "dev"
    evaluate: Listed[str] = ("dev", "test", "gen")
    form: str | None = None
    options: dict[str, Any] = {}


class TransformerKind(Strict):
    """See `blicket.learners.transformer.TransformerShape`."""

    kind: Literal["transformer"]
    layers: Positive = 2
    width: Positive = 512
    heads: Positive = 4
    hidden: Positive = 512
    dropout: Share = 0.1
    norm: Literal["pre", "post"] = "pre"
    positions: Literal["sinusoidal", "scaled", "relative"] = "sinusoidal"
    tied: bool = False
    shared_layers: bool = False


class LstmKind(Strict):
    """See `blicket.learners.lstm.LstmShape`."""

    kind: Literal["lstm"]
    layers: Positive = 2
    width: Positive = 512
    embedding: Positive = 512
    dropout: Share = 0.1
    bidirectional: bool = False


class Training(Strict):
    """See `blicket.training.regime.Regime`."""

    batch: Positive = 128
    accumulate: Positive = 4
    updates: Positive = 30_000
    epochs: Positive | None = None
    validate_every: Positive = 500
    patience: Positive | None = 5
    early_stopping: bool = True
    watch: Literal["loss", "accuracy"] = "loss"
    headline: Literal["best", "last"] = "best"
    schedule: Literal["noam", "constant"] = "noam"
    rate: Annotated[float, Field(gt=0)] = 2.0
    warmup: Positive = 4_000
    betas: Annotated[tuple[Share, Share], Field(strict=False)] = (0.9, 0.998)
    clip: Annotated[float, Field(gt=0)] | None = None
    smoothing: Share = 0.1
    initialisation: Literal["glorot", "uniform", "embeddings-kaiming"] = "glorot"
    groups: Positive = 6
    half: bool = True


class Decode(Strict):
    """See `blicket.training.decoding.Decoding`."""

    beam: Positive = 5
    longest: Positive = 2_000
    batch: Positive = 512
    replace_unknown: bool = False


class Recipe(Strict):
    """A recipe; `answers` names the published rows that its results stand beside."""

    name: str
    about: str = ""
    answers: Listed[str] = ()
    result: bool = True
    """Whether its numbers count as a result: those of quick twins and of limited data do not."""
    seeds: Listed[Seed] = (1, 2, 3, 4, 5)
    data: Data
    network: Annotated[TransformerKind | LstmKind, Field(discriminator="kind")]
    training: Training = Training()
    decoding: Decode = Decode()

    def identity(self, data_hash: str, limit: int | None) -> str:
        """A hash of the recipe and the data, but for the seeds and what the recipe says of itself."""
        settings = self.model_dump(mode="json", exclude={"seeds", "name", "about", "answers", "result"})
        return sha256(json.dumps([settings, data_hash, limit], sort_keys=True).encode()).hexdigest()[:12]


def read_recipe(path: Path, changes: Sequence[str] = ()) -> Recipe:
    """A recipe from a file, with changes such as `training.updates=100`.

    With `extends = "FILE"` a recipe says only in what it differs from another one beside it.
    """
    settings = _settings(path, ())
    for change in changes:
        _change(settings, change)
    try:
        recipe = Recipe(**settings)
    except ValidationError as error:
        raise InputError(f"{path}: {_said(error)}") from error
    _check(path, recipe)
    return recipe


def _settings(path: Path, extended_by: Sequence[Path]) -> dict[str, Any]:
    try:
        settings = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not TOML ({error})") from error
    base = settings.pop("extends", None)
    if base is None:
        return settings
    if not isinstance(base, str):
        raise InputError(f"{path}: extends: expected the name of a file beside this one, got {base!r}")
    if path in extended_by:
        raise InputError(f"{path}: extends: extends itself in the end")
    return _overlaid(_settings(_beside(path, base), (*extended_by, path)), settings)


def _beside(path: Path, base: str) -> Path:
    """The file that a recipe extends, without detours, so that it is the same path whoever extends it."""
    return Path(os.path.normpath(path.parent / base))


def _overlaid(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The settings below, with those above in their place; tables are overlaid key by key."""
    overlaid = dict(below)
    for key, value in above.items():
        under = overlaid.get(key)
        overlaid[key] = _overlaid(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return overlaid


def _change(settings: dict[str, Any], change: str) -> None:
    name, equals, text = change.partition("=")
    *parents, last = name.split(".")
    if not equals or not last:
        raise InputError(f"--set {change}: expected NAME=VALUE")
    for parent in parents:
        settings = settings.setdefault(parent, {})
        if not isinstance(settings, dict):
            raise InputError(f"--set {change}: {parent!r} is no table")
    try:
        settings[last] = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        settings[last] = text


def _check(path: Path, recipe: Recipe) -> None:
    """What no single key shows."""
    name = recipe.name
    if not name or name != Path(name).name or name.startswith(".") or not name.isprintable():
        raise InputError(f"{path}: name: expected what can be a directory's name, got {name!r}")
    network = recipe.network
    if isinstance(network, TransformerKind):
        if network.width % network.heads:
            raise InputError(f"{path}: network: a width of {network.width} does not divide into {network.heads} heads")
        if network.width % 2:
            raise InputError(f"{path}: network: sinusoidal positions want an even width, and {network.width} is odd")
    elif network.bidirectional and network.width % 2:
        raise InputError(f"{path}: network: two directions want an even width, and {network.width} is odd")
    for key, listed in (("seeds", recipe.seeds), ("data.evaluate", recipe.data.evaluate)):
        if len(set(listed)) < len(listed) or not listed:
            raise InputError(f"{path}: {key}: expected one or several, each once, got {list(listed)}")


def _said(error: ValidationError) -> str:
    """One complaint in one line: the first unknown key, with the nearest one that there is, or else what is first."""
    complaints = error.errors()
    first = next((each for each in complaints if each["type"] == "extra_forbidden"), complaints[0])
    place = [str(part) for part in first["loc"]]
    table: type[Strict] = TABLES.get(place[0], Recipe)
    if place[0] == "network" and len(place) > 1:
        table = KINDS[place.pop(1)]  # which the library puts between network and key
    key = ".".join(place)
    match first["type"]:
        case "extra_forbidden":
            return f"unknown key {key!r}{did_you_mean(place[-1], table.model_fields)}"
        case "missing":
            return f"{key}: is missing"
        case "union_tag_not_found":
            return f"{key}.kind: is missing; expected {' or '.join(KINDS)}"
        case "union_tag_invalid":
            kind = str(first["ctx"]["tag"])
            return f"{key}.kind: there is no kind of network {kind!r}{did_you_mean(kind, KINDS)}"
    return f"{key}: {first['msg']}, got {first['input']!r}"


KINDS: Mapping[str, type[Strict]] = {"transformer": TransformerKind, "lstm": LstmKind}
TABLES: Mapping[str, type[Strict]] = {"data": Data, "training": Training, "decoding": Decode}
