"""The figures with a dot a seed: accuracy by split and by case, beside the published values, and kinds of error."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from blicket.report.comparison import Compared, Comparison, groups_of, heading_of, overview, title_of
from blicket.report.dotplot import NARROW, WIDE, DotRow, Strip, dot_plot
from blicket.report.errors import Count, counts
from blicket.report.figure import Figure, as_csv, model_keys
from blicket.report.judged import Judged

__all__ = ["cases_figure", "errors_figure", "overview_figure"]

Title = Callable[[Comparison], str]


def overview_figure(of: Sequence[Compared]) -> Figure:
    """Exact match on each split, and of the kinds of cases; compare Kim & Linzen (2020), figure 2."""
    found = [[one for one in overview(run) if one.quantity.measure == "exact"] for run in of]
    return _figure("overview", "Accuracy by split", "Exact match. Each dot is a seed.", of, found)


def cases_figure(of: Sequence[Compared], split: str) -> Figure | None:
    """Exact match case by case; compare Kim & Linzen (2020), table 3 and figure 5."""
    found = [[one for one in groups_of(run, split, "case") if one.quantity.measure == "exact"] for run in of]
    if max((len(ones) for ones in found), default=0) < 2:
        return None
    title = f"Accuracy by case, {split}"
    return _figure(f"{split}-cases", title, f"Exact match on {split}, case by case. Each dot is a seed.", of, found)


def _figure(
    name: str, title: str, caption: str, of: Sequence[Compared], found: Sequence[Sequence[Comparison]]
) -> Figure:
    order = {heading: i for i, heading in enumerate(dict.fromkeys(heading_of(one) for ones in found for one in ones))}
    quantities = {one.quantity: one for ones in found for one in ones}
    rows = []
    for quantity, one in sorted(quantities.items(), key=lambda item: order[heading_of(item[1])]):
        at = [next((o for o in ones if o.quantity == quantity), None) for ones in found]
        strips = tuple(_strip(series, here) for series, here in enumerate(at))
        rows.append(DotRow(heading_of(one), title_of(one), strips))
    published = any(one.published is not None for ones in found for one in ones)
    keys = model_keys([run.run for run in of], intervals=True, published=published)
    records = [record for ones in found for one in ones for record in _records(one)]
    return Figure(name, title, caption, keys, [("", _drawings(name, title, rows))], as_csv(records))


def _drawings(name: str, title: str, rows: Sequence[DotRow]) -> list[Markup]:
    says = "; ".join(strip.says for row in rows for strip in row.strips if strip.says)
    return [dot_plot(name, title, says, rows, width) for width in (WIDE, NARROW)]


def _strip(series: int, one: Comparison | None) -> Strip:
    if one is None:
        return Strip(series, ())
    published = None if one.published is None else one.published.value
    beside = "" if published is None else f", published {published:g}"
    says = f"{one.run.label}, {title_of(one)}: mean {one.over.mean:.3f} of {one.over.n} seeds{beside}"
    dots = tuple((f"seed {seed}", value) for seed, value in one.by_seed.items())
    return Strip(series, dots, published, says)


def _records(one: Comparison) -> list[dict[str, Any]]:
    """A row a seed."""
    q, p = one.quantity, one.published
    about = {"run": one.run.label, "result": one.run.is_result, "split": q.split, "kind": q.kind, "group": q.group}
    beside = {
        "published": None if p is None else p.value,
        "published_sd": None if p is None else p.sd,
        "published_n": None if p is None else p.n,
        "published_in": None if p is None else p.where,
        "published_remark": None if p is None else p.about.get("remark"),
    }
    return [
        {**about, "rows": one.rows, "measure": q.measure, "seed": seed, "value": value, **beside}
        for seed, value in one.by_seed.items()
    ]


def errors_figure(judged: Sequence[Judged], split: str, series: Mapping[str, int]) -> Figure | None:
    """Kinds of error as shares of a seed's errors; they may overlap."""
    found = {of.run.label: counts(of) for of in judged}
    whole = {label: [count for count in of_run if not count.case] for label, of_run in found.items()}
    kinds = list(dict.fromkeys(count.kind for of_run in whole.values() for count in of_run if count.n))
    if not kinds:
        return None
    rows = [DotRow("", kind.replace("_", " "), _kind_strips(kind, whole, series)) for kind in kinds]
    name, title = f"{split}-errors", f"Kinds of error, {split}"
    caption = (
        "The share of each kind among the answers of a seed that are not exact. An answer may be of several kinds, so "
        "the shares of a seed may add up to more than one."
    )
    records = [
        {"run": of.run.label, "result": of.run.is_result, "split": split, **count.as_dict()}
        for of in judged
        for count in found[of.run.label]
    ]
    keys = model_keys([of.run for of in judged], intervals=True)
    return Figure(name, title, caption, keys, [("", _drawings(name, title, rows))], as_csv(records))


def _kind_strips(kind: str, whole: Mapping[str, Sequence[Count]], series: Mapping[str, int]) -> tuple[Strip, ...]:
    strips = []
    for label, of_run in whole.items():
        dots = tuple((f"seed {c.seed}", c.n / c.errors) for c in of_run if c.kind == kind and c.errors)
        mean = f"{sum(share for _, share in dots) / len(dots):.3f}" if dots else "none"
        strips.append(Strip(series[label], dots, None, f"{label}, {kind.replace('_', ' ')}: mean share {mean}"))
    return tuple(strips)
