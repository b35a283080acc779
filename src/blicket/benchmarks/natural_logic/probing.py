"""The probes of the paper (section 7), and accuracy by block (section 8.1), on a dataset's pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.natural_logic.closed_class import NOTHING, SIDES, ClosedClass
from blicket.benchmarks.natural_logic.derived import Neighbours, identical, neighbours, reversed_rows
from blicket.benchmarks.natural_logic.relations import NAMES, RELATIONS
from blicket.benchmarks.natural_logic.rows import FORMS, PairRows
from blicket.benchmarks.natural_logic.splits import HOLDOUT, IDENTICAL, JABBERWOCKY, NEIGHBOURS, REVERSED, ROLES
from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.example import Split
from blicket.core.probe import Probe
from blicket.core.published import Published
from blicket.probes import Beginning, FollowUps, Groups

__all__ = ["beside", "probed", "probes_of"]

CONDITIONS = {20: "small", 185: "large"}
"""Of the paper, by how many training blocks they have."""

MODELS = {"bgru": "BGRU", "conv": "CONV", "satt": "SATT", "infs": "INFS"}
EVERYTHING = "all"
EMPTY = "_"
"""How a place without a word is called in the name of a perturbation."""


def probes_of(benchmark: Benchmark, dataset: Dataset) -> Sequence[Probe]:
    """The probes that the dataset has pairs for."""
    known, novel = (_pairs(dataset, name) for name in (HOLDOUT, JABBERWOCKY))
    probing = _Probing(benchmark, CONDITIONS.get(0 if known is None else len(known.blocks), ""))
    made: list[Probe] = []
    if known is not None:
        made.append(probing.by_relation("holdout", "Hold-out pairs", dataset[HOLDOUT], known))
    if novel is not None:
        made += probing.of_novel_words(dataset[JABBERWOCKY], novel)
    return made


def _pairs(dataset: Dataset, name: str) -> PairRows | None:
    rows = dataset.splits[name].rows if name in dataset.splits else None
    return rows if isinstance(rows, PairRows) and len(rows) else None


@final
@dataclass(frozen=True)
class _Probing:
    """Makes probes, with the numbers that were published in a condition beside them."""

    benchmark: Benchmark
    condition: str

    def of_novel_words(self, split: Split, rows: PairRows) -> list[Probe]:
        """Everything that is asked about jabberwocky blocks."""
        edited, backwards, same = neighbours(rows), reversed_rows(rows), identical(rows)
        return [
            self.by_relation("jabberwocky", "Jabberwocky pairs", split, rows),
            self._probe(
                "perturbation",
                "Known-word perturbation: one closed-class word changed in pairs that were right",
                Split(NEIGHBOURS, ROLES[NEIGHBOURS], edited.rows),
                edited.rows,
                _perturbations(edited, rows),
                Beginning(split, _origin(edited.rows)),
            ),
            self.by_relation(
                "identical",
                "Identical open-class words",
                Split(IDENTICAL, ROLES[IDENTICAL], same),
                same,
            ),
            self._probe(
                "consistency",
                "Consistency: pairs that were right, in the opposite order",
                Split(REVERSED, ROLES[REVERSED], backwards),
                backwards,
                _relations(rows.labels),
                Beginning(split, _origin(backwards)),
            ),
        ]

    def by_relation(self, name: str, title: str, split: Split, rows: PairRows) -> Probe:
        """A probe that asks all rows."""
        return self._probe(name, title, split, rows, _relations(rows.labels), None)

    def _probe(
        self,
        name: str,
        title: str,
        split: Split,
        rows: PairRows,
        groups: Mapping[str, Groups],
        after: Beginning | None,
    ) -> Probe:
        form = FORMS[0]
        return FollowUps(
            name,
            title,
            split,
            rows.pairs.block.astype(np.intp),
            {EVERYTHING: Groups(np.zeros(len(rows), np.intp), [EVERYTHING]), **groups},
            self.benchmark.judge(form),
            lambda example, inputs: self.benchmark.request(example, inputs, form),
            after,
            beside(self.benchmark.published(), name, self.condition),
        )


def beside(published: Sequence[Published], probe: str, condition: str) -> Mapping[str, Mapping[str, float]]:
    """The published means of a probe in a condition, by group and model."""
    found: dict[str, dict[str, float]] = {}
    for result in published:
        place = probed(result)
        if place is not None and (place[0], result.about["condition"]) == (probe, condition):
            found.setdefault(place[1], {})[MODELS[result.about["model"]]] = result.value
    return found


def probed(row: Published) -> tuple[str, str] | None:
    """The probe and the group that a published mean is of; None for what is of a single type of perturbation."""
    if "type" in row.about:
        return None
    return row.about["probe"], NAMES.get(row.about.get("relation", ""), EVERYTHING)


def _origin(rows: PairRows) -> NDArray[np.intp]:
    assert rows.of is not None
    return rows.of.astype(np.intp)


def _relations(labels: NDArray[np.uint8]) -> Mapping[str, Groups]:
    """By relation: of the item, or for consistency of the pair that it reverses (section 8.5)."""
    return {"relation": Groups(labels.astype(np.intp), list(NAMES.values()))}


def _perturbations(edited: Neighbours, base: PairRows) -> Mapping[str, Groups]:
    """By kind of edit, and by perturbation type: the words and the relations before and after (section 8.3)."""
    closed = base.language.closed
    of = _origin(edited.rows)
    parts = np.array(closed.frames)  # (frames, places)
    side, place, _ = np.array(closed.edits).T[:, edited.edits]
    word_before = parts[base.pairs.frames[:, of][side, np.arange(len(of))], place]
    relations = len(RELATIONS)
    code = edited.edits.astype(np.intp) * parts.max() + edited.edits + word_before
    code = (code * relations + base.labels[of]) * relations + edited.rows.labels
    types, of_type = np.unique(code, return_inverse=True)
    first = np.zeros(len(types), np.intp)
    first[of_type] = np.arange(len(code))
    named = [_words(closed, int(edited.edits[row]), int(word_before[row])) for row in first.tolist()]
    changes = [f"{RELATIONS[base.labels[of[row]]]} -> {RELATIONS[edited.rows.labels[row]]}" for row in first.tolist()]
    kinds = ["insertion", "deletion", "substitution"]
    kind_of_type = np.array([kinds.index(_kind(before, after)) for _, before, after in named], np.intp)
    names = [
        f"{side} {before or EMPTY} -> {after or EMPTY}, {change}"
        for (side, before, after), change in zip(named, changes, strict=True)
    ]
    return {"edit": Groups(kind_of_type[of_type], kinds), "type": Groups(of_type, names)}


def _words(closed: ClosedClass, number: int, before: int) -> tuple[str, str, str]:
    """The side of an edit, and the words before and after it."""
    edit = closed.edits[number]
    words = closed.places[edit.place]
    return SIDES[edit.side], words[before], words[(before + edit.step) % len(words)]


def _kind(before: str, after: str) -> str:
    if before == NOTHING:
        return "insertion"
    return "deletion" if after == NOTHING else "substitution"
