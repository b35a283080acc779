"""The words of a text, which have one space between them and none around them."""

import re
from typing import NoReturn
from unicodedata import name

from blicket.core.errors import Refusal

__all__ = ["words_of"]


def words_of(text: str) -> list[str]:
    """The words of a text; raises Refusal, which says where there is too much space, or of the wrong kind."""
    words = text.split()
    if words and " ".join(words) != text:
        _refuse_spacing(words, re.split(r"\S+", text))
    return words


def _refuse_spacing(words: list[str], gaps: list[str]) -> NoReturn:
    """There is a gap before each word and one at the end."""
    at = next(i for i, gap in enumerate(gaps) if gap != (" " if 0 < i < len(words) else ""))
    found = _space(gaps[at])
    if at == 0:
        raise Refusal(f"{found} stands before {words[0]!r}, where the line should begin", 1)
    if at == len(words):
        raise Refusal(f"{found} follows {words[-1]!r}, where the line should end", at)
    raise Refusal(f"{words[at - 1]!r} is followed by {found}; one space is wanted", at)


def _space(gap: str) -> str:
    """White space in words, by the first character of it that is no space."""
    odd = gap.strip(" ")[:1]
    if not odd:
        return "a space" if len(gap) == 1 else f"{len(gap)} spaces"
    return "a tab" if odd == "\t" else f"a {name(odd).lower()}" if name(odd, "") else f"the character {odd!r}"
