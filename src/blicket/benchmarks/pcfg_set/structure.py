"""What an input is made of: how many functions and words, how deep, and which functions stand side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from blicket.benchmarks.pcfg_set.functions import BINARY, COMMA, UNARY, is_symbol
from blicket.benchmarks.pcfg_set.interpretation import refuse
from blicket.core.example import Tag

__all__ = ["Structure", "first_pair", "has_word", "string_length", "structure"]


@final
@dataclass(frozen=True, slots=True)
class Structure:
    """The number of functions, how deeply they are nested, and the number of words, commas among them."""

    functions: int
    depth: int
    length: int

    def as_tags(self) -> dict[str, Tag]:
        """The numbers by name, as an example has them."""
        return {"functions": self.functions, "depth": self.depth, "length": self.length}


def structure(words: Sequence[str]) -> Structure:
    """The structure of an input, which is read from its end as by `meaning`; raises Refusal where it is none."""
    functions = 0
    depth = -1  # of the argument that was read last; none was
    waiting: list[int] = []
    in_string = False
    for word in reversed(words):
        if word in UNARY or word in BINARY or word == COMMA:
            if depth < 0 or (word in BINARY and not waiting):
                refuse(words)
            in_string = False
            if word == COMMA:
                waiting.append(depth)
                depth = -1
                continue
            functions += 1
            depth = 1 + (depth if word in UNARY else max(depth, waiting.pop()))
        elif not in_string:
            if depth >= 0 or not is_symbol(word):
                refuse(words)
            depth, in_string = 0, True
        elif not is_symbol(word):
            refuse(words)
    if waiting or depth < 0:
        refuse(words)
    return Structure(functions, depth, len(words))


def string_length(words: Sequence[str]) -> int:
    """The number of symbols of the last string argument."""
    return next((n for n, word in enumerate(reversed(words)) if not is_symbol(word)), len(words))


def has_word(text: str, word: str) -> bool:
    """Whether a word, or several side by side, stand in an input."""
    return f" {word} " in f" {text} "


def first_pair(text: str, pairs: Iterable[str]) -> str | None:
    """The first of some pairs of functions, such as `append repeat`, that stands side by side in an input."""
    return next((pair for pair in pairs if has_word(text, pair)), None)
