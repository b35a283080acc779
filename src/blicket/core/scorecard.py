"""Scorecards: verdicts counted, as a whole and by group, for each seed and over seeds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from blicket.core.verdict import Judge, Outcome, Verdict

__all__ = ["Scorecard", "Tally", "members", "scorecard"]


@final
@dataclass(frozen=True, slots=True)
class Tally:
    """How often what held among `n` rows, as shares, for one seed.

    `meaning` is the share of outcome correct; a distance is the mean over the rows that are not exact. What would be
    taken over no rows is None.
    """

    n: int
    exact: float | None
    meaning: float | None
    unparseable: float | None
    undecided: float | None
    marks: Mapping[str, float | None]
    measures: Mapping[str, float | None]

    def as_dict(self) -> dict[str, Any]:
        """The numbers under their names, marks and measures among them."""
        shares = {"n": self.n, "exact": self.exact, "meaning": self.meaning}
        failed = {"unparseable": self.unparseable, "undecided": self.undecided}
        return {**shares, **self.marks, **failed, **self.measures}


@final
@dataclass(frozen=True)
class Scorecard:
    """The tallies of one or several seeds: of all rows, and by kind of group and group."""

    seeds: tuple[str, ...]
    whole: tuple[Tally, ...]
    by: Mapping[str, Mapping[str, tuple[Tally, ...]]]

    def as_dict(self) -> dict[str, Any]:
        """Means over seeds; where there are several, with the standard deviation and each seed's numbers beside them.

        A group has these as a list by number, in the order of the seeds.
        """
        summary = _over_seeds(self.whole)
        summary["by"] = {
            kind: {group: _over_seeds(tallies) for group, tallies in groups.items()} for kind, groups in self.by.items()
        }
        if len(self.seeds) > 1:
            summary["seeds"] = [
                {"file": seed, **tally.as_dict()} for seed, tally in zip(self.seeds, self.whole, strict=True)
            ]
        return summary


def _over_seeds(tallies: Sequence[Tally]) -> dict[str, Any]:
    rows = [tally.as_dict() for tally in tallies]
    if len(rows) == 1:
        return rows[0]
    mean: dict[str, Any] = {}
    spread: dict[str, float] = {}
    for name in rows[0]:
        values = [row[name] for row in rows if row[name] is not None]
        mean[name] = rows[0]["n"] if name == "n" else (fmean(values) if values else None)
        if name != "n" and len(values) > 1:
            spread[name] = stdev(values)
    each = {name: [row[name] for row in rows] for name in rows[0] if name != "n"}
    return {**mean, "sd": spread, "seeds": each}


def scorecard(
    judge: Judge,
    verdicts: Mapping[str, Sequence[Verdict]],
    groups: Sequence[Mapping[str, str]],
    order: Mapping[str, Iterable[str]] | None = None,
    more_marks: Sequence[str] = (),
) -> Scorecard:
    """Count the verdicts of each seed; `groups` says for each row which group it is in, by kind of group.

    `order` gives the order of the groups of a kind; those it does not name come after, sorted. The kinds it names are
    there even if no row is in a group of them. `more_marks` are what the verdicts say that the judge does not know.
    """
    none: dict[str, NDArray[np.intp]] = {}
    found = dict.fromkeys(order or (), none) | members(groups, order or {})
    everything = np.arange(len(groups))
    counted = {seed: _Counts(judge, rows, more_marks) for seed, rows in verdicts.items()}
    return Scorecard(
        tuple(verdicts),
        tuple(counts.tally(everything) for counts in counted.values()),
        {
            kind: {group: tuple(counts.tally(rows) for counts in counted.values()) for group, rows in of_kind.items()}
            for kind, of_kind in found.items()
        },
    )


def members(
    groups: Sequence[Mapping[str, str]], order: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, NDArray[np.intp]]]:
    """The rows of each group, by kind of group, where `groups` says which groups each row is in."""
    found: dict[str, dict[str, list[int]]] = {}
    for row, of_row in enumerate(groups):
        for kind, group in of_row.items():
            found.setdefault(kind, {}).setdefault(group, []).append(row)
    return {
        kind: {group: np.array(of_kind[group], np.intp) for group in _ordered(of_kind, order.get(kind, ()))}
        for kind, of_kind in found.items()
    }


def _ordered(groups: Iterable[str], first: Iterable[str]) -> list[str]:
    rank = {group: i for i, group in enumerate(first)}
    return sorted(groups, key=lambda group: (rank.get(group, len(rank)), len(group), group))


class _Counts:
    """The verdicts of a seed as columns, so that a group is a selection."""

    def __init__(self, judge: Judge, verdicts: Sequence[Verdict], more_marks: Sequence[str]) -> None:
        self.exact = np.array([v.exact for v in verdicts], bool)
        self.outcome = {o: np.array([v.outcome == o for v in verdicts], bool) for o in Outcome}
        self.marks = {m: np.array([m in v.marks for v in verdicts], bool) for m in (*judge.marks, *more_marks)}
        self.measures = {m: np.array([v.measures.get(m, np.nan) for v in verdicts]) for m in judge.measures}

    def tally(self, rows: NDArray[np.intp]) -> Tally:
        wrong = rows[~self.exact[rows]]
        return Tally(
            n=len(rows),
            exact=_share(self.exact[rows]),
            meaning=_share(self.outcome[Outcome.CORRECT][rows]),
            unparseable=_share(self.outcome[Outcome.UNPARSEABLE][rows]),
            undecided=_share(self.outcome[Outcome.UNDECIDED][rows]),
            marks={name: _share(column[rows]) for name, column in self.marks.items()},
            measures={name: _mean(column[wrong]) for name, column in self.measures.items()},
        )


def _share(column: NDArray[np.bool_]) -> float | None:
    return float(np.count_nonzero(column)) / len(column) if len(column) else None


def _mean(column: NDArray[np.float64]) -> float | None:
    known = column[~np.isnan(column)]
    return float(known.mean()) if len(known) else None
