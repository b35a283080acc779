"""What probes found: means over blocks and their deviations by group, beside published, and what was mistaken for what.

Compare Goodwin et al. (2020), tables 3 to 7 and figure 2.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, final

from markupsafe import Markup

from blicket.core.dataset import Dataset
from blicket.core.predictions import read_predictions
from blicket.core.published import Published
from blicket.probes import FollowUps
from blicket.report.dotplot import NARROW, WIDE, DotRow, Strip, dot_plot
from blicket.report.figure import Figure, as_csv, model_keys
from blicket.report.marks import shown, ticks
from blicket.report.panels import Panel, Series, Tick, panel
from blicket.report.published import answered_probes
from blicket.report.reading import Measured
from blicket.report.table import Column, Table
from blicket.report.tables import NOT_A_RESULT, number
from blicket.runs.directory import PROBES
from blicket.statistics.seeds import over_seeds

__all__ = ["probe_figures", "probe_tables"]

MOST = 12
"""Groups of a kind that have a row each; more of them are drawn as a curve."""
EVERYWHERE = 0.5
"""The share of the blocks that such a group needs to have items in, to have a mean and a deviation over them."""
MEAN, DEVIATION = "mean", "sd"
PARTS = {MEAN: "Mean over blocks", DEVIATION: "Standard deviation over blocks"}


@final
@dataclass(frozen=True)
class Group:
    """What a probe found of a group with each seed of a run, and the published mean."""

    run: Measured
    series: int
    kind: str
    group: str
    by_seed: Mapping[int, Mapping[str, Any]]
    published: Published | None

    @property
    def title(self) -> str:
        """What it is called."""
        case = self.run.benchmark.cases.get(self.group)
        if case is not None:
            return case.title
        return "All items" if self.group == self.kind else self.group.replace("_", " ")

    def values(self, measure: str) -> dict[int, float]:
        """The means, or the deviations where there are any, by seed."""
        return {seed: of[measure] for seed, of in self.by_seed.items() if of.get(measure) is not None}


def probe_figures(runs: Sequence[Measured]) -> list[Figure]:
    """A figure a probe, and one a probe whose groups are too many for rows and stand for blocks of words."""
    figures: list[Figure] = []
    for name, title in _probes(runs).items():
        by_kind = _kinds(runs, name)
        rows = [group for groups in by_kind.values() if len(_names(groups)) <= MOST for group in groups]
        if rows:
            figures.append(_rows_figure(name, title, runs, rows))
        figures += [
            _curve_figure(f"{name}-{kind}", f"{title}, by {kind}", runs, groups)
            for kind, groups in by_kind.items()
            if len(_names(groups)) > MOST and any(map(_is_everywhere, groups))
        ]
    return figures


def probe_tables(runs: Sequence[Measured]) -> dict[str, Sequence[Table]]:
    """By figure its tables: the numbers with what was published, and for choices what was mistaken for what."""
    confusions = _confusions(runs)
    found: dict[str, Sequence[Table]] = {}
    for name, title in _probes(runs).items():
        rows = [group for groups in _kinds(runs, name).values() if len(_names(groups)) <= MOST for group in groups]
        if rows:
            found[f"probe-{name}"] = [_table(name, title, rows), *confusions.get(name, ())]
    return found


def _probes(runs: Sequence[Measured]) -> dict[str, str]:
    """The title of each probe by its name, in the order they have."""
    return {name: of["title"] for run in runs for said in run.probes.values() for name, of in said.items()}


def _kinds(runs: Sequence[Measured], probe: str) -> dict[str, list[Group]]:
    """The groups of a probe by their kind, those of each run after those of the run before."""
    found: dict[str, list[Group]] = {}
    for series, run in enumerate(runs):
        published = answered_probes(run)
        said = {seed: of[probe]["by"] for seed, of in run.probes.items() if probe in of}
        for kind in dict.fromkeys(kind for by in said.values() for kind in by):
            for group in dict.fromkeys(group for by in said.values() for group in by.get(kind, ())):
                by_seed = {seed: by[kind][group] for seed, by in said.items() if group in by.get(kind, ())}
                one = Group(run, series, kind, group, by_seed, published.get((probe, group)))
                found.setdefault(kind, []).append(one)
    return found


def _names(groups: Iterable[Group]) -> list[str]:
    return list(dict.fromkeys(group.group for group in groups))


# A row a group


def _rows_figure(name: str, title: str, runs: Sequence[Measured], groups: Sequence[Group]) -> Figure:
    measures = [measure for measure in PARTS if any(group.values(measure) for group in groups)]
    over_blocks = DEVIATION in measures
    parts = [
        (PARTS[measure] if over_blocks else "", _drawings(f"probe-{name}-{measure}", title, groups, measure))
        for measure in measures
    ]
    published = any(group.published is not None for group in groups)
    keys = model_keys(runs, intervals=True, published=published)
    caption = "Shares of the items that the probe asks. Each dot is a seed."
    if over_blocks:
        caption = (
            "Accuracy of the items that the probe asks, in each block of words by itself: first the mean over blocks, "
            "then the standard deviation over them. Each dot is a seed."
        )
    return Figure(f"probe-{name}", title, caption, keys, parts, as_csv(_records(groups)))


def _drawings(name: str, title: str, groups: Sequence[Group], measure: str) -> list[Markup]:
    at = {(group.series, group.kind, group.group): group for group in groups}
    series = sorted({group.series for group in groups})
    rows = []
    for kind, of_kind in dict.fromkeys((group.kind, group.group) for group in groups):
        here = [at.get((i, kind, of_kind)) for i in series]
        title_of = next(group.title for group in here if group is not None)
        strips = [_strip(i, group, measure) for i, group in zip(series, here, strict=True)]
        if any(strip.dots for strip in strips):
            rows.append(DotRow("", title_of, tuple(strips)))
    says = "; ".join(strip.says for row in rows for strip in row.strips if strip.says)
    return [dot_plot(name, f"{title}: {PARTS[measure].lower()}", says, rows, width) for width in (WIDE, NARROW)]


def _strip(series: int, group: Group | None, measure: str) -> Strip:
    values = {} if group is None else group.values(measure)
    if group is None or not values:
        return Strip(series, ())
    row = group.published
    published = None if row is None else row.value if measure == MEAN else row.sd
    beside = "" if published is None else f", published {published:g}"
    says = f"{group.run.label}, {group.title}: {fmean(values.values()):.3f} of {len(values)} seeds{beside}"
    return Strip(series, tuple((f"seed {seed}", value) for seed, value in values.items()), published, says)


def _records(groups: Iterable[Group]) -> list[dict[str, Any]]:
    """A row a seed."""
    return [
        {
            "run": group.run.label,
            "result": group.run.is_result,
            "kind": group.kind,
            "group": group.group,
            "seed": seed,
            **{name: of[name] for name in ("n", "blocks", "mean", "sd")},
            "published": None if group.published is None else group.published.value,
            "published_sd": None if group.published is None else group.published.sd,
            "published_in": None if group.published is None else group.published.where,
        }
        for group in groups
        for seed, of in group.by_seed.items()
    ]


def _table(name: str, title: str, groups: Sequence[Group]) -> Table:
    """A row a group and run."""
    numbers = ("Items", "Mean", "sd over blocks", "sd over seeds", "Published", "Published sd over blocks", "Each seed")
    columns = [Column("What", False), Column("Run", False), *(Column(head) for head in numbers)]
    order = {key: i for i, key in enumerate(dict.fromkeys((group.kind, group.group) for group in groups))}
    rows = [_row(group) for group in sorted(groups, key=lambda group: (order[group.kind, group.group], group.series))]
    caption = "Accuracy, in each block by itself; means and deviations over blocks are then averaged over seeds."
    if any(not group.run.is_result for group in groups):
        caption += f" {NOT_A_RESULT}\u00a0not a result."
    return Table(f"probe-{name}", title, caption, columns, rows)


def _row(group: Group) -> list[str]:
    over, deviations = over_seeds(list(group.values(MEAN).values())), group.values(DEVIATION)
    items = fmean(of["n"] for of in group.by_seed.values())
    row = group.published
    return [
        group.title,
        group.run.label + ("" if group.run.is_result else NOT_A_RESULT),
        f"{items:,.0f}",
        number(over.mean),
        number(fmean(deviations.values())) if deviations else "",
        number(over.deviation),
        "" if row is None else f"{row.value:.3f}",
        "" if row is None or row.sd is None else f"{row.sd:.3f}",
        " ".join(number(value) for value in over.values),
    ]


# A curve


def _curve_figure(name: str, title: str, runs: Sequence[Measured], groups: Sequence[Group]) -> Figure:
    """All groups from the lowest mean to the highest, and in the same places their deviations."""
    kept = [group for group in groups if _is_everywhere(group)]
    drawings = [_panel(f"probe-{name}-{measure}", kept, measure) for measure in PARTS]
    caption = (
        f"Every {name.rpartition('-')[2]} has its place, from the one with the lowest mean over blocks to the one with "
        "the highest; its deviation over blocks is a dot in the same place. Both are averaged over seeds. Left out are "
        "those with items in less than half of the blocks."
    )
    return Figure(f"probe-{name}", title, caption, model_keys(runs), [("", drawings)], as_csv(_records(groups)))


def _is_everywhere(group: Group) -> bool:
    most = max(of["blocks"] for said in group.run.probes.values() for of in _whole(said))
    return bool(group.values(DEVIATION)) and fmean(of["blocks"] for of in group.by_seed.values()) >= EVERYWHERE * most


def _whole(said: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What was found of all groups of all probes of a seed."""
    return [of for found in said.values() for groups in found["by"].values() for of in groups.values()]


