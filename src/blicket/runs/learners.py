"""From what a recipe says to the learner it describes."""

from collections.abc import Mapping

from blicket.core.dataset import Hierarchy
from blicket.core.errors import InputError
from blicket.core.graph import GraphNotation
from blicket.core.learner import Learner
from blicket.learners.classifier import ClassifierShape
from blicket.learners.encoders import EncoderShape
from blicket.learners.lstm import LstmShape
from blicket.learners.pairs import PairLearner
from blicket.learners.sequence import SequenceLearner
from blicket.learners.structured import ParserRegime, ParserShape, StructuredLearner
from blicket.learners.transformer import TransformerShape
from blicket.runs.recipe import Recipe
from blicket.runs.tables import ClassifierRecipe, ParserRecipe, SequenceRecipe
from blicket.training.classification import ClassifierRegime
from blicket.training.decoding import Decoding
from blicket.training.optimisation import Schedule
from blicket.training.regime import Regime

__all__ = ["learner_of"]


def learner_of(
    recipe: Recipe, form: str, notations: Mapping[str, GraphNotation], hierarchy: Hierarchy | None = None
) -> Learner:
    """The learner; `notations` and `hierarchy` are those of the dataset, for learners that need to know them."""
    if isinstance(recipe, ParserRecipe):
        return _parser(recipe, form, notations)
    if isinstance(recipe, ClassifierRecipe):
        return _classifier(recipe, form, hierarchy)
    return _sequence(recipe, form)


def _classifier(recipe: ClassifierRecipe, form: str, hierarchy: Hierarchy | None) -> PairLearner:
    compared = ("hidden", "difference", "linear")
    told = recipe.network.model_dump(exclude={"words"})
    words = recipe.network.words
    if words != "vectors" and hierarchy is None:
        raise InputError(f"network.words: {words} are wanted, and these data do not say how words are related")
    encoder = EncoderShape(**{name: value for name, value in told.items() if name not in compared})
    shape = ClassifierShape(encoder, **{name: told[name] for name in compared})
    return PairLearner(shape, ClassifierRegime(**recipe.training.model_dump()), form, words, hierarchy)


def _parser(recipe: ParserRecipe, form: str, notations: Mapping[str, GraphNotation]) -> StructuredLearner:
    regime = ParserRegime(**recipe.training.model_dump())
    shape = ParserShape(**recipe.network.model_dump(exclude={"kind"}))
    return StructuredLearner(shape, regime, recipe.decoding.by, recipe.decoding.slots, form, notations[form])


def _sequence(recipe: SequenceRecipe, form: str) -> SequenceLearner:
    network = recipe.network.model_dump(exclude={"kind"})
    shape = TransformerShape(**network) if recipe.network.kind == "transformer" else LstmShape(**network)
    told = recipe.training.model_dump(exclude={"schedule", "rate", "warmup", "early_stopping"})
    if not recipe.training.early_stopping:
        told["patience"] = None
    schedule = Schedule(recipe.training.schedule, recipe.training.rate, recipe.training.warmup, recipe.network.width)
    return SequenceLearner(shape, Regime(**told, schedule=schedule), Decoding(**recipe.decoding.model_dump()), form)
