"""The variable-free form of a semantic graph, and the graph of a variable-free form (Qiu et al. 2022)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from blicket.core.errors import FormError
from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.meaning.graph import Tag
from blicket.meaning.terms import Term, VariableFreeForm, parse

__all__ = ["Term", "VariableFreeForm", "from_graph", "parse", "starts_upper", "to_graph"]

# The complements of Universal Dependencies that are clauses: what fills them, and the root, is a verb.
_CLAUSAL = frozenset(("ccomp", "xcomp"))


def from_graph(graph: SemanticGraph) -> VariableFreeForm:
    """Unfold a graph from its main verb; a controlled subject is repeated with all its modifiers.

    Arguments come in the order of the conjuncts. FormError if the term would not say what the graph says:
    no single root, a circle, a node shared otherwise than by control, a verb where a noun belongs.
    """
    if graph.binders or (len(graph.nodes) == 1 and not graph.arcs):
        return _from_primitive(graph)
    below: dict[int, list[Arc]] = {i: [] for i, node in enumerate(graph.nodes) if node is not None}
    above: dict[int, list[Arc]] = {i: [] for i in below}
    for arc in sorted(graph.arcs, key=lambda arc: (arc.dependent, arc.label)):
        if arc.head not in below or arc.dependent not in below:
            raise FormError(f"{arc}: there is a node at one end only, or at none")
        below[arc.head].append(arc)
        above[arc.dependent].append(arc)
    roots = [position for position, arcs in above.items() if not arcs]
    if len(roots) != 1:
        raise FormError(f"a term has one root, the graph has {len(roots)}")
    for position in below:
        _check_filler(graph, position, above[position], bool(below[position]))
    terms = _unfold(graph, below, roots[0])
    if len(terms) < len(below):
        raise FormError("some nodes are in a circle that the root does not reach")
    return VariableFreeForm(terms[roots[0]])


def _unfold(graph: SemanticGraph, below: dict[int, list[Arc]], root: int) -> dict[int, Term]:
    """The terms of all nodes under the root: each is built on the second visit, when its fillers are.

    A circle under the root would be entered at a node that is shared, but not by control.
    """
    terms: dict[int, Term] = {}
    entered: set[int] = set()
    stack = [root]
    while stack:
        position = stack[-1]
        node = graph.nodes[position]
        if position in terms or node is None:
            stack.pop()
        elif position in entered:
            fillers = tuple([(arc.label, terms[arc.dependent]) for arc in below[position]])
            terms[position] = Term(node.predicate, node.tag == Tag.DEFINITE, fillers)
            stack.pop()
        else:
            entered.add(position)
            stack.extend(arc.dependent for arc in below[position])
    return terms


def _check_filler(graph: SemanticGraph, position: int, arcs: Sequence[Arc], has_dependents: bool) -> None:
    """Raise if a node's tag does not show in its place, or if it is shared otherwise than by control."""
    node = graph.nodes[position]
    if node is None:
        return
    clausal = all(arc.label in _CLAUSAL for arc in arcs)
    if (node.tag == Tag.VERB) != clausal or (node.tag == Tag.PROPER and has_dependents):
        raise FormError(f"the {node.tag} {node.predicate!r} at {position} would not be told as one there")
    if len(arcs) <= 1:
        return
    heads = {arc.head for arc in arcs}
    controlled = {arc.dependent for arc in graph.arcs if arc.label == "xcomp" and arc.head in heads}
    if len(heads - controlled) != 1 or len(heads) < len(arcs) or any(arc.label != "agent" for arc in arcs):
        raise FormError(f"{node.predicate!r} at {position} fills several roles, but not by control")


def _from_primitive(graph: SemanticGraph) -> VariableFreeForm:
    """The form of a graph over a single token, with binders or with nothing but its node."""
    node = graph.nodes[0] if len(graph.nodes) == 1 else None
    *openings, own = graph.binders or ("",)
    if node is not None and node.tag == Tag.PROPER and not graph.binders:
        return VariableFreeForm(Term(node.predicate))
    if node is not None and node.tag == Tag.INDEFINITE and len(graph.binders) == 1 and not graph.arcs:
        return VariableFreeForm(Term(node.predicate, arguments=(("", Term(own)),)), graph.binders)
    if node is None or node.tag != Tag.VERB or not graph.arcs or not own:
        raise FormError("a primitive is a name, a noun that binds one variable, or a verb with open roles")
    fillers: list[tuple[str, Term]] = []
    for arc in graph.arcs:
        if arc.head != 0 or not -len(openings) <= arc.dependent < 0:
            raise FormError(f"{arc}: an open role runs from token 0 to a binder before the last")
        fillers.append((arc.label, Term(openings[-1 - arc.dependent])))
    return VariableFreeForm(Term(node.predicate, arguments=tuple(fillers)), graph.binders)


def starts_upper(word: str) -> bool:
    """Whether a word is capitalised, as English names are."""
    return word[:1].isupper()


