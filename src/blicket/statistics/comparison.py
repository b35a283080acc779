"""Two respondents compared, split by split: on all rows, by kind of case and by case."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.randomness import Stream
from blicket.core.scorecard import members
from blicket.statistics.bootstrap import REPLICATES, Difference, difference
from blicket.statistics.matching import MEASURES, BySeed, Matched, matched

__all__ = ["Comparison", "Differences", "SplitComparison", "compare"]

KINDS = ("kind", "case")
SEED = 1  # of the resampling: a comparison says the same whenever it is made

Differences = Mapping[str, Difference]


@final
@dataclass(frozen=True)
class SplitComparison:
    """The differences on a split, by measure: of all rows, and by kind of group and group."""

    split: str
    n: int
    seeds_a: tuple[str, ...]
    seeds_b: tuple[str, ...]
    paired: bool
    whole: Differences
    by: Mapping[str, Mapping[str, Differences]]
    remarks: tuple[str, ...]

    @property
    def seeds(self) -> str:
        """What was done with the seeds, in words."""
        if self.paired:
            return f"Seeds were resampled, in pairs: A and B both have {', '.join(self.seeds_a)}."
        sides = {"A": self.seeds_a, "B": self.seeds_b}
        said = [f"those of {name} ({', '.join(seeds)})" for name, seeds in sides.items() if len(seeds) > 1]
        single = [name for name, seeds in sides.items() if len(seeds) == 1]
        alone = f"{' and '.join(single)} {'have one seed each' if len(single) > 1 else 'has one seed'}"
        if not said:
            return f"Seeds were not resampled, and do not enter: {alone}."
        if not single:
            return f"Seeds were resampled independently, {' and '.join(said)}: the names differ."
        return f"Seeds were resampled, {said[0]} alone: {alone}, so seeds do not enter there."

    def as_dict(self) -> dict[str, Any]:
        """The numbers under their names."""
        return {
            "n": self.n,
            "seeds": {"a": [*self.seeds_a], "b": [*self.seeds_b], "paired": self.paired, "resampled": self.seeds},
            **_numbers(self.whole),
            "by": {
                kind: {group: _numbers(found) for group, found in groups.items()} for kind, groups in self.by.items()
            },
        }


@final
@dataclass(frozen=True)
class Comparison:
    """What two respondents' answers to the same rows differ in."""

    splits: tuple[SplitComparison, ...]
    confidence: float
    replicates: int

    def as_dict(self) -> dict[str, Any]:
        """The numbers under their names."""
        splits = {part.split: part.as_dict() for part in self.splits}
        return {"confidence": self.confidence, "replicates": self.replicates, "splits": splits}


def compare(
    benchmark: Benchmark,
    form: str,
    a: BySeed,
    b: BySeed,
    dataset: Dataset | None = None,
    *,
    split: str | None = None,
    confidence: float = 0.95,
    replicates: int = REPLICATES,
    progress: Callable[[str, int, int], None] = lambda seed, done, rows: None,
) -> Comparison:
    """Compare the predictions of A and of B, by seed, on one split, or on each that both have answers to."""
    if not 0 < confidence < 1:
        raise InputError(f"--confidence {confidence:g}: expected a share between 0 and 1, such as 0.95")
    pairs = matched(benchmark, form, a, b, dataset, split, progress)
    parts = tuple(_compared(benchmark, pair, confidence, replicates) for pair in pairs)
    return Comparison(parts, confidence, replicates)


def _compared(benchmark: Benchmark, pair: Matched, confidence: float, replicates: int) -> SplitComparison:
    groups = [benchmark.groups(gold.case, gold.tags) for gold in pair.gold]
    of_kinds = [{kind: of_row[kind] for kind in KINDS if kind in of_row} for of_row in groups]
    by = members(of_kinds, {"case": benchmark.cases})

    def differences(rows: NDArray[np.intp], *group: str) -> Differences:
        return _differences(pair, rows, ("compare", pair.split, *group), confidence, replicates)

    return SplitComparison(
        split=pair.split,
        n=len(pair.gold),
        seeds_a=pair.a.seeds,
        seeds_b=pair.b.seeds,
        paired=pair.paired,
        whole=differences(np.arange(len(pair.gold))),
        by={
            kind: {group: differences(rows, kind, group) for group, rows in by[kind].items()}
            for kind in KINDS
            if kind in by
        },
        remarks=pair.remarks,
    )


def _differences(
    pair: Matched, rows: NDArray[np.intp], purpose: tuple[str, ...], confidence: float, replicates: int
) -> Differences:
    """By measure; all have the same stream, so that measures that agree on every row have the same interval."""
    found: dict[str, Difference] = {}
    known: dict[bytes, Difference] = {}
    for measure in MEASURES:
        a, b = pair.a.right[measure][:, rows], pair.b.right[measure][:, rows]
        key = a.tobytes() + b.tobytes()
        if key not in known:
            stream = Stream(SEED, *purpose)
            known[key] = difference(a, b, stream, paired=pair.paired, confidence=confidence, replicates=replicates)
        found[measure] = known[key]
    return found


def _numbers(found: Differences) -> dict[str, Any]:
    return {measure: of.as_dict() for measure, of in found.items()}
