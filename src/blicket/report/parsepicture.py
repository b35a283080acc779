"""Pictures of parses: arcs above the tokens of a sentence, and the slots of each head beneath it.

Beside gold, what gold alone has is missing: dashed and struck through. What the answer alone has is wrong: thick and
underlined. Colours are those of the page.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import final
from unicodedata import combining

from markupsafe import Markup

from blicket.report.arcs import PlacedArc, arranged
from blicket.report.marks import drawing, element, rounded, words
from blicket.report.parses import Fate, Parse, Slot

__all__ = ["parse_picture", "text_width"]

TOP, LEVEL, FOOT, MARGIN = 20.0, 23.0, 17.0, 10.0
LINE, SLOT = 16.0, 23.0
TOKEN, WORD, SMALL = 14.0, 12.0, 11.0
"""Sizes of letters."""
LONGEST = 32
"""Letters of a word that are drawn; the rest is an ellipsis."""
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


@final
@dataclass(frozen=True, slots=True)
class DrawnArc:
    """An arc with what is written over it; that of a root is from itself."""

    head: int
    dependent: int
    says: str
    fate: Fate

    @property
    def width(self) -> float:
        """The width of what is written."""
        return text_width(self.says, WORD, bold=self.fate == Fate.WRONG)


@final
@dataclass(frozen=True)
class Column:
    """A token and what stands beneath it."""

    token: str
    lines: Sequence[tuple[str, Fate]]
    slots: Sequence[Slot]

    @property
    def above(self) -> float:
        """The width of the token."""
        return text_width(self.token, TOKEN, bold=bool(self.lines))

    @property
    def roles(self) -> float:
        """The width that roles have in slots."""
        return max((text_width(slot.role, SMALL) for slot in self.slots), default=0.0) + 14

    @property
    def box(self) -> float:
        """The width of slots."""
        fillers = max((text_width(slot.word, WORD, bold=True) for slot in self.slots), default=0.0)
        return self.roles + max(fillers, 20.0) + 6

    @property
    def beneath(self) -> float:
        """The width of what stands beneath, 0 where nothing does."""
        wide = [text_width(text, WORD, bold=True) for text, _ in self.lines]
        return max([*wide, *([self.box] if self.slots else [])], default=0.0)


def parse_picture(parse: Parse, *, name: str = "parse", alone: bool = False) -> Markup:
    """The picture as SVG. `name` is unique on the page; a picture `alone`, in a file of its own, brings its style."""
    arcs = list(_drawn(parse))
    columns = [Column(token, parse.lines(i), parse.slots(i)) for i, token in enumerate(parse.tokens)]
    at, placed = arranged(arcs, [of.above for of in columns], [of.beneath for of in columns], MARGIN)
    feet = TOP + FOOT + LEVEL * max((arc.level for arc in placed), default=0)
    slots = feet + 28 + LINE * max(len(of.lines) for of in columns)
    inside = [_arc(arc, of, feet) for arc, of in zip(placed, arcs, strict=True)]
    for arc, of in zip(placed, arcs, strict=True):
        inside.append(words(arc.label, _height(arc, feet) - 5, of.says, f"over {of.fate}", "middle"))
    for x, of_token in zip(at, columns, strict=True):
        inside += _column(x, of_token, feet + 18, slots)
    width = MARGIN + max(x + max(of.above, of.beneath) / 2 for x, of in zip(at, columns, strict=True))
    width = max([width, *(arc.label + of.width / 2 + MARGIN for arc, of in zip(placed, arcs, strict=True))])
    height = slots + SLOT * max(len(of.slots) for of in columns) + MARGIN - 4
    title = _shown(f"Parse{' of the answer beside gold' if parse.gold else ''}: {' '.join(parse.tokens)}", 10_000)
    own = {"xmlns": "http://www.w3.org/2000/svg"} if alone else {}
    if alone:
        inside = [
            element("style", _style()),
            element("rect", width=width, height=height, rx=6, class_="paper"),
            *inside,
        ]
    return drawing(name, title, _says(parse), width, height, inside, "parse", width=width, height=height, **own)


def _style() -> Markup:
    """The style of a picture that stands alone: light or dark as its reader's system is."""
    here = files(__package__)
    return Markup("").join(Markup(here.joinpath(name).read_text("utf-8")) for name in ("colours.css", "parses.css"))  # noqa: S704


