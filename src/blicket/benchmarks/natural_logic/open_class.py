"""The open-class words: symbols such as `N1.3`, or English words and nonce words that stand for them.

A block is a chain of nouns and a chain of verbs; in a chain a higher level is narrower (section 5.4).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import product
from typing import Literal, NamedTuple, final

from blicket.core.errors import InputError

__all__ = [
    "ENGLISH",
    "MOST_BLOCKS",
    "MOST_LEVELS",
    "NOUN",
    "SYMBOLS",
    "VERB",
    "Lexicon",
    "OpenClassWord",
    "Words",
    "english",
    "read_symbol",
    "symbols",
]

SYMBOLS, ENGLISH = "symbols", "english"
Words = Literal["symbols", "english"]
SYMBOL = re.compile(r"([NV])([1-9][0-9]{0,5})\.([1-9][0-9]{0,5})")
NOUN, VERB = "noun", "verb"

MOST_BLOCKS, MOST_LEVELS = 20_000, 12

ONSETS = "b bl d dr f fl g gr k kl l m n p pl r s sl t tr v w z zw".split()
VOWELS = "a e i o u".split()
CODAS = "ck ff lb lt mp nk pt rg rk sp st zz".split()
STRIDE = 521  # a prime that does not divide the number of syllables, so that every one has its turn


class OpenClassWord(NamedTuple):
    """A noun or a verb, its block and its level, which count from 1."""

    category: str
    block: int
    level: int


@final
@dataclass(frozen=True)
class Lexicon:
    """What nouns and verbs look like, by block and level, which count from 0 here."""

    nouns: Sequence[Sequence[str]]
    verbs: Sequence[Sequence[str]]

    @cached_property
    def known(self) -> Mapping[str, OpenClassWord]:
        """Every word by what it looks like."""
        return {
            word: OpenClassWord(category, block, level)
            for category, blocks in ((NOUN, self.nouns), (VERB, self.verbs))
            for block, words in enumerate(blocks, start=1)
            for level, word in enumerate(words, start=1)
        }

    @property
    def find(self) -> Callable[[str], OpenClassWord | None]:
        """How a word is found by what it looks like."""
        return self.known.get

    def place(self, word: str) -> tuple[str, int] | None:
        """The chain of a word and its level in it; None for what is no open-class word."""
        found = self.known.get(word)
        return found and (f"{found.category} {found.block}", found.level)


def read_symbol(word: str) -> OpenClassWord | None:
    """The noun or verb that a symbol stands for, in any block and of any level."""
    found = SYMBOL.fullmatch(word)
    return found and OpenClassWord(NOUN if found[1] == "N" else VERB, int(found[2]), int(found[3]))


@cache
def symbols(blocks: int, levels: int) -> Lexicon:
    """Symbols for all words."""
    nouns, verbs = (
        tuple(tuple(f"{letter}{block + 1}.{level + 1}" for level in range(levels)) for block in range(blocks))
        for letter in "NV"
    )
    return Lexicon(nouns, verbs)


@cache
def english(blocks: int, levels: int) -> Lexicon:
    """English words for the first blocks, as far as there are any, and nonce words for all other blocks."""
    import tomllib

    listed = tomllib.loads(files(__package__).joinpath("english.toml").read_text("utf-8"))["block"]
    real = [(block["nouns"], block["verbs"]) for block in listed if len(block["nouns"]) >= levels][:blocks]
    nonce = _nonce_words((blocks - len(real)) * levels)
    stems = [nonce[start : start + levels] for start in range(0, len(nonce), levels)]
    nouns = [*(nouns[:levels] for nouns, _ in real), *([f"{stem}ets" for stem in block] for block in stems)]
    # Backwards, so that noun and verb of a block do not share their stems.
    verbs = [*(verbs[:levels] for _, verbs in real), *([f"{stem}ify" for stem in block] for block in reversed(stems))]
    return Lexicon(nouns, verbs)


def _nonce_words(number: int) -> list[str]:
    """Pronounceable stems, neighbours in the list unlike each other."""
    syllables = ["".join(parts) for parts in product(ONSETS, VOWELS, CODAS)]
    if number > len(syllables):
        raise InputError(
            f"option words: there are nonce words for {len(syllables):,} levels, and {number:,} are wanted"
        )
    return [syllables[(place * STRIDE) % len(syllables)] for place in range(number)]
