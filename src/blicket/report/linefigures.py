"""The figures with lines: accuracy by depth and by length, and learning curves."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor, isfinite, log10
from statistics import fmean
from typing import Any

from markupsafe import Markup

from blicket.report.comparison import Compared, Comparison, groups_of, title_of_group
from blicket.report.figure import Figure, as_csv, key, model_keys
from blicket.report.judged import Judged
from blicket.report.marks import line, shape, shown, ticks
from blicket.report.panels import Panel, Series, Tick, panel
from blicket.report.reading import Curve, Measured, Point

__all__ = ["bins", "curves_figure", "depth_figure", "length_figure"]

EDGES = (5, 10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000)
"""Where a bin of lengths may end, in tokens."""
FEWEST = 0.005
"""The share of the rows that a bin holds at least."""
ENDS = (0.1, 0.25, 0.5, 1.0)
"""Where an axis of shares may end, if all of them are small."""
MOST_TICKS = 12
"""Numbers that an axis has room for; of more, round ones stand there."""
APART = 0.14
"""How far the dots of two models stand apart, where a step of the axis is 1."""


def depth_figure(of: Sequence[Compared], split: str, kind: str) -> Figure | None:
    """Accuracy by groups that are numbers, such as depths: pooled, and the cases apart where they are counted so."""
    pooled = [[one for one in groups_of(run, split, kind) if one.quantity.measure == "exact"] for run in of]
    if not all(one.quantity.group.isdecimal() for ones in pooled for one in ones) or not any(pooled):
        return None
    apart = [groups_of(run, split, f"case_{kind}") for run in of]
    cases = list(dict.fromkeys(one.quantity.group.rpartition("/")[0] for ones in apart for one in ones))
    about = [(f"All cases with a {kind}" if cases else f"By {kind}", pooled)]
    for case in cases:
        about.append(
            (
                title_of_group(of[0].run.benchmark, "case", case),
                [[one for one in ones if one.quantity.group.rpartition("/")[0] == case] for ones in apart],
            )
        )
    high = max(value for _, found in about for ones in found for one in ones for value in one.by_seed.values())
    end = next(end for end in ENDS if high <= end)
    drawings = [_depths(f"{split}-{kind}-{i}", title, found, kind, end) for i, (title, found) in enumerate(about)]
    records = [record for _, found in about for ones in found for one in ones for record in _depth_records(one, kind)]
    caption = f"Exact match on {split} by {kind}. Each dot is a seed, lines join the means."
    caption += f" Mind the axis: it ends at {end:g}." if end < 1 else ""
    keys = model_keys([run.run for run in of])
    return Figure(f"{split}-{kind}", f"Accuracy by {kind}, {split}", caption, keys, [("", drawings)], as_csv(records))


def _depths(name: str, title: str, found: Sequence[Sequence[Comparison]], kind: str, end: float) -> Markup:
    depths = sorted({_depth(one) for ones in found for one in ones})
    series = []
    for i, ones in enumerate(found):
        aside = (i - (len(found) - 1) / 2) * APART
        ordered = sorted(ones, key=_depth)
        dots = [
            (_depth(one) + aside, value, f"seed {s}: {value:.3f}")
            for one in ordered
            for s, value in one.by_seed.items()
        ]
        series.append(Series(i, [(_depth(one) + aside, one.over.mean) for one in ordered], dots))
    says = f"Exact match at {kind} {depths[0]} to {depths[-1]}." if depths else ""
    span = (min(depths, default=0), max(depths, default=1))
    few = depths if len(depths) <= MOST_TICKS else ticks(*span)
    marks: list[Tick] = [(depth, shown(depth)) for depth in few]
    shares: list[Tick] = [(share, shown(share)) for share in ticks(0, end)]
    return panel(Panel(name, title, says, kind, marks, span, series, shares, (0.0, end)))


def _depth(one: Comparison) -> int:
    return int(one.quantity.group.rpartition("/")[2])


def _depth_records(one: Comparison, kind: str) -> list[dict[str, Any]]:
    case = one.quantity.group.rpartition("/")[0]
    about = {"run": one.run.label, "result": one.run.is_result, "split": one.quantity.split, "case": case}
    return [
        {**about, kind: _depth(one), "rows": one.rows, "seed": seed, "exact": value}
        for seed, value in one.by_seed.items()
    ]


def bins(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Bins of lengths, from the first to the last of each, that hold enough rows to have a share."""
    longest = max(lengths, default=0)
    ends = [*EDGES[: bisect_left(EDGES, longest) + 1], *([longest] if longest > EDGES[-1] else [])]
    found: list[tuple[int, int]] = []
    start = 0
    for end in ends:
        if sum(1 for length in lengths if start < max(length, 1) <= end) >= max(1, FEWEST * len(lengths)):
            found.append((start + 1, end))
            start = end
    if found and start < longest:
        found[-1] = (found[-1][0], ends[-1])
    return found


