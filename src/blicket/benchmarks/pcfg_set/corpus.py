"""Inputs with their meanings and structures, drawn from shapes, functions and strings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.benchmarks.pcfg_set.distribution import MOST_FUNCTIONS
from blicket.benchmarks.pcfg_set.functions import BINARY, COMMA, FUNCTIONS, UNARY, String, arity, symbols
from blicket.benchmarks.pcfg_set.interpretation import meaning
from blicket.benchmarks.pcfg_set.shapes import BINARY as BINARY_ITEM
from blicket.benchmarks.pcfg_set.shapes import COMMA as COMMA_ITEM
from blicket.benchmarks.pcfg_set.shapes import END, FIRST_STRING, Items, Shapes, string
from blicket.benchmarks.pcfg_set.shapes import UNARY as UNARY_ITEM
from blicket.benchmarks.pcfg_set.strings import Strings, below
from blicket.benchmarks.pcfg_set.structure import Structure, structure
from blicket.core.errors import Exhausted
from blicket.core.randomness import Stream

__all__ = ["Corpus", "Writer"]

FRUITLESS = 30
UNARY_FUNCTIONS = [i for i, name in enumerate(FUNCTIONS) if name in UNARY]
BINARY_FUNCTIONS = [i for i, name in enumerate(FUNCTIONS) if name in BINARY]
COMMA_WORD = len(FUNCTIONS)
FIRST_SYMBOL = COMMA_WORD + 1
CHUNK = 1 << 16


@final
@dataclass(frozen=True)
class Corpus:
    """Inputs, their meanings and their structures, row by row."""

    inputs: list[str] = field(default_factory=list)
    meanings: list[str] = field(default_factory=list)
    structures: list[Structure] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.inputs)


@final
class Writer:
    """Writes inputs out: functions at random or as told, and strings that are drawn for them."""

    def __init__(self, number_of_symbols: int, strings: Strings) -> None:
        alphabet = symbols(number_of_symbols)
        self._symbols = frozenset(alphabet)
        self._words = np.array([*FUNCTIONS, COMMA, *alphabet], object)
        self._strings = strings

    def distinct(self, shapes: Shapes, n: int, stream: Stream) -> Corpus:
        """So many inputs, no two of them the same; raises Exhausted if there are not as many.

        Inputs of too many functions and those whose meaning is too long to be written are left out.
        """
        corpus, seen, fruitless = Corpus(), set[str](), 0
        while len(corpus) < n and fruitless < FRUITLESS:
            before = len(corpus)
            items = shapes.draw(n - before, stream)
            for words in self._written(items, _functions(items, stream)):
                text = " ".join(words)
                if text not in seen and _added(corpus, text, words, meaning(words, self._symbols)):
                    seen.add(text)
            fruitless = 0 if len(corpus) > before else fruitless + 1
        if len(corpus) < n:
            raise Exhausted("inputs", len(corpus), n)
        return corpus

    def calls(self, function: str, lengths: Sequence[int]) -> Corpus:
        """Inputs of one function, for each its arguments of lengths that are given one after the other."""
        corpus, places = Corpus(), arity(function)
        starts = range(0, len(lengths) - places + 1, places)
        items = np.array([item for at in starts for item in _call(lengths[at : at + places])], np.int32)
        functions = np.full(len(starts), FUNCTIONS.index(function), np.int64)
        for words in self._written(items, functions):
            _added(corpus, " ".join(words), words, meaning(words, self._symbols))
        return corpus

    def _written(self, items: Items, functions: NDArray[np.int64]) -> Iterator[list[str]]:
        """The words of each input."""
        sizes = np.where(items > FIRST_STRING, items - FIRST_STRING, items != END)
        ends = np.cumsum(sizes)
        codes = np.full(int(ends[-1]) if len(ends) else 0, COMMA_WORD, np.int32)
        places = ends - sizes
        codes[places[(items == UNARY_ITEM) | (items == BINARY_ITEM)]] = functions
        for length in range(1, int(items.max(initial=0)) - FIRST_STRING + 1):
            here = places[items == string(length)]
            codes[here[:, None] + np.arange(length)] = FIRST_SYMBOL + self._strings.draw(len(here), length)
        cuts = [0, *ends[items == END].tolist()]
        for start in range(0, len(cuts) - 1, CHUNK):
            stop = min(start + CHUNK, len(cuts) - 1)
            words = self._words[codes[cuts[start] : cuts[stop]]].tolist()
            for row in range(start, stop):
                yield words[cuts[row] - cuts[start] : cuts[row + 1] - cuts[start]]


def _added(corpus: Corpus, text: str, words: Sequence[str], found: String | None) -> bool:
    """Put an input into a corpus, if it is to be there."""
    parts = structure(words)
    if not found or parts.functions > MOST_FUNCTIONS:
        return False
    corpus.inputs.append(text)
    corpus.meanings.append(" ".join(found))
    corpus.structures.append(parts)
    return True


def _functions(items: Items, stream: Stream) -> NDArray[np.int64]:
    """A function for each place where one stands, all of an arity alike."""
    wanted = items[(items == UNARY_ITEM) | (items == BINARY_ITEM)]
    unary = wanted == UNARY_ITEM
    functions = np.empty(len(wanted), np.int64)
    for mask, known in ((unary, UNARY_FUNCTIONS), (~unary, BINARY_FUNCTIONS)):
        functions[mask] = np.array(known)[below(len(known), int(mask.sum()), stream)]
    return functions


def _call(lengths: Sequence[int]) -> list[int]:
    if len(lengths) == 1:
        return [UNARY_ITEM, string(lengths[0]), END]
    return [BINARY_ITEM, string(lengths[0]), COMMA_ITEM, string(lengths[1]), END]
