"""ConvS2S against torch.nn.Conv1d, GLU and weight_norm, a sentence at a time; and itself step by step, and stacked."""

from math import sqrt

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.utils.parametrizations import weight_norm

from blicket.learners.convs2s import ConvS2S, ConvS2SShape, Layer, Normed
from blicket.learners.noise import Noise
from blicket.learners.vocabulary import BEGIN, PAD
from blicket.training.stacking import losses, stacked, starts, steps

WORDS = 11
SMALL = ConvS2SShape(((12, 3, 2),), 10, 8, 0.1, 32)
SHAPES = [
    SMALL,
    ConvS2SShape(((12, 3, 1), (16, 3, 2), (20, 1, 1)), 10, 8, 0.0, 32),
    ConvS2SShape(((8, 5, 2),), 8, 8, 0.2, 32),
]


def network(shape: ConvS2SShape) -> ConvS2S:
    made = ConvS2S(shape, WORDS, WORDS)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.4)
    return made


def batch(target: int = 6) -> tuple[Tensor, Tensor, list[int]]:
    lengths = [7, 3, 1, 5]
    sources = torch.randint(4, WORDS, (4, 7))
    for row, length in zip(sources, lengths, strict=True):
        row[length:] = PAD
    targets = torch.randint(4, WORDS, (4, target))
    targets[:, 0] = BEGIN
    return sources, targets, lengths


def linear(ours: Normed) -> nn.Module:
    """Weight normalisation as the library has it."""
    outputs, inputs = ours.direction.shape
    theirs = weight_norm(nn.Linear(inputs, outputs))
    with torch.no_grad():
        theirs.parametrizations.weight.original0.copy_(ours.norm[:, None])
        theirs.parametrizations.weight.original1.copy_(ours.direction)
        theirs.bias.copy_(ours.bias)
    return theirs


def convolved(ours: Layer, x: Tensor, left: int, right: int) -> Tensor:
    """A gated convolution of one sentence (length, channels) as the library has it."""
    weight = linear(ours.convolve).weight  # (2 * channels, kernel * inputs)
    kernel = weight.view(weight.shape[0], ours.kernel, ours.inputs).transpose(1, 2)
    padded = F.pad(x.T[None], (left, right))
    return F.glu(F.conv1d(padded, kernel, ours.convolve.bias), dim=1)[0].T


