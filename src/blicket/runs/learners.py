"""From what a recipe says to the learner it describes."""

from collections.abc import Mapping

from blicket.core.dataset import Hierarchy
from blicket.core.errors import InputError
from blicket.core.graph import GraphNotation
from blicket.core.learner import Learner
from blicket.learners.classifier import ClassifierShape
from blicket.learners.convs2s import ConvS2SShape
from blicket.learners.encoders import EncoderShape
from blicket.learners.lstm import LstmShape
from blicket.learners.pairs import PairLearner
from blicket.learners.programs import ProgramLearner, ProgramShape
from blicket.learners.sequence import SequenceLearner, Shape
from blicket.learners.structured import ParserRegime, ParserShape, StructuredLearner
from blicket.learners.transformer import TransformerShape
from blicket.runs.recipe import Recipe
from blicket.runs.tables import ClassifierRecipe, ParserRecipe, ProgramRecipe, SequenceRecipe
from blicket.training.classification import ClassifierRegime
from blicket.training.decoding import Decoding
from blicket.training.regime import Regime
from blicket.training.schedules import Schedule

__all__ = ["learner_of"]

SHAPES: Mapping[str, type[Shape]] = {
    "transformer": TransformerShape,
    "lstm": LstmShape,
    "convs2s": ConvS2SShape,
}


def learner_of(
    recipe: Recipe, form: str, notations: Mapping[str, GraphNotation], hierarchy: Hierarchy | None = None
) -> Learner:
    """The learner; `notations` and `hierarchy` are those of the dataset, for learners that need to know them."""
    if isinstance(recipe, ParserRecipe):
        return _parser(recipe, form, notations)
    if isinstance(recipe, ClassifierRecipe):
        return _classifier(recipe, form, hierarchy)
    if isinstance(recipe, ProgramRecipe):
        return ProgramLearner(ProgramShape(recipe.network.parts), form)
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
    shape = SHAPES[recipe.network.kind](**recipe.network.model_dump(exclude={"kind"}))
    of_schedule = ("rate", "warmup", "factor", "decay_from")
    told = recipe.training.model_dump(exclude={"schedule", "early_stopping", *of_schedule})
    if not recipe.training.early_stopping:
        told["patience"] = None
    rates = recipe.training.model_dump(include=set(of_schedule))
    schedule = Schedule(recipe.training.schedule, width=recipe.network.width, **rates)
    return SequenceLearner(shape, Regime(**told, schedule=schedule), Decoding(**recipe.decoding.model_dump()), form)
