"""Where a run keeps what: written by `blicket.runs.run`, read by whatever comes after; no network is needed to read it.

RUNS/NAME-HASH/        named by the hash of recipe and data, seeds left out
    run.json           the resolved recipe, the data, whether it counts as a result, and what it ran on
    data/              the data, as `blicket generate --format parquet` writes it
    seed-1/            curve.json: how training went, validation by validation
                       best.safetensors, last.safetensors: the parameters of both checkpoints
                       SPLIT.parquet, SPLIT.json: predictions of the headline checkpoint, and their scorecard
                       SPLIT-best.parquet, ...: of the other checkpoint, where somebody asked for it
                       probes.parquet, probes.json: what was answered to the benchmark's probes, round by round, and
                       what that shows, where it has any
                       words.json: where the vectors of open-class words lie, if they have some, and of how many pairs
                       with each the answer was right
                       watched/SPLIT-UPDATE.parquet, watched/SPLIT.json: answers at each validation to splits that were
                       watched in training, and their scorecards, one a validation
                       lock: held while the seed is trained
    training-1-2/      the checkpoint of seeds that are being trained together, gone when they are done
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.reading import read_dataset
from blicket.core.registry import benchmark

__all__ = ["PROBES", "RunDirectory"]

PROBES = "probes"
"""What stands for the name of a split where probes ask about several."""

NAMED = 40
"""Characters of what stands where it should not."""


@final
@dataclass(frozen=True)
class RunDirectory:
    """A run on disk."""

    path: Path

    @classmethod
    def existing(cls, path: Path) -> "RunDirectory":
        """The run in a directory; raises InputError if there is none."""
        run = cls(path)
        if not run.about_file.is_file():
            raise InputError(f"{path}: is no run; expected a directory with run.json, such as `blicket run` makes")
        return run

    @property
    def about_file(self) -> Path:
        """What the run is about; it is there when the data is."""
        return self.path / "run.json"

    @property
    def data(self) -> Path:
        """Where the data is."""
        return self.path / "data"

    def of_seed(self, seed: int) -> Path:
        """Where a seed keeps what is its own."""
        return self.path / f"seed-{seed}"

    def training(self, seeds: Sequence[int]) -> Path:
        """Where the checkpoint of seeds that are trained together is."""
        return self.path / f"training-{'-'.join(map(str, seeds))}"

    def trainings(self, done: Collection[int]) -> list[Path]:
        """Where checkpoints are of seeds that are all among those that are done."""
        each = ((path, path.name.split("-")[1:]) for path in self.path.glob("training-*"))
        return [path for path, seeds in each if {str(seed) for seed in done} >= set(seeds)]

    def curve(self, seed: int) -> Path:
        """How the training of a seed went; it is there when the seed is trained."""
        return self.of_seed(seed) / "curve.json"

    def network(self, seed: int, checkpoint: str) -> Path:
        """The parameters of a seed's `best` or `last` checkpoint."""
        return self.of_seed(seed) / f"{checkpoint}.safetensors"

    def predictions(self, seed: int, split: str, checkpoint: str | None = None) -> Path:
        """What a seed answered, at the headline checkpoint if no other is named."""
        return self.of_seed(seed) / f"{split}{f'-{checkpoint}' if checkpoint else ''}.parquet"

    def scores(self, seed: int, split: str, checkpoint: str | None = None) -> Path:
        """The scorecard of what a seed answered."""
        return self.predictions(seed, split, checkpoint).with_suffix(".json")

    def watched(self, seed: int, split: str, update: int) -> Path:
        """What a seed answered to a split that was watched, after so many updates."""
        return self.of_seed(seed) / "watched" / f"{split}-{update}.parquet"

    def profile(self, seed: int, split: str) -> Path:
        """The scorecards of a split that was watched, one a validation."""
        return self.of_seed(seed) / "watched" / f"{split}.json"

    def about(self) -> Mapping[str, Any]:
        """What run.json says: `recipe`, `data`, `result`, `provenance`."""
        return _read(self.about_file)

    def seeds(self) -> list[int]:
        """The seeds that are trained, in order."""
        names = (file.parent.name.removeprefix("seed-") for file in self.path.glob("seed-*/curve.json"))
        return sorted(int(name) for name in names if name.lstrip("-").isdigit())

    def scored(self, split: str) -> list[int]:
        """The seeds whose answers to a split are scored."""
        return [seed for seed in self.seeds() if self.scores(seed, split).exists()]

    def splits(self) -> list[str]:
        """The splits that some seed is scored on, in the recipe's order."""
        return [split for split in self.about()["recipe"]["data"]["evaluate"] if self.scored(split)]

    def read_curve(self, seed: int) -> Mapping[str, Any]:
        """`seed`, `failed`, `best` and `stopped` (updates), `together` (seeds), and `curve`.

        A point of the curve has `update`, `rate`, `per_second`, `train_loss`, `dev_loss` and `dev_accuracy`.
        """
        return _read(self.curve(seed))

    def read_scores(self, seed: int, split: str) -> Mapping[str, Any]:
        """The scorecard, as `blicket score --json` prints it, but for the names of benchmark and form."""
        return _read(self.scores(seed, split))

    def probed(self) -> list[int]:
        """The seeds whose answers to probes are scored."""
        return self.scored(PROBES)

    def read_probes(self, seed: int) -> Mapping[str, Any]:
        """What each probe found, under `probes` of the scorecard of all that probes asked."""
        return _read(self.scores(seed, PROBES))

    def words(self, seed: int, checkpoint: str | None = None) -> Path:
        """What is known of the vectors of words."""
        return self.scores(seed, "words", checkpoint)

    def read_words(self, seed: int) -> Mapping[str, Any]:
        """`words`, and where some of them are novel `lengths` and `cosines`; see `blicket.runs.words`."""
        return _read(self.words(seed))

    def read_profile(self, seed: int, split: str) -> Mapping[str, Any]:
        """Under `points` a scorecard a validation, with the `update` it was made after."""
        return _read(self.profile(seed, split))

    def benchmark(self) -> Benchmark:
        """The benchmark that the run is about."""
        return benchmark(self.about()["recipe"]["data"]["benchmark"])

    def dataset(self) -> Dataset:
        """The data that it learned from and was judged on."""
        found = self.benchmark()
        return read_dataset(found, self.data, found.options({}))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        said: Mapping[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as JSON") from error
    if not isinstance(said, dict):
        raise InputError(f"{path}: it is {str(said)[:NAMED]!r}, expected an object")
    return said