def by_hand(ours: ConvS2S, source: Tensor, target: Tensor) -> Tensor:
    """One sentence without padding: Gehring et al. (2017), section 3."""
    scale = sqrt(0.5)
    embedded = ours.source_embedding.weight[source] + ours.source_position_embedding.weight[: len(source)]
    x = linear(ours.encoder_in)(embedded)
    for layer in ours.encoder:
        y = convolved(layer, x, layer.kernel // 2, layer.kernel // 2)
        x = (y + (x if layer.bridge is None else linear(layer.bridge)(x))) * scale
    keys = linear(ours.encoder_out)(x)
    values = (keys + embedded) * scale
    words = ours.target_embedding.weight[target] + ours.target_position_embedding.weight[: len(target)]
    x = linear(ours.decoder_in)(words)
    for layer in ours.decoder:
        y = convolved(layer, x, layer.kernel - 1, 0)
        asked = (linear(layer.ask)(y) + words) * scale
        context = torch.softmax(asked @ keys.T, -1) @ values * (len(source) * sqrt(1 / len(source)))
        y = (linear(layer.answer)(context) + y) * scale
        x = (y + (x if layer.bridge is None else linear(layer.bridge)(x))) * scale
    return linear(ours.output)(linear(ours.decoder_out)(x))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.no_grad()
def test_the_network_is_that_of_gehring_et_al(shape: ConvS2SShape) -> None:
    ours = network(shape)
    source, target, lengths = batch()
    scores = ours(source, target)
    assert scores.shape == (4, 6, WORDS)
    for row, length in enumerate(lengths):
        wanted = by_hand(ours, source[row, :length], target[row])
        torch.testing.assert_close(scores[row], wanted, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.no_grad()
def test_steps_give_what_the_whole_gives(shape: ConvS2SShape) -> None:
    ours = network(shape)
    source, target, _ = batch(9)
    wanted, state = ours(source, target), ours.start(source, 4)
    for position in range(9):
        if position == 4:
            state = ours.grown(state, 12)
        scores, state = ours.step(state, target[:, position], torch.tensor(position))
        torch.testing.assert_close(scores, wanted[:, position], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.no_grad()
def test_neither_padding_nor_company_nor_the_future_matter(shape: ConvS2SShape) -> None:
    ours = network(shape)
    source, target, lengths = batch()
    scores = ours(source, target)
    wider = torch.cat((source, torch.full((4, 5), PAD)), 1)
    torch.testing.assert_close(ours(wider, target), scores, atol=1e-4, rtol=1e-4)
    for row, length in enumerate(lengths):
        alone = ours(source[[row], :length], target[[row]])
        torch.testing.assert_close(alone[0], scores[row], atol=1e-4, rtol=1e-4)
    other = target.clone()
    other[:, 3:] = (target[:, 3:] - 4 + 1) % (WORDS - 4) + 4
    later = ours(source, other)
    torch.testing.assert_close(later[:, :3], scores[:, :3], atol=1e-4, rtol=1e-4)
    assert not torch.allclose(later[:, 3], scores[:, 3], atol=1e-3)


@torch.no_grad()
def test_positions_beyond_the_last_share_its_embedding() -> None:
    ours = network(ConvS2SShape(((12, 1, 1),), 10, 8, 0.0, 4))
    source, target = torch.full((1, 8), 5), torch.full((1, 8), 5)
    scores, state = ours(source, target), ours.start(source, 8)
    torch.testing.assert_close(scores[0, 4:], scores[0, 3].expand(4, -1))
    assert not torch.allclose(scores[0, 2], scores[0, 3])
    for position in range(8):
        one, state = ours.step(state, target[:, 0], torch.tensor(position))
        torch.testing.assert_close(one[0], scores[0, position], atol=1e-4, rtol=1e-4)


def test_what_attends_often_moves_the_encoder_little() -> None:
    """Section 3.5: gradients of the encoder are scaled down by the number of attentions; here twice two."""
    ours = network(SMALL)
    source, _, _ = batch()
    keys, values, _ = ours._encode(source, None)
    whole = torch.autograd.grad(values.sum(), ours.encoder_out.bias, retain_graph=True)[0]
    words = int((source != PAD).sum())
    torch.testing.assert_close(whole, torch.full_like(whole, words * sqrt(0.5) / 4))
    assert torch.autograd.grad(keys.sum(), ours.encoder_out.bias)[0][0] == pytest.approx(words / 4)


def test_stacked_networks_are_those_alone() -> None:
    networks = [network(SMALL) for _ in range(3)]
    stack = stacked(networks, torch.device("cpu"))
    source, target, _ = batch()
    gold = torch.cat((target[:, 1:], target[:, :1]), 1)
    sources, targets, golds = (x.expand(3, -1, -1) for x in (source, target, gold))
    keys = torch.tensor([1, 2, 3], dtype=torch.int32)
    together = losses(networks[0], 0.1)(stack, sources, targets, golds, keys)
    together.sum().backward()
    state = starts(networks[0], 4)(stack, sources)
    scores, _ = steps(networks[0])(stack, state, targets[:, :, 0], torch.tensor(0))
    for i, one in enumerate(networks):
        alone = stacked([one], torch.device("cpu"))
        loss = losses(one, 0.1)(alone, sources[:1], targets[:1], golds[:1], keys[i : i + 1])
        loss.sum().backward()
        torch.testing.assert_close(together[i], loss[0], atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(scores[i], one(source, target)[:, 0], atol=1e-4, rtol=1e-4)
        for name, parameter in stack.items():
            assert parameter.grad is not None
            assert alone[name].grad is not None
            torch.testing.assert_close(parameter.grad[i], alone[name].grad[0], atol=1e-3, rtol=1e-3)


def test_sources_of_nothing_but_padding_have_finite_gradients() -> None:
    ours = network(SMALL)
    source, target, _ = batch()
    source[2], target[2] = PAD, PAD
    ours(source, target).square().sum().backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in ours.parameters())


class Recorder:
    """Notes where dropout would be."""

    def __init__(self) -> None:
        self.places: list[tuple[int, ...]] = []

    def dropout(self, x: Tensor, p: float) -> Tensor:
        assert p == SMALL.dropout
        self.places.append(tuple(x.shape))
        return x


def test_dropout_is_on_embeddings_before_convolutions_and_before_scores() -> None:
    ours = network(SMALL)
    source, target, _ = batch(3)
    recorder = Recorder()
    torch.testing.assert_close(ours(source, target, recorder), ours(source, target))  # type: ignore[arg-type]
    encoder, decoder = [(4, 7, 10), (4, 9, 12), (4, 9, 12)], [(4, 3, 10), (4, 5, 12), (4, 5, 12), (4, 3, 8)]
    assert recorder.places == encoder + decoder


def test_dropout_changes_with_the_key_and_only_with_it() -> None:
    ours = network(SMALL)
    source, target, _ = batch()
    first, again, other = (ours(source, target, Noise(torch.tensor(key, dtype=torch.int32))) for key in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.allclose(first, other, atol=1e-3)


@torch.no_grad()
def test_first_weights_keep_the_variance() -> None:
    """Section 3.5: what goes in varies as much as what comes out, where gates are half open."""
    shape = ConvS2SShape(((256, 3, 8),), 256, 256, 0.0)
    ours = ConvS2S(shape, WORDS, WORDS)
    x = 0.01 * torch.randn(8, 40, 256)
    for layer in ours.encoder:
        x, _ = layer(F.pad(x, (0, 0, 1, 1)), x, None)
    assert 0.8 < float(x[:, 12:-12].var()) / 1e-4 < 1.25


def test_the_shape_of_the_toolkit_has_its_size() -> None:
    """15 layers; weights counted by hand: a convolution has channels in x width x 2 channels out."""
    with torch.device("meta"):
        ours = ConvS2S(ConvS2SShape(), 534, 524)
    found = sum(p.numel() for layer in ours.encoder for p in [layer.convolve.direction])
    assert found == 9 * 512 * 3 * 1024 + (512 + 3 * 1024) * 3 * 2048 + (1024 + 2048) * 4096
    assert len(ours.encoder) == len(ours.decoder) == 15
