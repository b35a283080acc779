"""Conjunctive logical forms, the meanings of COGS (Kim & Linzen 2020, section 3.2 and appendix C)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from blicket.core.errors import FormError

Argument = int | str
"""The integer `i` is the variable `x _ i`; a string is a word: what a binder binds, or else a constant."""

# `[w_12]` is a nonce word, one token although it contains an underscore; everywhere else `_` stands alone.
_NONCE = r"\[[^\s\[\](),.;*=]+\]"
_PLAIN = r"[^\s\[\](),.;*=_]+"
# Keywords that lost the space behind them stand alone where spaced forms have no word: `)ANDeat` and `LAMBDAa.`.
_AND = r"AND(?<=\)AND)"
_LAMBDA = r"LAMBDA(?<![^\s.]LAMBDA)(?=[a-z]\.)"
_TOKEN = re.compile(rf"{_AND}|{_LAMBDA}|{_NONCE}|{_PLAIN}|\S")

_WORD = rf"(?:{_NONCE}|(?!(?:AND|LAMBDA|[0-9]+)(?: |\Z)){_PLAIN})"
# At most nine digits: a position is small, and a runaway prediction must not become a huge integer.
_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_ARGUMENT = rf"(?:x _ ({_NUMBER})|({_WORD}))"
_BINDER = re.compile(rf"LAMBDA ({_WORD}) \. ")
_CONJUNCT = re.compile(rf"(\* )?({_WORD}(?: \. {_WORD}){{0,2}}) \( {_ARGUMENT}(?: , {_ARGUMENT})? \)( AND | ; |\Z)")
_WHOLE_WORD = re.compile(_WORD)
_WHOLE_NUMBER = re.compile(_NUMBER)
_LITERALS = frozenset(("AND", "LAMBDA", *"(),.;*_=", "x"))


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A predicate of one to three words, such as `cake . nmod . on`, and its one or two arguments."""

    predicate: str
    arguments: tuple[Argument, ...]

    def __str__(self) -> str:
        spelled = " , ".join([f"x _ {a}" if isinstance(a, int) else a for a in self.arguments])
        return f"{self.predicate} ( {spelled} )"


@dataclass(frozen=True, slots=True)
class ConjunctiveForm:
    """A conjunctive form as it was written: binders of LAMBDA, starred definites, then the body.

    A proper noun primitive has only a `name`. The order of conjuncts is kept, so `==` compares spellings;
    `blicket.meaning.equal` compares meanings.
    """

    body: tuple[Conjunct, ...] = ()
    definites: tuple[Conjunct, ...] = ()
    binders: tuple[str, ...] = ()
    name: str | None = None

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        binders = "".join([f"LAMBDA {binder} . " for binder in self.binders])
        definites = "".join([f"* {definite} ; " for definite in self.definites])
        return binders + definites + " AND ".join(map(str, self.body))


def tokenise(text: str) -> list[str]:
    """Split a form into tokens, wherever its spaces are: `eat.agent(x_1,Emma)` and the spaced form alike.

    What a form prints is split at its spaces and nowhere else, so that no two forms become one.
    """
    return _TOKEN.findall(text)


def is_word(token: str) -> bool:
    """Whether a token can be a predicate, a constant or a binder: no keyword, punctuation or number."""
    return _WHOLE_WORD.fullmatch(token) is not None


def is_name(token: str) -> bool:
    """Whether a token standing alone is a proper noun: capitalised, or a nonce word such as `[w_12]`."""
    return is_word(token) and (token[0] == "[" or token[0].isupper())


