"""The conjunctive form as a notation for graphs: its position numbers say which token means what."""

from collections.abc import Sequence
from typing import final

from blicket.core.graph import GraphNotation, SemanticGraph
from blicket.meaning import conjunctive, to_form, to_graph

__all__ = ["ConjunctiveNotation"]


@final
class ConjunctiveNotation(GraphNotation):
    """Reads and writes conjunctive forms."""

    def read(self, tokens: Sequence[str], target: str) -> SemanticGraph:
        """The graph of a form."""
        return to_graph(conjunctive.parse(target), tokens)

    def write(self, graph: SemanticGraph) -> str:
        """The form of a graph, its conjuncts in the order of the release."""
        return str(to_form(graph))
