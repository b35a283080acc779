"""Labelled graphs over the tokens of a sentence, and forms of targets as notations for them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Arc", "GraphNotation", "Node", "SemanticGraph"]


@dataclass(frozen=True, slots=True)
class Node:
    """A content word: its tag, such as `verb` or `definite`, and its predicate (the lemma, or the name itself)."""

    tag: str
    predicate: str


@dataclass(frozen=True, slots=True)
class Arc:
    """A labelled relation between two token positions, such as (2, 'agent', 1) or (4, 'nmod . on', 7)."""

    head: int
    label: str
    dependent: int


@dataclass(frozen=True, slots=True)
class SemanticGraph:
    """One node or None per token, and the arcs between them, in any order.

    A primitive is a graph over its single token. What LAMBDA binds is listed in `binders`: the last one is
    the variable of the token itself (`e` of a verb, `a` of a noun), and an arc whose dependent is `-1 - k`
    is an open role filled by binder `k`; there the order of the arcs is the order of the conjuncts. So
    `touch` is `SemanticGraph((Node(VERB, 'touch'),), (Arc(0, 'agent', -2), Arc(0, 'theme', -1)),
    ('a', 'b', 'e'))`, and `Paula` is a proper node without arcs or binders.
    """

    nodes: tuple[Node | None, ...]
    arcs: tuple[Arc, ...] = ()
    binders: tuple[str, ...] = ()


class GraphNotation(ABC):
    """A form of targets as a notation for graphs, without loss: subclass it and say how to read and to write.

    A learner of structure gets it with the dataset, and need not know the benchmark.
    """

    @abstractmethod
    def read(self, tokens: Sequence[str], target: str) -> SemanticGraph:
        """The graph of a target over the tokens of its sentence; raises FormError where it draws none."""

    @abstractmethod
    def write(self, graph: SemanticGraph) -> str:
        """The target of a graph; raises FormError where something would be lost."""
