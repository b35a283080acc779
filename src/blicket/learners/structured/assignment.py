"""Decoding: which slot each token fills, given scores for every (head, role) and for being the root.

The constraint is linguistic: a head has each role once, and a token fills one slot. The best such choice is a maximum
matching of tokens to slots (Kuhn 1955), found in time that grows with the cube of the length.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

__all__ = ["DECODERS", "Decoder", "Slot", "greedy", "matching", "projective"]

Slot = tuple[int, int]
"""A head and a role, as numbers; that of the root is (-1, -1)."""

ROOT: Slot = (-1, -1)
IMPOSSIBLE = -1e9

Scores = NDArray[np.float32]


def matching(roots: Scores, slots: Scores) -> list[Slot]:
    """The slot of each token such that none is filled twice and the sum of scores is greatest.

    `roots` are scores of tokens (tokens), `slots` of dependents, heads and roles (tokens, tokens, roles); what cannot
    be is minus infinity. A token for which no slot is left is a root too.
    """
    tokens, _, roles = slots.shape
    flat = slots.reshape(tokens, -1)
    able = np.flatnonzero((flat > IMPOSSIBLE).any(0))
    table = np.concatenate((np.maximum(flat[:, able], IMPOSSIBLE), roots[:, None]), 1)
    found = [ROOT] * tokens
    for row, column in zip(*linear_sum_assignment(table, maximize=True), strict=True):
        if column < len(able) and table[row, column] > IMPOSSIBLE:
            found[row] = divmod(int(able[column]), roles)
    return found


def greedy(roots: Scores, slots: Scores) -> list[Slot]:
    """The slot that each token likes best, whatever the others do."""
    tokens, _, roles = slots.shape
    table = np.concatenate((slots.reshape(tokens, -1), roots[:, None]), 1)
    best = table.argmax(1).tolist()
    return [ROOT if column == table.shape[1] - 1 else divmod(column, roles) for column in best]


def projective(roots: Scores, slots: Scores) -> list[Slot]:
    """The best tree without crossing arcs and with one root (Eisner 1996); a role may be filled twice."""
    tokens = len(roots)
    role = slots.argmax(2)
    arcs = np.full((tokens + 1, tokens + 1), -np.inf)  # from head to dependent; 0 is the root
    arcs[1:, 1:] = slots.max(2).T
    arcs[0, 1:] = roots
    heads = _eisner(arcs)
    return [
        (head, int(role[token, head])) if head >= 0 and arcs[head + 1, token + 1] > IMPOSSIBLE else ROOT
        for token, head in enumerate(heads)
    ]


def _eisner(arcs: NDArray[np.float64]) -> list[int]:
    """The head of each token in the best projective tree, -1 for the root."""
    n = len(arcs)
    # Spans [left, right]: complete ones have all dependents of their head, incomplete ones wait for one side.
    complete = np.full((2, n, n), -np.inf)  # direction 0: headed on the right, 1: on the left
    incomplete = np.full((2, n, n), -np.inf)
    splits: dict[tuple[str, int, int, int], int] = {}
    complete[:, range(n), range(n)] = 0
    for width in range(1, n):
        for left in range(n - width):
            right = left + width
            inner = complete[1, left, left:right] + complete[0, left + 1 : right + 1, right]
            at = int(inner.argmax())
            splits["incomplete", 0, left, right] = splits["incomplete", 1, left, right] = left + at
            incomplete[0, left, right] = inner[at] + arcs[right, left]
            incomplete[1, left, right] = inner[at] + arcs[left, right]
            headed = complete[0, left, left:right] + incomplete[0, left:right, right]
            splits["complete", 0, left, right] = left + int(headed.argmax())
            complete[0, left, right] = headed.max()
            # The root takes one dependent: its span is complete only where that dependent's is.
            heading = incomplete[1, left, left + 1 : right + 1] + complete[1, left + 1 : right + 1, right]
            splits["complete", 1, left, right] = left + 1 + int(heading.argmax())
            complete[1, left, right] = heading.max() if left > 0 or right == n - 1 else -np.inf
    heads = [-1] * (n - 1)
    stack = [("complete", 1, 0, n - 1)]
    while stack:
        kind, direction, left, right = stack.pop()
        if left == right:
            continue
        at = splits[kind, direction, left, right]
        if kind == "incomplete":
            head, dependent = (right, left) if direction == 0 else (left, right)
            heads[dependent - 1] = head - 1
            stack += [("complete", 1, left, at), ("complete", 0, at + 1, right)]
        elif direction == 0:
            stack += [("complete", 0, left, at), ("incomplete", 0, at, right)]
        else:
            stack += [("incomplete", 1, left, at), ("complete", 1, at, right)]
    return heads


Decoder = Literal["matching", "greedy", "projective"]

DECODERS: Mapping[Decoder, Callable[[Scores, Scores], list[Slot]]] = {
    "matching": matching,
    "greedy": greedy,
    "projective": projective,
}
