"""Marks on paper: SVG elements, scales and axes, just enough for the figures of a report.

Colours and strokes are classes that the page's CSS fills in, so that a figure has a light and a dark face. A model has
its colour (`m0` to `m5`, after Okabe and Ito), and its shape, so that colour is never all there is to go by.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import final

from markupsafe import Markup, escape

__all__ = ["COLOURS", "Linear", "drawing", "element", "line", "path", "rounded", "shape", "shown", "ticks", "words"]

COLOURS = 6
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "hourglass")

Attribute = str | float


@final
@dataclass(frozen=True, slots=True)
class Linear:
    """A scale: values from `low` to `high` are places from `start` to `stop`."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        """The place of a value."""
        span = self.high - self.low
        return self.start + (value - self.low) / span * (self.stop - self.start) if span else self.start


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two values, some `about` of them: multiples of 1, 2 or 5 times a power of ten."""
    span = high - low
    if not (isfinite(span) and span > 0):
        return [low]
    power: float = 10.0 ** floor(log10(span / about))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if span / step <= about)
    first = -floor(-low / step)
    return [round(i * step, 12) for i in range(first, floor(high / step + 1e-9) + 1)]


def rounded(value: float) -> str:
    """A coordinate as it is written: to a tenth."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def shown(value: float) -> str:
    """A number on an axis."""
    if abs(value) >= 1_000 and value % 100 == 0:
        return f"{value / 1000:g}k"
    return f"{value:g}"


def element(name: str, /, *inside: str, **attributes: Attribute) -> Markup:
    """An element; `class_` is its class, and underscores in other names are hyphens."""
    written = Markup("").join(
        Markup(' {}="{}"').format(
            key.rstrip("_").replace("_", "-"), value if isinstance(value, str) else rounded(value)
        )
        for key, value in attributes.items()
    )
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, Markup("").join(escape(part) for part in inside))


def words(x: float, y: float, text: str, class_: str = "", anchor: str = "start") -> Markup:
    """A line of text."""
    return element("text", text, x=x, y=y, class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def path(points: Iterable[tuple[float, float]], class_: str) -> Markup:
    """A line through points."""
    steps = " ".join(f"{'L' if i else 'M'}{rounded(x)} {rounded(y)}" for i, (x, y) in enumerate(points))
    return element("path", d=steps, class_=class_)


def shape(series: int, x: float, y: float, size: float, says: str = "", class_: str = "dot") -> Markup:
    """The mark of a model: `series` counts models from 0, and gives colour and shape."""
    # With more models than colours, shapes move on against colours.
    name = SHAPES[(series + series // COLOURS) % len(SHAPES)]
    title = [element("title", says)] if says else []
    return element("path", *title, d=_outline(name, x, y, size), class_=f"{class_} m{series % COLOURS}")


def _outline(name: str, x: float, y: float, r: float) -> str:
    """Outlines that look equally large."""
    if name == "circle":
        return f"M{rounded(x - r)} {rounded(y)}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
    corners: Sequence[tuple[float, float]] = {
        "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        "triangle": ((0, -1.2), (1.15, 0.85), (-1.15, 0.85)),
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "cross": (
            *((-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4)),
            *((0.4, 1.1), (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4)),
        ),
        "hourglass": ((-1.1, -1.1), (1.1, -1.1), (-1.1, 1.1), (1.1, 1.1)),
    }[name]
    return "M" + "L".join(f"{rounded(x + r * dx)} {rounded(y + r * dy)}" for dx, dy in corners) + "z"


def drawing(
    name: str,
    title: str,
    says: str,
    width: float,
    height: float,
    inside: Iterable[str],
    class_: str,
    /,
    **attributes: Attribute,
) -> Markup:
    """A whole figure with a title and a description for those who do not see it; `name` is unique on the page."""
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", says, id=f"{name}-desc"),
        *inside,
        viewBox=f"0 0 {rounded(width)} {rounded(height)}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        class_=class_,
        **attributes,
    )
