"""Equality of meanings: up to the names of variables and the order of conjuncts or arguments."""

from collections.abc import Hashable, Iterable

from blicket.meaning.conjunctive import Argument, Conjunct, ConjunctiveForm
from blicket.meaning.isomorphism import Relation, isomorphic
from blicket.meaning.terms import Term, VariableFreeForm


def equal(first: ConjunctiveForm | VariableFreeForm, second: ConjunctiveForm | VariableFreeForm) -> bool:
    """Whether two forms of one kind mean the same; forms of different kinds do not.

    Conjunctive forms: up to a bijection between the variables `x _ i` and the order of conjuncts, each of
    which counts as often as it stands there. Variable-free forms: up to the order of arguments. What LAMBDA
    binds may be renamed but is never permuted: the k-th binder corresponds to the k-th.
    """
    if isinstance(first, ConjunctiveForm) and isinstance(second, ConjunctiveForm):
        return first == second or _equal_conjuncts(first, second)
    if isinstance(first, VariableFreeForm) and isinstance(second, VariableFreeForm):
        return first == second or _equal_terms(first, second)
    return False


def _equal_conjuncts(first: ConjunctiveForm, second: ConjunctiveForm) -> bool:
    if first.name != second.name or len(first.binders) != len(second.binders):
        return False
    if len(first.body) != len(second.body) or len(first.definites) != len(second.definites):
        return False
    return isomorphic(_relations(first), _relations(second))


def _relations(form: ConjunctiveForm) -> list[Relation]:
    """The conjuncts as relations among variables, whose kinds hold everything else, constants included."""
    # A later binder of the same word hides an earlier one.
    bound = {word: rank for rank, word in enumerate(form.binders)}
    starred = [_relation(conjunct, True, bound) for conjunct in form.definites]
    return starred + [_relation(conjunct, False, bound) for conjunct in form.body]


def _relation(conjunct: Conjunct, starred: bool, bound: dict[str, int]) -> Relation:
    first = conjunct.arguments[0]
    second = conjunct.arguments[-1]
    unary = len(conjunct.arguments) == 1
    if isinstance(first, int) and isinstance(second, int):
        if first == second:
            return (starred, conjunct.predicate, "once" if unary else "twice"), (first,)
        return (starred, conjunct.predicate), (first, second)
    constants = tuple([_constant(argument, bound) for argument in conjunct.arguments])
    variables = tuple([argument for argument in conjunct.arguments if isinstance(argument, int)])
    return (starred, conjunct.predicate, constants), variables


def _constant(argument: Argument, bound: dict[str, int]) -> Hashable:
    """What stays of an argument when variables are forgotten: None, the rank of a binder, or a word."""
    return None if isinstance(argument, int) else bound.get(argument, argument)


def _equal_terms(first: VariableFreeForm, second: VariableFreeForm) -> bool:
    numbers: dict[Hashable, int] = {}
    return len(first.binders) == len(second.binders) and (
        _number(first.term, first.binders, numbers) == _number(second.term, second.binders, numbers)
    )


def _number(root: Term, binders: Iterable[str], numbers: dict[Hashable, int]) -> int:
    """A number that two terms share if and only if they are equal up to the order of arguments.

    Every subterm is numbered after its fillers, as in the linear-time test of tree isomorphism (Aho, Hopcroft
    & Ullman 1974, example 3.2).
    """
    bound = {word: rank for rank, word in enumerate(binders)}
    waiting: list[list[tuple[str, int]]] = [[]]  # per depth, the numbered fillers not yet gathered
    # Postorder: in the reversed preorder every term comes after all that is below it.
    for depth, role, term in reversed(list(root.preorder())):
        while len(waiting) <= depth + 1:
            waiting.append([])
        fillers = tuple(sorted(waiting[depth + 1]))
        waiting[depth + 1] = []
        leaf = not fillers and not term.definite and depth > 0
        word: Hashable = bound.get(term.word, term.word) if leaf else term.word
        number = numbers.setdefault((word, term.definite, fillers), len(numbers))
        waiting[depth].append((role, number))
    return waiting[0][0][1]
