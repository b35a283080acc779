"""Stacked networks against each alone, and the smoothed loss against the toolkit's."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.network import SequenceNetwork
from blicket.learners.noise import Noise, noise_key
from blicket.learners.transformer import Transformer, TransformerShape
from blicket.learners.vocabulary import BEGIN, END, PAD
from blicket.training.stacking import halved, judged, losses, smoothed_loss, stacked, starts, steps

WORDS = 9
SMALL = TransformerShape(layers=2, width=8, heads=2, hidden=12, dropout=0.3)
MAKERS: dict[str, Callable[[], SequenceNetwork]] = {
    "transformer": lambda: Transformer(SMALL, WORDS, WORDS),
    "post": lambda: Transformer(replace(SMALL, norm="post", tied=True, shared_layers=True), WORDS, WORDS),
    "relative": lambda: Transformer(replace(SMALL, positions="relative"), WORDS, WORDS),
    "lstm": lambda: Lstm(LstmShape(2, 8, 6, 0.3), WORDS, WORDS),
    "bilstm": lambda: Lstm(LstmShape(2, 8, 6, 0.3, bidirectional=True), WORDS, WORDS),
}
KEYS = torch.tensor([noise_key(seed, 3, 0) for seed in (1, 2, 3)], dtype=torch.int32)
CPU = torch.device("cpu")

every_network = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def batch(seeds: int = 3, rows: int = 4) -> tuple[Tensor, Tensor, Tensor]:
    """Sources, targets and gold (seeds, rows, length), of different lengths."""
    source, gold = torch.randint(4, WORDS, (seeds, rows, 6)), torch.randint(4, WORDS, (seeds, rows, 5))
    for row in range(rows):
        source[:, row, 6 - row :] = PAD
        gold[:, row, 4 - row] = END
        gold[:, row, 5 - row :] = PAD
    return source, torch.cat((torch.full_like(gold[..., :1], BEGIN), gold[..., :-1]), -1), gold


def toolkit_loss(scores: Tensor, gold: Tensor, smoothing: float) -> Tensor:
    """OpenNMT-py's LabelSmoothingLoss, on (tokens, vocabulary); its constant is the entropy of the smoothed labels."""
    one_hot = torch.full((scores.shape[-1],), smoothing / (scores.shape[-1] - 2))
    one_hot[PAD] = 0
    wanted = one_hot.unsqueeze(0).repeat(gold.shape[0], 1)
    wanted.scatter_(1, gold.unsqueeze(1), 1.0 - smoothing)
    wanted.masked_fill_((gold == PAD).unsqueeze(1), 0)
    return F.kl_div(torch.log_softmax(scores, -1), wanted, reduction="sum")


@pytest.mark.parametrize("smoothing", [0.1, 0.4])
def test_the_smoothed_loss_is_the_toolkits_up_to_a_constant(smoothing: float) -> None:
    _, _, gold = batch(1)
    scores = (3 * torch.randn(4, 5, WORDS)).requires_grad_()
    ours = smoothed_loss(scores, gold[0], smoothing)
    theirs = toolkit_loss(scores.flatten(0, 1), gold[0].flatten(), smoothing)
    share = torch.tensor([1.0 - smoothing] + [smoothing / (WORDS - 2)] * (WORDS - 2))
    entropy = -(share * share.log()).sum() * (gold != PAD).sum()
    torch.testing.assert_close(ours.sum(), theirs + entropy, atol=1e-4, rtol=1e-5)
    assert ours.shape == (4,)
    gradients = [torch.autograd.grad(loss, scores)[0] for loss in (ours.sum(), theirs)]
    torch.testing.assert_close(*gradients, atol=1e-6, rtol=1e-5)
    assert not gradients[0][gold[0] == PAD].any()


def test_without_smoothing_it_is_the_cross_entropy() -> None:
    _, _, gold = batch(1)
    scores = torch.randn(4, 5, WORDS)
    wanted = F.cross_entropy(scores.transpose(1, 2), gold[0], ignore_index=PAD, reduction="none").sum(1)
    torch.testing.assert_close(smoothed_loss(scores, gold[0], 0.0), wanted)


@every_network
def test_stacked_losses_and_gradients_are_those_of_each_alone(make: Callable[[], SequenceNetwork]) -> None:
    networks = [make() for _ in range(3)]
    stack = stacked(networks, CPU)
    source, target, gold = batch()
    together = losses(make(), 0.1)(stack, source, target, gold, KEYS)
    together.sum().backward()
    for i, network in enumerate(networks):
        plain = smoothed_loss(network(source[i], target[i], Noise(KEYS[i])), gold[i], 0.1).sum()
        torch.testing.assert_close(together[i], plain, atol=1e-5, rtol=1e-5)
        one = stacked([network], CPU)
        alone = losses(make(), 0.1)(one, source[[i]], target[[i]], gold[[i]], KEYS[[i]])
        assert alone.shape == (1,)
        torch.testing.assert_close(alone[0], plain)
        plain.backward()
        alone.sum().backward()
        for name, parameter in network.named_parameters():
            for found in (stack[name].grad[i], one[name].grad[0]):
                torch.testing.assert_close(found, parameter.grad, atol=1e-5, rtol=1e-5)


