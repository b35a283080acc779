"""The tables of a report: ours beside published, as a whole, by case and by other groups."""

from collections.abc import Sequence

from blicket.core.published import Published
from blicket.report.comparison import (
    Compared,
    Comparison,
    further_kinds,
    groups_of,
    heading_of,
    overview,
    title_of,
)
from blicket.report.table import Column, Table

__all__ = ["cases_table", "findings", "groups_tables", "number", "sources", "summary_table"]

MINUS = "−"
NOT_A_RESULT = "†"
ORDER = (
    "n counts seeds, which stand in their order at the end of a row; sd is the sample's, and the interval of the mean "
    "over seeds is Student's."
)


def summary_table(of: Sequence[Compared]) -> Table:
    """Each split as a whole, and kinds of cases."""
    found = [overview(run) for run in of]
    caption = "Shares of rows; exact match, and with “meaning” the share that means the same as gold. " + ORDER
    return _table("summary", "Ours beside published", caption, found)


def cases_table(of: Sequence[Compared], split: str) -> Table | None:
    """Exact match case by case."""
    found = [groups_of(run, split, "case") for run in of]
    if max(len(ones) for ones in found) < 2:
        return None
    return _table(f"{split}-cases", f"By case, {split}", f"Exact match on {split}, as a share of rows. " + ORDER, found)


def groups_tables(of: Sequence[Compared], split: str) -> list[Table]:
    """Exact match in the groups of every other kind."""
    tables = []
    for kind in further_kinds([run.run for run in of], split):
        found = [groups_of(run, split, kind) for run in of]
        title = f"By {kind.replace('_', ' ')}, {split}"
        tables.append(
            _table(f"{split}-by-{kind}", title, f"Exact match on {split}, as a share of rows. {ORDER}", found)
        )
    return tables


def _table(name: str, title: str, caption: str, found: Sequence[Sequence[Comparison]]) -> Table:
    """A row for each quantity and run; what benchmarks know of other models stands at the end if nothing else does."""
    order = {heading: i for i, heading in enumerate(dict.fromkeys(heading_of(o) for ones in found for o in ones))}
    quantities = {one.quantity: one for ones in found for one in ones}
    ordered = sorted(quantities.values(), key=lambda one: order[heading_of(one)])
    ones = [here for one in ordered for run in found for here in run if here.quantity == one.quantity]
    published = any(one.published is not None for one in ones)
    beside = [] if published else list(dict.fromkeys(model for one in ones for model in _beside(one)))
    columns = [Column("What", False), Column("Run", False)]
    columns += [Column(title) for title in ("Mean", "sd", "n", "95% interval")]
    if published:
        columns += [Column("Published"), Column("Difference"), Column("Published value lies", False)]
    columns += [*(Column(f"Published: {model}") for model in beside), Column("Each seed")]
    rows = [
        [
            *_ours(one),
            *(_theirs(one) if published else ()),
            *(f"{_beside(one)[model]:g}" if model in _beside(one) else "" for model in beside),
            " ".join(number(value) for value in one.over.values),
        ]
        for one in ones
    ]
    marked = any(not one.run.is_result for one in ones)
    return Table(name, title, caption + (f" {NOT_A_RESULT}\u00a0not a result." if marked else ""), columns, rows, 1)


def _beside(one: Comparison) -> dict[str, float]:
    """The published exact match of other models."""
    q = one.quantity
    if q.measure != "exact":
        return {}
    return dict(one.run.benchmark.beside(q.kind or "split", q.group or q.split))


def _ours(one: Comparison) -> list[str]:
    over = one.over
    label = one.run.label + ("" if one.run.is_result else NOT_A_RESULT)
    interval = "" if over.low is None else f"{_bound(one, over.low)} – {_bound(one, over.high)}"
    return [title_of(one), label, number(over.mean), number(over.deviation), str(over.n), interval]


def _bound(one: Comparison, value: float | None) -> str:
    """An end of the interval; a share cannot be less than none or more than all."""
    if value is not None and all(0 <= v <= 1 for v in one.over.values):
        value = min(max(value, 0.0), 1.0)
    return number(value)


def _theirs(one: Comparison) -> list[str]:
    if one.published is None:
        return ["", "", ""]
    difference = one.difference or 0.0
    sign = "+" if difference > 0 else ""
    return [printed(one.published), f"{sign}{number(difference)}", one.place or "one seed: no interval"]


def printed(published: Published) -> str:
    """A published value as it was printed, with what is known of its spread."""
    about = published.about
    value = f"{published.value:.{about['decimals']}f}" if "decimals" in about else f"{published.value:g}"
    value = {"about": "≈ ", "above": "> "}.get(str(about.get("relation")), "") + value
    spread = f"sd {published.sd:g}" if published.sd is not None else ""
    if not spread and "sd_at_most" in about:
        spread = f"sd ≤ {about['sd_at_most']:g}"
    runs = f"n {published.n}" if published.n is not None else ""
    more = ", ".join(part for part in (spread, runs) if part)
    return f"{value} ({more})" if more else value


def number(value: float | None) -> str:
    """A number as tables show it."""
    if value is None:
        return ""
    text = f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
    return text.replace("-", MINUS) if float(text) else text.lstrip("-")


def sources(of: Sequence[Compared]) -> list[tuple[str, str]]:
    """Where the published numbers that are shown stand, by table, with what has to be known of them."""
    found: dict[str, dict[str, None]] = {}
    for run in of:
        for row in run.published.values():
            about = row.about
            parts = [
                str(part) for part in (about.get("source"), row.where, about.get("title"), about.get("remark")) if part
            ]
            found.setdefault(row.table, {})[". ".join(part.rstrip(".") for part in parts) + "."] = None
    return [(table, " ".join(said)) for table, said in found.items()]


def findings(of: Compared) -> list[str]:
    """In sentences, where the published values lie: of the splits one by one, of their groups how many."""
    said = []
    for one in overview(of):
        if one.published is not None:
            ours = f"{number(one.over.mean)} (sd {number(one.over.deviation)}, n {one.over.n})"
            ours = ours if one.over.deviation is not None else f"{number(one.over.mean)} (one seed)"
            said.append(f"{title_of(one)}: ours {ours}, published {printed(one.published)}; {one.words}.")
    for split in of.run.scores:
        for kind in ("case", *further_kinds([of.run], split)):
            places = [one.place for one in groups_of(of, split, kind) if one.published is not None and one.place]
            if places:
                counted = {place: sum(p.startswith(place) for p in places) for place in ("inside", "below", "above")}
                listed = ", ".join(f"{n} {place}" for place, n in counted.items() if n)
                name = kind.replace("_", " ")
                said.append(f"{split}, by {name}: of {len(places)} published values {listed} our 95% interval.")
    return said
