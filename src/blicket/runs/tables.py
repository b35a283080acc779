"""The tables of recipes as strict, frozen models: what learners there are and what can be said of them."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar, final

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["KINDS", "ClassifierRecipe", "CommonRecipe", "ParserRecipe", "ProgramRecipe", "SequenceRecipe"]

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, lt=1)]
Seed = Annotated[int, Field(ge=0)]

Element = TypeVar("Element")
Listed = Annotated[tuple[Element, ...], Field(strict=False)]  # which is a list in TOML

Sizes = Annotated[tuple[Positive, Positive, Positive], Field(strict=False)]


class Strict(BaseModel):
    """Frozen, with no keys but its own, and with values of their own types: 1 is not true, "1" is not 1."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Data(Strict):
    """Which data: made with a seed and options, or read with `--official`."""

    benchmark: str
    seed: int = 1
    train: str = "train"
    dev: str = "dev"
    evaluate: Listed[str] = ("dev", "test", "gen")
    watch: Listed[str] = ()
    """What is answered at every validation as well, to be seen over training."""
    form: str | None = None
    options: dict[str, Any] = {}


class TransformerKind(Strict):
    """See `blicket.learners.transformer.TransformerShape`."""

    kind: Literal["transformer"]
    layers: Positive = 2
    width: Positive = 512
    heads: Positive = 4
    hidden: Positive = 512
    dropout: Share = 0.1
    norm: Literal["pre", "post"] = "pre"
    positions: Literal["sinusoidal", "scaled", "relative"] = "sinusoidal"
    tied: bool = False
    shared_layers: bool = False


class LstmKind(Strict):
    """See `blicket.learners.lstm.LstmShape`."""

    kind: Literal["lstm"]
    layers: Positive = 2
    width: Positive = 512
    embedding: Positive = 512
    dropout: Share = 0.1
    bidirectional: bool = False
    attention: Literal["dot", "general"] = "dot"


class ConvS2SKind(Strict):
    """See `blicket.learners.convs2s.ConvS2SShape`."""

    kind: Literal["convs2s"]
    stack: Annotated[Listed[Sizes], Field(min_length=1)] = ((512, 3, 9), (1024, 3, 4), (2048, 1, 2))
    embedding: Positive = 512
    output: Positive = 512
    dropout: Share = 0.1
    positions: Positive = 1024

    @property
    def width(self) -> int:
        """The width that a rate may depend on."""
        return self.embedding


class ParserKind(Strict):
    """See `blicket.learners.structured.network.ParserShape`."""

    kind: Literal["parser"]
    encoder: Literal["convolution", "bilstm"] = "convolution"
    dependents: Literal["before", "around"] = "before"
    roles: Literal["place", "around"] = "place"
    members: Positive = 2
    layers: Positive = 2
    width: Positive = 96
    spelling: Positive = 32
    arcs: Positive = 64
    labels: Positive = 4


class EncoderKind(Strict):
    """See `EncoderShape` in `blicket.learners.encoders`, and the modules `classifier` and `relational` beside it."""

    width: Positive = 300
    embedding: Positive = 300
    hidden: Positive = 512
    words: Literal["vectors", "relations", "guesses"] = "vectors"
    difference: Literal["signed", "absolute"] = "signed"
    linear: bool = False


class GruKind(EncoderKind):
    """A bidirectional GRU for sentence pairs."""

    kind: Literal["gru"]


class InferSentKind(EncoderKind):
    """A bidirectional LSTM with max pooling for sentence pairs."""

    kind: Literal["infersent"]


class SelfAttentiveKind(EncoderKind):
    """A self-attentive encoder for sentence pairs."""

    kind: Literal["self-attentive"]
    views: Positive = 4
    distinct_views: Positive | None = None


class ConvolutionKind(EncoderKind):
    """Hierarchical convolutions for sentence pairs."""

    kind: Literal["convolution"]
    layers: Positive = 4


class ProgramsKind(Strict):
    """See `blicket.learners.programs.ProgramShape`."""

    kind: Literal["programs"]
    parts: Positive = 3


class ProgramTraining(Strict):
    """There is little to say: a single pass."""

    headline: Literal["best", "last"] = "last"


