"""Isomorphism of small relational structures: colour refinement, then individualisation with backtracking.

Colour refinement is the one-dimensional Weisfeiler-Leman test, here with a work list of the variables whose
surroundings changed (after Hopcroft 1971; Berkholz, Bonsma & Grohe 2017). It settles all forms of natural
sentences; what it leaves open is split into components, and only within one of them are choices undone.
"""

from collections import Counter
from collections.abc import Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

Relation = tuple[Hashable, tuple[int, ...]]
"""Its kind, in which everything but the variables is told, and its variables: none, one or two."""

Search = Generator["Search", "bool | None", bool]
"""A search that yields the searches it depends on, and is sent their outcomes."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two structures side by side, their variables numbered through: ours from 0, theirs from `border`.

    `neighbours[v]` holds, for each relation of two variables that v is in, a number for its kind and v's
    place in it, shifted to leave room for a colour, and the other variable.
    """

    border: int
    neighbours: list[list[tuple[int, int]]]
    fresh: "count[int]" = field(default_factory=count)


def isomorphic(ours: Sequence[Relation], theirs: Sequence[Relation]) -> bool:
    """Whether some bijection of the variables turns one multiset of relations into the other."""
    if Counter([kind for kind, _ in ours]) != Counter([kind for kind, _ in theirs]):
        return False
    numbers: dict[Hashable, int] = {}
    coloured, neighbours = _read(ours, 0, numbers)
    their_coloured, their_neighbours = _read(theirs, len(neighbours), numbers)
    if Counter(coloured) != Counter(their_coloured):
        return False
    pair = _Pair(len(neighbours), neighbours + their_neighbours)
    names = {colour: next(pair.fresh) for colour in dict.fromkeys(coloured)}
    colours = [names[colour] for colour in coloured + their_coloured]
    everything = set(range(len(colours)))
    return _run(_search(pair, everything, colours, everything))


def _run(search: Search) -> bool:
    """The outcome of a search; those that wait are on a list, so that no depth exhausts the call stack."""
    stack = [search]
    outcome: bool | None = None
    while stack:
        try:
            stack.append(stack[-1].send(outcome))
            outcome = None
        except StopIteration as finished:
            stack.pop()
            outcome = finished.value
    return bool(outcome)


def _read(
    relations: Iterable[Relation], start: int, numbers: dict[Hashable, int]
) -> tuple[list[tuple[int, ...]], list[list[tuple[int, int]]]]:
    """The first colour of each variable, what is said of it alone, and its neighbours from `start` on."""
    known: dict[int, int] = {}
    colours: list[list[int]] = []
    neighbours: list[list[tuple[int, int]]] = []
    for kind, variables in relations:
        number = numbers.setdefault(kind, len(numbers))
        for variable in variables:
            if variable not in known:
                known[variable] = len(neighbours)
                colours.append([])
                neighbours.append([])
        if len(variables) == 1:
            colours[known[variables[0]]].append(number)
        elif variables:
            first, second = known[variables[0]], known[variables[1]]
            neighbours[first].append((number << 33, second + start))
            neighbours[second].append((number << 33 | 1 << 32, first + start))
    return [tuple(sorted(colour)) for colour in colours], neighbours


def _search(pair: _Pair, active: set[int], colours: list[int], dirty: Iterable[int]) -> Search:
    """Whether the active variables of both sides correspond; refines `colours` in place.

    A colour that only one variable a side has left determines it, and its relations are in the colours of the
    others; without it the rest falls into components. Isomorphic components may be taken away on both sides
    whichever they are, so the choice among them is never undone.
    """
    sizes = Counter([colours[variable] for variable in active])
    if not _refine(pair, active, colours, sizes, dirty):
        return False
    ours: list[tuple[tuple[int, ...], set[int]]] = []
    theirs: dict[tuple[int, ...], list[set[int]]] = {}
    for component in _components(pair, {v for v in active if sizes[colours[v]] > 2}):
        key = tuple(sorted([colours[variable] for variable in component]))
        if min(component) < pair.border:
            ours.append((key, component))
        else:
            theirs.setdefault(key, []).append(component)
    if Counter([key for key, _ in ours]) != Counter({key: len(same) for key, same in theirs.items()}):
        return False
    for key, component in ours:
        for rank, candidate in enumerate(theirs[key]):
            if (yield _match(pair, component, candidate, colours)):
                del theirs[key][rank]
                break
        else:
            return False
    return True


def _match(pair: _Pair, component: set[int], candidate: set[int], colours: list[int]) -> Search:
    """Whether two connected components correspond: one variable is tried with each of its colour."""
    sizes = Counter([colours[variable] for variable in component])
    chosen = min(component, key=lambda variable: (sizes[colours[variable]], variable))
    for image in sorted(candidate):
        if colours[image] == colours[chosen]:
            branch = colours.copy()
            branch[chosen] = branch[image] = next(pair.fresh)
            dirty = [other for end in (chosen, image) for _, other in pair.neighbours[end]]
            if (yield _search(pair, component | candidate, branch, dirty)):
                return True
    return False


def _refine(pair: _Pair, active: set[int], colours: list[int], sizes: Counter[int], dirty: Iterable[int]) -> bool:
    """Split colours until variables of one colour have neighbours of the same colours; whether sides agree.

    Only the variables with a recoloured neighbour can differ from the others of their colour, and they do,
    as new colours are new numbers.
    """
    while pending := active.intersection(dirty):
        cells: dict[int, dict[tuple[int, ...], list[int]]] = {}
        for variable in pending:
            around = sorted([kind | colours[other] for kind, other in pair.neighbours[variable]])
            cells.setdefault(colours[variable], {}).setdefault(tuple(around), []).append(variable)
        recoloured: list[int] = []
        for colour, groups in cells.items():
            parts = sorted(groups.values(), key=len)
            if sum(map(len, parts)) == sizes[colour]:
                parts.pop()  # the largest keeps the colour
            for part in parts:
                if 2 * sum([variable < pair.border for variable in part]) != len(part):
                    return False
                new = next(pair.fresh)
                sizes[colour] -= len(part)
                sizes[new] = len(part)
                for variable in part:
                    colours[variable] = new
                recoloured += part
        dirty = [other for variable in recoloured for _, other in pair.neighbours[variable]]
    return True


def _components(pair: _Pair, variables: set[int]) -> list[set[int]]:
    """The connected components of some variables."""
    components: list[set[int]] = []
    left = set(variables)
    while left:
        frontier = [left.pop()]
        component = set(frontier)
        while frontier:
            around = left.intersection([other for _, other in pair.neighbours[frontier.pop()]])
            left -= around
            component |= around
            frontier += around
        components.append(component)
    return components
