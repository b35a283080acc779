"""What the spelling of a word says of it, also of one that was never seen: whether it has a capital, and its ending."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

__all__ = ["SHAPES", "ending", "induced_endings", "shape"]

SHAPES = ("none", "small", "capital")
"""Of letters or not, and how the first one is written."""

LONGEST = 3
SHARED_BY = 10  # different words that an ending has to be shared by, so that it says nothing of any one of them


def shape(word: str) -> int:
    """The place of the word's shape in SHAPES."""
    return 0 if not word.isalpha() else 2 if word[0].isupper() else 1


def induced_endings(words: Iterable[str]) -> Mapping[str, int]:
    """The endings that many words share, with a number from 1 each; 0 is every other ending."""
    sharing: dict[str, set[str]] = defaultdict(set)
    for word in words:
        if word.isalpha() and word.islower():
            for length in range(1, min(LONGEST, len(word) - 1) + 1):
                sharing[word[-length:]].add(word)
    found = sorted(ending for ending, sharers in sharing.items() if len(sharers) >= SHARED_BY)
    return {ending: number for number, ending in enumerate(found, 1)}


def ending(word: str, endings: Mapping[str, int]) -> int:
    """The number of the longest ending that the word has."""
    if word.isalpha() and word.islower():
        for length in range(min(LONGEST, len(word) - 1), 0, -1):
            if word[-length:] in endings:
                return endings[word[-length:]]
    return 0
