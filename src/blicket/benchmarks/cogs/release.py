"""Rows that were read from files, the released ones above all: both forms of their targets, and their variants."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.cogs.composition import CONJUNCTIVE, FORMS, written
from blicket.benchmarks.cogs.interpretation import interpreter
from blicket.benchmarks.cogs.lexicon import nonce_words, plain_lexicon
from blicket.core.errors import FormError, InputError, Refusal
from blicket.core.example import Columns, Rows, Tag
from blicket.core.fetching import Release
from blicket.core.tables import read_headless_tsv
from blicket.meaning import SemanticGraph, conjunctive, to_graph, tokenise, variable_free
from blicket.meaning import Tag as NodeTag

__all__ = ["MISLABELLED", "RELEASE", "ReadRows", "disguised", "label_of_2020", "labels_of_2020", "recursion_tags"]

ROWS = {"train": 24_155, "train_100": 39_500, "dev": 3_000, "test": 3_000, "gen": 21_000}
MISLABELLED = "obj_pp_to_subj_pp"
COUNTED = {"cp_recursion": "ccomp", "pp_recursion": "nmod"}


def recursion_tags(case: str, targets: Sequence[str]) -> list[Mapping[str, Tag]]:
    """The depth of each row of a recursion case: its one chain of clauses or PPs has a role a level."""
    role = COUNTED.get(case)
    return [] if role is None else [{"depth": target.count(role)} for target in targets]


@final
@dataclass(frozen=True)
class ReadRows(Rows):
    """Rows with targets in the form they were read in; the other form is worked out when it is asked for."""

    inputs: Sequence[tuple[str, ...]]
    targets: Sequence[str]
    cases: Sequence[str]
    form: str
    where: Callable[[int], str] = "row {}".format

    @property
    def forms(self) -> tuple[str, ...]:
        """The form of the file first."""
        return (self.form, *(form for form in FORMS if form != self.form))

    def __len__(self) -> int:
        return len(self.inputs)

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """A selection, converted by way of the graph over the sentence."""
        at = rows.tolist()
        inputs, targets = [self.inputs[i] for i in at], [self.targets[i] for i in at]
        if form != self.form:
            targets = [self._converted(i, form) for i in at]
        cases = [self.cases[i] for i in at]
        tags = [
            tag for case, target in zip(cases, targets, strict=True) for tag in recursion_tags(case, [target]) or [{}]
        ]
        return Columns(inputs, targets, cases, tags)

    def place(self, row: int) -> str:
        """As it was told."""
        return self.where(row)

    def _converted(self, row: int, form: str) -> str:
        try:
            return written(_graph(self.inputs[row][0], self.targets[row], self.form), form)
        except FormError as error:
            raise InputError(
                f"{self.where(row)}: the target is no {self.form} form of its sentence: {error}"
            ) from error


def _graph(sentence: str, target: str, form: str) -> SemanticGraph:
    if form == CONJUNCTIVE:
        return to_graph(conjunctive.parse(target), sentence.split())
    reader = interpreter()
    return variable_free.to_graph(variable_free.parse(target), reader.predicates(sentence), proper=reader.is_name)


def disguised(inputs: Sequence[tuple[str, ...]], targets: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
    """The nonce variant of rows: a token for each exposed word, and for its lemma where that looks different."""
    token = nonce_words()
    sources: list[tuple[str, ...]] = []
    for (sentence,) in inputs:
        sources.append((" ".join([token.get(word, word) for word in sentence.split()]),))
    return sources, [" ".join([token.get(word, word) for word in tokenise(target)]) for target in targets]


def labels_of_2020(
    inputs: Sequence[tuple[str, ...]],
    targets: Sequence[str],
    cases: Sequence[str],
    form: str,
    where: Callable[[int], str],
) -> list[str]:
    """The labels that rows of files had in the first release."""
    labels = list(targets)
    for row, case in enumerate(cases):
        if case == MISLABELLED:
            try:
                labels[row] = label_of_2020(inputs[row][0], targets[row], form)
            except FormError as error:
                raise InputError(f"{where(row)}: the target is no {form} form of its sentence: {error}") from error
    return labels


def label_of_2020(sentence: str, target: str, form: str) -> str:
    """The label that the first release gave a sentence: the animate subject of an unaccusative verb is its agent."""
    graph = _graph(sentence, target, form)
    words = sentence.split()
    heads = [arc.head for arc in graph.arcs]
    arcs = tuple(
        replace(arc, label="agent")
        if arc.label == "theme"
        and heads.count(arc.head) == 1
        and words[arc.head - 1] != "was"
        and _is_animate(graph, arc.dependent)
        else arc
        for arc in graph.arcs
    )
    return target if arcs == graph.arcs else written(SemanticGraph(graph.nodes, arcs, graph.binders), form)


def _is_animate(graph: SemanticGraph, position: int) -> bool:
    node = graph.nodes[position] if position >= 0 else None
    return node is not None and node.tag != NodeTag.PROPER and node.predicate in _animates()


def verify_release(directory: Path) -> None:
    """Check released files whose hashes are not known: their sizes, and each row against the grammar."""
    for name, rows in ROWS.items():
        path = directory / f"{name}.tsv"
        read = list(read_headless_tsv(path, 3))
        if len(read) != rows:
            raise InputError(f"{path}: has {len(read):,} rows, expected {rows:,}")
        for number, (source, target, _) in enumerate(read, start=1):
            try:
                expected = interpreter().interpret(source, CONJUNCTIVE)
            except Refusal as refusal:
                raise InputError(f"{path}, line {number}: {refusal}") from refusal
            if target != expected:
                raise InputError(f"{path}, line {number}: the target is not the meaning of {source!r}")


RELEASE = Release(
    "cogs",
    "https://raw.githubusercontent.com/najoungkim/COGS/main/data",
    {
        "train.tsv": "220b3804b562c0156ee986eff1bdd15c27e52142549362a64f57baf86e304c78",
        "train_100.tsv": None,
        "dev.tsv": "ab66388a309c7ac1ad210c781a6a0ce12281a9ef24619a12422a752cef61bc21",
        "test.tsv": None,
        "gen.tsv": None,
    },
    verify_release,
)


@cache
def _animates() -> frozenset[str]:
    return frozenset(entry.word for entry in plain_lexicon().entries if entry.category == "N_anim")
