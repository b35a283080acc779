"""Batches: every example once an epoch, one sequence of shapes for all seeds, groups against brute force."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from blicket.training.batches import Batch, BatchPlan, length_groups

Lengths = NDArray[np.int64]


def lengths(n: int, seed: int = 1) -> tuple[Lengths, Lengths]:
    draw = np.random.default_rng(seed)
    targets = draw.geometric(0.03, n).astype(np.int64)
    return np.maximum(1, targets // 3 + draw.integers(0, 9, n)), targets


def plan(seeds: tuple[int, ...], n: int = 203, size: int = 16, groups: int = 4) -> BatchPlan:
    return BatchPlan(*lengths(n), size, groups, seeds)


def epoch(of: BatchPlan, number: int) -> list[Batch]:
    return [of.batch(i) for i in range(number * of.per_epoch, (number + 1) * of.per_epoch)]


def rounded(length: int) -> int:
    return -(-length // 8) * 8


def padded(groups: list[list[int]]) -> int:
    return sum(len(group) * max(group) for group in groups if group)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 90), min_size=1, max_size=40), st.integers(1, 5))
def test_groups_are_as_good_as_any(drawn: list[int], wanted: int) -> None:
    values = np.array(drawn, np.int64)
    groups = length_groups(values, wanted)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(drawn)))
    assert 1 <= len(groups) <= wanted
    assert all(len(group) for group in groups)
    for group, following in pairwise(groups):
        assert max(rounded(values[i]) for i in group) < min(rounded(values[i]) for i in following)
    in_order = sorted(rounded(value) for value in drawn)
    distinct = sorted(set(in_order))
    best = min(
        padded(
            [
                [v for v in in_order if low < v <= high]
                for low, high in zip((0, *cuts), (*cuts, distinct[-1]), strict=True)
            ]
        )
        for k in range(min(wanted, len(distinct)))
        for cuts in combinations(distinct[:-1], k)
    )
    assert padded([[rounded(values[i]) for i in group] for group in groups]) == best


def test_one_group_and_more_groups_than_lengths() -> None:
    values = np.array([3, 30, 3, 17], np.int64)
    assert [sorted(group.tolist()) for group in length_groups(values, 1)] == [[0, 1, 2, 3]]
    assert [sorted(group.tolist()) for group in length_groups(values, 50)] == [[0, 2], [3], [1]]


@pytest.mark.parametrize(("n", "size", "groups"), [(203, 16, 4), (203, 16, 1), (5, 16, 3), (64, 1, 2), (1, 1, 1)])
def test_every_example_stands_in_one_batch_an_epoch(n: int, size: int, groups: int) -> None:
    of = plan((1, 2, 9), n, size, groups)
    for number in (0, 1, 5):
        batches = epoch(of, number)
        rows = np.concatenate([batch.rows for batch in batches], axis=1)
        assert rows.shape == (3, size * of.per_epoch)
        for of_seed in rows:
            assert sorted(of_seed[of_seed >= 0].tolist()) == list(range(n))
            assert set(of_seed[of_seed < 0].tolist()) <= {-1}


def test_batches_have_room_for_their_examples() -> None:
    sources, targets = lengths(203)
    of = plan((1, 2))
    for batch in epoch(of, 0):
        rows = batch.rows[batch.rows >= 0]
        assert sources[rows].max() <= batch.source_length
        assert targets[rows].max() <= batch.target_length
        assert batch.source_length % 8 == batch.target_length % 8 == 0
        assert (batch.source_length, batch.target_length) in of.shapes
    assert len(of.shapes) == 4


def test_what_is_missing_is_missing_at_the_end_and_for_all_seeds() -> None:
    batches = epoch(plan((1, 2, 3)), 0)
    partial = [batch for batch in batches if (batch.rows < 0).any()]
    assert 0 < len(partial) <= 4  # at most one a group
    for batch in batches:
        assert batch.rows.shape == (3, 16)
        absent = batch.rows < 0
        assert (absent == absent[0]).all()
        assert not (absent[:, :-1] & ~absent[:, 1:]).any()


def test_a_seed_meets_in_company_what_it_meets_alone() -> None:
    together, alone = plan((4, 1, 7)), plan((1,))
    for number in range(3 * together.per_epoch):
        ours, its = together.batch(number), alone.batch(number)
        assert np.array_equal(ours.rows[1], its.rows[0])
        assert (ours.source_length, ours.target_length) == (its.source_length, its.target_length)


def test_orders_differ_between_seeds_and_epochs() -> None:
    of = plan((1, 2))
    first, second = (np.stack([batch.rows for batch in epoch(of, number)]) for number in (0, 1))
    assert not np.array_equal(first[:, 0], first[:, 1])
    assert not np.array_equal(first[:, 0], second[:, 0])
    shapes = [[batch.target_length for batch in epoch(of, number)] for number in (0, 1, 2)]
    assert shapes[0] != shapes[1]
    assert sorted(shapes[0]) == sorted(shapes[1])
    assert shapes[0] != sorted(shapes[0])  # short examples are not all met first
    # Which examples meet in a batch changes, too.
    assert {frozenset(rows.tolist()) for rows in first[:, 0]} != {frozenset(rows.tolist()) for rows in second[:, 0]}


def test_a_batch_is_a_function_of_its_number() -> None:
    of, again = plan((1, 2)), plan((1, 2))
    wanted = [of.batch(number) for number in range(3 * of.per_epoch)]
    for number in np.random.default_rng(2).permutation(len(wanted)):  # as after a resumption, or in any order
        batch = again.batch(int(number))
        assert np.array_equal(batch.rows, wanted[number].rows)
        assert batch.target_length == wanted[number].target_length


def test_batches_are_what_they_were() -> None:
    """Golden: on every machine and version, or a resumed run would go on with other batches."""
    of = plan((1, 2), 23, 4, 2)
    assert [batch.rows[0].tolist() for batch in epoch(of, 0)] == GOLDEN


GOLDEN = [
    [0, 7, -1, -1],
    [22, -1, -1, -1],
    [18, 16, 13, 11],
    [6, 10, 20, 9],
    [2, 5, 12, 19],
    [4, 15, 3, 1],
    [17, 8, 14, 21],
]
