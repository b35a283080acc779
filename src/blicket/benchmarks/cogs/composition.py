"""From derivations to meanings: a frame is composed once into a form with gaps, and words fill the gaps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple, final

from blicket.benchmarks.cogs.grammar import Composition
from blicket.core.example import known_form
from blicket.grammar import Frame, Rule
from blicket.meaning import Arc, Node, SemanticGraph, Tag, to_form, variable_free

__all__ = ["FORMS", "Template", "compose", "written"]

CONJUNCTIVE, VARIABLE_FREE = FORMS = ("conjunctive", "variable-free")

GAP = "\x00"


@final
@dataclass(frozen=True, slots=True)
class Template:
    """A form with gaps for predicates."""

    text: str
    pick: Callable[[Sequence[str]], object]

    @classmethod
    def of(cls, frame: Frame, form: str) -> "Template":
        """The form of every sentence of the frame."""
        gaps = [f"{GAP}{position}{GAP}" for position in range(len(frame.categories))]
        parts = written(compose(frame, gaps), form).split(GAP)
        return cls("%s".join(parts[::2]), itemgetter(*map(int, parts[1::2])))

    def filled(self, predicates: Sequence[str]) -> str:
        """The form of a sentence whose words contribute these predicates, one for every word."""
        return self.text % self.pick(predicates)


def written(graph: SemanticGraph, form: str) -> str:
    """A graph in one of the forms of COGS."""
    return str(to_form(graph) if known_form(form, FORMS) == CONJUNCTIVE else variable_free.from_graph(graph))


class _Phrase(NamedTuple):
    """What a phrase is about (a position), whether it says `the`, and the roles that wait for a subject."""

    head: int
    definite: bool = False
    waiting: tuple[tuple[int, str], ...] = ()


def compose(frame: Frame, predicates: Sequence[str]) -> SemanticGraph:
    """The meaning of a frame over words that contribute these predicates."""
    nodes: list[Node | None] = [None] * len(frame.categories)
    arcs: list[Arc] = []

    def word(category: str, position: int) -> _Phrase:
        tag = _tag(category)
        if tag is not None:
            nodes[position] = Node(tag, predicates[position])
        return _Phrase(position, category == "'the'")

    def phrase(rule: Rule, children: list[_Phrase]) -> _Phrase:
        how = rule.meaning
        assert isinstance(how, Composition)
        head = children[how.head].head
        for label, child in how.roles:
            arcs.append(Arc(head, label, children[child].head))
        waiting = children[how.head].waiting
        if how.subject is not None:
            for at, label in waiting:
                arcs.append(Arc(at, label, children[how.subject].head))
            waiting = ()
        if how.subject_role is not None:
            waiting += ((head, how.subject_role),)
        if how.controlled is not None:
            waiting += ((children[how.controlled].head, "agent"),)
        if how.determiner is not None and children[how.determiner].definite:
            nodes[head] = Node(Tag.DEFINITE, predicates[head])
        return _Phrase(head, children[how.head].definite, waiting)

    frame.fold(phrase, word)
    return SemanticGraph(tuple(nodes), tuple(arcs))


@cache
def _tag(category: str) -> Tag | None:
    """What a word of a lexical category contributes; the function words, all in quotes, contribute nothing."""
    if category.startswith("PN"):
        return Tag.PROPER
    if category.startswith("V_"):
        return Tag.VERB
    return Tag.INDEFINITE if category.startswith("N") else None
