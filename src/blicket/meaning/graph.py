"""Semantic graphs over the tokens of a sentence, lossless stand-ins for conjunctive forms."""

from collections.abc import Sequence
from enum import StrEnum

from blicket.core.errors import FormError
from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.meaning.conjunctive import Conjunct, ConjunctiveForm
from blicket.meaning.names import align_names


class Tag(StrEnum):
    """What a content word contributes: a noun with its definiteness, a name, or an event."""

    INDEFINITE = "indefinite"
    DEFINITE = "definite"
    PROPER = "proper"
    VERB = "verb"


def to_graph(form: ConjunctiveForm, tokens: Sequence[str]) -> SemanticGraph:
    """The graph that a form draws over the tokens of its sentence, or FormError if it draws none.

    `x _ i` is token `i`; names carry no index and are aligned with their occurrences. The arcs come sorted,
    and `to_form` gives the form back with its conjuncts in canonical order.
    """
    if form.name is not None or form.binders:
        return _primitive_to_graph(form, tokens)
    nodes: dict[int, Node] = {}
    for definite in form.definites:
        _place(nodes, len(tokens), definite, Tag.DEFINITE)
    relations: list[Conjunct] = []
    for conjunct in form.body:
        if len(conjunct.arguments) == 1:
            _place(nodes, len(tokens), conjunct, Tag.INDEFINITE)
        else:
            relations.append(conjunct)
    for relation in relations:
        _place(nodes, len(tokens), relation, Tag.VERB)
    occurrences = align_names(relations, [None if i in nodes else t for i, t in enumerate(tokens)])
    arcs: set[Arc] = set()
    for rank, relation in enumerate(relations):
        head, dependent = relation.arguments
        if isinstance(dependent, str):
            nodes[occurrences[rank]] = Node(Tag.PROPER, dependent)
            dependent = occurrences[rank]
        elif dependent not in nodes:
            raise FormError(f"`{relation}`: nothing is said of x _ {dependent}")
        arcs.add(Arc(int(head), _label(relation), dependent))
    if len(arcs) < len(relations):
        raise FormError("the form states one relation twice")
    return SemanticGraph(tuple(map(nodes.get, range(len(tokens)))), tuple(sorted(arcs, key=_surface_order)))


def to_form(graph: SemanticGraph) -> ConjunctiveForm:
    """The form of a graph in canonical order, or FormError if some node or arc would be lost in it.

    Definites come first by position; the body is ordered by the position of the first argument, the unary
    noun first, then by that of the second argument, names counting at their own token. The spelling of
    predicates is not looked at.
    """
    if len(graph.nodes) == 1 and (form := _primitive_to_form(graph)) is not None:
        return form
    if graph.binders:
        raise FormError(f"a primitive is the meaning of one word, not of {len(graph.nodes)} tokens")
    definites: list[Conjunct] = []
    body: list[tuple[int, int, str, Conjunct]] = []
    for position, node in enumerate(graph.nodes):
        if node is not None and node.tag == Tag.DEFINITE:
            definites.append(Conjunct(node.predicate, (position,)))
        elif node is not None and node.tag == Tag.INDEFINITE:
            body.append((position, -1, "", Conjunct(node.predicate, (position,))))
    body.extend((arc.head, arc.dependent, arc.label, _relation(graph, arc)) for arc in graph.arcs)
    _refuse_silent_nodes(graph)
    if not body:
        raise FormError("a graph without indefinite nouns and arcs has no conjunctive form")
    body.sort(key=lambda row: row[:3])
    return ConjunctiveForm(tuple([row[3] for row in body]), tuple(definites))


def _surface_order(arc: Arc) -> tuple[int, int, str]:
    return arc.head, arc.dependent, arc.label


def _place(nodes: dict[int, Node], length: int, conjunct: Conjunct, tag: Tag) -> None:
    """Enter what a conjunct says of its first argument: all there is of a noun, the head of a relation."""
    position = conjunct.arguments[0]
    if not isinstance(position, int):
        raise FormError(f"`{conjunct}`: {position!r} is no token position, so nothing can be said of it")
    if position >= length:
        raise FormError(f"`{conjunct}`: the sentence has no token {position}, only {length} tokens")
    predicate, _, label = conjunct.predicate.partition(" . ")
    relational = tag == Tag.VERB
    if relational != bool(label) or relational != (len(conjunct.arguments) == 2):
        raise FormError(f"`{conjunct}`: a noun has one word and one argument, a relation more words and two")
    known = nodes.get(position)
    if known is None:
        nodes[position] = Node(tag, predicate)
    elif not relational or known.predicate != predicate:
        raise FormError(f"`{conjunct}`: of x _ {position} it is already said that it is {known.predicate!r}")


