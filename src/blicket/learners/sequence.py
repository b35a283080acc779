"""Sequence-to-sequence networks as a learner: fitted on train and dev, many seeds at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray

from blicket.core.errors import BlicketError
from blicket.core.example import Split
from blicket.core.learner import Cohort, Fitted, Learner, Observer, Parameters, Progress, check_roles
from blicket.core.respondent import Answer, Produce, Request, Respondent
from blicket.learners.convs2s import ConvS2S, ConvS2SShape
from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.network import SequenceNetwork
from blicket.learners.transformer import Transformer, TransformerShape
from blicket.learners.vocabulary import Vocabulary
from blicket.training.decoding import Decoding, decoded
from blicket.training.device import best_device
from blicket.training.initialisation import initialised
from blicket.training.loop import train as trained
from blicket.training.pairs import Pairs, texts
from blicket.training.regime import Regime
from blicket.training.stacking import Stack, halved, stacked

__all__ = ["SequenceLearner", "Shape"]

Shape = TransformerShape | LstmShape | ConvS2SShape


@final
@dataclass(frozen=True)
class SequenceLearner(Learner):
    """A network's shape, how to train it, how to decode, and the form it learns to produce."""

    shape: Shape
    regime: Regime
    decoding: Decoding
    form: str

    @property
    def headline(self) -> str:
        """As the regime says."""
        return self.regime.headline

    @property
    def together(self) -> bool:
        """On a GPU; on a CPU stacking saves nothing."""
        return best_device().type == "cuda"

    def fit(
        self,
        train: Split,
        dev: Split,
        seeds: Sequence[int],
        *,
        checkpoints: Path | None = None,
        observers: Sequence[Observer] = (),
        tell: Callable[[Progress], None] = lambda progress: None,
    ) -> Sequence[Fitted]:
        """Train a network a seed, all as one computation."""
        check_roles(train, dev)
        device = best_device()
        words, labels = self._vocabularies(train)
        networks = [self._network(len(words), len(labels)) for _ in seeds]
        for network, seed in zip(networks, seeds, strict=True):
            initialised(network, self.regime.initialisation, seed)
        of_train, of_dev = (Pairs.of(split, self.form, words, labels, device) for split in (train, dev))

        def shown(update: int, stack: Stack) -> None:
            for observe in observers:
                copies = {name: p.detach().clone() for name, p in stack.items()}
                observe(update, NetworkCohort(networks[0], copies, words, labels, self, tuple(seeds)))

        return trained(
            networks[0],
            stacked(networks, device),
            of_train,
            of_dev,
            self.regime,
            seeds,
            directory=checkpoints,
            tell=tell,
            show=shown if observers else None,
        )

    def revived(self, train: Split, dev: Split, parameters: Mapping[int, Parameters]) -> Cohort:
        """The networks; their vocabularies are those of train."""
        check_roles(train, dev)
        words, labels = self._vocabularies(train)
        each = list(parameters.values())
        stack = {
            name: torch.stack([torch.from_numpy(np.array(of_seed[name])) for of_seed in each]).to(best_device())
            for name in each[0]
        }
        network = self._network(len(words), len(labels))
        return NetworkCohort(network, stack, words, labels, self, tuple(parameters))

    def _network(self, words: int, labels: int) -> SequenceNetwork:
        if isinstance(self.shape, TransformerShape):
            return Transformer(self.shape, words, labels)
        if isinstance(self.shape, ConvS2SShape):
            return ConvS2S(self.shape, words, labels)
        return Lstm(self.shape, words, labels)

    def _vocabularies(self, train: Split) -> tuple[Vocabulary, Vocabulary]:
        """The vocabularies of sources and of targets, which are one where embeddings are tied."""
        sources, targets = texts(train, self.form)
        if isinstance(self.shape, TransformerShape) and self.shape.tied:
            shared = Vocabulary.of([*sources, *targets])
            return shared, shared
        return Vocabulary.of(sources), Vocabulary.of(targets)


@final
@dataclass(frozen=True)
class NetworkCohort(Cohort):
    """Fitted networks of one shape, one a seed, which decode together."""

    network: SequenceNetwork
    stack: Stack
    words: Vocabulary
    labels: Vocabulary
    learner: SequenceLearner
    seeds: tuple[int, ...]

    def answers(
        self, requests: Sequence[Request], progress: Callable[[int], None] = lambda done: None
    ) -> list[list[Answer]]:
        """What each network says, decoded as the learner was told."""
        sources = [self._source(request) for request in requests]
        device = next(iter(self.stack.values())).device
        table: NDArray[np.int32] = self.words.matrix(sources, ended=False)
        half = self.learner.regime.half and device.type == "cuda"
        stack = halved(self.stack) if half else self.stack
        said = decoded(self.network, stack, table, self.learner.decoding, device, progress=progress)
        return [
            [Answer(self.labels.text(tokens, source)) for tokens, source in zip(of_seed, sources, strict=True)]
            for of_seed in said
        ]

    def embeddings(self, seed: int) -> dict[str, NDArray[np.floating]]:
        """The embedding of each source word in the network of a seed."""
        table = self.stack["source_embedding.weight"][self.seeds.index(seed)].float().cpu().numpy()
        return dict(zip(self.words.tokens, table, strict=True))

    def respondents(self) -> Sequence[Respondent]:
        """A network a seed."""
        return [
            NetworkRespondent(
                replace(self, stack={name: p[at : at + 1] for name, p in self.stack.items()}, seeds=(seed,))
            )
            for at, seed in enumerate(self.seeds)
        ]

    def _source(self, request: Request) -> str:
        if not isinstance(request, Produce) or request.form != self.learner.form:
            raise BlicketError(f"this network was fitted to produce {self.learner.form} forms, nothing else")
        return " ".join(request.inputs)


@final
class NetworkRespondent(Respondent):
    """A fitted network by itself."""

    def __init__(self, cohort: NetworkCohort) -> None:
        self._cohort = cohort
        self.name = str(cohort.seeds[0])

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """What the network says."""
        return self._cohort.answers(requests)[0]
