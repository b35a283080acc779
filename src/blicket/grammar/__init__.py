"""Weighted context-free grammars with meanings attached: sample under constraints, parse, enumerate, derive."""

from blicket.grammar.conditions import Absent, Condition, Count, Depth
from blicket.grammar.derivations import Corpus, Derivation, Frame
from blicket.grammar.distinct import SeenSentences, draw_distinct, without_repeats
from blicket.grammar.enumeration import derivations
from blicket.grammar.parsing import Parser
from blicket.grammar.rules import Entry, Grammar, Rule
from blicket.grammar.sampling import Sampler

__all__ = [
    "Absent",
    "Condition",
    "Corpus",
    "Count",
    "Depth",
    "Derivation",
    "Entry",
    "Frame",
    "Grammar",
    "Parser",
    "Rule",
    "Sampler",
    "SeenSentences",
    "derivations",
    "draw_distinct",
    "without_repeats",
]
