"""The options of benchmarks: strict, frozen models, and one line about the first thing that is wrong with settings."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from blicket.core.errors import InputError, UnknownName, did_you_mean

__all__ = ["PUBLISHED", "Options", "listed", "parsed"]

PUBLISHED = "published"
"""Stands for all flaws of a release that can be asked for."""


class Options(BaseModel):
    """Subclass it for a benchmark: an unknown option is an error, and 1 is not true."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


Kind = TypeVar("Kind", bound=Options)


def parsed(kind: type[Kind], benchmark: str, compat: Iterable[str], settings: Mapping[str, Any]) -> Kind:
    """Options from settings, of which `compat` may name some of the flaws; raises InputError."""
    chosen = {name: tuple(value) if isinstance(value, list) else value for name, value in settings.items()}
    if "compat" in chosen:
        chosen["compat"] = _compat(chosen["compat"], tuple(compat))
    try:
        return kind(**chosen)
    except ValidationError as error:
        raise InputError(_said(error, kind, benchmark)) from error


def listed(options: Options) -> dict[str, object]:
    """All options as a manifest lists them: sets sorted, tuples as lists."""
    return {
        name: sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value
        for name, value in options
    }


def _compat(names: Any, known: tuple[str, ...]) -> frozenset[str]:
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, tuple | set | frozenset) or not all(isinstance(name, str) for name in names):
        raise InputError(f"option compat: expected names, got {names!r}")
    for name in sorted(names):
        if name not in known and name != PUBLISHED:
            raise UnknownName("compat", name, (*known, PUBLISHED))
    return frozenset(known) if PUBLISHED in names else frozenset(names)


def _said(error: ValidationError, kind: type[Options], benchmark: str) -> str:
    """The first complaint in one line."""
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"{benchmark} has no option {name!r}{did_you_mean(name, kind.model_fields)}"
    message, got = first["msg"].removeprefix("Value error, "), first["input"]
    got = list(got) if isinstance(got, tuple) else got
    if first["type"] in ("tuple_type", "too_long", "missing"):
        name = str(first["loc"][0])
        message = f"expected a list such as {list(kind.model_fields[name].default)}"
    return f"option {name}: {message}, got {got!r}" if name else message
