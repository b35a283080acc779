"""Probes: tests that ask more than one question, and in later rounds what earlier answers call for."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any, final

from blicket.core.respondent import Answer, Request

__all__ = ["Finding", "OverBlocks", "Probe", "over_seeds"]


@final
@dataclass(frozen=True, slots=True)
class OverBlocks:
    """The mean accuracy over blocks that differ in their words alone, and its standard deviation (n - 1) over them.

    `n` items were asked in so many `blocks`; with one block there is no deviation.
    """

    n: int
    blocks: int
    mean: float
    deviation: float | None

    def as_dict(self) -> dict[str, Any]:
        """The numbers under their names."""
        return {"n": self.n, "blocks": self.blocks, "mean": self.mean, "sd": self.deviation}


@final
@dataclass(frozen=True)
class Finding:
    """What the answers of one respondent show: accuracy by kind of group and group.

    `missing` items were to be asked and have no answer, and count as incorrect; `unknown` answers are to no item of the
    splits that are asked. `beside` has what was published, by group and model.
    """

    name: str
    title: str
    n: int
    missing: int
    unknown: int
    by: Mapping[str, Mapping[str, OverBlocks]]
    beside: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def remarks(self) -> list[str]:
        """What did not fit, counted."""
        said = []
        if self.missing:
            said.append(f"{self.missing:,} of {self.n:,} items have no answer, counted as incorrect")
        if self.unknown:
            said.append(f"{self.unknown:,} answers are to items that are not there, left out")
        return [f"{self.name}: {what}" for what in said]


class Probe(ABC):
    """Subclass it and say what is to be asked in view of the answers so far, and what they show."""

    name: str

    @abstractmethod
    def requests(self, answers: Mapping[str, Answer]) -> Sequence[Request]:
        """What is to be asked next, with answers by id of the example; nothing when all is known."""

    @abstractmethod
    def finding(self, answers: Mapping[str, Answer]) -> Finding | None:
        """What the answers show; None if none is to a question of this probe."""


def over_seeds(by_seed: Mapping[str, Finding]) -> dict[str, Any]:
    """The numbers of a probe by kind of group and group: means over seeds, with each seed's numbers beside them.

    `sd` is the deviation over blocks, with several seeds its mean; `sd_over_seeds` is that of the seeds' means.
    """
    findings = tuple(by_seed.values())
    first = findings[0]
    by: dict[str, dict[str, Any]] = {}
    for kind in first.by:
        names = dict.fromkeys(name for finding in findings for name in finding.by[kind])
        by[kind] = {name: _over_seeds([f.by[kind][name] for f in findings if name in f.by[kind]]) for name in names}
    counts = {name: [getattr(finding, name) for finding in findings] for name in ("n", "missing", "unknown")}
    published = {"published": {group: dict(models) for group, models in first.beside.items()}} if first.beside else {}
    return {"title": first.title, "files": list(by_seed), **counts, "by": by, **published}


def _over_seeds(found: Sequence[OverBlocks]) -> dict[str, Any]:
    if len(found) == 1:
        return found[0].as_dict()
    deviations = [one.deviation for one in found if one.deviation is not None]
    return {
        "n": fmean(one.n for one in found),
        "blocks": fmean(one.blocks for one in found),
        "mean": fmean(one.mean for one in found),
        "sd": fmean(deviations) if deviations else None,
        "sd_over_seeds": stdev(one.mean for one in found),
        "seeds": [one.as_dict() for one in found],
    }
