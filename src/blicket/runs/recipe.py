"""Recipes: what to make, learn, and with which seeds, in TOML; an unknown key is an error with a suggestion."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from blicket.core.errors import InputError, did_you_mean
from blicket.runs.tables import KINDS, ClassifierRecipe, ParserRecipe, ProgramRecipe, SequenceRecipe

__all__ = ["Recipe", "read_recipe"]

Recipe = SequenceRecipe | ParserRecipe | ClassifierRecipe | ProgramRecipe


def read_recipe(path: Path, changes: Sequence[str] = ()) -> Recipe:
    """A recipe from a file, with changes such as `training.updates=100`.

    With `extends = "FILE"` a recipe says only in what it differs from another one beside it.
    """
    settings = _settings(path, ())
    for change in changes:
        _change(settings, change)
    kind = _kind(path, settings)
    _, model = KINDS[kind]
    try:
        recipe = model(**settings)
    except ValidationError as error:
        raise InputError(f"{path}: {_said(error, kind)}") from error
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
    _check_width(path, recipe)
    if isinstance(recipe, SequenceRecipe) and recipe.network.kind == "convs2s":
        _check_initialisation(path, recipe.training.initialisation)
    for key, listed in (("seeds", recipe.seeds), ("data.evaluate", recipe.data.evaluate)):
        if len(set(listed)) < len(listed) or not listed:
            raise InputError(f"{path}: {key}: expected one or several, each once, got {list(listed)}")


def _check_initialisation(path: Path, how: str) -> None:
    """What networks with normed weights can begin with."""
    if not how.startswith("embeddings"):
        wanted = "expected embeddings-tenth or embeddings-kaiming, which leave the others as the network draws them"
        raise InputError(f"{path}: training.initialisation: {wanted}, got {how!r}")


def _check_width(path: Path, recipe: Recipe) -> None:
    """What the width of a network has to divide into."""
    network = recipe.network
    if network.kind == "programs":
        return
    if network.kind == "transformer" and network.width % network.heads:
        raise InputError(f"{path}: network: a width of {network.width} does not divide into {network.heads} heads")
    parts = {
        "transformer": "sinusoidal positions want",
        "lstm": "two directions want" if network.kind == "lstm" and network.bidirectional else "",
        "parser": "two directions want" if network.kind == "parser" and network.encoder == "bilstm" else "",
    }
    if parts.get(network.kind) and network.width % 2:
        raise InputError(f"{path}: network: {parts[network.kind]} an even width, and {network.width} is odd")
    if network.kind == "self-attentive" and network.distinct_views and network.distinct_views > network.views:
        raise InputError(f"{path}: network: {network.distinct_views} distinct views, and there are {network.views}")


def _kind(path: Path, settings: Mapping[str, Any]) -> str:
    """The kind of network, on which it depends what else a recipe can say."""
    network = settings.get("network")
    if not isinstance(network, dict):
        return next(iter(KINDS))  # whose model says what is wrong
    if "kind" not in network:
        raise InputError(f"{path}: network.kind: is missing; expected {' or '.join(KINDS)}")
    kind = network["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise InputError(f"{path}: network.kind: there is no kind of network {kind!r}{did_you_mean(str(kind), KINDS)}")
    return kind


def _said(error: ValidationError, kind: str) -> str:
    """One complaint in one line: the first unknown key, with the nearest one that there is, or else what is first."""
    network, model = KINDS[kind]
    complaints = error.errors()
    first = next((each for each in complaints if each["type"] == "extra_forbidden"), complaints[0])
    place = [str(part) for part in first["loc"]]
    if place[:2] == ["network", kind]:
        del place[1]  # which the library puts between network and key
    key = ".".join(place)
    match first["type"]:
        case "extra_forbidden":
            tables = {name: field.annotation for name, field in model.model_fields.items()} | {"network": network}
            table = model if len(place) == 1 else tables[place[0]]
            return f"unknown key {key!r}{did_you_mean(place[-1], getattr(table, 'model_fields', ()))}"
        case "missing":
            return f"{key}: is missing"
    return f"{key}: {first['msg']}, got {first['input']!r}"