def _panel(name: str, groups: Sequence[Group], measure: str) -> Markup:
    series = []
    highest = 1.0
    for i in sorted({group.series for group in groups}):
        ordered = sorted((g for g in groups if g.series == i), key=lambda g: fmean(g.values(MEAN).values()))
        values = [fmean(group.values(measure).values()) for group in ordered]
        places = [(at + 0.5) / len(ordered) for at in range(len(ordered))]
        dots = [
            (x, y, f"{group.run.label}, {group.title}: {y:.3f}")
            for x, y, group in zip(places, values, ordered, strict=True)
        ]
        curve = list(zip(places, values, strict=True))
        series.append(Series(i, curve) if measure == MEAN else Series(i, (), dots))  # dots would hide a steep curve
    if measure == DEVIATION:
        highest = max((y for one in series for _, y, _ in one.dots), default=0.0) or 0.1
        highest = next(end for end in (0.1, 0.2, 0.3, 0.4, 0.5, 0.75) if highest <= end)
    shares: list[Tick] = [(share, shown(share)) for share in ticks(0, highest)]
    axis: list[Tick] = [(fifth / 5, f"{fifth / 5:g}") for fifth in range(6)]
    says = f"{PARTS[measure]} of {len(_names(groups))} groups."
    title = "share of the groups, lowest mean first"
    return panel(Panel(name, PARTS[measure], says, title, axis, (0.0, 1.0), series, shares, (0.0, highest)))