@every_network
def test_a_stack_holds_copies_of_every_parameter_once(make: Callable[[], SequenceNetwork]) -> None:
    networks = [make(), make()]
    stack = stacked(networks, CPU)
    assert list(stack) == [name for name, _ in networks[0].named_parameters()]
    assert all(p.is_leaf and p.requires_grad and p.shape[0] == 2 for p in stack.values())
    with torch.no_grad():
        for p in stack.values():
            p.zero_()
    assert all(p.any() for name, p in networks[0].named_parameters() if p.dim() > 1 and "_bias" not in name)


@every_network
def test_padding_and_empty_rows_add_nothing(make: Callable[[], SequenceNetwork]) -> None:
    network = make()
    without = losses(network, 0.1)
    if "Transformer" in repr(type(network)):
        shape = replace(network.shape, dropout=0.0)
        without = losses(Transformer(shape, WORDS, WORDS), 0.1)
    else:
        without = losses(Lstm(replace(network.shape, dropout=0.0), WORDS, WORDS), 0.1)
    stack = stacked([make(), make()], CPU)
    source, target, gold = batch(2)
    plain = without(stack, source, target, gold, KEYS[:2])
    plain.sum().backward()
    wanted = {name: p.grad.clone() for name, p in stack.items()}

    def widened(x: Tensor, filler: int = PAD) -> Tensor:
        wider = torch.full((2, 7, x.shape[-1] + 3), filler)
        wider[:, [5, 0, 2, 6], : x.shape[-1]] = x
        return wider

    # Every row but four is empty; what the target holds beside padded gold does not count.
    for filler in (PAD, 5):
        for p in stack.values():
            p.grad = None
        found = without(stack, widened(source), widened(target, filler), widened(gold), KEYS[:2])
        found.sum().backward()
        torch.testing.assert_close(found, plain, atol=1e-5, rtol=1e-5)
        for name, p in stack.items():
            assert torch.isfinite(p.grad).all()
            torch.testing.assert_close(p.grad, wanted[name], atol=1e-5, rtol=1e-4)


@every_network
def test_a_batch_of_nothing_but_padding_has_zero_gradients(make: Callable[[], SequenceNetwork]) -> None:
    stack = stacked([make(), make()], CPU)
    nothing = torch.full((2, 3, 8), PAD)
    found = losses(make(), 0.1)(stack, nothing, nothing, nothing, KEYS[:2])
    found.sum().backward()
    assert found.tolist() == [0.0, 0.0]
    assert not any(p.grad.any() for p in stack.values())  # NaN would count as something


@every_network
def test_judging_is_by_whole_targets_without_dropout_or_smoothing(make: Callable[[], SequenceNetwork]) -> None:
    networks = [make() for _ in range(2)]
    stack = stacked(networks, CPU)
    source, target, gold = batch(2)
    with torch.no_grad():
        for i, network in enumerate(networks):  # the first two rows are made right, the second but for its last token
            for position in range(5):
                best = network(source[i, :2], target[i, :2])[:, position].argmax(-1)
                gold[i, :2, position] = torch.where(gold[i, :2, position] == PAD, PAD, best)
                target[i, :2, position + 1 : position + 2] = gold[i, :2, position : position + 1]
            gold[i, 1, 3] = (gold[i, 1, 3] - 3) % (WORDS - 4) + 4
        found, right = judged(make())(stack, source, target, gold)
        assert found.shape == right.shape == (2, 4)
        for i, network in enumerate(networks):
            scores = network(source[i], target[i])
            wanted = F.cross_entropy(scores.transpose(1, 2), gold[i], ignore_index=PAD, reduction="none").sum(1)
            torch.testing.assert_close(found[i], wanted, atol=1e-5, rtol=1e-5)
            exact = [
                all(scores[row, j].argmax() == gold[i, row, j] for j in range(5) if gold[i, row, j] != PAD)
                for row in range(4)
            ]
            assert right[i].tolist() == exact
            assert exact[0]
            assert not exact[1]


@every_network
@torch.no_grad()
def test_stacked_steps_are_those_of_each_alone(make: Callable[[], SequenceNetwork]) -> None:
    networks = [make() for _ in range(3)]
    source, target, _ = batch()
    for chosen in ([0, 1, 2], [1]):
        stack = stacked([networks[i] for i in chosen], CPU)
        state = starts(make(), 5)(stack, source[chosen])
        assert all(tensor.shape[:2] == (len(chosen), 4) for tensor in state.values())
        for position in range(5):
            scores, state = steps(make())(stack, state, target[chosen, :, position], torch.tensor(position))
            for at, i in enumerate(chosen):
                wanted = networks[i](source[i], target[i])[:, position]
                torch.testing.assert_close(scores[at], wanted, atol=1e-5, rtol=1e-5)


@every_network
def test_half_precision_is_near_single(make: Callable[[], SequenceNetwork]) -> None:
    for seeds in (1, 2):
        stack = stacked([make() for _ in range(seeds)], CPU)
        source, target, gold = batch(seeds)
        half = halved(stack)
        assert {name for name, p in half.items() if p.dtype == torch.float32} == {n for n in stack if "norm" in n}
        single, low = (losses(make(), 0.1)(s, source, target, gold, KEYS[:seeds]) for s in (stack, half))
        assert low.dtype == torch.float32
        torch.testing.assert_close(low, single, rtol=0.05, atol=0.0)
        assert not torch.equal(low, single)
        low.sum().backward()
        assert all(p.grad.dtype == torch.float32 and torch.isfinite(p.grad).all() for p in stack.values())
