"""Sentences that are all different, by rejection that knows when to stop."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.errors import Exhausted
from blicket.core.progress import tell
from blicket.core.randomness import Stream
from blicket.grammar.derivations import Corpus
from blicket.grammar.rules import Grammar
from blicket.grammar.sampling import Sampler

__all__ = ["SeenSentences", "draw_distinct", "joined", "without_repeats"]

SMALLEST_BATCH, LARGEST_BATCH = 1 << 8, 1 << 16
LARGEST_IN_WORDS = 1 << 20

# When to give up. A span of draws is so long that the last of sentences which are all as likely as those found would
# be in it: eight times as many draws as there are sentences miss one with a probability of exp(-8). If the last span
# brought so few that more spans like it would not bring the rest (and they bring fewer and fewer), then what is left is
# rare, and waiting for it would take many times what was spent.
SPAN = 8
SHORTEST_SPAN = 1 << 22  # words: some half a million sentences, a second or two
SPANS_LEFT = 2


@final
class SeenSentences:
    """A set of sentences, as sorted 64-bit fingerprints of their words: eight bytes a sentence.

    Two sentences that share a fingerprint (one pair in 2**64) count as one: a new sentence may be refused for nothing,
    but none is ever let in twice.
    """

    def __init__(self) -> None:
        self._fingerprints = np.empty(0, np.uint64)

    def __len__(self) -> int:
        return len(self._fingerprints)

    def add(self, fingerprints: NDArray[np.uint64], at_most: int) -> NDArray[np.intp]:
        """Take in the first new sentences of these; the result is where each occurs first, in order."""
        distinct, first = np.unique(fingerprints, return_index=True)
        at = np.searchsorted(self._fingerprints, distinct)
        old = np.zeros(len(distinct), bool)
        inside = at < len(self._fingerprints)
        old[inside] = self._fingerprints[at[inside]] == distinct[inside]
        new = np.sort(first[~old])[:at_most]
        taken = np.sort(fingerprints[new])
        self._fingerprints = np.insert(self._fingerprints, np.searchsorted(self._fingerprints, taken), taken)
        return new


@final
@dataclass(frozen=True)
class _Fingerprinter:
    """Sums, over the words of a sentence, of random numbers for each word times odd ones for each place."""

    of_word: NDArray[np.uint64]
    of_entry: NDArray[np.int32]

    @classmethod
    def of(cls, grammar: Grammar) -> "_Fingerprinter":
        """The fingerprint of a word is that of its spelling, so that grammars share them."""
        number = {word: place for place, word in enumerate(grammar.words)}
        of_entry = np.array([number[entry.word] for entry in grammar.entries], np.int32)
        of_word = [int.from_bytes(sha256(word.encode()).digest()[:8], "little") for word in grammar.words]
        return cls(np.array(of_word, np.uint64), of_entry)

    def __call__(self, corpus: Corpus) -> NDArray[np.uint64]:
        words = corpus.matrix(self.of_entry)
        places = Stream(0, "fingerprint", "place").words(words.shape[1]) | np.uint64(1)
        values = np.where(words < 0, np.uint64(0), self.of_word[words]) * places
        mixed = values ^ (values >> np.uint64(29))
        fingerprints: NDArray[np.uint64] = mixed.sum(axis=1, dtype=np.uint64)
        return fingerprints


@final
class _Recent:
    """The last batches, as many as make a span: how many words were drawn, and how many new sentences were in them."""

    def __init__(self) -> None:
        self._batches: deque[tuple[int, int]] = deque()
        self._words, self._new, self._kept = 0, 0, 0

    def add(self, words: int, new: int, kept: int) -> None:
        """A batch of so many words, in which there were `new` sentences of `kept` words."""
        self._batches.append((words, new))
        self._words, self._new, self._kept = self._words + words, self._new + new, self._kept + kept
        while self._words - self._batches[0][0] >= self._span:
            words, new = self._batches.popleft()
            self._words, self._new = self._words - words, self._new - new

    def promises_less_than(self, missing: int) -> bool:
        """Whether these were a whole span, and more such spans would not bring what is missing."""
        return self._words >= self._span and SPANS_LEFT * self._new < missing

    @property
    def _span(self) -> int:
        return max(SHORTEST_SPAN, SPAN * self._kept)


def without_repeats(categories: frozenset[str], grammar: Grammar) -> Callable[[Corpus], NDArray[np.bool_]]:
    """A test for derivations in which no word of these categories stands twice, whatever category it has where."""
    number = {word: place for place, word in enumerate(grammar.words)}
    of_entry = np.array(
        [number[entry.word] if entry.category in categories else -1 for entry in grammar.entries], np.int32
    )

    def distinct(corpus: Corpus) -> NDArray[np.bool_]:
        words = np.sort(corpus.matrix(of_entry), axis=1)
        repeated: NDArray[np.bool_] = ((words[:, 1:] == words[:, :-1]) & (words[:, 1:] >= 0)).any(axis=1)
        return ~repeated

    return distinct


def draw_distinct(
    sampler: Sampler,
    stream: Stream,
    wanted: int,
    *,
    what: str,
    seen: SeenSentences | None = None,
    accept: Callable[[Corpus], NDArray[np.bool_]] | None = None,
) -> Corpus:
    """`wanted` derivations of sentences that are neither equal nor in `seen`, which takes them in.

    Raises Exhausted, with the number found, once the last draws were many and brought far less than is still wanted.
    """
    seen = SeenSentences() if seen is None else seen
    fingerprints = _Fingerprinter.of(sampler.grammar)

    found, words = 0, 0

    def fresh(drawn: Corpus) -> NDArray[np.intp]:
        nonlocal words
        words = len(drawn.entries)
        rows = np.arange(len(drawn)) if accept is None else np.flatnonzero(accept(drawn))
        return rows[seen.add(fingerprints(drawn)[rows], wanted - found)]

    parts: list[Corpus] = []
    recent = _Recent()
    size = min(max(SMALLEST_BATCH, 2 * wanted), LARGEST_BATCH) if wanted else 0
    while not parts or found < wanted:
        parts.append(sampler.draw(stream, size, keep=fresh))
        found += len(parts[-1])
        tell(what, found, wanted)
        recent.add(words, len(parts[-1]), len(parts[-1].entries))
        if recent.promises_less_than(wanted - found):
            raise Exhausted(what, found, wanted)
        # Batches grow until they are large, in sentences or in words; what was drawn decides, and so the seed.
        size = min(2 * size, LARGEST_BATCH, max(SMALLEST_BATCH, size * LARGEST_IN_WORDS // max(words, 1)))
    return joined(parts)


def joined(parts: list[Corpus]) -> Corpus:
    """Corpora of one sampler, one after the other."""
    first = parts[0]
    if any(part.frames is not first.frames for part in parts):
        raise ValueError("corpora of different samplers have different frames and cannot be joined")
    offsets = np.cumsum(np.concatenate([[0], *(part.lengths for part in parts)]))
    return Corpus(
        first.grammar,
        first.frames,
        np.concatenate([part.frame_of for part in parts]),
        np.concatenate([part.entries for part in parts]),
        offsets,
    )
