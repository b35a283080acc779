"""Lines over an axis: a small panel, which several of stand side by side, or below each other on a phone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from markupsafe import Markup

from blicket.report.marks import Linear, drawing, line, path, shape, words

__all__ = ["Panel", "Series", "Tick", "panel"]

WIDTH, HEIGHT = 360, 236
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 30, 42

Tick = tuple[float, str]
SHARES: Sequence[Tick] = tuple((fifth / 5, f"{fifth / 5:g}") for fifth in range(6))


@final
@dataclass(frozen=True, slots=True)
class Series:
    """A line of a model, whose points may have shapes, with what to call them; `class_` says more of the line."""

    series: int
    line: Sequence[tuple[float, float]] = ()
    dots: Sequence[tuple[float, float, str]] = ()
    class_: str = ""
    ends: Sequence[tuple[float, float, str]] = ()
    """Where a line was stopped: a mark of its own."""


@final
@dataclass(frozen=True, slots=True)
class Panel:
    """What a panel shows: its axes, its lines, and perhaps a vertical line with what it says."""

    name: str
    title: str
    says: str
    x_title: str
    x_ticks: Sequence[Tick]
    x_range: tuple[float, float]
    series: Sequence[Series]
    y_ticks: Sequence[Tick] = SHARES
    y_range: tuple[float, float] = (0.0, 1.0)
    mark: tuple[float, str] | None = None


def panel(of: Panel) -> Markup:
    """The drawing."""
    x = Linear(*of.x_range, LEFT + 8, WIDTH - RIGHT - 8)
    y = Linear(*of.y_range, HEIGHT - BOTTOM, TOP)
    inside = [words(0, 14, of.title, "heading"), *_axes(of, x, y)]
    if of.mark is not None:
        inside += _vertical(x(of.mark[0]), of.mark[1])
    for one in of.series:
        inside += _series(one, x, y)
    return drawing(of.name, of.title, of.says, WIDTH, HEIGHT, inside, "panel")


def _axes(of: Panel, x: Linear, y: Linear) -> Iterable[Markup]:
    bottom = HEIGHT - BOTTOM
    for value, label in of.y_ticks:
        yield line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid")
        yield words(LEFT - 6, y(value) + 4, label, "tick", "end")
    for value, label in of.x_ticks:
        yield line(x(value), bottom, x(value), bottom + 4, "axis")
        yield words(x(value), bottom + 17, label, "tick", "middle")
    yield line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis")
    yield words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, of.x_title, "axis-title", "middle")


def _vertical(x: float, says: str) -> Iterable[Markup]:
    anchor = "end" if x > WIDTH / 2 else "start"
    yield line(x, TOP - 12, x, HEIGHT - BOTTOM, "published thin")
    yield words(x + (-5 if anchor == "end" else 5), TOP - 8, says, "tick", anchor)


def _series(one: Series, x: Linear, y: Linear) -> Iterable[Markup]:
    if len(one.line) > 1:
        yield path([(x(a), y(b)) for a, b in one.line], f"line m{one.series % 6} {one.class_}".strip())
    for a, b, says in one.dots:
        yield shape(one.series, x(a), y(b), 3.4, says)
    for a, b, _ in one.ends:
        yield line(x(a), y(b) - 6, x(a), y(b) + 6, f"line end m{one.series % 6}")
