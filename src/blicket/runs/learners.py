"""From what a recipe says to the learner it describes."""

from blicket.core.learner import Learner
from blicket.learners.lstm import LstmShape
from blicket.learners.sequence import SequenceLearner
from blicket.learners.transformer import TransformerShape
from blicket.runs.recipe import Recipe
from blicket.training.decoding import Decoding
from blicket.training.optimisation import Schedule
from blicket.training.regime import Regime

__all__ = ["learner_of"]


def learner_of(recipe: Recipe, form: str) -> Learner:
    """The learner."""
    network = recipe.network.model_dump(exclude={"kind"})
    shape = TransformerShape(**network) if recipe.network.kind == "transformer" else LstmShape(**network)
    told = recipe.training.model_dump(exclude={"schedule", "rate", "warmup", "early_stopping"})
    if not recipe.training.early_stopping:
        told["patience"] = None
    schedule = Schedule(recipe.training.schedule, recipe.training.rate, recipe.training.warmup, recipe.network.width)
    return SequenceLearner(shape, Regime(**told, schedule=schedule), Decoding(**recipe.decoding.model_dump()), form)
