"""The Transformer against PyTorch's own layers, Dai et al.'s formula in loops, and itself without caches."""

from dataclasses import replace
from itertools import product
from math import cos, exp, log, sin, sqrt

import pytest
import torch
from torch import Tensor, nn
from torch.func import functional_call

from blicket.learners.network import State
from blicket.learners.noise import Noise
from blicket.learners.transformer import Attention, Transformer, TransformerShape, sinusoids
from blicket.learners.vocabulary import BEGIN, PAD

SMALL = TransformerShape(layers=2, width=16, heads=4, hidden=24)
VARIANTS = [
    replace(SMALL, norm=norm, positions=positions, tied=tied, shared_layers=tied)
    for norm, positions, tied in product(("pre", "post"), ("sinusoidal", "scaled", "relative"), (False, True))
]
WORDS = 11


def network(shape: TransformerShape, source_size: int = WORDS, target_size: int = WORDS) -> Transformer:
    """A network whose norms and biases, too, are not what they start as."""
    made = Transformer(shape, source_size, target_size)
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.dim() == 1 or parameter.shape[0] == shape.heads:
                parameter.add_(torch.randn_like(parameter) * 0.3)
    return made


def batch(rows: int = 4, source: int = 7, target: int = 6) -> tuple[Tensor, Tensor]:
    """Sources of different lengths, and targets that begin with <s>."""
    sources = torch.randint(4, WORDS, (rows, source))
    for row in range(rows):
        sources[row, source - row :] = PAD
    targets = torch.randint(4, WORDS, (rows, target))
    targets[:, 0] = BEGIN
    return sources, targets


def naive_sinusoids(length: int, width: int) -> Tensor:
    waves = torch.zeros(length, width)
    for position in range(length):
        for i in range(0, width, 2):
            angle = position / 10_000 ** (i / width)
            waves[position, i], waves[position, i + 1] = sin(angle), cos(angle)
    return waves


# Against torch.nn


def copy_attention(theirs: nn.MultiheadAttention, ours: Attention) -> None:
    parts = (ours.query, ours.key, ours.value)
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.merge.state_dict())


@torch.no_grad()
def reference(ours: Transformer) -> tuple[nn.TransformerEncoder, nn.TransformerDecoder]:
    shape = ours.shape
    about = {
        "d_model": shape.width,
        "nhead": shape.heads,
        "dim_feedforward": shape.hidden,
        "dropout": 0.1,  # off, since the modules are in eval mode
        "activation": "relu",
        "batch_first": True,
        "norm_first": shape.norm == "pre",
    }
    norms = [nn.LayerNorm(shape.width) if shape.norm == "pre" else None for _ in range(2)]
    layer = nn.TransformerEncoderLayer(**about)
    encoder = nn.TransformerEncoder(layer, shape.layers, norm=norms[0], enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**about), shape.layers, norm=norms[1])
    for stack, mine in ((encoder, ours.encoder), (decoder, ours.decoder)):
        for i, theirs in enumerate(stack.layers):
            layer = mine[i % len(mine)]
            copy_attention(theirs.self_attn, layer.self_attention)
            pairs = [(theirs.linear1, layer.expand), (theirs.linear2, layer.contract), (theirs.norm1, layer.self_norm)]
            if stack is decoder:
                copy_attention(theirs.multihead_attn, layer.memory_attention)
                pairs += [(theirs.norm2, layer.memory_norm), (theirs.norm3, layer.feed_norm)]
            else:
                pairs += [(theirs.norm2, layer.feed_norm)]
            for to, of in pairs:
                to.load_state_dict(of.state_dict())
    if shape.norm == "pre":
        encoder.norm.load_state_dict(ours.encoder_norm.state_dict())
        decoder.norm.load_state_dict(ours.decoder_norm.state_dict())
    return encoder.eval(), decoder.eval()


