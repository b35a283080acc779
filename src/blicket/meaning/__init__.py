"""The forms meanings take: print, parse, convert, compare. Knows no benchmark.

Both notations have a `parse` and conversions from and to a SemanticGraph; say which by the module:
`conjunctive.parse`, `variable_free.parse`.
"""

from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.meaning import conjunctive, graph, variable_free
from blicket.meaning.conjunctive import Argument, Conjunct, ConjunctiveForm, tokenise
from blicket.meaning.equality import equal
from blicket.meaning.graph import Tag, to_form, to_graph
from blicket.meaning.variable_free import Term, VariableFreeForm

__all__ = [
    "Arc",
    "Argument",
    "Conjunct",
    "ConjunctiveForm",
    "Node",
    "SemanticGraph",
    "Tag",
    "Term",
    "VariableFreeForm",
    "conjunctive",
    "equal",
    "graph",
    "to_form",
    "to_graph",
    "tokenise",
    "variable_free",
]
