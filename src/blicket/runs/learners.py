"""From what a recipe says to the learner it describes."""

from collections.abc import Mapping

from blicket.core.graph import GraphNotation
from blicket.core.learner import Learner
from blicket.learners.convs2s import ConvS2SShape
from blicket.learners.lstm import LstmShape
from blicket.learners.programs import ProgramLearner, ProgramShape
from blicket.learners.sequence import SequenceLearner, Shape
from blicket.learners.structured import ParserRegime, ParserShape, StructuredLearner
from blicket.learners.transformer import TransformerShape
from blicket.runs.recipe import Recipe
from blicket.runs.tables import ParserRecipe, ProgramRecipe, SequenceRecipe
from blicket.training.decoding import Decoding
from blicket.training.regime import Regime
from blicket.training.schedules import Schedule

__all__ = ["learner_of"]

SHAPES: Mapping[str, type[Shape]] = {
    "transformer": TransformerShape,
    "lstm": LstmShape,
    "convs2s": ConvS2SShape,
}


def learner_of(recipe: Recipe, form: str, notations: Mapping[str, GraphNotation]) -> Learner:
    """The learner; `notations` are those of the dataset, of which a parser needs that of the form."""
    if isinstance(recipe, ParserRecipe):
        return _parser(recipe, form, notations)
    if isinstance(recipe, ProgramRecipe):
        return ProgramLearner(ProgramShape(recipe.network.parts), form)
    return _sequence(recipe, form)


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
