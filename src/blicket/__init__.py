"""Blicket: a laboratory for compositional generalization.

    import blicket

    cogs = blicket.benchmark("cogs")
    data = cogs.build(seed=1)
    cogs.interpret(("A cat ate the hedgehog .",), "conjunctive")

The names below are the public ones; each is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME = {
    "Answer": "blicket.core.respondent",
    "Benchmark": "blicket.core.benchmark",
    "BlicketError": "blicket.core.errors",
    "Case": "blicket.core.benchmark",
    "Dataset": "blicket.core.dataset",
    "Example": "blicket.core.example",
    "Exhausted": "blicket.core.errors",
    "FormError": "blicket.core.errors",
    "InputError": "blicket.core.errors",
    "Judge": "blicket.core.verdict",
    "ListedRows": "blicket.core.example",
    "NearestSentence": "blicket.learners.nearest",
    "Outcome": "blicket.core.verdict",
    "Predictions": "blicket.core.predictions",
    "Produce": "blicket.core.respondent",
    "Published": "blicket.core.published",
    "Rank": "blicket.core.respondent",
    "Refusal": "blicket.core.errors",
    "Respondent": "blicket.core.respondent",
    "Role": "blicket.core.example",
    "Rows": "blicket.core.example",
    "Scorecard": "blicket.core.scorecard",
    "Scores": "blicket.core.scoring",
    "Split": "blicket.core.example",
    "Stream": "blicket.core.randomness",
    "UnknownName": "blicket.core.errors",
    "Verdict": "blicket.core.verdict",
    "benchmark": "blicket.core.registry",
    "benchmark_names": "blicket.core.registry",
    "read_dataset": "blicket.core.reading",
    "register": "blicket.core.registry",
    "score": "blicket.core.scoring",
    "write_dataset": "blicket.core.storage",
    "write_predictions": "blicket.core.predictions",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from blicket.core.benchmark import Benchmark as Benchmark
    from blicket.core.benchmark import Case as Case
    from blicket.core.dataset import Dataset as Dataset
    from blicket.core.errors import BlicketError as BlicketError
    from blicket.core.errors import Exhausted as Exhausted
    from blicket.core.errors import FormError as FormError
    from blicket.core.errors import InputError as InputError
    from blicket.core.errors import Refusal as Refusal
    from blicket.core.errors import UnknownName as UnknownName
    from blicket.core.example import Example as Example
    from blicket.core.example import ListedRows as ListedRows
    from blicket.core.example import Role as Role
    from blicket.core.example import Rows as Rows
    from blicket.core.example import Split as Split
    from blicket.core.predictions import Predictions as Predictions
    from blicket.core.predictions import write_predictions as write_predictions
    from blicket.core.published import Published as Published
    from blicket.core.randomness import Stream as Stream
    from blicket.core.reading import read_dataset as read_dataset
    from blicket.core.registry import benchmark as benchmark
    from blicket.core.registry import benchmark_names as benchmark_names
    from blicket.core.registry import register as register
    from blicket.core.respondent import Answer as Answer
    from blicket.core.respondent import Produce as Produce
    from blicket.core.respondent import Rank as Rank
    from blicket.core.respondent import Respondent as Respondent
    from blicket.core.scorecard import Scorecard as Scorecard
    from blicket.core.scoring import Scores as Scores
    from blicket.core.scoring import score as score
    from blicket.core.storage import write_dataset as write_dataset
    from blicket.core.verdict import Judge as Judge
    from blicket.core.verdict import Outcome as Outcome
    from blicket.core.verdict import Verdict as Verdict
    from blicket.learners.nearest import NearestSentence as NearestSentence


def __getattr__(name: str) -> Any:
    """Load a public name from its home."""
    if name not in _HOME:
        raise AttributeError(f"module 'blicket' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(_HOME)
