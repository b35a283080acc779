"""Parses beside gold: of every arc, root, word and slot, whether both have it or which of the two alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import final

from blicket.core.graph import Arc, Node, SemanticGraph

__all__ = ["Fate", "Parse", "Slot", "roles_by_tag"]


class Fate(StrEnum):
    """Whether answer and gold agree on something, or which of the two alone has it."""

    SAME = "same"
    WRONG = "wrong"
    MISSING = "missing"
    EMPTY = "empty"


Line = tuple[str, Fate]


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """A role of a head, the word that fills it, and its fate."""

    role: str
    word: str
    fate: Fate


@final
@dataclass(frozen=True)
class Parse:
    """A graph over tokens, perhaps beside gold, and the roles that heads of each tag can have, where they are known."""

    tokens: Sequence[str]
    graph: SemanticGraph
    gold: SemanticGraph | None = None
    roles: Mapping[str, Sequence[str]] | None = None

    @property
    def wanted(self) -> SemanticGraph:
        """What the graph is held against: gold, or itself."""
        return self.graph if self.gold is None else self.gold

    @cached_property
    def arcs(self) -> list[tuple[Arc, Fate]]:
        """The arcs of both graphs; two that differ in the label alone are two."""
        ours, theirs = set(self.graph.arcs), set(self.wanted.arcs)
        return [(arc, _fate(arc in ours, arc in theirs)) for arc in dict.fromkeys(self.graph.arcs + self.wanted.arcs)]

    @cached_property
    def roots(self) -> list[tuple[int, Fate]]:
        """The content words that depend on nothing."""
        ours, theirs = _unheaded(self.graph), _unheaded(self.wanted)
        return [(token, _fate(token in ours, token in theirs)) for token in sorted(ours | theirs)]

    @property
    def difference(self) -> str:
        """In words, how many arcs and words differ from gold."""
        fates = [fate for _, fate in self.arcs]
        apart = sum(ours != theirs for ours, theirs in zip(self.graph.nodes, self.wanted.nodes, strict=True))
        counted = [(fates.count(Fate.MISSING), "arc", "missing"), (fates.count(Fate.WRONG), "arc", "wrong")]
        counted.append((apart, "word", "read differently"))
        said = [f"{n} {what}{'s' if n > 1 else ''} {how}" for n, what, how in counted if n]
        return ", ".join(said) or "the same arcs and words"

    def lines(self, token: int) -> list[Line]:
        """What stands beneath a token: tag and predicate, those of the answer before those of gold."""
        lines = []
        for here, there in zip(_read(self.graph.nodes[token]), _read(self.wanted.nodes[token]), strict=True):
            both = dict.fromkeys(text for text in (here, there) if text)
            lines += [(text, _fate(text == here, text == there)) for text in both]
        return lines

    def slots(self, token: int) -> list[Slot]:
        """The slots of a token in the order of its roles: filled ones, and those that could be and are empty."""
        filled = [Slot(arc.label, self._filler(arc, fate), fate) for arc, fate in self.arcs if arc.head == token]
        node = self.graph.nodes[token]
        able = [] if node is None else (self.roles or {}).get(node.tag, ())
        slots = []
        for role in dict.fromkeys((*able, *(slot.role for slot in filled))):
            slots += [slot for slot in filled if slot.role == role] or [Slot(role, "", Fate.EMPTY)]
        return slots

    def _filler(self, arc: Arc, fate: Fate) -> str:
        """The word of a dependent, or the variable of an open role."""
        binders = self.wanted.binders if fate == Fate.MISSING else self.graph.binders
        return self.tokens[arc.dependent] if arc.dependent >= 0 else f"λ {binders[-1 - arc.dependent]}"


def _fate(here: bool, there: bool) -> Fate:
    return Fate.SAME if here and there else Fate.WRONG if here else Fate.MISSING


def _unheaded(graph: SemanticGraph) -> set[int]:
    headed = {arc.dependent for arc in graph.arcs}
    return {i for i, node in enumerate(graph.nodes) if node is not None and i not in headed}


def _read(node: Node | None) -> tuple[str, str]:
    return ("", "") if node is None else (str(node.tag), node.predicate)


def roles_by_tag(graphs: Iterable[SemanticGraph]) -> dict[str, list[str]]:
    """The roles that heads of each tag have anywhere in some graphs, sorted."""
    found: dict[str, set[str]] = {}
    for graph in graphs:
        for arc in graph.arcs:
            head = graph.nodes[arc.head]
            if head is not None:
                found.setdefault(str(head.tag), set()).add(arc.label)
    return {tag: sorted(roles) for tag, roles in found.items()}