class Training(Strict):
    """See `blicket.training.regime.Regime`."""

    batch: Positive = 128
    accumulate: Positive = 4
    updates: Positive = 30_000
    epochs: Positive | None = None
    validate_every: Positive = 500
    validate_each_epoch: bool = False
    patience: Positive | None = 5
    early_stopping: bool = True
    watch: Literal["loss", "accuracy"] = "loss"
    headline: Literal["best", "last"] = "best"
    optimiser: Literal["adam", "sgd"] = "adam"
    schedule: Literal["noam", "constant", "plateau", "decay"] = "noam"
    rate: Annotated[float, Field(gt=0)] = 2.0
    warmup: Positive = 4_000
    factor: Annotated[float, Field(gt=0, lt=1)] = 0.5
    decay_from: Positive = 8
    betas: Annotated[tuple[Share, Share], Field(strict=False)] = (0.9, 0.998)
    momentum: Share = 0.0
    clip: Annotated[float, Field(gt=0)] | None = None
    mean: Literal["sentences", "tokens"] = "sentences"
    smoothing: Share = 0.1
    initialisation: Literal["glorot", "uniform", "embeddings-kaiming", "embeddings-tenth"] = "glorot"
    groups: Positive = 6
    half: bool = True
    compiled: Literal["whole", "parts"] = "whole"


class Decode(Strict):
    """See `blicket.training.decoding.Decoding`."""

    beam: Positive = 5
    longest: Positive = 2_000
    batch: Positive = 512
    replace_unknown: bool = False


class ClassifierTraining(Strict):
    """See `blicket.training.classification.ClassifierRegime`."""

    batch: Positive = 64
    epochs: Positive = 20
    rate: Annotated[float, Field(gt=0)] = 0.001
    patience: Positive | None = None
    watch: Literal["loss", "accuracy"] = "accuracy"
    headline: Literal["best", "last"] = "best"
    weights: dict[str, Annotated[float, Field(gt=0)]] = {}
    frozen: bool = False


class ParserTraining(Strict):
    """See `blicket.learners.structured.training.ParserRegime`."""

    epochs: Positive = 3
    batch: Positive = 64
    rate: Annotated[float, Field(gt=0)] = 0.002
    word_dropout: Annotated[float, Field(ge=0)] = 100.0
    steepness: Annotated[float, Field(gt=0)] = 2.0
    spelling_dropout: Share = 0.2
    dropout: Share = 0.1
    rare: Annotated[int, Field(ge=0)] = 3
    headline: Literal["best", "last"] = "last"


class ParserDecode(Strict):
    """See `blicket.learners.structured.learner.StructuredLearner`."""

    by: Literal["matching", "greedy", "projective"] = "matching"
    slots: Annotated[float, Field(ge=0)] = 3.0


class CommonRecipe(Strict):
    """What every recipe says; `answers` names the published rows that its results stand beside."""

    name: str
    about: str = ""
    answers: Listed[str] = ()
    result: bool = True
    """Whether its numbers count as a result: those of quick twins and of limited data do not."""
    seeds: Listed[Seed] = (1, 2, 3, 4, 5)
    data: Data

    def identity(self, data_hash: str, limit: int | None) -> str:
        """A hash of the recipe and the data, but for the seeds and what the recipe says of itself."""
        settings = self.model_dump(mode="json", exclude={"seeds", "name", "about", "answers", "result"})
        return sha256(json.dumps([settings, data_hash, limit], sort_keys=True).encode()).hexdigest()[:12]


@final
class SequenceRecipe(CommonRecipe):
    """For a sequence-to-sequence network."""

    network: Annotated[TransformerKind | LstmKind | ConvS2SKind, Field(discriminator="kind")]
    training: Training = Training()
    decoding: Decode = Decode()


@final
class ParserRecipe(CommonRecipe):
    """For the learner of structure."""

    network: ParserKind
    training: ParserTraining = ParserTraining()
    decoding: ParserDecode = ParserDecode()


@final
class ClassifierRecipe(CommonRecipe):
    """For a classifier of sentence pairs."""

    network: Annotated[GruKind | InferSentKind | SelfAttentiveKind | ConvolutionKind, Field(discriminator="kind")]
    training: ClassifierTraining = ClassifierTraining()


@final
class ProgramRecipe(CommonRecipe):
    """For the learner of programs."""

    network: ProgramsKind
    training: ProgramTraining = ProgramTraining()


AnyRecipe = SequenceRecipe | ParserRecipe | ClassifierRecipe | ProgramRecipe

KINDS: Mapping[str, tuple[type[Strict], type[AnyRecipe]]] = {
    "transformer": (TransformerKind, SequenceRecipe),
    "lstm": (LstmKind, SequenceRecipe),
    "convs2s": (ConvS2SKind, SequenceRecipe),
    "parser": (ParserKind, ParserRecipe),
    "gru": (GruKind, ClassifierRecipe),
    "infersent": (InferSentKind, ClassifierRecipe),
    "self-attentive": (SelfAttentiveKind, ClassifierRecipe),
    "convolution": (ConvolutionKind, ClassifierRecipe),
    "programs": (ProgramsKind, ProgramRecipe),
}
"""By the kind of network: the model of its table, and that of the recipe."""
