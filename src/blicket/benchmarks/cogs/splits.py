"""The splits of COGS, sampled; Kim & Linzen 2020, section 4, and the counts of the release.

Thirty thousand distinct everyday sentences are shuffled and parted into train, dev and test. Train also has the
primitives and the exposure examples, as often as the number of exposures says, in random places.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.cogs.cases import (
    CASES,
    EXPOSURES,
    IN_DISTRIBUTION,
    PRIMITIVE,
    GeneralizationCase,
    everyday,
    recursion,
)
from blicket.benchmarks.cogs.composition import FORMS, Template, written
from blicket.benchmarks.cogs.grammar import NOMINAL_CATEGORIES, cogs_grammar
from blicket.benchmarks.cogs.interpretation import primitive_graph
from blicket.benchmarks.cogs.lexicon import Lexicon
from blicket.benchmarks.cogs.options import CogsOptions
from blicket.benchmarks.cogs.release import MISLABELLED, label_of_2020, recursion_tags
from blicket.core.example import Columns, ListedRows, Role, Rows, Split
from blicket.core.randomness import Stream
from blicket.grammar import Condition, Corpus, Sampler, SeenSentences, draw_distinct, without_repeats

__all__ = ["sampled_splits"]


@final
@dataclass(frozen=True)
class DerivedRows(Rows):
    """Rows made from derivations when they are asked for, so that a million of them take the room of their words."""

    corpus: Corpus
    case: str
    compat: frozenset[str] = frozenset()
    _templates: dict[tuple[str, int], Template] = field(default_factory=dict)

    @property
    def forms(self) -> tuple[str, ...]:
        """Both forms."""
        return FORMS

    def __len__(self) -> int:
        return len(self.corpus)

    @cached_property
    def _words(self) -> NDArray[np.object_]:
        return np.array([entry.word for entry in self.corpus.grammar.entries], object)

    @cached_property
    def _predicates(self) -> NDArray[np.object_]:
        return np.array([entry.predicate for entry in self.corpus.grammar.entries], object)

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """Write out sentences, and fill the templates of their frames."""
        part = self.corpus.take(rows)
        words, predicates = (names[part.entries].tolist() for names in (self._words, self._predicates))
        cuts = part.offsets.tolist()
        inputs: list[tuple[str, ...]] = []
        targets: list[str] = []
        for frame, start, stop in zip(part.frame_of.tolist(), cuts[:-1], cuts[1:], strict=True):
            sentence = " ".join(words[start:stop])
            inputs.append((f"{sentence[0].upper()}{sentence[1:]} .",))
            targets.append(self._template(frame, form).filled(predicates[start:stop]))
        if "gen-2020" in self.compat and self.case == MISLABELLED:
            targets = [label_of_2020(i[0], t, form) for i, t in zip(inputs, targets, strict=True)]
        return Columns(inputs, targets, [self.case] * len(inputs), recursion_tags(self.case, targets))

    def _template(self, frame: int, form: str) -> Template:
        template = self._templates.get((form, frame))
        if template is None:
            template = self._templates[form, frame] = Template.of(self.corpus.frames[frame], form)
        return template


@final
@dataclass(frozen=True)
class JoinedRows(Rows):
    """Rows of several sources in an order of their own, counted through from source to source."""

    parts: Sequence[Rows]
    order: NDArray[np.intp]

    @property
    def forms(self) -> tuple[str, ...]:
        """Both forms."""
        return FORMS

    def __len__(self) -> int:
        return len(self.order)

    def columns(self, rows: NDArray[np.intp], form: str) -> Columns:
        """Fetch each source's rows together and put them back in order."""
        places = self.order[rows]
        starts = np.cumsum([0, *(len(part) for part in self.parts)])
        source = np.searchsorted(starts, places, side="right") - 1
        filled = Columns([()] * len(rows), [""] * len(rows), [""] * len(rows), [{}] * len(rows))
        for number, part in enumerate(self.parts):
            here = np.flatnonzero(source == number)
            if len(here):
                columns = part.columns(places[here] - starts[number], form)
                for i, row in enumerate(here.tolist()):
                    filled.inputs[row], filled.targets[row] = columns.inputs[i], columns.targets[i]
                    filled.cases[row], filled.tags[row] = columns.cases[i], columns.tag(i)
        return filled


