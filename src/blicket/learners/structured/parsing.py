"""From the scores of a network to graphs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.learners.structured.assignment import Scores as Table
from blicket.learners.structured.assignment import Slot
from blicket.learners.structured.knowledge import Knowledge
from blicket.learners.structured.network import HIDDEN, Parser
from blicket.learners.structured.sharing import restored
from blicket.learners.structured.treebank import by_length

__all__ = ["parsed"]

CELLS = 1 << 21  # of pair scores at once

Decode = Callable[[Table, Table], list[Slot]]


@torch.no_grad()
def parsed(
    network: Parser,
    sentences: Sequence[tuple[str, ...]],
    knowledge: Knowledge,
    decode: Decode,
    *,
    slots: float = 3.0,
    progress: Callable[[int], None] = lambda done: None,
) -> list[SemanticGraph]:
    """The graph of each sentence of several words; `progress` is told how many are done."""
    found: dict[int, SemanticGraph] = {}
    for length, places in by_length(sentences).items():
        size = max(1, min(512, CELLS // (length * length * len(knowledge.labels))))
        for start in range(0, len(places), size):
            chosen = places[start : start + size]
            words = torch.tensor([knowledge.numbers(sentences[place]) for place in chosen])
            able = np.array([knowledge.able(sentences[place]) for place in chosen])
            scores = _scored(network, words, able, slots)
            for row, place in enumerate(chosen):
                found[place] = _graph(sentences[place], [table[row] for table in scores], knowledge, decode)
            progress(len(found))
    return [found[place] for place in range(len(sentences))]


def _scored(network: Parser, words: torch.Tensor, able: NDArray[np.bool_], slots: float) -> list[NDArray[Any]]:
    """Tags (batch, length), and scores of being the root and of dependents in slots, as logarithms."""
    scores = network(words)
    heads = scores.arcs.log_softmax(-1)
    filling = heads[..., :-1, None] + scores.labels.log_softmax(-1)  # (batch, dependent, head, label)
    filling = filling + slots * scores.slots[:, None]
    tags = scores.tags.masked_fill(torch.from_numpy(~able), HIDDEN)
    return [tags.argmax(-1).numpy(), heads[..., -1].numpy(), filling.numpy()]


def _graph(
    tokens: Sequence[str], scores: Sequence[NDArray[Any]], knowledge: Knowledge, decode: Decode
) -> SemanticGraph:
    """The graph of a sentence: words with a tag are nodes, and take the slots of nodes whose tag has such roles."""
    tags, roots, filling = scores
    nodes = np.flatnonzero(tags)
    able = knowledge.fillable[tags[nodes]][None] & ~np.eye(len(nodes), dtype=bool)[..., None]
    slots = decode(roots[nodes], np.where(able, filling[np.ix_(nodes, nodes)], -np.inf))
    arcs = [
        Arc(int(nodes[head]), knowledge.labels[role], int(node))
        for node, (head, role) in zip(nodes, slots, strict=True)
        if head >= 0
    ]
    return SemanticGraph(
        tuple(
            Node(knowledge.tags[tag], knowledge.predicate(token)) if tag else None
            for token, tag in zip(tokens, tags.tolist(), strict=True)
        ),
        restored(arcs, knowledge.rules),
    )
