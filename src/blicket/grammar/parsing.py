"""Parsing: all derivations of a sentence (Earley 1970), over patterns of word classes.

What can follow what depends on a word only through the set of lexical categories it has (its ambiguity class), so the
parser works on patterns of such sets, and a caller may keep what it worked out for a pattern. The rules of a category
are merged into a prefix tree; an item is a place in such a tree and the position where its phrase began.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import final

from blicket.grammar.derivations import Derivation, Frame
from blicket.grammar.rules import Entry, Grammar

__all__ = ["Parser", "Pattern"]

Pattern = Sequence[frozenset[str]]
Span = tuple[str, int, int]
Item = tuple[int, int]


@dataclass(slots=True)
class _Place:
    """A place in the prefix tree of a category: where each next child leads, and the rules that end here."""

    category: str
    next: dict[str, int] = field(default_factory=dict)
    rules: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Chart:
    """What was found: the ends of each category's phrases by where they begin, and the items at each position."""

    items: list[dict[Item, None]]
    ends: dict[tuple[str, int], list[int]]


@final
class Parser:
    """A parser of one grammar; left recursion and ambiguity are fine, and depth is limited by memory alone."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._places: list[_Place] = []
        self._root: dict[str, int] = {}
        for category, rules in grammar.rules_of.items():
            self._root[category] = self._add_place(category)
            for code in rules:
                self._add_rule(self._root[category], code)
        self._firsts = _first_categories(grammar)

    def _add_place(self, category: str) -> int:
        self._places.append(_Place(category))
        return len(self._places) - 1

    def _add_rule(self, at: int, code: int) -> None:
        for child in self.grammar.rules[code].children:
            place = self._places[at]
            if child not in place.next:
                place.next[child] = self._add_place(place.category)
            at = place.next[child]
        self._places[at].rules.append(code)

    @cached_property
    def classes(self) -> dict[str, frozenset[str]]:
        """The ambiguity class of each word: the lexical categories it has."""
        found: dict[str, set[str]] = {}
        for entry in self.grammar.entries:
            found.setdefault(entry.word, set()).add(entry.category)
        shared: dict[frozenset[str], frozenset[str]] = {}
        return {word: shared.setdefault(frozenset(c), frozenset(c)) for word, c in found.items()}

    @cached_property
    def _entries(self) -> dict[tuple[str, str], list[Entry]]:
        found: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.grammar.entries:
            found.setdefault((entry.category, entry.word), []).append(entry)
        return found

    def parse(self, words: Sequence[str]) -> Iterator[Derivation]:
        """All derivations of a sentence; none if a word is unknown."""
        classes = [self.classes.get(word) for word in words]
        pattern = [c for c in classes if c is not None]
        if len(pattern) < len(words):
            return
        for frame in self.frames(pattern):
            choices = [self._entries[pair] for pair in zip(frame.categories, words, strict=True)]
            for entries in product(*choices):
                yield Derivation(frame, entries)

    def frames(self, pattern: Pattern) -> list[Frame]:
        """All frames of a pattern of ambiguity classes."""
        chart = self._fill(pattern)
        whole = (self.grammar.start, 0, len(pattern))
        if len(pattern) not in chart.ends.get(whole[:2], ()):
            return []
        return [Frame(self.grammar, codes) for codes in self._unpack(whole, pattern, chart)]

    def expected(self, pattern: Pattern) -> tuple[int, frozenset[str], bool]:
        """For a pattern without a frame: the first position where no sentence goes on like this, and what could.

        The position may be the end. What could stand there are lexical categories, and last, whether nothing could:
        whether what goes before is a sentence.
        """
        items = self._fill(pattern).items
        position = next((i for i, found in enumerate(items) if not found), len(items)) - 1
        chart = self._fill(pattern[:position])  # again, so that the word that is wrong filters no predictions
        places = (self._places[place] for place, _ in chart.items[position])
        categories = frozenset(child for place in places for child in place.next if child not in self._root)
        return position, categories, position in chart.ends.get((self.grammar.start, 0), ())

    def _fill(self, pattern: Pattern) -> _Chart:
        """Earley's algorithm: predict, scan, complete, from left to right."""
        places, roots, firsts = self._places, self._root, self._firsts
        chart = _Chart([{} for _ in range(len(pattern) + 1)], {})
        waiting: list[dict[str, list[Item]]] = []
        chart.items[0][roots[self.grammar.start], 0] = None
        for here, found in enumerate(chart.items):
            class_ = pattern[here] if here < len(pattern) else None
            waits: dict[str, list[Item]] = {}
            waiting.append(waits)
            agenda = list(found)
            for number, origin in agenda:  # the agenda grows while it is worked off
                place = places[number]
                if place.rules:
                    ends = chart.ends.setdefault((place.category, origin), [])
                    if here not in ends[-1:]:
                        ends.append(here)
                    for item in waiting[origin].get(place.category, ()):
                        if item not in found:
                            found[item] = None
                            agenda.append(item)
                for child, then in place.next.items():
                    if child not in roots:
                        if class_ is not None and child in class_:
                            chart.items[here + 1][then, origin] = None
                    elif child in waits:
                        waits[child].append((then, origin))
                    elif class_ is None or not firsts[child].isdisjoint(class_):
                        waits[child] = [(then, origin)]
                        found[roots[child], here] = None
                        agenda.append((roots[child], here))
        return chart

    def _unpack(self, whole: Span, pattern: Pattern, chart: _Chart) -> list[tuple[int, ...]]:
        """The preorder codes of all trees of a span; children before parents, without recursion."""
        lexical = self.grammar.frame_codes
        trees: dict[Span, list[tuple[int, ...]]] = {}
        ways: dict[Span, list[tuple[int, list[Span]]]] = {}
        stack = [whole]
        while stack:
            span = stack[-1]
            if span[0] in lexical:
                trees[span] = [(lexical[span[0]],)]
            if span in trees:
                stack.pop()
                continue
            if span not in ways:
                ways[span] = list(self._ways(span, pattern, chart))
            missing = [child for _, children in ways[span] for child in children if child not in trees]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            trees[span] = [
                (code, *(c for part in parts for c in part))
                for code, children in ways[span]
                for parts in product(*(trees[child] for child in children))
            ]
        return trees[whole]

    def _ways(self, span: Span, pattern: Pattern, chart: _Chart) -> Iterator[tuple[int, list[Span]]]:
        """The rules that can make a span, each with the spans of its children."""
        category, start, end = span
        partial: list[tuple[int, int, list[Span]]] = [(self._root[category], start, [])]
        while partial:
            number, at, spans = partial.pop()
            place = self._places[number]
            if at == end:
                yield from ((code, spans) for code in place.rules)
                continue
            for child, then in place.next.items():
                for to in self._ends(child, at, pattern, chart):
                    if to <= end:
                        partial.append((then, to, [*spans, (child, at, to)]))

    def _ends(self, child: str, at: int, pattern: Pattern, chart: _Chart) -> Sequence[int]:
        if child in self._root:
            return chart.ends.get((child, at), ())
        return (at + 1,) if child in pattern[at] else ()


def _first_categories(grammar: Grammar) -> dict[str, frozenset[str]]:
    """The lexical categories that a phrase of each category can begin with."""
    firsts: dict[str, set[str]] = {category: set() for category in grammar.rules_of}
    changed = True
    while changed:
        changed = False
        for rule in grammar.rules:
            new = firsts.get(rule.children[0], {rule.children[0]}) - firsts[rule.parent]
            firsts[rule.parent] |= new
            changed |= bool(new)
    return {category: frozenset(first) for category, first in firsts.items()}
