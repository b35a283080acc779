"""The learner of structure: knowledge read off train, and a small network a seed for the rest."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, final

import numpy as np
import torch

from blicket.core.errors import BlicketError, FormError
from blicket.core.example import Split
from blicket.core.graph import GraphNotation, SemanticGraph
from blicket.core.learner import Cohort, Fitted, Learner, Observer, Parameters, Progress, check_roles
from blicket.core.respondent import Answer, Produce, Request, Respondent
from blicket.core.workers import cores, heard, in_order
from blicket.learners.structured.assignment import DECODERS, Decoder
from blicket.learners.structured.knowledge import Knowledge, read_sentences
from blicket.learners.structured.network import Parser, ParserShape
from blicket.learners.structured.parsing import parsed
from blicket.learners.structured.training import ParserRegime, Training
from blicket.learners.structured.treebank import treebank
from blicket.training.device import one_thread
from blicket.training.initialisation import initialised

__all__ = ["StructuredLearner"]


@final
@dataclass(frozen=True)
class StructuredLearner(Learner):
    """The network's shape, how to train it and to decode, the form to learn and how it is a graph.

    What is said for a head's taking a role counts `slots` times what is said for a word's being what fills it.
    """

    shape: ParserShape
    regime: ParserRegime
    decoder: Decoder
    slots: float
    form: str
    notation: GraphNotation

    @property
    def headline(self) -> str:
        """As the regime says."""
        return self.regime.headline

    @property
    def together(self) -> bool:
        """A seed a core."""
        return True

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
        """Train a network a seed, each on a core of its own, or all here where somebody observes."""
        check_roles(train, dev)
        sentences, questions = (read_sentences(split, self.form, self.notation) for split in (train, dev))
        knowledge = Knowledge.of(sentences, self.regime.rare)
        networks = {seed: self._network(knowledge, seed) for seed in seeds}
        of_train, of_dev = (treebank(rows, knowledge) for rows in (sentences, questions))
        training = Training(self.regime, knowledge, of_train, of_dev, questions, partial(self.parsed, knowledge))

        def shown(seed: int, update: int) -> None:
            for observe in observers:
                observe(update, ParserCohort({seed: networks[seed]}, knowledge, self))

        with heard(lambda said: tell(_progress(said))) as say:
            fit = partial(_fitted, training, networks, say, shown)
            return list(in_order(fit, seeds, 1 if observers else _workers(seeds)))

    def revived(self, train: Split, dev: Split, parameters: Mapping[int, Parameters]) -> Cohort:
        """The networks; what else they know is read off train again."""
        check_roles(train, dev)
        knowledge = Knowledge.of(read_sentences(train, self.form, self.notation), self.regime.rare)
        networks = {}
        for seed, of_seed in parameters.items():
            networks[seed] = self._network(knowledge, seed)
            networks[seed].load_state_dict({name: torch.from_numpy(np.array(p)) for name, p in of_seed.items()})
        return ParserCohort(networks, knowledge, self)

    def _network(self, knowledge: Knowledge, seed: int) -> Parser:
        sizes = len(knowledge.endings) + 1, len(knowledge.tags), len(knowledge.labels)
        network = Parser(self.shape, torch.from_numpy(knowledge.passed_over), *sizes)
        initialised(network, "glorot", seed)
        return network

    def parsed(
        self,
        knowledge: Knowledge,
        network: Parser,
        sentences: Sequence[tuple[str, ...]],
        progress: Callable[[int], None] = lambda done: None,
    ) -> list[SemanticGraph]:
        """The graphs that a network gives sentences."""
        return parsed(network, sentences, knowledge, DECODERS[self.decoder], slots=self.slots, progress=progress)


def _workers(seeds: Sequence[int]) -> int:
    """A core a seed; a process that has computed on a GPU cannot be forked."""
    return 1 if torch.cuda.is_initialized() else min(cores(), len(seeds))  # type: ignore[no-untyped-call]


def _fitted(
    training: Training,
    networks: Mapping[int, Parser],
    say: Callable[[Any], None],
    show: Callable[[int, int], None],
    seed: int,
) -> Fitted:
    with one_thread():
        return training.fit(networks[seed], seed, say, lambda update: show(seed, update))


def _progress(said: Mapping[str, Any]) -> Progress:
    """What was said as JSON, with its lists as tuples again."""
    listed: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in said.items()}
    return Progress(**listed)


@final
@dataclass(frozen=True)
class ParserCohort(Cohort):
    """Fitted networks by seed, with what all of them know."""

    networks: Mapping[int, Parser]
    knowledge: Knowledge
    learner: StructuredLearner

    @property
    def seeds(self) -> tuple[int, ...]:  # type: ignore[override]
        """In the order they were asked for."""
        return tuple(self.networks)

    def answers(
        self, requests: Sequence[Request], progress: Callable[[int], None] = lambda done: None
    ) -> list[list[Answer]]:
        """What each network says, each on a core of its own."""
        sentences = [self._tokens(request) for request in requests]
        done = dict.fromkeys(self.seeds, 0)

        def hear(said: list[int]) -> None:
            done[said[0]] = said[1]
            progress(sum(done.values()) // len(done))

        with heard(hear) as say:
            answer = partial(self._answers, sentences, say)
            return list(in_order(answer, self.seeds, _workers(self.seeds)))

    def graphs(self, seed: int, sentences: Sequence[tuple[str, ...]]) -> list[SemanticGraph]:
        """The graph that the network of a seed gives each sentence."""
        return self._graphs(seed, sentences, lambda done: None)

    def respondents(self) -> Sequence[Respondent]:
        """A network a seed."""
        return [
            ParserRespondent(ParserCohort({seed: network}, self.knowledge, self.learner))
            for seed, network in self.networks.items()
        ]

    def _tokens(self, request: Request) -> tuple[str, ...]:
        if not isinstance(request, Produce) or request.form != self.learner.form:
            raise BlicketError(f"this parser was fitted to produce {self.learner.form} forms, nothing else")
        return tuple(" ".join(request.inputs).split())

    def _answers(self, sentences: Sequence[tuple[str, ...]], say: Callable[[Any], None], seed: int) -> list[Answer]:
        with one_thread():
            graphs = self._graphs(seed, sentences, lambda done: say([seed, done]))
        return [Answer(self._written(graph)) for graph in graphs]

    def _graphs(
        self, seed: int, sentences: Sequence[tuple[str, ...]], progress: Callable[[int], None]
    ) -> list[SemanticGraph]:
        """Sentences that train has whole, primitives, mean what they mean there."""
        wholes = self.knowledge.wholes
        asked = [sentence for sentence in sentences if sentence and sentence not in wholes]
        graphs = self.learner.parsed(self.knowledge, self.networks[seed], asked, progress)
        found = dict(zip(asked, graphs, strict=True))
        return [wholes.get(sentence) or found.get(sentence) or SemanticGraph(()) for sentence in sentences]

    def _written(self, graph: SemanticGraph) -> str:
        """The form of a graph; nothing where the graph says something that no form can say."""
        try:
            return self.learner.notation.write(graph)
        except FormError:
            return ""


@final
class ParserRespondent(Respondent):
    """A fitted network by itself."""

    def __init__(self, cohort: ParserCohort) -> None:
        self._cohort = cohort
        self.name = str(cohort.seeds[0])

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """What the network says."""
        return self._cohort.answers(requests)[0]
