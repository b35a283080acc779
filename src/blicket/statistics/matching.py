"""Which answers of two respondents belong together: splits both answered, the same rows, the seeds that have them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, UnknownName
from blicket.core.predictions import Aligned, Gold, Prediction
from blicket.core.scoring import judged
from blicket.core.verdict import Outcome, Verdict

__all__ = ["MEASURES", "BySeed", "Matched", "Side", "matched"]

MEASURES: Mapping[str, Callable[[Verdict], bool]] = {
    "exact": lambda verdict: verdict.exact,
    "meaning": lambda verdict: verdict.outcome is Outcome.CORRECT,
}

BySeed = Mapping[str, list[Prediction]]
Progress = Callable[[str, int, int], None]


@final
@dataclass(frozen=True)
class Side:
    """The seeds of one respondent and, by measure, which rows each got right, (seeds, rows)."""

    seeds: tuple[str, ...]
    right: Mapping[str, NDArray[np.bool_]]


@final
@dataclass(frozen=True)
class Matched:
    """Two respondents on the gold rows of one split, whose name is empty where rows are not named by id.

    `remarks` say what did not fit, for people.
    """

    split: str
    gold: Sequence[Gold]
    a: Side
    b: Side
    paired: bool
    remarks: tuple[str, ...]


def matched(
    benchmark: Benchmark,
    form: str,
    a: BySeed,
    b: BySeed,
    dataset: Dataset | None,
    split: str | None,
    progress: Progress,
) -> list[Matched]:
    """The answers of A and B to one split, or to each that both have answers to; raises InputError if there is none."""
    on = (_on(name, benchmark, form, {"A": a, "B": b}, dataset, progress) for name in _splits(a, b, dataset, split))
    found = [pair for pair in on if pair is not None]
    if not found:
        raise InputError("A and B have no rows in common")
    return found


def _splits(a: BySeed, b: BySeed, dataset: Dataset | None, wanted: str | None) -> list[str]:
    of_a, of_b = _named(a), _named(b)
    if not of_a and not of_b:
        if wanted is not None:
            raise InputError(f"--split {wanted}: the rows are not named by 'id', and so are of no split")
        return [""]
    if dataset is None:
        raise InputError("rows are named by 'id'; say with --data DIR or --official DIR of what")
    # Rows without ids are looked for in the splits of the other side.
    of_a, of_b = of_a or of_b, of_b or of_a
    if wanted is not None:
        if wanted not in {*of_a, *of_b}:
            raise UnknownName("split", wanted, {*of_a, *of_b})
        for name, splits in (("A", of_a), ("B", of_b)):
            if wanted not in splits:
                raise InputError(f"{name} has no answers to {wanted}, only to {', '.join(splits)}")
    both = [name for name in of_a if name in of_b and name in dataset.splits and wanted in (None, name)]
    if not both:
        there = f"A answers {', '.join(of_a)}, B {', '.join(of_b)}, and the data has {', '.join(dataset.splits)}"
        raise InputError(f"A and B have no rows in common: {there}")
    return both


def _named(by_seed: BySeed) -> list[str]:
    ids = (prediction.id for predictions in by_seed.values() for prediction in predictions)
    return list(dict.fromkeys(id_.rpartition("/")[0] for id_ in ids if id_ is not None))


def _on(
    split: str,
    benchmark: Benchmark,
    form: str,
    sides: Mapping[str, BySeed],
    dataset: Dataset | None,
    progress: Progress,
) -> Matched | None:
    """The answers to one split; None where there is no row that both have answers to."""
    said = {
        f"{side}, seed {seed}": [p for p in predictions if p.id is None or p.id.rpartition("/")[0] == split]
        for side, by_seed in sides.items()
        for seed, predictions in by_seed.items()
    }
    found = judged(benchmark, {seed: rows for seed, rows in said.items() if rows}, form, dataset, progress=progress)
    files = {file.seed: file for file in found.files if len(file.missing) < len(found.gold)}
    without = [f"{seed}: has no answers to {split or 'these rows'}, left out" for seed in said if seed not in files]
    seeds = {side: tuple(s for s in by_seed if f"{side}, seed {s}" in files) for side, by_seed in sides.items()}
    if not _same_rows(found.gold, *([files[f"{side}, seed {s}"] for s in of_side] for side, of_side in seeds.items())):
        return None
    paired = len(seeds["A"]) > 1 and set(seeds["A"]) == set(seeds["B"])
    if paired:
        seeds["B"] = seeds["A"]
    a, b = (
        Side(of_side, _right([found.verdicts[f"{side}, seed {seed}"] for seed in of_side]))
        for side, of_side in seeds.items()
    )
    remarks = [remark for file in files.values() for remark in file.remarks()]
    return Matched(split, found.gold, a, b, paired, (*without, *remarks))


def _right(verdicts: Iterable[Sequence[Verdict]]) -> dict[str, NDArray[np.bool_]]:
    by_seed = list(verdicts)
    return {
        measure: np.array([[holds(verdict) for verdict in of_seed] for of_seed in by_seed], bool)
        for measure, holds in MEASURES.items()
    }


def _same_rows(gold: Sequence[Gold], a: Sequence[Aligned], b: Sequence[Aligned]) -> bool:
    """Whether there is a row in common; where files bring their own rows, one that one side alone has is refused."""
    in_a, in_b = ([any(output is not None for output in row) for row in _by_row(side, len(gold))] for side in (a, b))
    if not any(x and y for x, y in zip(in_a, in_b, strict=True)):
        return False
    for row, x, y in zip(gold, in_a, in_b, strict=True):
        if row.id is None and x != y:
            raise InputError(f"A and B have different gold rows: {row.name!r} ({row.where}) is in {'AB'[y]} alone")
    return True


def _by_row(side: Sequence[Aligned], rows: int) -> list[tuple[str | None, ...]]:
    return list(zip(*(file.outputs for file in side), strict=True)) if side else [()] * rows
