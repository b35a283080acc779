"""Figures: drawings with a legend, a caption and the numbers they show."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from markupsafe import Markup

from blicket.report.marks import element, line, shape
from blicket.report.reading import Measured

__all__ = ["Figure", "as_bytes", "as_csv", "key", "model_keys"]


@final
@dataclass(frozen=True)
class Figure:
    """A figure; `name` is the stem of its file of numbers, `parts` are its drawings under headings of their own."""

    name: str
    title: str
    caption: str
    keys: Sequence[tuple[Markup, str]]
    parts: Sequence[tuple[str, Sequence[Markup]]]
    numbers: bytes


def as_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Records as CSV; what is None, or some records do not have, is empty."""
    listed = list(rows)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(dict.fromkeys(name for row in listed for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return as_bytes(buffer.getvalue())


def as_bytes(text: str) -> bytes:
    """Text as UTF-8; half a character, which JSON can hold and files cannot, is a question mark."""
    return text.encode("utf-8", "replace")


def key(*marks: Markup) -> Markup:
    """A mark of the legend."""
    return element("svg", *marks, viewBox="0 0 26 16", class_="key", aria_hidden="true")


def model_keys(
    runs: Sequence[Measured], *, intervals: bool = False, published: bool = False
) -> list[tuple[Markup, str]]:
    """The legend's models, and what lies over and beside their dots."""
    keys = []
    for series, run in enumerate(runs):
        over = [line(1, 8, 25, 8, f"interval m{series % 6}")] if intervals else []
        keys.append((key(*over, shape(series, 13, 8, 4.2)), run.label + ("" if run.is_result else " (not a result)")))
    if intervals:
        keys.append((key(line(1, 8, 25, 8, "interval")), "95% interval of the mean over seeds"))
    if published:
        keys.append((key(line(13, 1, 13, 15, "published")), "published"))
    return keys
