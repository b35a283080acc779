"""A language of two verbs and a few nouns, with a notation of its own, and COGS made once."""

from collections.abc import Sequence
from itertools import product

import pytest

from blicket.benchmarks.cogs import Cogs
from blicket.core.dataset import Dataset
from blicket.core.errors import FormError
from blicket.core.example import ListedRows, Role, Split
from blicket.core.graph import Arc, GraphNotation, Node, SemanticGraph

NOUNS = ("wug", "fip", "dax", "zup", "lorp", "blick")
VERBS = {"gorps": "gorp", "zibs": "zib", "tammas": "tamma"}


class Arrows(GraphNotation):
    """`gorp>who>0 gorp>what>2 / 0=wug 1=gorp 2=fip`: what another benchmark might bring."""

    def read(self, tokens: Sequence[str], target: str) -> SemanticGraph:
        try:
            arcs, nodes = target.split(" / ")
            said = dict(node.split("=") for node in nodes.split())
            where = {said[place]: int(place) for place in said}
            read = [arc.split(">") for arc in arcs.split()]
            found = tuple(sorted((Arc(where[h], label, int(d)) for h, label, d in read), key=order))
        except (ValueError, KeyError) as error:
            raise FormError(f"no arrows: {target}") from error
        tags = {str(arc.head): "event" for arc in found}
        return SemanticGraph(
            tuple(
                Node(tags.get(str(i), "thing"), said[str(i)]) if str(i) in said else None for i in range(len(tokens))
            ),
            found,
        )

    def write(self, graph: SemanticGraph) -> str:
        nodes = {i: node.predicate for i, node in enumerate(graph.nodes) if node is not None}
        if not graph.arcs:
            raise FormError("nothing happens")
        arcs = " ".join(f"{nodes[arc.head]}>{arc.label}>{arc.dependent}" for arc in sorted(graph.arcs, key=order))
        return f"{arcs} / {' '.join(f'{i}={name}' for i, name in nodes.items())}"


def order(arc: Arc) -> tuple[int, int]:
    return arc.head, arc.dependent


def arrows_split(name: str, role: Role, rows: Sequence[tuple[str, str, str]]) -> Split:
    """Sentences such as "wug gorps fip", in which who gorps comes first."""
    inputs = [(f"{who} {verb} {what}",) for who, verb, what in rows]
    targets = [
        f"{VERBS[verb]}>who>0 {VERBS[verb]}>what>2 / 0={who} 1={VERBS[verb]} 2={what}" for who, verb, what in rows
    ]
    return Split(name, role, ListedRows(inputs, {"arrows": targets}, [""] * len(rows)))


@pytest.fixture(scope="session")
def arrows() -> tuple[Split, Split, Split]:
    """Train, dev, and what train never shows: blicks are never who does something."""
    rows = list(product(NOUNS, VERBS, NOUNS))
    seen = [row for row in rows if row[0] != "blick"]
    return (
        arrows_split("train", Role.TRAIN, seen[::2] * 8),
        arrows_split("dev", Role.DEV, seen[1::2]),
        arrows_split("gen", Role.GENERALIZATION, [row for row in rows if row[0] == "blick"]),
    )


@pytest.fixture(scope="session")
def cogs() -> Dataset:
    """A tenth of the train set, with every case of gen."""
    benchmark = Cogs()
    return benchmark.build(1, benchmark.options({"train": 2_400, "dev": 100, "test": 100, "gen": 50, "exposures": [1]}))
