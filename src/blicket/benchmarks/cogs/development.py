"""Structural development splits: gaps like those of the generalization set, cut out of a train split.

Dev and test of COGS are like train, so that nothing can be chosen on them that matters for generalization; and gen must
not be chosen on. Each gap here takes rows of some kind out of train altogether: what is chosen on them has seen train
alone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.cogs.cases import HELD_OUT, IN_DISTRIBUTION, Gap
from blicket.benchmarks.cogs.composition import CONJUNCTIVE
from blicket.benchmarks.cogs.notation import ConjunctiveNotation
from blicket.core.example import Columns, Role, Rows, Split
from blicket.core.graph import SemanticGraph
from blicket.core.randomness import Stream
from blicket.meaning import Tag

__all__ = ["cut_out", "with_gap"]

NOUNS = 3  # of common nouns and of names, held out of agents, and as many of themes
VERBS = 4  # for each alternation
FEWEST = 20  # rows of the kind that is held out, for a word to be chosen
ALTERNATIONS = (
    ("transitive", "passive"),
    ("passive", "transitive"),
    ("object-omitted", "transitive"),
    ("unaccusative", "transitive"),
    ("do-dative", "pp-dative"),
    ("pp-dative", "do-dative"),
)
"""The frame a verb is kept in, and the one it is held out of, as in the lexical cases of gen."""

Selection = tuple[NDArray[np.intp], NDArray[np.intp]]


@final
@dataclass(frozen=True)
class _Row:
    """A sentence of train with its graph."""

    tokens: Sequence[str]
    graph: SemanticGraph


@final
@dataclass(frozen=True)
class _ChosenRows(Rows):
    """Some of the rows of a split."""

    rows: Rows
    chosen: NDArray[np.intp]

    @property
    def forms(self) -> tuple[str, ...]:
        """Theirs."""
        return self.rows.forms

    def __len__(self) -> int:
        return len(self.chosen)

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """Theirs."""
        return self.rows.columns(self.chosen[rows], form)

    def place(self, row: int) -> str:
        """Theirs."""
        return self.rows.place(int(self.chosen[row]))


def cut_out(train: Split, gap: Gap, seed: int = 1) -> tuple[Split, Split]:
    """What is left of a train split, and what a gap takes out of it, which is for development.

    `cp-depth` and `pp-depth` take out the deepest complement clauses and modifiers; `pp-place` the modified nouns that
    another argument follows, so that modifiers are seen at the end of clauses alone; `name-recipient` and `name-theme`
    all names in these roles; `noun-role` some nouns and names as agents and others as themes; `verb-frame` some verbs
    in one of the frames they alternate between. A word that is held out is left in a single row, as exposed words are.
    `seed` chooses the words.
    """
    columns = train.rows.columns(np.arange(len(train)), CONJUNCTIVE)
    notation = ConjunctiveNotation()
    rows: dict[int, _Row] = {}
    for number, ((sentence,), target, case) in enumerate(
        zip(columns.inputs, columns.targets, columns.cases, strict=True)
    ):
        if case in (IN_DISTRIBUTION, ""):
            tokens = sentence.split()
            rows[number] = _Row(tokens, notation.read(tokens, target))
    gone, held = CUTS[gap](rows, Stream(seed, "development", gap))
    left = np.setdiff1d(np.arange(len(train)), gone)
    return (
        Split(train.name, Role.TRAIN, _ChosenRows(train.rows, left)),
        Split(HELD_OUT, Role.DEV, _ChosenRows(train.rows, held)),
    )


def with_gap(splits: Mapping[str, Split], gap: Gap, seed: int) -> Mapping[str, Split]:
    """The splits with what is left of train, and what was cut out of it beside dev; other train splits are left out."""
    train, held_out = cut_out(splits["train"], gap, seed)
    others = {name: split for name, split in splits.items() if split.role not in (Role.TRAIN, Role.DEV)}
    return {"train": train, "dev": splits["dev"], HELD_OUT: held_out, **others}


def _deepest(prefix: str) -> Callable[[Mapping[int, _Row], Stream], Selection]:
    """Take out the rows in which arcs of a kind are nested as deep as they get."""

    def cut(rows: Mapping[int, _Row], _: Stream) -> Selection:
        depths = {number: _depth(row.graph, prefix) for number, row in rows.items()}
        most = max(depths.values(), default=0)
        return _alone([number for number, depth in depths.items() if depth == most > 0])

    return cut


def _depth(graph: SemanticGraph, prefix: str) -> int:
    """The length of the longest chain of arcs whose label begins with the prefix."""
    above = {arc.dependent: arc.head for arc in graph.arcs if arc.label.startswith(prefix)}
    deepest = 0
    for node in above:
        depth = 0
        while node in above:
            node, depth = above[node], depth + 1
        deepest = max(deepest, depth)
    return deepest


def _medial(rows: Mapping[int, _Row], _: Stream) -> Selection:
    """Take out the rows in which something after a modified noun depends on the same verb as the noun."""
    return _alone([number for number, row in rows.items() if _has_medial_modifier(row.graph)])


def _has_medial_modifier(graph: SemanticGraph) -> bool:
    last = {arc.head: arc.dependent for arc in sorted(graph.arcs, key=lambda arc: arc.dependent)}
    modified = {arc.head for arc in graph.arcs if arc.label.startswith("nmod")}
    return any(arc.dependent in modified and arc.dependent < last[arc.head] for arc in graph.arcs)


def _names_as(role: str) -> Callable[[Mapping[int, _Row], Stream], Selection]:
    """Take out the rows in which a name has a role, which is left to common nouns."""

    def cut(rows: Mapping[int, _Row], _: Stream) -> Selection:
        return _alone([number for number, row in rows.items() if _has_name_as(role, row.graph)])

    return cut


def _has_name_as(role: str, graph: SemanticGraph) -> bool:
    tags = [None if node is None else node.tag for node in graph.nodes]
    return any(arc.label == role and tags[arc.dependent] == Tag.PROPER for arc in graph.arcs)


def _noun_roles(rows: Mapping[int, _Row], stream: Stream) -> Selection:
    """Take out some nouns and names as agents, and others as themes."""
    uses: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    names: set[str] = set()
    for number, row in rows.items():
        role_of = {arc.dependent: arc.label for arc in row.graph.arcs}
        for position, node in enumerate(row.graph.nodes):
            if node is not None and node.tag != Tag.VERB:
                uses[node.predicate][role_of.get(position, "")].append(number)
                names.update({node.predicate} if node.tag == Tag.PROPER else ())
    frequent = sorted(noun for noun, by in uses.items() if min(len(by["agent"]), len(by["theme"])) >= FEWEST)
    taken: dict[str, str] = {}
    for proper, role in product((False, True), ("agent", "theme")):
        able = [noun for noun in frequent if (noun in names) == proper and noun not in taken]
        taken |= {able[i]: role for i in stream.permutation(len(able))[:NOUNS]}
    return _but_one(_kept_and_held(uses[noun], role) for noun, role in taken.items())


def _verb_frames(rows: Mapping[int, _Row], stream: Stream) -> Selection:
    """Take out some verbs in one of two frames, for each alternation."""
    uses: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, row in rows.items():
        for position, node in enumerate(row.graph.nodes):
            if node is not None and node.tag == Tag.VERB:
                uses[row.tokens[position]][_frame(row, position)].append(number)
    taken: dict[str, tuple[str, str]] = {}
    for kept, held in ALTERNATIONS:
        able = sorted(verb for verb, by in uses.items() if by[kept] and len(by[held]) >= FEWEST and verb not in taken)
        taken |= {able[i]: (kept, held) for i in stream.permutation(len(able))[:VERBS]}
    return _but_one(_kept_and_held(uses[verb], held, kept) for verb, (kept, held) in taken.items())


def _frame(row: _Row, verb: int) -> str:
    """The frame of a verb; a short passive is a passive like a long one."""
    arcs = {arc.label: arc.dependent for arc in row.graph.arcs if arc.head == verb}
    if row.tokens[verb - 1] == "was":
        return "passive" if "recipient" not in arcs else "passive-dative"
    if "recipient" in arcs:
        return "do-dative" if arcs["recipient"] < arcs.get("theme", -1) else "pp-dative"
    names = {("agent",): "object-omitted", ("theme",): "unaccusative", ("agent", "theme"): "transitive"}
    return names.get(tuple(sorted(arcs)), "")


def _kept_and_held(
    uses: Mapping[str, list[int]], held: str, kept: str | None = None
) -> tuple[list[int], list[int], list[int]]:
    """All rows of a word, those that may stay (a use that is not held out, or `kept`), and those of the use `held`."""
    every = sorted({number for numbers in uses.values() for number in numbers})
    theirs = set(uses[held])
    may = uses[kept] if kept is not None else [n for use, ns in uses.items() if use and use != held for n in ns]
    return every, [number for number in may if number not in theirs], sorted(theirs)


def _but_one(words: Iterator[tuple[list[int], list[int], list[int]]]) -> Selection:
    """Take every row of every word out but one that may stay; what is asked are the rows of the uses held out."""
    each = list(words)
    times = Counter(number for every, _, _ in each for number in every)
    gone: set[int] = set()
    stay: set[int] = set()
    asked: set[int] = set()
    for every, may, held in each:
        gone.update(every)
        asked.update(held)
        stay.update([number for number in may if times[number] == 1][:1])
    return np.array(sorted(gone - stay), np.intp), np.array(sorted(asked), np.intp)


def _alone(numbers: Sequence[int]) -> Selection:
    return np.array(numbers, np.intp), np.array(numbers, np.intp)


CUTS: Mapping[Gap, Callable[[Mapping[int, _Row], Stream], Selection]] = {
    "cp-depth": _deepest("ccomp"),
    "pp-depth": _deepest("nmod"),
    "pp-place": _medial,
    "name-recipient": _names_as("recipient"),
    "name-theme": _names_as("theme"),
    "noun-role": _noun_roles,
    "verb-frame": _verb_frames,
}
