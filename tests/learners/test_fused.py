"""Fused operations: compiled and mapped over, they give what they give when they are just called."""

import pytest
import torch
from torch import Tensor
from torch.func import vmap

from blicket.learners.fused import fused, fusing
from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.noise import noise_key
from blicket.learners.vocabulary import BEGIN, PAD
from blicket.training.stacking import losses, stacked

WORDS = 9


@fused
def squashed(x: Tensor, shift: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
    return (x + shift).tanh() * places, (x * shift).sum(-1)


def gradients(backend: str | None) -> list[Tensor]:
    torch.manual_seed(0)
    x, shift = torch.randn(3, 4, 5, requires_grad=True), torch.randn(5, requires_grad=True)
    places = torch.arange(5)
    each = vmap(squashed, in_dims=(0, None, None))
    if backend is None:
        first, second = each(x, shift, places)
    else:
        with fusing(backend):
            first, second = each(x, shift, places)
    (first.square().sum() + second.exp().sum()).backward()
    assert x.grad is not None
    assert shift.grad is not None
    return [first, second, x.grad, shift.grad]


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_values_and_gradients_are_those_of_the_plain_function(backend: str) -> None:
    torch.testing.assert_close(gradients(backend), gradients(None))


@pytest.mark.parametrize("both", [False, True])
def test_a_stacked_lstm_learns_the_same_fused(both: bool) -> None:
    torch.manual_seed(0)
    shape = LstmShape(2, 8, 6, 0.3, bidirectional=both)
    stack = stacked([Lstm(shape, WORDS, WORDS) for _ in range(2)], torch.device("cpu"))
    source, gold = torch.randint(4, WORDS, (2, 3, 6)), torch.randint(4, WORDS, (2, 3, 11))
    source[:, 1, 4:], gold[:, 2, 7:] = PAD, PAD
    target = torch.cat((torch.full_like(gold[..., :1], BEGIN), gold[..., :-1]), -1)
    keys = torch.tensor([noise_key(seed, 3, 0) for seed in (1, 2)], dtype=torch.int32)
    found = []
    for backend in (None, "aot_eager"):
        for parameter in stack.values():
            parameter.grad = None
        loss = losses(Lstm(shape, WORDS, WORDS), 0.1)
        if backend is None:
            summed = loss(stack, source, target, gold, keys)
        else:
            with fusing(backend):
                summed = loss(stack, source, target, gold, keys)
        summed.sum().backward()
        found.append((summed.detach(), {name: p.grad for name, p in stack.items()}))
    torch.testing.assert_close(found[1], found[0], atol=1e-5, rtol=1e-5)
