"""Weighted context-free rules with meanings attached, and the words they end in."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from blicket.core.errors import GrammarError

__all__ = ["Entry", "Grammar", "Rule", "is_literal"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to make a phrase of the category `parent`.

    A child is a phrasal category, a lexical category, or a word in quotes (`'was'`). A derivation weighs as much as its
    rules and words multiplied; weights are taken as they are, so where a parent's sum to one they are probabilities.
    `meaning` is whatever the benchmark's fold makes of it, and `phenomena` are the names by
    which conditions refer to the rule.
    """

    parent: str
    children: tuple[str, ...]
    weight: float = 1.0
    meaning: object = None
    phenomena: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of a lexical category, with the predicate it contributes and its weight within the category."""

    category: str
    word: str
    weight: float = 1.0
    predicate: str | None = None
    phenomena: frozenset[str] = frozenset()


def is_literal(category: str) -> bool:
    """Whether a child is a word in quotes rather than the name of a category."""
    return len(category) > 2 and category[0] == category[-1] == "'"


class Grammar:
    """A start category, rules and a lexicon, checked and numbered.

    Rules and entries are known by their places in `rules` and `entries`; words in quotes get entries of their own.
    """

    def __init__(self, start: str, rules: Iterable[Rule], entries: Iterable[Entry]) -> None:
        self.start = start
        self.rules = tuple(rules)
        literals = dict.fromkeys(c for rule in self.rules for c in rule.children if is_literal(c))
        self.entries = (*entries, *(Entry(category, category[1:-1]) for category in literals))
        self._check()

    @cached_property
    def rules_of(self) -> Mapping[str, tuple[int, ...]]:
        """The rules of each phrasal category."""
        return _grouped(rule.parent for rule in self.rules)

    @cached_property
    def entries_of(self) -> Mapping[str, tuple[int, ...]]:
        """The entries of each lexical category."""
        return _grouped(entry.category for entry in self.entries)

    @cached_property
    def frame_codes(self) -> Mapping[str, int]:
        """The number of each lexical category in frames: negative, where that of a rule is not."""
        return {category: -1 - place for place, category in enumerate(self.entries_of)}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The different words, in the order of the lexicon."""
        return tuple(dict.fromkeys(entry.word for entry in self.entries))

    def renamed(self, category: Callable[[str], str]) -> "Grammar":
        """The same grammar with categories merged: what two of them did, their common name does.

        Rules and entries that become equal are one, and a rule that would only rename a phrase is dropped. Parsing with
        the result forgets distinctions that sampling respects (animacy, for instance).
        """
        rules: dict[tuple[str, tuple[str, ...]], Rule] = {}
        for rule in self.rules:
            parent = category(rule.parent)
            children = tuple(child if is_literal(child) else category(child) for child in rule.children)
            if children == (parent,):
                continue
            first = rules.setdefault((parent, children), replace(rule, parent=parent, children=children))
            if first.meaning != rule.meaning:
                raise GrammarError(f"two rules that mean different things become {parent} -> {' '.join(children)}")
        entries: dict[tuple[str, str], Entry] = {}
        for entry in self.entries:
            if not is_literal(entry.category):
                merged = replace(entry, category=category(entry.category))
                first_entry = entries.setdefault((merged.category, merged.word), merged)
                if first_entry.predicate != merged.predicate:
                    raise GrammarError(f"{merged.word!r} becomes a {merged.category} with two predicates")
        return Grammar(category(self.start), rules.values(), entries.values())

    def _check(self) -> None:
        phrasal, lexical = set(self.rules_of), set(self.entries_of)
        if self.start not in phrasal:
            raise GrammarError(f"the start category {self.start!r} has no rules")
        if both := phrasal & lexical:
            raise GrammarError(f"{min(both)!r} is both a phrasal and a lexical category")
        for rule in self.rules:
            if not rule.children:
                raise GrammarError(f"a rule of {rule.parent!r} has no children")
            if unknown := set(rule.children) - phrasal - lexical:
                raise GrammarError(f"{min(unknown)!r}, a child of {rule.parent!r}, has neither rules nor words")
            if not 0 < rule.weight < float("inf"):
                raise GrammarError(
                    f"the weight {rule.weight!r} of a rule of {rule.parent!r} is not positive and finite"
                )
        for entry in self.entries:
            if not 0 < entry.weight < float("inf"):
                raise GrammarError(f"the weight {entry.weight!r} of the word {entry.word!r} is not positive and finite")
        self._refuse_cycles()
        self._refuse_endless()

    def _refuse_endless(self) -> None:
        """Refuse a category whose phrases would all be infinitely long."""
        ending, before = set(self.entries_of), -1
        while len(ending) > before:
            before = len(ending)
            ending |= {rule.parent for rule in self.rules if ending.issuperset(rule.children)}
        if endless := set(self.rules_of) - ending:
            raise GrammarError(f"{min(endless)!r} makes no finite phrase")

    def _refuse_cycles(self) -> None:
        """Refuse A -> B, B -> A: a phrase that is its own only child has infinitely many derivations."""
        only_child: dict[str, set[str]] = {}
        for rule in self.rules:
            if len(rule.children) == 1:
                only_child.setdefault(rule.parent, set()).add(rule.children[0])
        for category in only_child:
            reached, frontier = set[str](), {category}
            while frontier:
                frontier = {child for parent in frontier for child in only_child.get(parent, ())} - reached
                reached |= frontier
            if category in reached:
                raise GrammarError(f"{category!r} can be its own only child")


def _grouped(keys: Iterable[str]) -> dict[str, tuple[int, ...]]:
    groups: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return {key: tuple(places) for key, places in groups.items()}
