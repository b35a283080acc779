"""Alignment of the proper nouns of a form, which carry no index, with the words of the sentence."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from blicket.core.errors import FormError
from blicket.meaning.conjunctive import Argument, Conjunct


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name as second argument: where in the form it stands, and what it may not stand before or after."""

    rank: int
    head: int
    name: str
    after: int
    before: int


def align_names(relations: Sequence[Conjunct], words: Sequence[str | None]) -> dict[int, int]:
    """For each relation whose second argument is a name, by rank, the position of the word that it means.

    A position that is no longer free is None in `words`. Each occurrence of a name is mentioned once, but a
    controlled subject is its controller's: `want . agent ( x _ 1 , Emma ) AND want . xcomp ( x _ 1 , x _ 3 )
    AND crawl . agent ( x _ 3 , Emma )`. Otherwise the mentions follow the surface: by head, then in the order
    of the conjuncts, and between the siblings that carry an index if there is room for that.
    """
    controllers = _controlled_subjects(relations)
    aligned: dict[int, int] = {}
    mentions = sorted(_mentions(relations, controllers), key=lambda mention: (mention.name, mention.head))
    for name, group in groupby(mentions, key=lambda mention: mention.name):
        of_name = list(group)
        occurrences = [position for position, word in enumerate(words) if word == name]
        if len(occurrences) < len(of_name):
            found = f"{len(occurrences)} times" if occurrences else "not"
            raise FormError(f"the name {name!r} is mentioned {len(of_name)} times but {found} in the sentence")
        positions = _between_siblings(of_name, occurrences) or occurrences
        aligned |= {mention.rank: position for mention, position in zip(of_name, positions, strict=False)}
    for rank in controllers:
        controller = rank
        while controller in controllers:
            controller = controllers[controller]
        aligned[rank] = aligned[controller]
    return aligned


def _controlled_subjects(relations: Sequence[Conjunct]) -> dict[int, int]:
    """From each relation that repeats its controller's agent, by rank, to the controller's relation."""
    agents: dict[Argument, dict[Argument, int]] = {}
    for rank, relation in enumerate(relations):
        if relation.predicate.endswith(" . agent"):
            head, agent = relation.arguments
            agents.setdefault(head, {}).setdefault(agent, rank)
    controllers: dict[int, int] = {}
    for relation in relations:
        if relation.predicate.endswith(" . xcomp"):
            matrix, complement = relation.arguments
            for name, rank in agents.get(matrix, {}).items():
                repeated = agents.get(complement, {}).get(name)
                if isinstance(name, str) and repeated is not None and _ends(controllers, rank, repeated):
                    controllers.setdefault(repeated, rank)
    return controllers


def _ends(controllers: dict[int, int], start: int, goal: int) -> bool:
    """Whether following the controllers from `start` never reaches `goal`, so that no circle would close."""
    while start != goal and start in controllers:
        start = controllers[start]
    return start != goal


def _mentions(relations: Sequence[Conjunct], controllers: dict[int, int]) -> Iterator[_Mention]:
    """The mentions that need an occurrence of their own."""
    siblings: dict[Argument, list[tuple[int, int]]] = {}
    for rank, relation in enumerate(relations):
        head, dependent = relation.arguments
        if isinstance(dependent, int):
            siblings.setdefault(head, []).append((rank, dependent))
    for rank, relation in enumerate(relations):
        head, name = relation.arguments
        if isinstance(name, int) or rank in controllers:
            continue
        beside = siblings.get(head, ())
        after = max((position for other, position in beside if other < rank), default=-1)
        before = min((position for other, position in beside if other > rank), default=sys.maxsize)
        yield _Mention(rank, int(head), name, after, before)


def _between_siblings(mentions: Sequence[_Mention], occurrences: Sequence[int]) -> list[int] | None:
    """Occurrences in surface order that keep every mention between its siblings, the earliest there are."""
    chosen: list[int] = []
    for mention in mentions:
        lowest = max(mention.after, chosen[-1] if chosen else -1)
        position = next((place for place in occurrences if place > lowest), None)
        if position is None or position >= mention.before:
            return None
        chosen.append(position)
    return chosen
