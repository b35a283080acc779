"""The tests that ask about an input twice: substitutivity with a synonym, localism whole and call by call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import final

from blicket.benchmarks.pcfg_set.splits import FORM
from blicket.benchmarks.pcfg_set.unrolling import filled, references, unrolled
from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.example import Example, Split
from blicket.core.probe import Probe
from blicket.core.respondent import Request
from blicket.probes import Agreement, Call, Localism, Substitutivity

__all__ = ["MODELS", "UNROLLED", "probes_of"]

MODELS = {"lstms2s": "LSTM", "convs2s": "Conv", "transformer": "Transf."}
"""Of the paper, as they stand in tables."""
UNROLLED = "localism_unrolled"
"""What the calls of unrolled inputs are called; they are in no dataset, since they hold a respondent's own answers."""
SHOWN = ("case", "functions", "depth", "length")
"""Kinds of groups that consistency is told apart by."""


def probes_of(benchmark: Benchmark, dataset: Dataset) -> Sequence[Probe]:
    """The probes that the dataset has rows for."""
    asking = _Asking(benchmark, dataset)
    made: list[Probe] = []
    plain, twins, local = map(asking.rows, ("substitutivity_test", "substitutivity_twin", "localism_test"))
    if plain is not None and twins is not None:
        trained = [name for name in dataset.splits if name.startswith("substitutivity_") and name.endswith("train")]
        title = "Substitutivity: the same answer with a synonym"
        beside = asking.published("substitutivity_twin", trained[0]) if len(trained) == 1 else {}
        made.append(Substitutivity(asking.agreement("substitutivity", title, plain, beside), twins, asking.request))
    if local is not None:
        title = "Localism: the same answer call by call, each on the answers given to those before"
        agreement = asking.agreement("localism", title, local, asking.published("localism_test"))
        made.append(Localism(agreement, UNROLLED, _calls, filled, asking.request))
    return made


def _calls(text: str) -> list[Call]:
    return [Call(call, tuple(references(call))) for call in unrolled(text)]


@final
@dataclass(frozen=True)
class _Asking:
    """Makes what probes are made of."""

    benchmark: Benchmark
    dataset: Dataset

    def rows(self, name: str) -> Split | None:
        """A split, if it is there and has rows."""
        return self.dataset[name] if len(self.dataset.splits.get(name, ())) else None

    def request(self, example: str, inputs: tuple[str, ...]) -> Request:
        """What is asked about an input."""
        return self.benchmark.request(example, inputs, FORM)

    def agreement(self, name: str, title: str, split: Split, beside: Mapping[str, Mapping[str, float]]) -> Agreement:
        """What is made of two answers."""
        return Agreement(name, title, split, self.benchmark.judge(FORM), partial(_groups, self.benchmark), beside)

    def published(self, split: str, trained: str = "") -> dict[str, dict[str, float]]:
        """Table 1: consistency by model."""
        rows = [row for row in self.benchmark.published() if row.table == "table-1" and row.about["split"] == split]
        of = [row for row in rows if row.about.get("trained", "") == trained and row.measure == "consistency"]
        return {"consistency": {MODELS[row.about["model"]]: row.value for row in of}} if of else {}


def _groups(benchmark: Benchmark, example: Example) -> dict[str, str]:
    found = benchmark.groups(example.case, example.tags)
    return {kind: found[kind] for kind in SHOWN if kind in found}
