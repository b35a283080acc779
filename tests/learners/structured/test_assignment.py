"""Decoders against brute force: every choice of slots, every projective tree."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from blicket.learners.structured.assignment import ROOT, Slot, greedy, matching, projective


def scores(tokens: int, roles: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Random scores, with some heads that cannot have some roles, and no token its own head."""
    generator = np.random.default_rng(seed)
    slots = generator.normal(size=(tokens, tokens, roles)).astype(np.float32)
    slots[:, generator.random((tokens, roles)) < 0.3] = -np.inf
    slots[range(tokens), range(tokens)] = -np.inf
    return generator.normal(size=tokens).astype(np.float32), slots


def total(found: list[Slot], roots: NDArray[np.float32], slots: NDArray[np.float32]) -> float:
    return sum(float(roots[i] if slot == ROOT else slots[i, slot[0], slot[1]]) for i, slot in enumerate(found))


def choices(tokens: int, roles: int) -> list[list[Slot]]:
    each: list[Slot] = [ROOT, *product(range(tokens), range(roles))]
    return [list(choice) for choice in product(each, repeat=tokens)]


cases = given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 10_000))


@cases
def test_matching_is_the_best_choice_without_a_slot_filled_twice(tokens: int, roles: int, seed: int) -> None:
    roots, slots = scores(tokens, roles, seed)
    able = [c for c in choices(tokens, roles) if len(set(c)) == len(c) and total(c, roots, slots) > -np.inf]
    found = matching(roots, slots)
    if able:  # otherwise some tokens have to go without
        assert len(set(found)) == len(found)
        assert total(found, roots, slots) == pytest.approx(max(total(c, roots, slots) for c in able), abs=1e-5)
    assert all(slot == ROOT or slots[i, slot[0], slot[1]] > -np.inf for i, slot in enumerate(found))


@cases
def test_greedy_is_the_best_choice_of_each(tokens: int, roles: int, seed: int) -> None:
    roots, slots = scores(tokens, roles, seed)
    best = max(total(c, roots, slots) for c in choices(tokens, roles))
    assert total(greedy(roots, slots), roots, slots) == pytest.approx(best, abs=1e-5)


def is_projective_tree(heads: list[int]) -> bool:
    """One root, no cycle, no crossing: written with ancestors, unlike the decoder."""
    if heads.count(-1) != 1:
        return False

    def ancestors(token: int) -> list[int]:
        line = [token]
        while heads[token] >= 0 and len(line) <= len(heads):
            token = heads[token]
            line.append(token)
        return line

    lines = [ancestors(token) for token in range(len(heads))]
    if any(len(line) > len(heads) for line in lines):
        return False
    return all(
        head in lines[between]
        for token, head in enumerate(heads)
        if head >= 0
        for between in range(min(token, head) + 1, max(token, head))
    )


@given(st.integers(1, 5), st.integers(0, 10_000))
def test_projective_is_the_best_projective_tree(tokens: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    roots = generator.normal(size=tokens).astype(np.float32)
    slots = generator.normal(size=(tokens, tokens, 2)).astype(np.float32)
    slots[range(tokens), range(tokens)] = -np.inf
    trees = [list(heads) for heads in product(range(-1, tokens), repeat=tokens) if is_projective_tree(list(heads))]
    best = max(sum(float(roots[i] if h < 0 else slots[i, h].max()) for i, h in enumerate(heads)) for heads in trees)
    found = projective(roots, slots)
    assert is_projective_tree([head for head, _ in found])
    assert total(found, roots, slots) == pytest.approx(best, abs=1e-4)


def test_two_tokens_want_one_slot() -> None:
    """What matching is for: the table is nearer, but the cake has nowhere else to go."""
    # the cake(0) on the table(1) burned(2): roles are theme and nmod
    roots = np.array([-9, -9, 0], np.float32)
    slots = np.full((3, 3, 2), -np.inf, np.float32)
    slots[0, 2, 0], slots[1, 2, 0], slots[1, 0, 1] = -3, -1, -2
    assert greedy(roots, slots) == [(2, 0), (2, 0), ROOT]
    assert matching(roots, slots) == [(2, 0), (0, 1), ROOT]
