"""The LSTM against torch.nn.LSTM, Luong et al.'s attention written out, and itself step by step."""

from dataclasses import replace
from itertools import product

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from blicket.learners.lstm import Cell, Lstm, LstmShape
from blicket.learners.noise import Noise
from blicket.learners.vocabulary import BEGIN, PAD

WORDS = 11
SHAPES = [
    LstmShape(layers, width=12, embedding=10, bidirectional=both) for layers, both in product((1, 2, 3), (False, True))
] + [LstmShape(2, width=12, embedding=10, bidirectional=True, attention="general")]


def network(shape: LstmShape) -> Lstm:
    made = Lstm(shape, WORDS, WORDS)
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


@torch.no_grad()
def copy_cell(theirs: nn.Module, ours: Cell, suffix: str) -> None:
    for name, parameter in (
        ("weight_ih", ours.read.weight),
        ("weight_hh", ours.recur.weight),
        ("bias_ih", ours.read.bias),
        ("bias_hh", ours.recur.bias),
    ):
        theirs.get_parameter(name + suffix).copy_(parameter)


def test_a_cell_is_that_of_torch() -> None:
    ours, theirs = Cell(5, 8), nn.LSTMCell(5, 8)
    copy_cell(theirs, ours, "")
    x, h, c = torch.randn(3, 5), torch.randn(3, 8), torch.randn(3, 8)
    for _ in range(4):
        new = ours(x, h, c)
        wanted = theirs(x, (h, c))
        torch.testing.assert_close(new, wanted, atol=1e-5, rtol=1e-5)
        h, c = new


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.no_grad()
def test_the_encoder_is_that_of_torch(shape: LstmShape) -> None:
    ours = network(shape)
    part = shape.width // (2 if shape.bidirectional else 1)
    theirs = nn.LSTM(shape.embedding, part, shape.layers, batch_first=True, bidirectional=shape.bidirectional)
    for i in range(shape.layers):
        copy_cell(theirs, ours.forwards[i], f"_l{i}")
        if ours.backwards is not None:
            copy_cell(theirs, ours.backwards[i], f"_l{i}_reverse")
    source, _, lengths = batch()
    embedded = ours.source_embedding.weight[source]
    packed = pack_padded_sequence(embedded, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
    outputs, (h, c) = theirs(packed)
    outputs, _ = pad_packed_sequence(outputs, batch_first=True)
    state = ours.start(source, 1)
    torch.testing.assert_close(state["memory"], outputs, atol=1e-5, rtol=1e-5)
    assert torch.equal(state["hidden"], source == PAD)
    directions = 2 if shape.bidirectional else 1
    for i in range(shape.layers):
        for name, last in (("h", h), ("c", c)):
            wanted = torch.cat(list(last[i * directions : (i + 1) * directions]), -1)
            torch.testing.assert_close(state[f"{name}_{i}"], wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.no_grad()
def test_the_decoder_is_that_of_luong_et_al(shape: LstmShape) -> None:
    """Sections 3.1 (global, dot or general) and 3.3 (input feeding), a sentence and a token at a time."""
    ours = network(shape)
    source, target, lengths = batch()
    start = ours.start(source, 1)
    cells = [nn.LSTMCell(cell.read.in_features, shape.width) for cell in ours.decoder]
    for theirs, cell in zip(cells, ours.decoder, strict=True):
        copy_cell(theirs, cell, "")
    wanted = torch.zeros(4, target.shape[1], WORDS)
    for row, length in enumerate(lengths):
        memory = start["memory"][row, :length]
        states = [(start[f"h_{i}"][row], start[f"c_{i}"][row]) for i in range(shape.layers)]
        attentional = torch.zeros(shape.width)
        for position, token in enumerate(target[row]):
            x = torch.cat((ours.target_embedding.weight[token], attentional))
            for i, cell in enumerate(cells):
                states[i] = cell(x, states[i])
                x = states[i][0]
            asked = x if ours.ask is None else ours.ask.weight @ x
            exponentials = [float((asked @ key).exp()) for key in memory]
            context = sum(weight / sum(exponentials) * key for weight, key in zip(exponentials, memory, strict=True))
            attentional = torch.tanh(ours.combine.weight @ torch.cat((context, x)))
            wanted[row, position] = ours.output.weight @ attentional + ours.output.bias
    torch.testing.assert_close(ours(source, target), wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.no_grad()
def test_steps_give_what_the_whole_gives(shape: LstmShape) -> None:
    ours = network(shape)
    source, target, _ = batch(9)
    wanted, state = ours(source, target), ours.start(source, 4)
    for position in range(9):
        if position == 4:
            state = ours.grown(state, 12)
        scores, state = ours.step(state, target[:, position], torch.tensor(position))
        torch.testing.assert_close(scores, wanted[:, position], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_neither_padding_nor_company_nor_the_future_matter(shape: LstmShape) -> None:
    ours = network(shape)
    source, target, lengths = batch()
    scores = ours(source, target)
    wider = torch.cat((source, torch.full((4, 5), PAD)), 1)
    torch.testing.assert_close(ours(wider, target), scores, atol=1e-5, rtol=1e-5)
    for row, length in enumerate(lengths):
        alone = ours(source[[row], :length], target[[row]])
        torch.testing.assert_close(alone[0], scores[row], atol=1e-5, rtol=1e-5)
    other = target.clone()
    other[:, 3:] = torch.randint(4, WORDS, (4, 3))
    torch.testing.assert_close(ours(source, other)[:, :3], scores[:, :3], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("both", [False, True])
def test_sources_of_nothing_but_padding_have_finite_gradients(both: bool) -> None:
    ours = network(replace(SHAPES[2], bidirectional=both))
    source, target, _ = batch()
    source[2], target[2] = PAD, PAD
    ours(source, target).square().sum().backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in ours.parameters())


@pytest.mark.parametrize(("both", "exact", "published"), [(False, 11_064_495, 11e6), (True, 10_015_919, 10e6)])
def test_sizes_are_those_published_for_cogs(both: bool, exact: int, published: float) -> None:
    """Kim & Linzen (2020), section 5, with the 747 and 687 tokens of the train split."""
    with torch.device("meta"):
        found = sum(p.numel() for p in Lstm(LstmShape(bidirectional=both), 747, 687).parameters())
    assert found == exact
    assert found == pytest.approx(published, rel=0.006)


class Recorder:
    """Notes where dropout would be."""

    def __init__(self) -> None:
        self.places: list[tuple[tuple[int, ...], float]] = []

    def dropout(self, x: Tensor, p: float) -> Tensor:
        self.places.append((tuple(x.shape), p))
        return x


def test_dropout_is_where_the_toolkit_has_it() -> None:
    """Between layers, and on the attentional state that is scored and fed; not on embeddings."""
    shape = LstmShape(2, width=12, embedding=10, dropout=0.25)
    ours = network(shape)
    source, target, _ = batch(3)
    recorder = Recorder()
    torch.testing.assert_close(ours(source, target, recorder), ours(source, target))  # type: ignore[arg-type]
    assert recorder.places == [((4, 7, 12), 0.25)] + [((4, 12), 0.25), ((4, 12), 0.25)] * 3


def test_dropout_changes_with_the_key_and_only_with_it() -> None:
    ours = network(SHAPES[3])
    source, target, _ = batch()
    first, again, other = (ours(source, target, Noise(torch.tensor(key, dtype=torch.int32))) for key in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.allclose(first, other, atol=1e-3)
    assert not torch.allclose(first, ours(source, target), atol=1e-3)
