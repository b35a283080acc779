"""What can go wrong, as a hierarchy; every message is one line that says where, what, and what instead."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "BlicketError",
    "Exhausted",
    "FormError",
    "GrammarError",
    "InputError",
    "Refusal",
    "UnknownName",
    "did_you_mean",
]


class BlicketError(Exception):
    """An error meant for a person; the command line prints it in one line and exits with status 2."""


class InputError(BlicketError):
    """A file, option or value from outside that cannot be used."""


class UnknownName(InputError):
    """A name that nothing is registered under; the message offers the nearest one there is."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"there is no {kind} {name!r}{did_you_mean(name, known)}")


class GrammarError(BlicketError):
    """A grammar that cannot be compiled, or a condition that no derivation satisfies."""


class Exhausted(BlicketError):
    """A language ran out of distinct sentences, or of likely ones, before there were as many as were wanted."""

    def __init__(self, what: str, found: int, wanted: int) -> None:
        super().__init__(
            f"{what}: found {found:,} distinct sentences of the {wanted:,} wanted, and others are too rare to wait for"
        )
        self.found = found
        self.wanted = wanted


class FormError(BlicketError):
    """A text outside the syntax of its form; `token` counts from 0."""

    def __init__(self, message: str, token: int | None = None) -> None:
        super().__init__(message if token is None else f"token {token}: {message}")
        self.token = token


class Refusal(BlicketError):
    """An input that is outside a benchmark's language; `word` counts from 1, as the message does."""

    def __init__(self, message: str, word: int | None = None) -> None:
        super().__init__(message if word is None else f"word {word}: {message}")
        self.word = word


def did_you_mean(name: str, known: Iterable[str], *, listed: int = 8) -> str:
    """The end of a message about an unknown name: the nearest known one, or the known ones if they are few."""
    names = sorted(known)
    recased = [other for other in names if other.lower() == name.lower() and other != name]
    if recased:
        return f"; did you mean {recased[0]!r}?"
    begun = [other for other in names if len(name) > 2 and other.startswith(name)]
    near = get_close_matches(name, names, n=1, cutoff=0.6) or (begun if len(begun) == 1 else [])
    if near:
        return f"; did you mean {near[0]!r}?"
    if 0 < len(names) <= listed:
        return f"; there is {', '.join(names)}"
    return ""
