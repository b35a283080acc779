"""A dot a seed on a scale from 0 to 1: rows of strips, a strip a model, a tick where the published value lies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import final

from markupsafe import Markup

from blicket.report.marks import Linear, drawing, element, line, shape, words
from blicket.statistics.seeds import over_seeds

__all__ = ["NARROW", "WIDE", "DotRow", "Strip", "Width", "dot_plot", "scattered"]

STRIP = 20
"""The height of a model's strip, which holds five dots on top of each other."""
SIZE = 3.4
STEP = 3.7
"""How far dots in one place stand apart."""
LINE = 16


@final
@dataclass(frozen=True, slots=True)
class Strip:
    """A model in a row: its number among the models, its values with what to call them, and the published value."""

    series: int
    dots: tuple[tuple[str, float], ...]
    published: float | None = None
    says: str = ""


@final
@dataclass(frozen=True, slots=True)
class DotRow:
    """A row, and the heading it stands under."""

    heading: str
    title: str
    strips: tuple[Strip, ...]


@final
@dataclass(frozen=True, slots=True)
class Width:
    """A page to draw for: on a wide one titles stand beside the strips, on a narrow one above them."""

    class_: str
    total: int
    labels: int
    letters: int


WIDE = Width("wide", 1000, 350, 52)
NARROW = Width("narrow", 360, 0, 48)


def dot_plot(name: str, title: str, says: str, rows: Sequence[DotRow], width: Width) -> Markup:
    """The figure, for one width of page."""
    scale = Linear(0, 1, width.labels + 14, width.total - 16)
    inside: list[Markup] = []
    y, heading = 22.0, ""
    for row in rows:
        if row.heading and row.heading != heading:
            inside.append(words(0, y + 18, row.heading, "heading"))
            y += 30
        heading = row.heading
        drawn, height = _row(row, y, width, scale)
        inside += drawn
        y += height
    axis = _axis(scale, 16, y + 4)
    return drawing(f"{name}-{width.class_}", title, says, width.total, y + 24, [*axis, *inside], width.class_)


def _axis(scale: Linear, top: float, bottom: float) -> list[Markup]:
    marks = []
    for tenth in range(0, 11, 2):
        x = scale(tenth / 10)
        marks.append(line(x, top, x, bottom, "grid"))
        for y in (top - 5, bottom + 14):
            marks.append(words(x, y, f"{tenth / 10:g}", "tick", "middle"))
    return marks


def _row(row: DotRow, top: float, width: Width, scale: Linear) -> tuple[list[Markup], float]:
    """A row's marks and height."""
    lines = wrap(row.title, width.letters) or [""]
    inner = len(row.strips) * STRIP
    above = 0 if width.labels else len(lines) * LINE + 2
    height = above + max(inner, len(lines) * LINE if width.labels else 0) + 10
    middle = top + height / 2 - (len(lines) - 1) * LINE / 2 + 4.5
    first = middle if width.labels else top + 5 + LINE - 4
    marks = [line(0, top, width.total, top, "rule")]
    marks += [words(0, first + i * LINE, text, "label") for i, text in enumerate(lines)]
    start = top + above + 5 + (height - above - 10 - inner) / 2
    for i, strip in enumerate(row.strips):
        marks.append(_strip(strip, start + (i + 0.5) * STRIP, scale))
    return marks, height


def _strip(strip: Strip, y: float, scale: Linear) -> Markup:
    """The interval over seeds as a bar, the dots over it, and over all the published value as a tick."""
    marks = [element("title", strip.says)] if strip.says else []
    values = [value for _, value in strip.dots]
    if values:
        over = over_seeds(values)
        low, high = (over.mean if end is None else min(max(end, 0.0), 1.0) for end in (over.low, over.high))
        marks.append(line(scale(low), y, scale(high), y, f"interval m{strip.series % 6}"))
    for (called, value), up in zip(strip.dots, scattered([scale(v) for v in values], SIZE * 1.8), strict=True):
        marks.append(shape(strip.series, scale(value), y + up * STEP, SIZE, f"{called}: {value:.3f}"))
    if strip.published is not None:
        x = scale(strip.published)
        marks.append(line(x, y - STRIP / 2 + 1, x, y + STRIP / 2 - 1, "published"))
    return element("g", *marks)


def scattered(places: Sequence[float], room: float) -> list[int]:
    """How many steps up or down each dot goes, so that dots in nearly one place are all seen: 0, 1, -1, 2, -2."""
    steps = [0] * len(places)
    taken: list[tuple[float, int]] = []
    for i in sorted(range(len(places)), key=places.__getitem__):
        near = {step for place, step in taken if abs(place - places[i]) < room}
        steps[i] = next((step for step in _steps(2) if step not in near), 0)
        taken.append((places[i], steps[i]))
    return steps


def _steps(most: int) -> Iterator[int]:
    yield 0
    for step in range(1, most + 1):
        yield from (step, -step)