def length_figure(judged: Sequence[Judged], runs: Sequence[Measured]) -> Figure | None:
    """Accuracy by the number of tokens of the gold output, for each split."""
    drawings, records = [], []
    for split in dict.fromkeys(of.split for of in judged):
        here = [of for of in judged if of.split == split]
        lengths = {id(of): [len(row.target.split()) for row in of.gold] for of in here}
        ends = bins([length for of in here for length in lengths[id(of)]])
        if len(ends) > 1:
            found = {of.run.label: _by_length(of, lengths[id(of)], ends) for of in here}
            drawings.append(_lengths(split, ends, found, runs, min(of.longest_learned for of in here)))
            records += [record for of in here for record in _length_records(of, ends, found[of.run.label])]
    if not drawings:
        return None
    caption = (
        "Exact match by the number of tokens (between spaces) of the gold output. The numbers below are where a bin "
        "ends. Each dot is a seed, lines join the means; the vertical line is the longest target in the train split."
    )
    return Figure("length", "Accuracy by output length", caption, model_keys(runs), [("", drawings)], as_csv(records))


ByBin = Sequence[tuple[int, Mapping[int, float]]]


def _by_length(of: Judged, lengths: Sequence[int], ends: Sequence[tuple[int, int]]) -> ByBin:
    """For each bin how many rows, and the share exact of each seed."""
    found = []
    for first, last in ends:
        rows = [i for i, length in enumerate(lengths) if first <= max(length, 1) <= last]
        right = {seed: sum(verdicts[row].exact for row in rows) for seed, verdicts in of.verdicts.items()}
        found.append((len(rows), {seed: n / len(rows) for seed, n in right.items()} if rows else {}))
    return found


def _lengths(
    split: str, ends: Sequence[tuple[int, int]], found: Mapping[str, ByBin], runs: Sequence[Measured], learned: int
) -> Markup:
    series = []
    for i, run in enumerate(runs):
        aside = 0.5 + (i - (len(runs) - 1) / 2) * APART
        of_run = [(at + aside, by_seed) for at, (_, by_seed) in enumerate(found.get(run.label, ())) if by_seed]
        dots = [(at, share, f"seed {seed}: {share:.3f}") for at, by_seed in of_run for seed, share in by_seed.items()]
        series.append(Series(i, [(at, fmean(by_seed.values())) for at, by_seed in of_run], dots))
    marks: list[Tick] = [(0, str(ends[0][0] - 1)), *((i + 1, str(last)) for i, (_, last) in enumerate(ends))]
    mark = None
    at = next((i for i, (first, last) in enumerate(ends) if first <= learned <= last), None)
    if at is not None:
        first, last = ends[at]
        mark = (at + (learned - first + 1) / (last - first + 1), f"train: {learned}")
    says = f"Exact match on {split} in {len(ends)} bins of gold output length."
    return panel(Panel(f"length-{split}", split, says, "tokens of gold", marks, (0, len(ends)), series, mark=mark))


def _length_records(of: Judged, ends: Sequence[tuple[int, int]], found: ByBin) -> list[dict[str, Any]]:
    about = {"run": of.run.label, "result": of.run.is_result, "split": of.split}
    return [
        {**about, "shortest": first, "longest": last, "rows": n, "seed": seed, "exact": share}
        for (first, last), (n, by_seed) in zip(ends, found, strict=True)
        for seed, share in by_seed.items()
    ]


