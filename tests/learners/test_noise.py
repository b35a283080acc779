"""Dropout masks: share, scaling, independence, and the same alone and in company."""

from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.func import vmap

from blicket.learners.noise import Noise, noise_key

SIZE = 1 << 18
CHI_SQUARE = {1: 19.5, 3: 26.0, 255: 370.0}  # quantiles near 1 - 1e-5; nothing here is drawn anew from run to run


def noise(seed: int = 1, update: int = 1, part: int = 0) -> Noise:
    return Noise(torch.tensor(noise_key(seed, update, part), dtype=torch.int32))


def masks(noise: Noise, places: int, p: float = 0.5, size: int = SIZE) -> list[Tensor]:
    return [noise.dropout(torch.ones(size), p) == 0.0 for _ in range(places)]


def dependence(first: Tensor, second: Tensor) -> float:
    """The chi-square statistic of independence, one degree of freedom."""
    table = np.bincount((first * 2 + second).numpy(), minlength=4).reshape(2, 2)
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("p", [0.01, 0.1, 0.3, 0.5, 0.9])
def test_the_share_that_is_dropped(p: float) -> None:
    for seed, update in product((0, 1, 7), (1, 2, 30_000)):
        for mask in masks(noise(seed, update), 3, p):
            deviation = (mask.sum().item() - p * SIZE) / (SIZE * p * (1 - p)) ** 0.5
            assert abs(deviation) < 4.5


def test_what_is_kept_is_scaled_and_what_is_dropped_is_zero() -> None:
    x = torch.randn(100, 100)
    y = noise().dropout(x, 0.2)
    kept = y != 0.0
    assert 0.7 < kept.float().mean() < 0.9
    torch.testing.assert_close(y[kept], x[kept] / 0.8)
    assert noise().dropout(x.bfloat16(), 0.2).dtype == torch.bfloat16
    assert torch.equal(noise().dropout(x.bfloat16(), 0.2) != 0.0, kept)  # precision does not change the mask


def test_gradients_flow_through_what_is_kept() -> None:
    x = torch.randn(50, 50, requires_grad=True)
    y = noise().dropout(x, 0.3)
    y.sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad, (y != 0.0) / 0.7)


def test_no_dropout_changes_nothing_and_takes_no_place() -> None:
    x = torch.randn(10, 10)
    some, other = noise(), noise()
    assert some.dropout(x, 0.0) is x
    assert torch.equal(some.dropout(x, 0.5), other.dropout(x, 0.5))


def test_places_seeds_updates_and_parts_are_independent() -> None:
    sources: list[list[Callable[[], Tensor]]] = [
        [lambda s=s: masks(noise(seed=s), 1)[0] for s in (0, 1, 2, 3, 1 << 32)],
        [lambda u=u: masks(noise(update=u), 1)[0] for u in (1, 2, 3, 4, 1000)],
        [lambda a=a: masks(noise(part=a), 1)[0] for a in range(4)],
    ]
    for group in [[make() for make in makers] for makers in sources] + [masks(noise(), 8)]:
        for first, second in ((group[i], group[j]) for i in range(len(group)) for j in range(i)):
            assert dependence(first, second) < CHI_SQUARE[1]
            assert dependence(first[1:], second[:-1]) < CHI_SQUARE[1]


def test_neighbours_make_every_pattern_equally_often() -> None:
    for mask in masks(noise(), 4):
        patterns = (mask.view(-1, 8).numpy() * (1 << np.arange(8))).sum(1)
        counts = np.bincount(patterns, minlength=256)
        expected = SIZE / 8 / 256
        assert ((counts - expected) ** 2 / expected).sum() < CHI_SQUARE[255]


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_rows_and_columns_do_not_correlate(p: float) -> None:
    """To a degree that could matter: chance alone gives .002, strides of 4,096 with this hash up to .012."""
    side = 512
    for mask in masks(noise(3, 17), 3, p, side * side):
        centred = (mask.float() - mask.float().mean()).view(side, side)
        centred = centred / centred.square().mean().sqrt()
        for lag in (*range(1, 33), 64, 100, 128, 255, 256):
            for one, other in ((centred[lag:], centred[:-lag]), (centred[:, lag:], centred[:, :-lag])):
                assert abs((one * other).mean().item()) < 0.015
        # No row and no column is dropped more often than chance would.
        for dimension in (0, 1):
            assert (centred.mean(dimension) * side**0.5).abs().max() < 5.0


def test_a_mask_depends_on_place_and_not_on_shape() -> None:
    flat = torch.ones(240)
    wanted = noise().dropout(flat, 0.4)
    for shape in ((240,), (24, 10), (2, 3, 4, 10)):
        assert torch.equal(noise().dropout(flat.view(shape), 0.4).flatten(), wanted)
    # What is not contiguous is numbered as it is read.
    assert torch.equal(noise().dropout(torch.ones(24, 10).T, 0.4).flatten(), wanted)


def test_the_same_alone_and_together() -> None:
    keys = torch.tensor([noise_key(seed, 5, 1) for seed in (1, 2, 3)], dtype=torch.int32)
    x = torch.randn(3, 6, 7)

    def twice(x: Tensor, key: Tensor) -> Tensor:
        drops = Noise(key)
        return drops.dropout(drops.dropout(x, 0.3).T + 1.0, 0.2)

    together = vmap(twice)(x, keys)
    for i in range(3):
        assert torch.equal(together[i], twice(x[i], keys[i]))
        assert torch.equal(together[[i]], vmap(twice)(x[[i]], keys[[i]]))
    assert not torch.equal(together[0] == 0.0, together[1] == 0.0)


def test_masks_are_those_of_the_definition_in_unsigned_words() -> None:
    index = np.arange(1000, dtype=np.uint32)

    def mixed(x: np.ndarray) -> np.ndarray:
        x = x ^ (x >> np.uint32(16))
        x = x * np.uint32(0x85EBCA6B)
        x = x ^ (x >> np.uint32(13))
        x = x * np.uint32(0xC2B2AE35)
        return x ^ (x >> np.uint32(16))

    key = noise_key(9, 8, 7)
    drops = Noise(torch.tensor(key, dtype=torch.int32))
    for place in (1, 2, 3):
        start = np.array([(key + place * 0x9E3779B1) % (1 << 32)], dtype=np.uint32)
        bits = mixed(index ^ mixed(start)).astype(np.int32)
        wanted = bits > round((0.3 - 0.5) * 2**32)
        assert np.array_equal((drops.dropout(torch.ones(1000), 0.3) != 0.0).numpy(), wanted)


def test_keys_are_distinct_signed_words() -> None:
    keys = [noise_key(seed, update, part) for seed in range(5) for update in range(1, 5001) for part in range(4)]
    assert all(-(1 << 31) <= key < 1 << 31 for key in keys)
    assert len(keys) - len(set(keys)) <= 8  # chance alone makes one or two of 100,000 meet
    words = np.array(keys, dtype=np.int64) & 0xFFFFFFFF
    for bit in range(32):
        share = ((words >> bit) & 1).mean()
        assert abs(share - 0.5) * 2 * len(keys) ** 0.5 < 4.5
    assert noise_key(1, 2, 3) == noise_key(1, 2, 3)
    assert all(a != b for a, b in pairwise(sorted({noise_key(s, 1, 0) for s in (1, 1 + (1 << 32), (1 << 63) - 1)})))
    assert len({noise_key(1, 2, 3), noise_key(1, 3, 2), noise_key(2, 1, 3), noise_key(3, 2, 1)}) == 4
