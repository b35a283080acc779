"""Classifiers of sentence pairs as a learner: fitted on train and dev, many seeds at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from blicket.core.dataset import Hierarchy
from blicket.core.errors import BlicketError
from blicket.core.example import Split
from blicket.core.learner import Cohort, Fitted, Learner, Observer, Parameters, Progress, check_roles
from blicket.core.respondent import Answer, Rank, Request, Respondent
from blicket.learners.classifier import ClassifierShape, PairClassifier
from blicket.learners.embeddings import initial_vectors
from blicket.learners.relational import Lexicon, Rewriting, WordsEnter, unchanged
from blicket.learners.vocabulary import PAD, Vocabulary
from blicket.training.classification import EMBEDDING, ClassifierRegime, classified, train_classifiers
from blicket.training.device import best_device
from blicket.training.initialisation import drawn_from
from blicket.training.labelled import LabelledPairs, numbered, pairs_of, sentences_of
from blicket.training.stacking import Stack, stacked

__all__ = ["PairLearner"]


@final
@dataclass(frozen=True)
class PairLearner(Learner):
    """A network's shape, how to train it, and the form that says which relation a pair is in.

    Words that do not enter as vectors need a hierarchy.
    """

    shape: ClassifierShape
    regime: ClassifierRegime
    form: str
    words: WordsEnter = "vectors"
    hierarchy: Hierarchy | None = None

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
        rewritten = self._rewriting(train)
        words, labels = self._known(train, rewritten)
        networks = [self._network(words, labels, seed) for seed in seeds]
        of_train, of_dev = (
            LabelledPairs.of(split, self.form, words, labels, device, rewritten) for split in (train, dev)
        )

        def cohort(stack: Stack) -> PairCohort:
            return PairCohort(networks[0], stack, words, labels, tuple(seeds), rewritten)

        def shown(update: int, stack: Stack) -> None:
            for observe in observers:
                observe(update, cohort({name: p.detach().clone() for name, p in stack.items()}))

        return train_classifiers(
            networks[0],
            stacked(networks, device),
            of_train,
            of_dev,
            self.regime,
            seeds,
            labels,
            lambda stack, novel: cohort(stack).with_novel(novel),
            directory=checkpoints,
            tell=tell,
            show=shown if observers else None,
        )

    def revived(self, train: Split, dev: Split, parameters: Mapping[int, Parameters]) -> Cohort:
        """The networks; which words and labels there are is read off train again."""
        check_roles(train, dev)
        rewritten = self._rewriting(train)
        words, labels = self._known(train, rewritten)
        seeds = tuple(parameters)
        each = list(parameters.values())
        stack = {
            name: torch.stack([torch.from_numpy(np.array(of_seed[name])) for of_seed in each]).to(best_device())
            for name in each[0]
        }
        return PairCohort(self._network(words, labels, seeds[0]), stack, words, labels, seeds, rewritten)

    def _network(self, words: Vocabulary, labels: Sequence[str], seed: int) -> PairClassifier:
        """A network with fresh weights; every word begins with the vector that it would have if it were novel."""
        with drawn_from(seed):
            network = PairClassifier(self.shape, len(words), len(labels))
        vectors = initial_vectors(seed, words.tokens, self.shape.encoder.embedding)
        with torch.no_grad():
            network.embedding.weight.copy_(torch.from_numpy(vectors))
            network.embedding.weight[PAD] = 0.0
        return network

    def _rewriting(self, train: Split) -> Rewriting:
        """How pairs are read: as they are, or with words only through their relations."""
        if self.words == "vectors" or self.hierarchy is None:
            return unchanged
        inputs, _ = pairs_of(train, self.form)
        met = frozenset(word for pair in inputs for text in pair for word in text.split())
        return Lexicon(self.hierarchy, met if self.words == "guesses" else None).rewritten

    def _known(self, train: Split, rewritten: Rewriting) -> tuple[Vocabulary, tuple[str, ...]]:
        """The words and the labels of train."""
        inputs, targets = pairs_of(train, self.form, rewritten)
        return Vocabulary.of(text for pair in inputs for text in pair), tuple(sorted(set(targets)))


@final
@dataclass(frozen=True)
class PairCohort(Cohort):
    """Fitted classifiers of one shape, one a seed, which answer together."""

    network: PairClassifier
    stack: Stack
    words: Vocabulary
    labels: tuple[str, ...]
    seeds: tuple[int, ...]
    rewritten: Rewriting = unchanged

    @torch.inference_mode()
    def answers(
        self, requests: Sequence[Request], progress: Callable[[int], None] = lambda done: None
    ) -> list[list[Answer]]:
        """The likeliest candidate of each request, and the scores of all."""
        if not requests:
            return [[] for _ in self.seeds]
        asked = [self._checked(request) for request in requests]
        pairs = sentences_of([self.rewritten(request.inputs) for request in asked])
        sentences, novel = numbered(pairs.sentences, self.words)
        device = self.stack[EMBEDDING].device
        of_pairs, at = (torch.from_numpy(array).to(device) for array in (sentences, np.ascontiguousarray(pairs.at)))
        scores = classified(self.network, self.with_novel(novel), of_pairs, at, progress)
        return [self._said(asked, of_seed) for of_seed in scores]

    def respondents(self) -> Sequence[Respondent]:
        """A network a seed."""
        return [
            PairRespondent(replace(self, stack={name: p[at : at + 1] for name, p in self.stack.items()}, seeds=(seed,)))
            for at, seed in enumerate(self.seeds)
        ]

    def vectors(self, words: Sequence[str]) -> Sequence[NDArray[np.float32]] | None:
        """Those that were trained, and for novel words those that they began with."""
        if self.rewritten is not unchanged:
            return None
        rows, novel = numbered(words, self.words)
        found: NDArray[np.float32] = self.with_novel(novel)[EMBEDDING].detach().cpu().numpy()
        return [of_seed[rows[:, 0]] for of_seed in found]

    def with_novel(self, words: Sequence[str]) -> Stack:
        """The parameters with the vectors of words that were never trained, which are what they began with."""
        if not words:
            return self.stack
        trained = self.stack[EMBEDDING]
        fresh = np.stack([initial_vectors(seed, words, trained.shape[-1]) for seed in self.seeds])
        return self.stack | {EMBEDDING: torch.cat((trained, torch.from_numpy(fresh).to(trained.device)), dim=1)}

    def _checked(self, request: Request) -> Rank:
        if not isinstance(request, Rank) or len(request.inputs) != 2:
            raise BlicketError("this network was fitted to say which relation a pair of sentences is in, nothing else")
        if not set(request.candidates) & set(self.labels):
            known = " ".join(self.labels)
            raise BlicketError(f"{request.example}: none of the candidates is among what was learned: {known}")
        return request

    def _said(self, requests: Sequence[Rank], scores: Tensor) -> list[Answer]:
        """A candidate that training never showed has a score below all others."""
        column = {label: i for i, label in enumerate(self.labels)}
        answers = []
        for request, row in zip(requests, scores.tolist(), strict=True):
            of_candidates = tuple(row[column[c]] if c in column else -inf for c in request.candidates)
            answers.append(Answer(request.candidates[of_candidates.index(max(of_candidates))], of_candidates))
        return answers


@final
class PairRespondent(Respondent):
    """A fitted classifier by itself."""

    def __init__(self, cohort: PairCohort) -> None:
        self._cohort = cohort
        self.name = str(cohort.seeds[0])

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """What the network says."""
        return self._cohort.answers(requests)[0]