CURVES = (("train_loss", "Train loss"), ("dev_loss", "Dev loss"), ("dev_accuracy", "Dev accuracy"))
SMALLEST = 1e-6
"""What is below it is drawn there, where an axis is logarithmic."""


def curves_figure(runs: Sequence[Measured]) -> Figure | None:
    """Losses and dev accuracy by update, a line a seed."""
    known = [(i, run) for i, run in enumerate(runs) if any(curve.points for curve in run.curves.values())]
    if not known:
        return None
    parts = []
    for i, run in known:
        drawings = [_curves(f"curves-{i}-{name}", name, title, i, run) for name, title in CURVES]
        parts.append((run.label, [drawn for drawn in drawings if drawn is not None]))
    keys = [
        (key(shape(0, 13, 8, 4.2, class_="dot plain")), "the best checkpoint on dev"),
        (key(line(13, 2, 13, 14, "line end plain")), "where training stopped"),
    ]
    if any(run.failed for _, run in known):
        keys.append((key(line(1, 8, 25, 8, "line failed plain")), "a seed that failed"))
    records = [record for _, run in known for curve in run.curves.values() for record in _curve_records(run, curve)]
    caption = (
        "Loss a token, on a logarithmic axis, and exact match on dev, by update, as each validation found them. Each "
        "line is a seed."
    )
    return Figure("curves", "Learning curves", caption, keys, parts, as_csv(records))


def _curves(name: str, measure: str, title: str, i: int, run: Measured) -> Markup | None:
    places = {curve.seed: _places(curve, measure) for curve in run.curves.values()}
    everywhere = [point for points in places.values() for point in points]
    if not everywhere:
        return None
    series = [_line(i, curve, places[curve.seed]) for curve in run.curves.values() if places[curve.seed]]
    last = max(update for update, _ in everywhere)
    says = f"{run.label}: {title.lower()} of {len(series)} seeds up to update {last:,}."
    marks: list[Tick] = [(update, shown(update)) for update in ticks(0, last)]
    of = Panel(name, title, says, "update", marks, (0, last or 1), series)
    if measure != "dev_accuracy":
        low, high = (end([value for _, value in everywhere]) for end in (min, max))
        powers = range(floor(low), ceil(high) + 1) if ceil(high) > floor(low) else range(floor(low), floor(low) + 2)
        of = replace(of, y_ticks=[(p, f"{10.0**p:g}") for p in powers], y_range=(powers[0], powers[-1]))
    return panel(of)


def _places(curve: Curve, measure: str) -> list[tuple[int, float]]:
    """Where the line of a seed goes: updates, and accuracies or logarithms of losses."""
    known = [(point.update, value) for point in curve.points if isfinite(value := _value(point, measure))]
    return known if measure == "dev_accuracy" else [(update, log10(max(value, SMALLEST))) for update, value in known]


def _line(i: int, curve: Curve, places: Sequence[tuple[int, float]]) -> Series:
    best = [(u, y, f"seed {curve.seed}, best at update {u:,}") for u, y in places if u == curve.best]
    ended = [] if curve.stopped is None else [(*places[-1], f"seed {curve.seed} stopped")]
    if curve.failed:
        return Series(i, places, (), "failed", ended)
    return Series(i, places, best, "seed", ended)


def _value(point: Point, measure: str) -> float:
    return {"train_loss": point.train_loss, "dev_loss": point.dev_loss, "dev_accuracy": point.dev_accuracy}[measure]


def _curve_records(run: Measured, curve: Curve) -> list[dict[str, Any]]:
    about = {"run": run.label, "result": run.is_result, "seed": curve.seed, "failed": curve.failed}
    ended = {"best": curve.best, "stopped": curve.stopped}
    return [
        {**about, "update": point.update, **{name: _value(point, name) for name, _ in CURVES}, **ended}
        for point in curve.points
    ]
