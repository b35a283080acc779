"""Profiles of overgeneralisation: exceptions over training; compare Hupkes et al. (2020), figure 5."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from markupsafe import Markup

from blicket.probes.overgeneralisation import Moment, peak, profile
from blicket.report.comparison import title_of_group
from blicket.report.figure import Figure, as_csv, key
from blicket.report.marks import shape, shown, ticks
from blicket.report.panels import Panel, Series, Tick, panel
from blicket.report.reading import Measured

__all__ = ["profiles_figure"]

SHARES = ("memorised", "by_rule", "neither")
MARK = "overgeneralised"
Cards = Mapping[int, Sequence[Mapping[str, Any]]]


def profiles_figure(runs: Sequence[Measured]) -> Figure | None:
    """A row of panels for each split that was watched over training and has exceptions."""
    parts, records = [], []
    for i, run in enumerate(runs):
        for split in run.recipe["data"].get("watch") or ():
            cards = _cards(run, split)
            if cards:
                parts.append((_heading(run, split, cards), list(_panels(f"profile-{i}-{split}", run, cards))))
                records += list(_records(run, split, cards))
    if not parts:
        return None
    caption = (
        "Exceptions to the rules over training: the share that is answered as training shows it (memorised), by the "
        "rule (overgeneralised), or otherwise, at each validation. Each dot is a seed, lines join the means. The paper "
        "counts exceptions of exactly two functions alone."
    )
    names = ("memorised", "by the rule", "neither")
    keys = [(key(shape(i, 13, 8, 4.2)), name) for i, name in enumerate(names)]
    return Figure("profiles", "Overgeneralisation profiles", caption, keys, parts, as_csv(records))


def _cards(run: Measured, split: str) -> Cards:
    """By seed the scorecards over training, where they tell what follows the rule."""
    files = {seed: run.directory.profile(seed, split) for seed in run.curves}
    points = {seed: run.directory.read_profile(seed, split)["points"] for seed, file in files.items() if file.exists()}
    return {seed: cards for seed, cards in points.items() if cards and MARK in cards[0]}


def _heading(run: Measured, split: str, cards: Cards) -> str:
    """The run, and the number that the paper sums a profile up with: of all exceptions, and of those it counts."""
    result = "" if run.is_result else " (not a result)"
    said = f"{run.label}{result}, {split}: highest share by the rule {_highest(cards, '', '')}"
    two = _highest(cards, "functions", "2")
    return f"{said}; of exactly two functions {two}" if two else said


def _highest(cards: Cards, kind: str, group: str) -> str:
    found = [highest.by_rule for of in cards.values() if (highest := peak(profile(of, kind, group))) is not None]
    seeds = f" ({', '.join(f'{value:.2f}' for value in found)})" if len(found) > 1 else ""
    return f"{fmean(found):.2f}{seeds}" if found else ""


def _panels(name: str, run: Measured, cards: Cards) -> Iterator[Markup]:
    """All exceptions, those of two functions, and each pair."""
    first = next(iter(cards.values()))[0]["by"]
    wanted = [("All exceptions", "", "")]
    wanted += [("Of exactly two functions", "functions", "2")] if "2" in first.get("functions", {}) else []
    wanted += [(title_of_group(run.benchmark, "case", case), "case", case) for case in first.get("case", {})]
    for i, (title, kind, group) in enumerate(wanted):
        moments = {seed: profile(of, kind, group) for seed, of in cards.items()}
        yield _panel(f"{name}-{i}", title, {seed: of for seed, of in moments.items() if of}, run)


def _panel(name: str, title: str, moments: Mapping[int, Sequence[Moment]], run: Measured) -> Markup:
    last = max(moment.at for of_seed in moments.values() for moment in of_seed)
    series = []
    for i, share in enumerate(SHARES):
        places = {at: _values(moments, at, share) for at in range(1, last + 1)}
        dots = [(at, y, f"seed {seed}: {y:.3f}") for at, values in places.items() for seed, y in values.items()]
        series.append(Series(i, [(at, fmean(values.values())) for at, values in places.items() if values], dots))
    n = next(iter(moments.values()))[0].n
    by_epoch = dict(run.recipe.get("training") or {}).get("validate_each_epoch")
    marks: list[Tick] = [(at, shown(at)) for at in ticks(1, last) if at == int(at)] if last > 1 else [(1, "1")]
    says = f"{title}: shares of {n} exceptions at {last} moments of training."
    where = f"{'epoch' if by_epoch else 'validation'}; {n} exceptions"
    return panel(Panel(name, _short(title), says, where, marks, (1, max(last, 2)), series))


def _values(moments: Mapping[int, Sequence[Moment]], at: int, share: str) -> dict[int, float]:
    return {seed: getattr(m, share) for seed, of_seed in moments.items() for m in of_seed if m.at == at}


def _short(title: str) -> str:
    """The pair alone, since a panel is narrow."""
    return title.rpartition(": ")[2]


def _records(run: Measured, split: str, cards: Cards) -> Iterator[dict[str, Any]]:
    about = {"run": run.label, "result": run.is_result, "split": split}
    for seed, of_seed in cards.items():
        groups = [("", ""), *((kind, group) for kind, named in of_seed[0]["by"].items() for group in named)]
        for kind, group in groups:
            for moment in profile(of_seed, kind, group):
                shares = {share: getattr(moment, share) for share in SHARES}
                update = of_seed[moment.at - 1]["update"]
                where = {"kind": kind, "group": group, "validation": moment.at, "update": update}
                yield {**about, "seed": seed, **where, "n": moment.n, **shares}