def parse(text: str) -> ConjunctiveForm:
    """Read a form, lenient on content and strict on shape.

    Unknown roles, unbound variables and odd arities are parsed: they are merely wrong. What no conjunctive
    form looks like raises FormError with the first token that no form could have there. For all that is
    parsed, `str(parse(text)) == " ".join(tokenise(text))`.
    """
    tokens = tokenise(text)
    if len(tokens) == 1 and is_name(tokens[0]):
        return ConjunctiveForm(name=tokens[0])
    spaced = " ".join(tokens)
    binders: list[str] = []
    position = 0
    while binder := _BINDER.match(spaced, position):
        binders.append(binder[1])
        position = binder.end()
    definites: list[Conjunct] = []
    body: list[Conjunct] = []
    while match := _CONJUNCT.match(spaced, position):
        star, predicate, *arguments, link = match.groups()
        conjunct = Conjunct(predicate, _arguments(*arguments))
        position = match.end()
        if star and link == " ; " and not body:
            definites.append(conjunct)
        elif star or link == " ; ":
            break
        else:
            body.append(conjunct)
            if not link:
                return ConjunctiveForm(tuple(body), tuple(definites), tuple(binders))
    raise _diagnosis(tokens)


def _arguments(
    variable: str | None, word: str | None, second_variable: str | None, second_word: str | None
) -> tuple[Argument, ...]:
    """The arguments that the groups of one matched conjunct spell."""
    first: Argument = int(variable) if variable is not None else str(word)
    if second_variable is not None:
        return (first, int(second_variable))
    return (first,) if second_word is None else (first, second_word)


# The same syntax as a finite automaton over kinds of tokens, to find the place and the reason of an error.
# A state is what has been read; a starred conjunct has its own copy of the states, named with `*`.
def _conjunct_states(star: str) -> dict[str, dict[str, str]]:
    states = {f"{star}predicate 0": {"word": f"{star}predicate 1"}}
    for length in (1, 2, 3):
        states[f"{star}predicate {length}"] = {"(": f"{star}argument 1"}
        if length < 3:
            states[f"{star}predicate {length}"]["."] = f"{star}dot {length}"
            states[f"{star}dot {length}"] = {"word": f"{star}predicate {length + 1}"}
    for rank in ("1", "2"):
        done = {")": f"{star}end"} | ({",": f"{star}argument 2"} if rank == "1" else {})
        states[f"{star}argument {rank}"] = {"x": f"{star}x {rank}", "word": f"{star}argument {rank} done"}
        states[f"{star}x {rank}"] = {"_": f"{star}x _ {rank}"} | done
        states[f"{star}x _ {rank}"] = {"a number": f"{star}argument {rank} done"}
        states[f"{star}argument {rank} done"] = done
    return states


_STATES: dict[str, dict[str, str]] = {
    "start": {"LAMBDA": "LAMBDA", "*": "*predicate 0", "word": "predicate 1"},
    "LAMBDA": {"word": "binder"},
    "binder": {".": "start"},
    **_conjunct_states(""),
    **_conjunct_states("*"),
    "end": {"AND": "predicate 0"},
    "*end": {";": "after a definite"},
    "after a definite": {"*": "*predicate 0", "word": "predicate 1"},
}


def kind_of(token: str) -> str:
    """What a token is to the syntax: a keyword or punctuation, itself; 'a number', 'word' or 'other'."""
    if token in _LITERALS:
        return token
    if _WHOLE_NUMBER.fullmatch(token):
        return "a number"
    return "word" if is_word(token) else "other"


def _diagnosis(tokens: Sequence[str]) -> FormError:
    """The error of a text outside the syntax: its first token that no form continues with."""
    state = "start"
    for place, token in enumerate(tokens):
        kind = kind_of(token)
        following = _STATES[state]
        if kind == "x" and "x" not in following:
            kind = "word"
        if kind not in following:
            return FormError(f"{token!r} where {_expected(state)} was expected", place)
        state = following[kind]
    if len(tokens) == 1:
        return FormError(f"{tokens[0]!r} is neither a conjunct nor a name (a capitalised or nonce word)", 0)
    return FormError(f"the form ends where {_expected(state)} was expected", len(tokens))


def _expected(state: str) -> str:
    names = {"word": "a word", "a number": "a number"}
    return " or ".join(names.get(kind, repr(kind)) for kind in _STATES[state] if kind != "x")
