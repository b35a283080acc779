"""Which published numbers a run answers to: `answers` of its recipe, such as `table-2/transformer`, resolved.

An answer is a table's id and a model, and after further slashes conditions, as in `table-7/transformer/exposures=100`.
Where conditions are not written, rows that differ in a number only are told apart by the number at the end of the name
of the train split, 1 where there is none: the rows of `train_100` are those with 100 exposures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from blicket.core.errors import InputError, did_you_mean
from blicket.core.published import Published
from blicket.report.reading import Measured

__all__ = ["Quantity", "answered", "answered_probes"]

MEANS = ("mean", "item-mean", "pooled", "unstated")
"""Ways to aggregate that a mean over seeds may stand beside; the best of several runs is none."""
REMARKS = ("also", "remark", "repeats", "source", "title")
"""What tells nothing of how a number came about."""


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a scorecard: a measure on a split, or on a group of its rows."""

    split: str
    measure: str
    kind: str = ""
    group: str = ""

    def of(self, card: Mapping[str, Any]) -> float | None:
        """Its value in a seed's scorecard of the split."""
        tally = card["by"].get(self.kind, {}).get(self.group, {}) if self.kind else card
        value: float | None = tally.get(self.measure)
        return value


def answered(run: Measured) -> dict[Quantity, Published]:
    """The published numbers a run answers to, under what they are to be compared with; refuses unknown answers."""
    found: dict[Quantity, Published] = {}
    for answer in run.recipe.get("answers") or ():
        for quantity, candidates in _by_quantity(run, _rows(run, str(answer))).items():
            if quantity not in found:
                found[quantity] = _only(run, str(answer), candidates)
    return found


def answered_probes(run: Measured) -> dict[tuple[str, str], Published]:
    """The published means of probes that a run answers to, by probe and group."""
    rows = [row for answer in run.recipe.get("answers") or () for row in _rows(run, str(answer))]
    found = ((run.benchmark.probed(row), row) for row in rows)
    return {place: row for place, row in found if place is not None}


def _rows(run: Measured, answer: str) -> list[Published]:
    """The rows that an answer names."""
    table, _, rest = answer.partition("/")
    model, *conditions = rest.split("/")
    published = [row for row in run.benchmark.published() if "model" in row.about]
    known = {f"{row.table}/{row.about['model']}" for row in published}
    if f"{table}/{model}" not in known:
        nearest = did_you_mean(f"{table}/{model}", known)
        raise InputError(f"{_where(run)}: answers to {answer!r}, and no published table has such a row{nearest}")
    rows = [row for row in published if (row.table, row.about["model"]) == (table, model)]
    for condition in conditions:
        key, _, value = condition.partition("=")
        kept = [row for row in rows if str(row.about.get(key)) == value]
        if not kept:
            there = {f"{key}={row.about[key]}" for row in rows if key in row.about}
            raise InputError(f"{_where(run)}: answers to {answer!r}, and no row has {condition!r}" + _offered(there))
        rows = kept
    return rows


def _offered(there: set[str]) -> str:
    return f"; there is {', '.join(sorted(there))}" if there else ""


def _where(run: Measured) -> str:
    return str(run.directory.path / "run.json")


def _by_quantity(run: Measured, rows: Sequence[Published]) -> dict[Quantity, list[Published]]:
    found: dict[Quantity, list[Published]] = {}
    for row in rows:
        quantity = _quantity(run, row)
        if quantity is not None:
            found.setdefault(quantity, []).append(row)
    return found


def _only(run: Measured, answer: str, rows: Sequence[Published]) -> Published:
    """The one row among those for the same quantity."""
    conditions = _conditions(rows)
    numbered = next((key for key in conditions if isinstance(rows[0].about.get(key), int)), "")
    train = str(run.recipe["data"].get("train", ""))
    number = train[len(train.rstrip("0123456789")) :] or "1"
    left = [row for row in rows if str(row.about.get(numbered)) == number] if numbered else rows
    if len(left) != 1:
        key = numbered or next(iter(conditions), "")
        there = ", ".join(dict.fromkeys(f"{key}={row.about.get(key)}" for row in rows))
        raise InputError(f"{_where(run)}: answers to {answer!r}, which are several rows; add one of /{there}")
    return left[0]


def _conditions(rows: Sequence[Published]) -> list[str]:
    """The keys in which rows for the same quantity differ."""
    keys = dict.fromkeys(key for row in rows for key in row.about if key not in REMARKS)
    return [key for key in keys if len({str(row.about.get(key)) for row in rows}) > 1]


def _quantity(run: Measured, row: Published) -> Quantity | None:
    """What of ours a row is to be compared with, if anything."""
    split = str(row.about.get("split", ""))
    if split not in run.scores or row.about.get("aggregate", "mean") not in MEANS:
        return None
    card = next(iter(run.scores[split].values()))
    if row.measure not in card or row.measure == "n":
        return None
    # A scorecard's shares are of all rows, and its measures are means over the rows that are not exact.
    among = "errors" if row.measure in run.benchmark.judge(run.form).measures else None
    if row.about.get("among", among) != among:
        return None
    place = _group(card["by"], row.about)
    return None if place is None else Quantity(split, row.measure, *place)


def _group(by: Mapping[str, Mapping[str, Any]], about: Mapping[str, Any]) -> tuple[str, str] | None:
    """The kind of group and the group that a row is about, two empty strings for the whole, None for what we lack.

    A key of a row names a kind of group, or begins its name: `depth` may be a `depth` or a `depth_band`. `group` stands
    for any kind, and a group that is named like another key says only what that key is about.
    """
    keys = {key for key in about if any(kind == key or kind.startswith(f"{key}_") for kind in by)} - {"split"}
    if "group" in about and about["group"] not in keys:
        keys.add("group")
    if not keys:
        return "", ""
    if len(keys) > 1:
        return None
    key = keys.pop()
    kinds = [kind for kind in by if key == "group" or kind == key or kind.startswith(f"{key}_")]
    group = str(about[key])
    return next(((kind, group) for kind in kinds if kind != "split" and group in by[kind]), None)
