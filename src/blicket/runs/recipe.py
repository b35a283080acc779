"""Recipes: what to make, learn, and with which seeds, in TOML; an unknown key is an error with a suggestion."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blicket.core.errors import InputError, did_you_mean

__all__ = ["Recipe", "read_recipe"]

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, lt=1)]


class Strict(BaseModel):
    """Frozen, and with no keys but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Data(Strict):
    """Which data: made with a seed and options, or read with `--official`."""

    benchmark: str
    seed: int = 1
    train: str = "train"
    dev: str = "dev"
    evaluate: tuple[str, ...] = ("dev", "test", "gen")
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
    betas: tuple[float, float] = (0.9, 0.998)
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
    answers: tuple[str, ...] = ()
    result: bool = True
    """Whether its numbers count as a result: those of quick twins and of limited data do not."""
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
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
        settings = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not TOML ({error})") from error
    base = settings.pop("extends", None)
    if base is None:
        return settings
    if not isinstance(base, str):
        raise InputError(f"{path}: extends: expected the name of a file beside this one, got {base!r}")
    if path in extended_by:
        raise InputError(f"{path}: extends: extends itself in the end")
    return _overlaid(_settings(path.with_name(base), (*extended_by, path)), settings)


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
    network = recipe.network
    if isinstance(network, TransformerKind):
        if network.width % network.heads:
            raise InputError(f"{path}: network: a width of {network.width} does not divide into {network.heads} heads")
        if network.width % 2:
            raise InputError(f"{path}: network: sinusoidal positions want an even width, and {network.width} is odd")
    elif network.bidirectional and network.width % 2:
        raise InputError(f"{path}: network: two directions want an even width, and {network.width} is odd")
    if len(set(recipe.seeds)) < len(recipe.seeds) or not recipe.seeds:
        raise InputError(f"{path}: seeds: expected different numbers, got {list(recipe.seeds)}")


def _said(error: ValidationError) -> str:
    """The first complaint in one line, with the nearest key for one that is unknown."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"] if part not in ("transformer", "lstm")]
    if first["type"] == "extra_forbidden":
        return f"unknown key {'.'.join(place)!r}{did_you_mean(place[-1], _keys(place[:-1]))}"
    return f"{'.'.join(place)}: {first['msg']}, got {first['input']!r}"


def _keys(place: Sequence[str]) -> Sequence[str]:
    tables: Mapping[str, Sequence[str]] = {
        "": list(Recipe.model_fields),
        "data": list(Data.model_fields),
        "network": [*TransformerKind.model_fields, *LstmKind.model_fields],
        "training": list(Training.model_fields),
        "decoding": list(Decode.model_fields),
    }
    return tables.get(".".join(place), [])
