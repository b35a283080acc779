"""Variable-free terms and their syntax (Qiu et al. 2022, appendix on COGS): `eat ( agent = * cat )`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from blicket.core.errors import FormError
from blicket.meaning.conjunctive import is_name, is_word, tokenise


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Term:
    """A word, starred if definite, and its arguments: pairs of a role such as 'nmod . on' and a filler.

    The order of the arguments is part of the value. Terms are compared, hashed and printed without recursion,
    so they may be as deep as they like.
    """

    word: str
    definite: bool = False
    arguments: tuple[tuple[str, "Term"], ...] = ()

    def preorder(self) -> Iterator[tuple[int, str, "Term"]]:
        """This term and all below it, each with its depth and the role it fills, heads first."""
        stack = [(0, "", self)]
        while stack:
            depth, role, term = stack.pop()
            yield depth, role, term
            stack.extend((depth + 1, label, filler) for label, filler in reversed(term.arguments))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Term):
            return NotImplemented
        return self is other or self._shape() == other._shape()

    def __hash__(self) -> int:
        return hash(self._shape())

    def __repr__(self) -> str:
        return f"Term<{self}>"

    def __str__(self) -> str:
        pieces: list[str] = []
        open_terms = 0
        for depth, role, term in self.preorder():
            if depth:
                pieces.extend([")"] * (open_terms - depth))
                pieces.append("(" if open_terms < depth else ",")
            pieces.extend([role, "="] if role else [])
            pieces.extend(["*", term.word] if term.definite else [term.word])
            open_terms = depth
        return " ".join(pieces + [")"] * open_terms)

    def _shape(self) -> tuple[tuple[int, str, bool, str], ...]:
        """What determines the tree: its nodes in preorder with their depths."""
        return tuple([(depth, role, term.definite, term.word) for depth, role, term in self.preorder()])


@dataclass(frozen=True, slots=True)
class VariableFreeForm:
    """A term, under the binders of LAMBDA if it is a primitive.

    In a primitive, binders fill roles as terms of their own; a noun's own variable fills the role '':
    `LAMBDA a . shark ( a )`. A proper noun is a bare term.
    """

    term: Term
    binders: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join([f"LAMBDA {binder} . " for binder in self.binders]) + str(self.term)


@dataclass(slots=True)
class _Open:
    """A term whose closing parenthesis has not been read yet, and the role it will fill."""

    role: str
    definite: bool
    word: str
    arguments: list[tuple[str, Term]]


def parse(text: str) -> VariableFreeForm:
    """Read a form, lenient on content and strict on shape, however deep it is.

    What no variable-free form looks like raises FormError with the position of the offending token. For all
    that is parsed, `str(parse(text)) == " ".join(tokenise(text))`.
    """
    tokens = tokenise(text)
    if len(tokens) == 1 and is_name(tokens[0]):
        return VariableFreeForm(Term(tokens[0]))
    binders: list[str] = []
    position = 0
    while tokens[position : position + 1] == ["LAMBDA"]:
        binders.append(_word(tokens, position + 1))
        _expect(tokens, position + 2, ".")
        position += 3
    return VariableFreeForm(_read_term(tokens, position, primitive=bool(binders)), tuple(binders))


def _read_term(tokens: Sequence[str], position: int, *, primitive: bool) -> Term:
    """The term that all tokens from `position` on spell; the terms around the one being read are stacked."""
    stack: list[_Open] = []
    role = ""
    while True:
        definite = tokens[position : position + 1] == ["*"]
        word = _word(tokens, position + definite)
        position += 1 + definite
        if not stack:
            _expect(tokens, position, "(")
        if tokens[position : position + 1] == ["("]:
            stack.append(_Open(role, definite, word, []))
            if primitive and len(stack) == 1 and tokens[position + 2 : position + 3] == [")"]:
                role, position = "", position + 1  # a noun's own variable fills no role
                continue
        else:
            stack[-1].arguments.append((role, Term(word, definite)))
            while tokens[position : position + 1] == [")"]:
                closed = stack.pop()
                term = Term(closed.word, closed.definite, tuple(closed.arguments))
                position += 1
                if not stack:
                    _expect_end(tokens, position)
                    return term
                stack[-1].arguments.append((closed.role, term))
            _expect(tokens, position, ",", ")")
        role, position = _read_role(tokens, position + 1)


def _read_role(tokens: Sequence[str], position: int) -> tuple[str, int]:
    """A role of one or two words and `=`, and the position after them."""
    role = _word(tokens, position)
    position += 1
    if tokens[position : position + 1] == ["."]:
        role += f" . {_word(tokens, position + 1)}"
        position += 2
    _expect(tokens, position, "=")
    return role, position + 1


def _word(tokens: Sequence[str], position: int) -> str:
    if position >= len(tokens) or not is_word(tokens[position]):
        raise _unexpected(tokens, position, "a word")
    return tokens[position]


def _expect(tokens: Sequence[str], position: int, *expected: str) -> None:
    if position >= len(tokens) or tokens[position] not in expected:
        raise _unexpected(tokens, position, " or ".join(map(repr, expected)))


def _expect_end(tokens: Sequence[str], position: int) -> None:
    if position < len(tokens):
        raise _unexpected(tokens, position, "the end")


def _unexpected(tokens: Sequence[str], position: int, expected: str) -> FormError:
    if position >= len(tokens):
        return FormError(f"the form ends where {expected} was expected", len(tokens))
    return FormError(f"{tokens[position]!r} where {expected} was expected", position)
