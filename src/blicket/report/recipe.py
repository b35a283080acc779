"""The recipe of a run as TOML again, with every default written out, so that it can be read and run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from blicket.report.reading import Measured

__all__ = ["recipe_text"]


def recipe_text(run: Measured) -> str:
    """The recipe with the seeds that were trained; `blicket run` takes it, and a limit is for its command line."""
    settings = {key: value for key, value in run.recipe.items() if key != "seeds"}
    plain = {key: value for key, value in settings.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in settings.items() if isinstance(value, dict)}
    limit = run.about["data"].get("limit")
    first = [] if limit is None else [f"# It was run with --limit {json.dumps(limit)}."]
    return "\n".join([*first, *_lines({**plain, "seeds": list(run.curves), **tables}, ())]) + "\n"


def _lines(settings: Mapping[str, Any], place: Sequence[str]) -> Iterator[str]:
    """Keys with values first, then tables; what is None is left out, for TOML has no word for it."""
    tables = {key: value for key, value in settings.items() if isinstance(value, dict)}
    for key, value in settings.items():
        if key not in tables and value is not None:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in tables.items():
        yield ""
        yield f"[{'.'.join(_key(part) for part in (*place, key))}]"
        yield from _lines(value, (*place, key))


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "").isalnum() and key.isascii()
    return key if bare else json.dumps(key)


def _value(value: Any) -> str:
    """JSON writes strings, numbers and arrays as TOML does, but for numbers that are none."""
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, float) and value == float("inf"):
        return "inf"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