def to_graph(
    form: VariableFreeForm, predicates: Sequence[str | None], proper: Callable[[str], bool] = starts_upper
) -> SemanticGraph:
    """The graph of a form over a sentence whose token `i` has the lemma `predicates[i]`, or None.

    `proper` tells names from indefinite nouns, which look alike here. A lemma that occurs several times is
    aligned in the surface order that COGS guarantees: the first argument of a verb, the verb, its other
    arguments; a noun, then its modifiers. Where the words do not stand in this order, each takes its
    earliest free occurrence. FormError if a word of the form has none.
    """
    if form.binders or not form.term.arguments:
        return _primitive_to_graph(form, predicates)
    folded = _fold(form.term)
    places = _in_order(folded, predicates) or _earliest(folded, predicates)
    nodes: list[Node | None] = [None] * len(predicates)
    for member, (term, clausal) in enumerate(folded.members):
        nodes[places[member]] = _node(term, clausal, proper)
    arcs = [Arc(places[head], label, places[dependent]) for head, label, dependent in folded.arcs]
    return SemanticGraph(tuple(nodes), tuple(sorted(arcs, key=lambda arc: (arc.head, arc.dependent, arc.label))))


@dataclass(slots=True)
class _Folded:
    """The nodes of a term, a controlled subject being one: whether each is a clause, arcs, surface order."""

    members: list[tuple[Term, bool]]
    arcs: list[tuple[int, str, int]]
    surface: list[int]


def _fold(root: Term) -> _Folded:
    """Fold a term into a graph whose nodes are numbered as met, and put them in surface order."""
    folded = _Folded([(root, True)], [], [])
    # A member to enter, with the subject that controls it if there is one, or (True) to put in its place.
    stack: list[tuple[int, tuple[Term, int] | None, bool]] = [(0, None, False)]
    while stack:
        member, controller, entered = stack.pop()
        if entered:
            folded.surface.append(member)
            continue
        agent, children = _fold_arguments(folded, member, controller)
        visits = [(child, agent if role == "xcomp" else None, False) for role, child in children]
        # The first argument of a verb precedes it, unless it precedes the controller already.
        before = 1 if folded.members[member][1] and (agent is None or agent is not controller) else 0
        stack.extend(reversed([*visits[:before], (member, None, True), *visits[before:]]))
    return folded


def _fold_arguments(
    folded: _Folded, member: int, controller: tuple[Term, int] | None
) -> tuple[tuple[Term, int] | None, list[tuple[str, int]]]:
    """Number the arguments of a member; its agent, which may be its controller's, and the new members."""
    agent: tuple[Term, int] | None = None
    children: list[tuple[str, int]] = []
    for role, filler in folded.members[member][0].arguments:
        if role == "agent" and agent is None and controller is not None and filler == controller[0]:
            agent = controller
            folded.arcs.append((member, role, controller[1]))
            continue
        child = len(folded.members)
        if role == "agent" and agent is None:
            agent = (filler, child)
        folded.members.append((filler, role in _CLAUSAL))
        folded.arcs.append((member, role, child))
        children.append((role, child))
    return agent, children


def _in_order(folded: _Folded, predicates: Sequence[str | None]) -> dict[int, int] | None:
    """Positions that put the members in surface order, the earliest there are; None if there are none."""
    places: dict[int, int] = {}
    position = -1
    for member in folded.surface:
        word = folded.members[member][0].word
        position = next((i for i in range(position + 1, len(predicates)) if predicates[i] == word), -1)
        if position < 0:
            return None
        places[member] = position
    return places


def _earliest(folded: _Folded, predicates: Sequence[str | None]) -> dict[int, int]:
    """For each member, in surface order, the earliest occurrence of its word that is free."""
    free: dict[str | None, list[int]] = {}
    for position in range(len(predicates) - 1, -1, -1):
        free.setdefault(predicates[position], []).append(position)
    places: dict[int, int] = {}
    for member in folded.surface:
        word = folded.members[member][0].word
        if not free.get(word):
            raise FormError(f"the form mentions {word!r} more often than the sentence")
        places[member] = free[word].pop()
    return places


def _node(term: Term, clausal: bool, proper: Callable[[str], bool]) -> Node:
    """The node of a term in a clausal or a nominal place."""
    if clausal and term.definite:
        raise FormError(f"{term.word!r} stands for a clause and is starred")
    if clausal:
        return Node(Tag.VERB, term.word)
    if term.definite:
        return Node(Tag.DEFINITE, term.word)
    if not proper(term.word):
        return Node(Tag.INDEFINITE, term.word)
    if term.arguments:
        raise FormError(f"the name {term.word!r} has arguments")
    return Node(Tag.PROPER, term.word)


def _primitive_to_graph(form: VariableFreeForm, predicates: Sequence[str | None]) -> SemanticGraph:
    """The graph of a form that stands for one word."""
    term = form.term
    if list(predicates) != [term.word] or term.definite:
        raise FormError(f"{str(form)!r} is no meaning of a single word {term.word!r}")
    if not form.binders:
        return SemanticGraph((Node(Tag.PROPER, term.word),))
    *openings, own = form.binders
    if not openings and term.arguments == (("", Term(own)),):
        return SemanticGraph((Node(Tag.INDEFINITE, term.word),), (), form.binders)
    arcs: list[Arc] = []
    for role, filler in term.arguments:
        if not role or filler.arguments or filler.definite or filler.word not in openings:
            raise FormError(f"{role or filler.word!r}: an open role is filled by a binder before the last")
        arcs.append(Arc(0, role, -1 - openings.index(filler.word)))
    return SemanticGraph((Node(Tag.VERB, term.word),), tuple(arcs), form.binders)
