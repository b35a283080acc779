"""Shared dependents: arcs that follow from others, such as the subject of an infinitive, by rules induced from train.

In "the boy wanted to crawl" the boy is what both verbs take for their agent. A tree has room for one of the two arcs;
the other one is left out of it and put back afterwards, by the rule that who wants is who crawls.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from blicket.core.errors import InputError
from blicket.core.graph import Arc, SemanticGraph

__all__ = ["SharingRule", "induced_rules", "restored", "stripped"]


@final
@dataclass(frozen=True, slots=True, order=True)
class SharingRule:
    """What fills `role` of a head also fills `shared` of the head's dependent by `link`."""

    link: str
    role: str
    shared: str


def induced_rules(graphs: Iterable[SemanticGraph]) -> tuple[SharingRule, ...]:
    """The rules that hold whenever they could apply, and explain a token with several heads at least once."""
    able: Counter[tuple[str, str]] = Counter()
    seen: Counter[SharingRule] = Counter()
    for graph in graphs:
        arcs = set(graph.arcs)
        heads = Counter(arc.dependent for arc in arcs)
        shared = {arc for arc in arcs if heads[arc.dependent] > 1}
        links = [arc for arc in arcs if any(other.head == arc.dependent for other in arcs)]
        for link in links:
            fillers = [arc for arc in arcs if arc.head == link.head and arc != link]
            able.update({(link.label, filler.label) for filler in fillers})
            for arc in shared:
                for filler in fillers:
                    if arc.head == link.dependent and arc.dependent == filler.dependent:
                        seen[SharingRule(link.label, filler.label, arc.label)] += 1
    return tuple(sorted(rule for rule, times in seen.items() if times == able[rule.link, rule.role]))


def stripped(graph: SemanticGraph, rules: Sequence[SharingRule]) -> tuple[Arc, ...]:
    """The arcs without those that follow from the rules; raises InputError where a token keeps two heads."""
    follows = set(_following(graph.arcs, rules))
    left = tuple(arc for arc in graph.arcs if arc not in follows)
    twice = [token for token, heads in Counter(arc.dependent for arc in left).items() if heads > 1]
    if twice:
        raise InputError(f"token {twice[0]} fills several roles, and no rule of train says why: not a tree")
    return left


def restored(arcs: Sequence[Arc], rules: Sequence[SharingRule]) -> tuple[Arc, ...]:
    """The arcs with those that follow from the rules, in the order of the sentence."""
    every = set(arcs)
    while not (new := set(_following(tuple(every), rules))) <= every:
        every |= new
    return tuple(sorted(every, key=lambda arc: (arc.head, arc.dependent, arc.label)))


def _following(arcs: Sequence[Arc], rules: Sequence[SharingRule]) -> Iterable[Arc]:
    by_role = {(arc.head, arc.label): arc.dependent for arc in arcs}
    for rule in rules:
        for arc in arcs:
            if arc.label == rule.link and (arc.head, rule.role) in by_role:
                yield Arc(arc.dependent, rule.shared, by_role[arc.head, rule.role])
