"""Sequence-to-sequence networks as a learner: fitted on train and dev, many seeds at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file

from blicket.core.errors import BlicketError, InputError
from blicket.core.example import Role, Split
from blicket.core.respondent import Answer, Produce, Request, Respondent
from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.network import SequenceNetwork
from blicket.learners.transformer import Transformer, TransformerShape
from blicket.learners.vocabulary import Vocabulary
from blicket.training.decoding import Decoding, decoded
from blicket.training.initialisation import initialised
from blicket.training.loop import Progress, Trained, train
from blicket.training.pairs import Pairs, texts
from blicket.training.regime import Regime
from blicket.training.stacking import Stack, halved, stacked

__all__ = ["Cohort", "SequenceLearner", "SequenceRespondent", "best_device", "loaded", "vocabularies"]

Shape = TransformerShape | LstmShape


def best_device() -> torch.device:
    """A GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@final
@dataclass(frozen=True)
class SequenceLearner:
    """A network's shape, how to train it, and the form it learns to produce."""

    shape: Shape
    regime: Regime
    decoding: Decoding
    form: str

    def fit(
        self,
        train_split: Split,
        dev_split: Split,
        seeds: Sequence[int],
        *,
        checkpoints: Path | None = None,
        tell: Callable[[Progress], None] = lambda progress: None,
    ) -> "tuple[Cohort, Trained]":
        """Train a network a seed, together on a GPU and here one call each; nothing but train and dev is looked at."""
        for split, role in ((train_split, Role.TRAIN), (dev_split, Role.DEV)):
            if split.role != role:
                raise InputError(f"{split.name} is a {split.role} split, and a {role} split is wanted to fit on")
        device = best_device()
        words, labels = vocabularies(self, *texts(train_split, self.form))
        networks = [self._network(words, labels, seed) for seed in seeds]
        pairs, dev = (Pairs.of(split, self.form, words, labels, device) for split in (train_split, dev_split))
        stack = stacked(networks, device)
        trained = train(networks[0], stack, pairs, dev, self.regime, seeds, directory=checkpoints, tell=tell)
        kept = trained.best if self.regime.headline == "best" else trained.last
        return Cohort(networks[0], kept, words, labels, self, tuple(seeds)), trained

    def _network(self, words: Vocabulary, labels: Vocabulary, seed: int) -> SequenceNetwork:
        network = self.network(len(words), len(labels))
        initialised(network, self.regime.initialisation, seed)
        return network

    def network(self, words: int, labels: int) -> SequenceNetwork:
        """A network of the shape over vocabularies of these sizes."""
        if isinstance(self.shape, TransformerShape):
            return Transformer(self.shape, words, labels)
        return Lstm(self.shape, words, labels)


@final
@dataclass(frozen=True)
class Cohort:
    """Fitted networks of one shape, one a seed, which answer together."""

    network: SequenceNetwork
    stack: Stack
    words: Vocabulary
    labels: Vocabulary
    learner: SequenceLearner
    seeds: tuple[int, ...]

    def produce(self, sources: Sequence[str], progress: Callable[[int], None] = lambda done: None) -> list[list[str]]:
        """For each seed the targets of these sources."""
        device = next(iter(self.stack.values())).device
        table: NDArray[np.int32] = self.words.matrix(sources, ended=False)
        half = self.learner.regime.half and device.type == "cuda"
        stack = halved(self.stack) if half else self.stack
        said = decoded(self.network, stack, table, self.learner.decoding, device, progress=progress)
        return [[self.labels.text(tokens) for tokens in of_seed] for of_seed in said]

    def alone(self, seed: int) -> "Cohort":
        """The network of one seed."""
        at = self.seeds.index(seed)
        return replace(self, stack={name: p[at : at + 1] for name, p in self.stack.items()}, seeds=(seed,))

    def respondents(self) -> "list[SequenceRespondent]":
        """A respondent a seed."""
        return [SequenceRespondent(self.alone(seed)) for seed in self.seeds]

    def save(self, path: Path) -> None:
        """Keep the parameters of a cohort of one."""
        tensors = {name: p.detach()[0].contiguous().cpu() for name, p in self.stack.items()}
        beside = path.with_suffix(".partial")
        save_file(tensors, beside)
        beside.replace(path)


def vocabularies(
    learner: SequenceLearner, sources: Sequence[str], targets: Sequence[str]
) -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of sources and of targets, which are one where embeddings are tied."""
    if isinstance(learner.shape, TransformerShape) and learner.shape.tied:
        shared = Vocabulary.of([*sources, *targets])
        return shared, shared
    return Vocabulary.of(sources), Vocabulary.of(targets)


def loaded(
    learner: SequenceLearner, paths: Sequence[Path], vocabularies: tuple[Vocabulary, Vocabulary], seeds: Sequence[int]
) -> Cohort:
    """A cohort from kept parameters, one file a seed."""
    words, labels = vocabularies
    device = best_device()
    each = [load_file(path) for path in paths]
    stack = {name: torch.stack([tensors[name] for tensors in each]).to(device) for name in each[0]}
    return Cohort(learner.network(len(words), len(labels)), stack, words, labels, learner, tuple(seeds))


@final
class SequenceRespondent(Respondent):
    """A fitted network that answers requests to produce."""

    def __init__(self, cohort: Cohort) -> None:
        self.cohort = cohort
        self.name = str(cohort.seeds[0])

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """What the network says, decoded as its learner was told."""
        sources = []
        for request in requests:
            if not isinstance(request, Produce) or request.form != self.cohort.learner.form:
                raise BlicketError(f"this network was fitted to produce {self.cohort.learner.form} forms, nothing else")
            sources.append(" ".join(request.inputs))
        return [Answer(said) for said in self.cohort.produce(sources)[0]]