# What was mistaken for what


def _confusions(runs: Sequence[Measured]) -> dict[str, list[Table]]:
    """For each probe that asks all of its items, a table a run, where answers are among a few."""
    found: dict[str, list[Table]] = {}
    data: dict[str, Dataset] = {}
    for run in runs:
        candidates = run.benchmark.choices.get(run.form, ())
        if not run.probes or not candidates:
            continue
        if run.data_hash not in data:
            data[run.data_hash] = run.directory.dataset()
        answers = {seed: _outputs(run, seed) for seed in run.probes}
        for probe in run.benchmark.probes(data[run.data_hash]):
            if isinstance(probe, FollowUps) and probe.after is None:
                found.setdefault(probe.name, []).append(_confusion(run, probe, answers, candidates))
    return found


def _outputs(run: Measured, seed: int) -> dict[str, str]:
    read = read_predictions(run.directory.predictions(seed, PROBES), run.benchmark.input_names)
    return {said.id: said.output for predictions in read.values() for said in predictions if said.id is not None}


def _confusion(
    run: Measured, probe: FollowUps, answers: Mapping[int, Mapping[str, str]], candidates: Sequence[str]
) -> Table:
    """For each gold answer the share of its items that got each answer, as a mean over seeds."""
    counted = {gold: dict.fromkeys(candidates, 0) for gold in candidates}
    total = dict.fromkeys(candidates, 0)
    for start, columns in probe.items.batches(run.form):
        for row, gold in enumerate(columns.targets, start):
            total[gold] += 1
            for of_seed in answers.values():
                said = of_seed.get(f"{probe.items.name}/{row}", "").strip()
                if said in counted[gold]:
                    counted[gold][said] += 1
    rows = [
        [gold, f"{total[gold]:,}", *(number(n / total[gold] / len(answers)) for n in counted[gold].values())]
        for gold in candidates
        if total[gold]
    ]
    stem = "".join(character if character.isalnum() else "-" for character in run.label)
    caption = (
        f"{run.label}: rows are gold, columns are answers, each a share of the row; means over {len(answers)} seeds."
    )
    columns_ = [Column("Gold", False), Column("Items"), *(Column(f"said {candidate}") for candidate in candidates)]
    return Table(f"confusion-{probe.name}-{stem}", f"Answers by gold, {run.label}", caption, columns_, rows)
