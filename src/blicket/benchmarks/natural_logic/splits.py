"""The splits of natural logic (section 5.5): training, validation, hold-out, jabberwocky, and what probes derive."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.natural_logic.derived import identical, neighbours, reversed_rows
from blicket.benchmarks.natural_logic.open_class import ENGLISH, SYMBOLS, english, read_symbol, symbols
from blicket.benchmarks.natural_logic.options import (
    DUPLICATES,
    LABELS_2020,
    SEVEN_LEVELS,
    VALIDATION_APART,
    NaturalLogicOptions,
)
from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.relations import relation_table
from blicket.benchmarks.natural_logic.rows import Language, PairRows, read_labels, read_pairs
from blicket.benchmarks.natural_logic.sampling import below, core_sets
from blicket.core.example import Role, Split
from blicket.core.randomness import Stream

__all__ = [
    "HOLDOUT",
    "IDENTICAL",
    "JABBERWOCKY",
    "NEIGHBOURS",
    "REVERSED",
    "ROLES",
    "language_of",
    "read_rows",
    "sampled_splits",
]

HOLDOUT, JABBERWOCKY = "holdout", "jabberwocky"
NEIGHBOURS, REVERSED, IDENTICAL = "neighbours", "reversed", "identical"

ROLES: Mapping[str, Role] = {
    "train": Role.TRAIN,
    "dev": Role.DEV,
    HOLDOUT: Role.TEST,
    JABBERWOCKY: Role.GENERALIZATION,
    NEIGHBOURS: Role.PROBE,
    REVERSED: Role.PROBE,
    IDENTICAL: Role.PROBE,
}

VALIDATED = 5
"""One pair in so many is for validation."""

WITHHELD = 2
"""The level, counted from 0, that `seven-levels` keeps from training."""


def language_of(options: NaturalLogicOptions) -> Language:
    """The language of some options: training blocks come first, and jabberwocky blocks after them."""
    return _language(options, options.blocks + options.jabberwocky, options.depth)


def _language(options: NaturalLogicOptions, blocks: int, levels: int) -> Language:
    lexicon = (english if options.words == ENGLISH else symbols)(blocks, levels)
    return Language(options.closed, lexicon, relation_table(options.closed, labels_2020=_is_mislabelled(options)))


def _is_mislabelled(options: NaturalLogicOptions) -> bool:
    return LABELS_2020 in options.compat


def read_rows(
    options: NaturalLogicOptions,
    inputs: Sequence[tuple[str, ...]],
    targets: Sequence[str],
    where: Callable[[int], str],
) -> PairRows:
    """Rows of a file with its labels, or with those of the release if these are wanted; symbols may be of any block."""
    language = language_of(options)
    find = read_symbol if options.words == SYMBOLS else language.lexicon.find
    pairs, labels = read_pairs(options.closed, find, inputs, where), read_labels(targets, where)
    if options.words == SYMBOLS and len(pairs):
        levels = max(int(pairs.nouns.max()), int(pairs.verbs.max())) + 1
        language = _language(options, int(pairs.block.max()) + 1, levels)
    if _is_mislabelled(options):
        labels = pairs.related(language.table)
    return PairRows(language, pairs, labels, where=where)


class _Drawn(NamedTuple):
    """What was drawn for the training blocks."""

    train: Pairs
    dev: Pairs
    holdout: Pairs


def sampled_splits(seed: int, options: NaturalLogicOptions) -> Mapping[str, Split]:
    """All splits, those of probes only if they are wanted."""
    language = language_of(options)
    drawn = _drawn(seed, options)
    blocks = range(options.blocks, options.blocks + options.jabberwocky)
    novel = _core_sets(Stream(seed, "natural-logic", JABBERWOCKY), blocks, options, options.core_sets)
    pairs = {"train": drawn.train, "dev": drawn.dev, HOLDOUT: drawn.holdout, JABBERWOCKY: Pairs.joined(novel)}
    rows = {name: PairRows(language, of_split, of_split.related(language.table)) for name, of_split in pairs.items()}
    if options.probes and options.jabberwocky:
        base = rows[JABBERWOCKY]
        rows |= {NEIGHBOURS: neighbours(base).rows, REVERSED: reversed_rows(base), IDENTICAL: identical(base)}
    return {name: Split(name, ROLES[name], of_split) for name, of_split in rows.items()}


def _drawn(seed: int, options: NaturalLogicOptions) -> _Drawn:
    stream = Stream(seed, "natural-logic", "blocks")
    parts = iter(_core_sets(stream, range(options.blocks), options, options.drawings))
    holdout, train = _joined(parts, options), _joined(parts, options)
    train = train[_is_trained(train, options)]
    train = train[Stream(seed, "natural-logic", "order").permutation(len(train))]
    if VALIDATION_APART not in options.compat:
        kept = round(len(train) / VALIDATED)
        return _Drawn(train[kept:], train[:kept], holdout)
    apart = _joined(parts, options)
    apart = apart[_is_trained(apart, options)]
    fifth = below(Stream(seed, "natural-logic", "validation"), len(apart), VALIDATED) == 0
    return _Drawn(train, apart[fifth], holdout)


def _core_sets(stream: Stream, blocks: range, options: NaturalLogicOptions, number: int) -> list[Pairs]:
    frames, repeating = len(options.closed.frames), DUPLICATES in options.compat
    return core_sets(stream, blocks, options.depth, frames, number, repeating=repeating)


def _joined(parts: Iterator[Pairs], options: NaturalLogicOptions) -> Pairs:
    return Pairs.joined([next(parts) for _ in range(options.core_sets)])


def _is_trained(pairs: Pairs, options: NaturalLogicOptions) -> NDArray[np.bool_]:
    """Which pairs hold no word of the level that is withheld."""
    if SEVEN_LEVELS not in options.compat:
        return np.ones(len(pairs), bool)
    withheld = (pairs.nouns == WITHHELD) | (pairs.verbs == WITHHELD)
    trained: NDArray[np.bool_] = ~withheld.any(axis=0)
    return trained
