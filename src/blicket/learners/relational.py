"""Pairs of sentences in which words enter through their relations alone.

Goodwin et al. 2020 (section 5.2): the relation of two sentences is determined by the relations of their aligned words.
So a learner need not see the words. In the premise each open-class word is called by its number, in the hypothesis by
its number and the relation of the premise's word of this number to it:

    all red N3.1 that hum V3.4        all red 1 that hum 2
    some N3.5 not V3.4                some 1> not 2=

What is said of *all* beside `1>` then holds for all words in this relation, known or not. The learner is told which
words are open-class, and in which order those of a chain are: that is what this assumes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, final

from blicket.core.dataset import Hierarchy
from blicket.core.randomness import Stream

__all__ = ["Lexicon", "Rewriting", "WordsEnter", "unchanged"]

WordsEnter = Literal["vectors", "relations", "guesses"]
"""How words enter: as vectors of their own; through relations that are told; or through guesses, of novel words."""

Rewriting = Callable[[tuple[str, ...]], tuple[str, ...]]

EQUAL, NARROWER, WIDER, UNRELATED = "=<>?"


def unchanged(pair: tuple[str, ...]) -> tuple[str, ...]:
    """The pair itself, with words that enter as vectors."""
    return pair


@final
@dataclass(frozen=True)
class Lexicon:
    """What is known of open-class words: their chains, and of those that are `told` the order in them.

    The order of all others is guessed: each has a height that is drawn for it alone, so that guesses agree with each
    other, also when a pair is reversed, and are right half of the time. None means that all are told.
    """

    hierarchy: Hierarchy
    told: frozenset[str] | None = None

    def rewritten(self, pair: tuple[str, ...]) -> tuple[str, ...]:
        """The pair, with its open-class words only through their relations."""
        premise, hypothesis = (text.split() for text in pair)
        words = [word for word in premise if self.hierarchy(word)]
        numbers = {place: i for i, place in enumerate(self._places(hypothesis))}
        said = [
            word if place not in numbers else f"{numbers[place] + 1}{self._relation(words, numbers[place], word)}"
            for place, word in enumerate(hypothesis)
        ]
        for number, place in enumerate(self._places(premise), start=1):
            premise[place] = str(number)
        return " ".join(premise), " ".join(said)

    def _places(self, words: list[str]) -> list[int]:
        return [place for place, word in enumerate(words) if self.hierarchy(word)]

    def _relation(self, words: list[str], number: int, other: str) -> str:
        """The relation of a word of the premise, if there is one, to the one of the hypothesis."""
        if number >= len(words):
            return UNRELATED
        word, chain = words[number], (self.hierarchy(words[number]) or ("", 0))[0]
        if word == other:
            return EQUAL
        if chain != (self.hierarchy(other) or ("", 0))[0]:
            return UNRELATED
        return NARROWER if self._depth(word) > self._depth(other) else WIDER

    def _depth(self, word: str) -> int:
        """How far down its chain a word is, or is guessed to be."""
        if self.told is None or word in self.told:
            return (self.hierarchy(word) or ("", 0))[1]
        return int(Stream(0, "height", word).words(1)[0])