def _label(relation: Conjunct) -> str:
    return relation.predicate.partition(" . ")[2]


def _relation(graph: SemanticGraph, arc: Arc) -> Conjunct:
    """The conjunct of an arc between two nodes."""
    head, dependent = _node(graph, arc.head, arc), _node(graph, arc.dependent, arc)
    if head.tag == Tag.PROPER:
        raise FormError(f"{arc}: a name heads nothing, it carries no index")
    filler = dependent.predicate if dependent.tag == Tag.PROPER else arc.dependent
    return Conjunct(f"{head.predicate} . {arc.label}", (arc.head, filler))


def _node(graph: SemanticGraph, position: int, arc: Arc) -> Node:
    node = graph.nodes[position] if 0 <= position < len(graph.nodes) else None
    if node is None:
        raise FormError(f"{arc}: there is no node at {position}")
    return node


def _refuse_silent_nodes(graph: SemanticGraph) -> None:
    """Raise if a verb heads no arc or a name fills none: only arcs mention them."""
    heads = {arc.head for arc in graph.arcs}
    dependents = {arc.dependent for arc in graph.arcs}
    for position, node in enumerate(graph.nodes):
        if node is None or node.tag in (Tag.DEFINITE, Tag.INDEFINITE):
            continue
        if position not in (heads if node.tag == Tag.VERB else dependents):
            raise FormError(f"no conjunct would mention the {node.tag} {node.predicate!r} at {position}")


def _primitive_to_graph(form: ConjunctiveForm, tokens: Sequence[str]) -> SemanticGraph:
    """The graph of a form that stands for one word."""
    if len(tokens) != 1:
        raise FormError(f"a primitive is the meaning of one word, not of {len(tokens)} tokens")
    if form.name is not None:
        if form.name != tokens[0]:
            raise FormError(f"the name {form.name!r} is not the word {tokens[0]!r}")
        return SemanticGraph((Node(Tag.PROPER, form.name),))
    if form.definites or len(set(form.binders)) < len(form.binders):
        raise FormError("a primitive has no definites and binds each variable once")
    *_, own = form.binders
    nodes: dict[int, Node] = {}
    arcs: list[Arc] = []
    for rank, conjunct in enumerate(form.body):
        if conjunct.arguments[0] != own:
            raise FormError(f"`{conjunct}`: a primitive speaks of what its last LAMBDA binds, {own!r}")
        of_token = Conjunct(conjunct.predicate, (0, *conjunct.arguments[1:]))
        _place(nodes, 1, of_token, Tag.INDEFINITE if rank == 0 and len(conjunct.arguments) == 1 else Tag.VERB)
        if len(conjunct.arguments) == 2:
            arcs.append(Arc(0, _label(conjunct), _open_role(form, conjunct)))
    return SemanticGraph((nodes[0],), tuple(arcs), form.binders)


def _open_role(form: ConjunctiveForm, conjunct: Conjunct) -> int:
    """The dependent of an arc that a binder other than the last fills."""
    filler = conjunct.arguments[1]
    if filler not in form.binders[:-1]:
        raise FormError(f"`{conjunct}`: {filler!r} is not bound by a LAMBDA before the last")
    return -1 - form.binders.index(str(filler))


def _primitive_to_form(graph: SemanticGraph) -> ConjunctiveForm | None:
    """The form of a graph over one token, or None if nothing in it is bound or named."""
    node = graph.nodes[0]
    if node is None or not (graph.binders or (node.tag == Tag.PROPER and not graph.arcs)):
        return None
    if not graph.binders:
        return ConjunctiveForm(name=node.predicate)
    *openings, own = graph.binders
    body = [Conjunct(node.predicate, (own,))] if node.tag == Tag.INDEFINITE else []
    for arc in graph.arcs:
        if arc.head != 0 or not -len(openings) <= arc.dependent < 0:
            raise FormError(f"{arc}: an open role runs from token 0 to a binder before the last")
        body.append(Conjunct(f"{node.predicate} . {arc.label}", (own, openings[-1 - arc.dependent])))
    if node.tag not in (Tag.INDEFINITE, Tag.VERB) or not body:
        raise FormError(f"a primitive is a name, a noun or a verb with roles, not a {node.tag} on its own")
    return ConjunctiveForm(tuple(body), binders=graph.binders)