@pytest.mark.parametrize("shape", [s for s in VARIANTS if s.positions != "relative"], ids=str)
def test_equal_weights_give_what_torch_gives(shape: TransformerShape) -> None:
    ours = network(shape)
    encoder, decoder = reference(ours)
    source, target = batch()

    def embedded(table: nn.Embedding, tokens: Tensor) -> Tensor:
        waves = naive_sinusoids(tokens.shape[1], shape.width)
        if shape.positions == "sinusoidal":
            return table.weight[tokens] * sqrt(shape.width) + waves
        return table.weight[tokens] + waves / sqrt(shape.width)

    pad = source == PAD
    memory = encoder(embedded(ours.source_embedding, source), src_key_padding_mask=pad)
    future = nn.Transformer.generate_square_subsequent_mask(target.shape[1]).isinf()
    hidden = decoder(
        embedded(ours.target_embedding or ours.source_embedding, target),
        memory,
        tgt_mask=future,
        memory_key_padding_mask=pad,
    )  # (batch, target, width)
    readout = (ours.source_embedding.weight, ours.output_bias) if shape.tied else ours.output.parameters()
    weight, bias = readout
    wanted = hidden @ weight.T + bias
    torch.testing.assert_close(ours(source, target), wanted, atol=1e-5, rtol=1e-5)
    # Gradients, too.
    weights = torch.randn_like(wanted)
    (wanted * weights).sum().backward()
    theirs = {name: p.grad.clone() for name, p in ours.named_parameters() if p.grad is not None}
    assert any("embedding" in name for name in theirs)
    first = decoder.layers[0].linear1.weight.grad.clone()
    for layer in decoder.layers[1:] if shape.shared_layers else ():
        first += layer.linear1.weight.grad
    ours.zero_grad()
    (ours(source, target) * weights).sum().backward()
    for name, gradient in theirs.items():
        torch.testing.assert_close(ours.get_parameter(name).grad, gradient, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(ours.decoder[0].expand.weight.grad, first, atol=1e-4, rtol=1e-4)


def test_sinusoids_are_those_of_the_formula() -> None:
    torch.testing.assert_close(sinusoids(torch.arange(50), 16), naive_sinusoids(50, 16), atol=1e-5, rtol=0)
    distances = torch.tensor([[0, -3], [3, 7]])
    waves = sinusoids(distances, 8)
    assert waves.shape == (2, 2, 8)
    assert waves[0, 1].tolist() == pytest.approx(
        [f(-3 * exp(-log(10_000) * i / 8)) for i in (0, 2, 4, 6) for f in (sin, cos)], abs=1e-6
    )


@torch.no_grad()
def test_relative_positions_are_those_of_dai_et_al() -> None:
    """Section 3.3: a query meets a key by content, by distance, and by what all queries share of each."""
    shape = replace(SMALL, positions="relative")
    attention = Attention(shape, relative=True)
    for parameter in attention.parameters():
        parameter.copy_(torch.randn_like(parameter) * 0.4)
    length, part = 6, shape.width // shape.heads
    x = torch.randn(2, length, shape.width)
    unseen = torch.zeros(2, 1, 1, length, dtype=torch.bool)
    unseen[1, ..., 4:] = True
    wanted = torch.zeros_like(x)
    for row in range(2):
        for i in range(length):
            merged = torch.zeros(shape.width)
            for head in range(shape.heads):
                of_head = slice(head * part, (head + 1) * part)
                query = attention.query(x[row, i])[of_head]
                u, v = attention.content_bias[head], attention.distance_bias[head]
                scores = []
                for j in range(length):
                    key = attention.key(x[row, j])[of_head]
                    wave = torch.tensor(
                        [f((i - j) / 10_000 ** (k / shape.width)) for k in range(0, shape.width, 2) for f in (sin, cos)]
                    )
                    by_distance = (attention.distance.weight @ wave)[of_head]
                    score = query @ key + query @ by_distance + u @ key + v @ by_distance
                    scores.append(float(score) / sqrt(part) if not unseen[row, 0, 0, j] else -float("inf"))
                weights = torch.softmax(torch.tensor(scores), 0)
                for j in range(length):
                    merged[of_head] += weights[j] * attention.value(x[row, j])[of_head]
            wanted[row, i] = attention.merge(merged)
    torch.testing.assert_close(attention(x, x, unseen, None), wanted, atol=1e-5, rtol=1e-5)


# The variants' properties


def test_relative_positions_say_nothing_of_where_but_of_order() -> None:
    ours = network(replace(SMALL, positions="relative"))
    source, target = batch()
    turned = source[:1].flip(1)
    assert not torch.allclose(ours(source[:1], target[:1]), ours(turned, target[:1]), atol=1e-3)
    # Padding in front moves every position and no distance.
    moved = torch.cat((torch.full((1, 3), PAD), source[:1]), 1)
    torch.testing.assert_close(ours(source[:1], target[:1]), ours(moved, target[:1]), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("shape", VARIANTS, ids=str)
def test_neither_padding_nor_company_nor_the_future_matter(shape: TransformerShape) -> None:
    ours = network(shape)
    source, target = batch()
    scores = ours(source, target)
    wider = torch.cat((source, torch.full((4, 5), PAD)), 1)
    torch.testing.assert_close(ours(wider, target), scores, atol=1e-5, rtol=1e-5)
    for row in range(4):
        alone = source[row : row + 1, : 7 - row]
        torch.testing.assert_close(ours(alone, target[[row]])[0], scores[row], atol=1e-5, rtol=1e-5)
    other = target.clone()
    other[:, 3:] = torch.randint(4, WORDS, (4, 3))
    changed = ours(source, other)
    torch.testing.assert_close(changed[:, :3], scores[:, :3], atol=1e-5, rtol=1e-5)
    assert not torch.allclose(changed[:, 3:], scores[:, 3:], atol=1e-3)


@pytest.mark.parametrize("shape", VARIANTS, ids=str)
@torch.no_grad()
def test_steps_with_caches_give_what_the_whole_gives(shape: TransformerShape) -> None:
    ours = network(shape)
    source, target = batch(target=9)
    state: State = ours.start(source, 4)
    wanted = ours(source, target)
    for position in range(9):
        if position == 4:
            # Room is made behind a dimension for the seeds.
            grown = ours.grown({name: tensor[None] for name, tensor in state.items()}, 12)
            state = {name: tensor[0] for name, tensor in grown.items()}
        scores, state = ours.step(state, target[:, position], torch.tensor(position))
        torch.testing.assert_close(scores, wanted[:, position], atol=1e-5, rtol=1e-5)
    assert all(tensor.shape[0] == 4 for tensor in state.values())


def test_sources_of_nothing_but_padding_have_finite_gradients() -> None:
    for shape in VARIANTS:
        ours = network(shape)
        source, target = batch()
        source[2] = PAD
        target[2] = PAD
        ours(source, target).square().sum().backward()
        assert all(torch.isfinite(p.grad).all() for p in ours.parameters() if p.grad is not None)


# Parameters


def size(ours: nn.Module) -> int:
    return sum(parameter.numel() for parameter in ours.parameters())


def test_tied_embeddings_are_one_parameter() -> None:
    tied, apart = network(replace(SMALL, tied=True)), network(SMALL)
    assert tied.target_embedding is None
    assert tied.output is None
    assert size(apart) - size(tied) == 2 * WORDS * SMALL.width
    assert sum(parameter.shape == (WORDS, SMALL.width) for parameter in tied.parameters()) == 1
    source, target = batch()
    before = tied(source, target)
    with torch.no_grad():
        tied.source_embedding.weight[BEGIN] += torch.randn(SMALL.width)  # not a constant, which a norm takes away
    assert not torch.allclose(tied(source, target)[..., 8], before[..., 8], atol=1e-3)
    assert apart.source_embedding.weight is not apart.target_embedding.weight
    assert apart.output.weight is not apart.target_embedding.weight


def test_tied_networks_stay_tied_when_called_with_other_parameters() -> None:
    one, other = (network(replace(SMALL, tied=True)) for _ in range(2))
    source, target = batch()
    given = dict(other.named_parameters())
    for _ in range(3):  # what is registered under two names comes apart at the second call
        torch.testing.assert_close(functional_call(one, given, (source, target)), other(source, target))


def test_shared_layers_have_the_parameters_of_one() -> None:
    shared = network(replace(SMALL, layers=3, shared_layers=True))
    one, three = network(replace(SMALL, layers=1)), network(replace(SMALL, layers=3))
    assert size(shared) == size(one) < size(three)
    # They are three layers all the same.
    states = shared.state_dict()
    copied = {
        name: states[".".join([name.split(".")[0], "0", *name.split(".")[2:]])] if "coder." in name else states[name]
        for name in three.state_dict()
    }
    three.load_state_dict(copied)
    one.load_state_dict(states)
    source, target = batch()
    torch.testing.assert_close(shared(source, target), three(source, target))
    assert not torch.allclose(shared(source, target), one(source, target), atol=1e-3)


@pytest.mark.parametrize(
    ("shape", "exact", "published"),
    [
        (TransformerShape(), 9_503_919, 9.5e6),
        (TransformerShape(layers=1), 5_296_303, 5.3e6),
        (TransformerShape(layers=6, heads=8, hidden=2048), 45_227_183, 45e6),
    ],
)
def test_sizes_are_those_published_for_cogs(shape: TransformerShape, exact: int, published: float) -> None:
    """Kim & Linzen (2020), section 5 and appendix F, with the 747 and 687 tokens of the train split."""
    with torch.device("meta"):
        found = size(Transformer(shape, 747, 687))
    assert found == exact
    assert found == pytest.approx(published, rel=0.006)


# Dropout


class Recorder:
    """Notes where dropout would be."""

    def __init__(self) -> None:
        self.places: list[tuple[tuple[int, ...], float]] = []

    def dropout(self, x: Tensor, p: float) -> Tensor:
        self.places.append((tuple(x.shape), p))
        return x


def test_dropout_is_where_the_toolkit_has_it() -> None:
    """After the embeddings, on attention weights, on what attention gives, and twice in the feed-forward network."""
    shape = replace(SMALL, dropout=0.25)
    ours = network(shape)
    source, target = batch()
    recorder = Recorder()
    scores = ours(source, target, recorder)  # type: ignore[arg-type]
    torch.testing.assert_close(scores, ours(source, target))
    encoder = [(4, 4, 7, 7), (4, 7, 16), (4, 7, 24), (4, 7, 16)]
    decoder = [(4, 4, 6, 6), (4, 6, 16), (4, 4, 6, 7), (4, 6, 16), (4, 6, 24), (4, 6, 16)]
    assert [place for place, _ in recorder.places] == [(4, 7, 16), *encoder * 2, (4, 6, 16), *decoder * 2]
    assert {p for _, p in recorder.places} == {0.25}


def test_dropout_changes_with_the_key_and_only_with_it() -> None:
    ours = network(SMALL)
    source, target = batch()
    first, again, other = (ours(source, target, Noise(torch.tensor(key, dtype=torch.int32))) for key in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.allclose(first, other, atol=1e-3)
    assert not torch.allclose(first, ours(source, target), atol=1e-3)
    without = Transformer(replace(SMALL, dropout=0.0), WORDS, WORDS)
    quiet = without(source, target, Noise(torch.tensor(1, dtype=torch.int32)))
    assert torch.equal(quiet, without(source, target))