def sampled_splits(seed: int, options: CogsOptions, lexicon: Lexicon) -> Mapping[str, Split]:
    """All splits in the order of the release, train sets first."""
    source = _Source(seed, options, lexicon)
    total = options.train + options.dev + options.test
    shuffled = source.everyday(total).take(Stream(seed, "parting").permutation(total))
    exposures = [source.case(case, max(options.exposures, default=0)) for case in EXPOSURES.values()]
    parts = {}
    start = 0
    for name, size in (("train", options.train), ("dev", options.dev), ("test", options.test)):
        parts[name] = DerivedRows(shuffled[start : start + size], IN_DISTRIBUTION)
        start += size
    splits = [
        Split(
            name, Role.TRAIN, _with_exposures(parts["train"], exposures, number, lexicon, Stream(seed, "order", name))
        )
        for number, name in _train_names(options)
    ]
    splits += [Split("dev", Role.DEV, parts["dev"]), Split("test", Role.TEST, parts["test"])]
    if options.gen:
        cases = [rows for case in CASES.values() for rows in source.generalization(case)]
        splits.append(Split("gen", Role.GENERALIZATION, _mixed(cases, Stream(seed, "order", "gen"))))
    return {split.name: split for split in splits}


def _train_names(options: CogsOptions) -> Iterator[tuple[int, str]]:
    """`train` has the first number of exposures of the options, `train_100` one hundred."""
    for i, number in enumerate(options.exposures or (0,)):
        yield number, "train" if i == 0 else f"train_{number}"


def _with_exposures(rows: Rows, exposures: Sequence[Rows], number: int, lexicon: Lexicon, stream: Stream) -> JoinedRows:
    """A train set: the same primitives `number` times over, and the first `number` examples of each exposure."""
    primitives = _primitive_rows(lexicon, number)
    kept = [JoinedRows([part], np.arange(number)) for part in exposures]
    return _mixed([rows, primitives, *kept], stream)


def _mixed(parts: Sequence[Rows], stream: Stream) -> JoinedRows:
    return JoinedRows(parts, stream.permutation(sum(len(part) for part in parts)))


def _primitive_rows(lexicon: Lexicon, times: int) -> ListedRows:
    primitives = lexicon.primitives * times
    meanings = [primitive_graph(primitive) for primitive in lexicon.primitives]
    targets = {form: [written(meaning, form) for meaning in meanings] * times for form in FORMS}
    return ListedRows([(p.word,) for p in primitives], targets, [PRIMITIVE] * len(primitives))


@final
class _Source:
    """Where sentences come from: one grammar, one seed, and what was drawn already, which is not drawn again."""

    def __init__(self, seed: int, options: CogsOptions, lexicon: Lexicon) -> None:
        self._seed = seed
        self._options = options
        self._grammar = cogs_grammar(lexicon.entries)
        self._seen = SeenSentences()
        self._accept = without_repeats(NOMINAL_CATEGORIES, self._grammar) if options.distinct_nominals else None

    def everyday(self, number: int) -> Corpus:
        return self._draw(number, IN_DISTRIBUTION, everyday())

    def case(self, case: GeneralizationCase, number: int) -> DerivedRows:
        return DerivedRows(self._draw(number, case.name, case.conditions()), case.name, self._options.compat)

    def generalization(self, case: GeneralizationCase) -> Iterator[DerivedRows]:
        """The rows of a case; a recursion case has as many of each depth, as evenly as can be."""
        if not case.name.endswith("_recursion"):
            yield self.case(case, self._options.gen)
            return
        phenomenon = case.name.removesuffix("_recursion")
        first, last = self._options.depths
        depths = range(first, last + 1)
        for i, depth in enumerate(depths):
            number = self._options.gen // len(depths) + (i < self._options.gen % len(depths))
            what = f"{case.name} at depth {depth}"
            yield DerivedRows(self._draw(number, what, recursion(phenomenon, depth)), case.name)

    def _draw(self, number: int, what: str, conditions: tuple[Condition, ...]) -> Corpus:
        sampler = Sampler(self._grammar, *conditions)
        stream = Stream(self._seed, "cogs", what)
        return draw_distinct(sampler, stream, number, what=what, seen=self._seen, accept=self._accept)