def _drawn(parse: Parse) -> Iterable[DrawnArc]:
    """The arcs between tokens, which open roles are not, and a mark at every root."""
    for arc, fate in parse.arcs:
        if arc.dependent >= 0:
            itself = " of itself" if arc.head == arc.dependent else ""
            yield DrawnArc(arc.head, arc.dependent, _said(arc.label + itself, fate), fate)
    for token, fate in parse.roots:
        yield DrawnArc(token, token, _said("root", fate), fate)


def _said(label: str, fate: Fate) -> str:
    return _shown(label) if fate == Fate.SAME else f"{fate}: {_shown(label)}"


def _says(parse: Parse) -> str:
    """The picture in words."""
    said = [
        f"{_said(arc.label, fate)} of {parse.tokens[arc.head]} is {parse.tokens[arc.dependent]}"
        for arc, fate in parse.arcs
        if arc.dependent >= 0
    ]
    return _shown("; ".join(said), 10_000) or "No arcs."


def _height(arc: PlacedArc, feet: float) -> float:
    return feet - FOOT - LEVEL * arc.level


def _arc(arc: PlacedArc, of: DrawnArc, feet: float) -> Markup:
    """The line, and an arrow where it comes down."""
    start, end, y = arc.start, arc.end, _height(arc, feet)
    if start == end:
        steps = f"M{rounded(end)} {rounded(y)}"
    else:
        bend = min(8.0, abs(end - start) / 2)
        way = bend if end > start else -bend
        steps = (
            f"M{rounded(start)} {rounded(feet)}V{rounded(y + bend)}q0 {rounded(-bend)} {rounded(way)} {rounded(-bend)}"
            f"H{rounded(end - way)}q{rounded(way)} 0 {rounded(way)} {rounded(bend)}"
        )
    line = element("path", d=f"{steps}V{rounded(feet - 4)}", class_="arc")
    tip = element("path", d=f"M{rounded(end)} {rounded(feet + 1)}l-3.6-7h7.2z", class_="tip")
    return element("g", line, tip, class_=of.fate)


def _column(x: float, of: Column, baseline: float, top: float) -> Iterable[Markup]:
    """A token with what stands beneath it."""
    yield words(x, baseline, _shown(of.token), "content" if of.lines else "token", "middle")
    for i, (text, fate) in enumerate(of.lines, start=1):
        yield words(x, baseline + LINE * i, _shown(text), f"read {fate}", "middle")
    left = x - of.box / 2
    for i, slot in enumerate(of.slots):
        y = top + SLOT * i
        parts = [element("rect", x=left, y=y, width=of.box, height=SLOT - 4, rx=3)]
        parts.append(words(left + 6, y + 13.5, _shown(slot.role)))
        if slot.word:
            parts.append(words(left + of.roles, y + 13.5, _shown(slot.word), "filler"))
        yield element("g", *parts, class_=f"slot {slot.fate}")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """At most how wide a text is: letters as wide as those of DejaVu Sans, the widest of common system fonts."""
    return sum(map(_em, _shown(text))) * size * (1.13 if bold else 1.0)


def _em(letter: str) -> float:
    if combining(letter):
        return 0.0
    if not letter.isascii() or letter in "mMWw@%":
        return 1.0
    if letter in "ijl.,:;'|!Ift r()[]-/":
        return 0.42
    return 0.79 if letter.isupper() else 0.64


def _shown(text: str, longest: int = LONGEST) -> str:
    """A text as it can be written, cut where it is too long."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return UNWRITABLE.sub("\ufffd", cut)
