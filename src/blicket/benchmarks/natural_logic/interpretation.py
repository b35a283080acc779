"""Reading pairs of sentences: which frames and words they are, or why they cannot be read."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple, NoReturn, final

from blicket.benchmarks.natural_logic.closed_class import NOTHING, SIDES, ClosedClass, Frame
from blicket.benchmarks.natural_logic.open_class import NOUN, VERB, OpenClassWord, read_symbol
from blicket.benchmarks.natural_logic.relations import LEXICAL, RELATIONS, lexical_relation, relation_table
from blicket.core.errors import Refusal, did_you_mean

__all__ = ["Find", "Reader", "Sentence", "relater"]

Part = str | Sequence[tuple[str, ...]]
Find = Callable[[str], OpenClassWord | None]


class Sentence(NamedTuple):
    """A sentence that was read: the number of its frame, its noun and verb, and at which words these stand."""

    frame: int
    noun: OpenClassWord
    verb: OpenClassWord
    noun_at: int
    verb_at: int


@final
class Reader:
    """Reads sentences with these closed-class words; `find` tells nouns and verbs. Sentences are read once."""

    def __init__(self, closed: ClosedClass, find: Find = read_symbol) -> None:
        self._closed = closed
        self._find = find
        self._sentences: dict[str, Sentence] = {}

    def pair(self, inputs: Sequence[str]) -> tuple[Sentence, Sentence]:
        """Premise and hypothesis, with all words of one block; raises Refusal."""
        premise, hypothesis = (self._sentence(text, side) for text, side in zip(inputs, SIDES, strict=True))
        block = premise.noun.block
        for text, side, sentence in zip(inputs, SIDES, (premise, hypothesis), strict=True):
            for word, at in ((sentence.noun, sentence.noun_at), (sentence.verb, sentence.verb_at)):
                if word.block != block:
                    said = f"{text.split(' ')[at]!r} in the {side} is of block {word.block}, and the premise's noun of"
                    raise Refusal(f"{said} block {block}; words of different blocks have no relation", at + 1)
        return premise, hypothesis

    def _sentence(self, text: str, side: str) -> Sentence:
        known = self._sentences.get(text)
        if known is None:
            known = self._sentences[text] = self._read(text.split(" "), side)
        return known

    def _read(self, words: list[str], side: str) -> Sentence:
        """The words from left to right: quantifier, adjective, noun, relative clause, negation, verb."""
        at = 0
        frame: list[int] = []
        open_class: list[tuple[OpenClassWord, int]] = []
        expected: list[str] = []  # since the last word
        for part in self._parts:
            expected += _choices(part)
            if isinstance(part, str):
                open_class.append((self._open_class(part, words, at, side, expected), at))
                length = 1
            else:
                standing = [choice for choice in part if tuple(words[at : at + len(choice)]) == choice]
                if not standing:
                    self._refuse(words, at, side, expected)
                taken = max(standing, key=len)
                frame.append(part.index(taken))
                length = len(taken)
            at += length
            expected = [] if length else expected
        if at < len(words):
            raise Refusal(f"{words[at]!r} in the {side} follows its verb, where it should end", at + 1)
        (noun, noun_at), (verb, verb_at) = open_class
        return Sentence(self._closed.number(Frame(*frame)), noun, verb, noun_at, verb_at)

    def _open_class(
        self, category: str, words: list[str], at: int, side: str, expected: Sequence[str]
    ) -> OpenClassWord:
        found = self._find(words[at]) if at < len(words) else None
        if found is None or found.category != category:
            self._refuse(words, at, side, expected)
        return found

    @cached_property
    def _parts(self) -> Sequence[Part]:
        """The six places: the choices of a closed-class place as words, or the category that an open one wants."""
        closed = [[tuple(choice.split()) for choice in place] for place in self._closed.places]
        return [*closed[:2], NOUN, *closed[2:], VERB]

    def _refuse(self, words: list[str], at: int, side: str, expected: Sequence[str]) -> NoReturn:
        wanted = f"; expected {' or '.join(expected)}"
        if words == [NOTHING]:
            raise Refusal(f"the {side} is empty{wanted}", 1)
        if at == len(words):
            raise Refusal(f"the {side} ends after {words[-1]!r}{wanted}", at + 1)
        word = words[at]
        if word == NOTHING:
            raise Refusal(f"the {side} has a space too many{wanted}", at + 1)
        if word in self._closed_class_words or self._find(word) is not None:
            raise Refusal(f"{word!r} in the {side} cannot stand here{wanted}", at + 1)
        near = did_you_mean(word, self._closed_class_words, listed=0)
        raise Refusal(f"{word!r} in the {side} is no word of the language{near or wanted}", at + 1)

    @cached_property
    def _closed_class_words(self) -> frozenset[str]:
        return frozenset(word for place in self._closed.places for choice in place for word in choice.split())


def _choices(part: Part) -> list[str]:
    """What can stand in a place, in words."""
    if isinstance(part, str):
        return [f"a {part} such as {part[0].upper()}1.2"]
    return [" ".join(choice) for choice in part if choice]


def relater() -> Callable[[Sequence[str]], str]:
    """What says the relation of a premise and a hypothesis in symbols, in the words of the paper."""
    closed = ClosedClass()
    reader, table = Reader(closed), relation_table(closed)

    def relate(inputs: Sequence[str]) -> str:
        premise, hypothesis = reader.pair(inputs)
        nouns, verbs = (
            LEXICAL[lexical_relation(one.level, other.level)]
            for one, other in ((premise.noun, hypothesis.noun), (premise.verb, hypothesis.verb))
        )
        return RELATIONS[table[premise.frame, hypothesis.frame, nouns, verbs]]

    return relate
