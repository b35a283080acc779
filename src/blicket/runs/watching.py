"""Splits that networks answer while they learn: what they say is written down, and nothing comes of it for training."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.example import Split
from blicket.core.learner import Cohort
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.scoring import score
from blicket.core.storage import made_directory
from blicket.runs.directory import RunDirectory

__all__ = ["Watching", "profile"]


@final
@dataclass(frozen=True)
class Watching:
    """An observer that lets networks answer splits at every validation, into a file a seed, split and update.

    A run that was killed comes to the same updates again, and writes the same files again.
    """

    directory: RunDirectory
    benchmark: Benchmark
    form: str
    splits: Sequence[Split]

    def __call__(self, update: int, cohort: Cohort) -> None:
        """Ask all networks, split by split."""
        for split in self.splits:
            requests = [self.benchmark.request(example.id, example.inputs, self.form) for example in split]
            ids = [request.example for request in requests]
            for seed, said in zip(cohort.seeds, cohort.answers(requests), strict=True):
                file = self.directory.watched(seed, split.name, update)
                made_directory(file.parent)
                outputs = [answer.output for answer in said]
                write_predictions(file, [Predictions(str(seed), ids, outputs, round=update)])


def profile(
    directory: RunDirectory, benchmark: Benchmark, form: str, dataset: Dataset, seed: int, split: str
) -> list[dict[str, Any]]:
    """The scorecards of a seed on a watched split, in the order of its validations, each with its `update`."""
    cards = []
    for point in directory.read_curve(seed)["curve"]:
        file = directory.watched(seed, split, point["update"])
        if not file.exists():  # nobody was shown the network then
            continue
        card = score(benchmark, [file], form, dataset).card.as_dict()
        cards.append({"update": point["update"], **card})
    return cards
