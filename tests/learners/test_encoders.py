"""Sentence encoders against torch.nn's own layers and the papers' formulas written out."""

from itertools import pairwise

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from blicket.learners.encoders import EncoderShape, SentenceEncoder, TwoDirections, encoder_of
from blicket.learners.vocabulary import PAD

KINDS = ("gru", "infersent", "self-attentive", "convolution")
WIDTH, EMBEDDING = 6, 5
LENGTHS = [4, 7, 1, 6, 2]


def encoder(kind: str, **more: int) -> SentenceEncoder:
    return encoder_of(EncoderShape(kind, width=WIDTH, embedding=EMBEDDING, **more))


def sentences() -> tuple[Tensor, Tensor]:
    words = torch.randint(4, 12, (len(LENGTHS), max(LENGTHS)))
    for row, length in zip(words, LENGTHS, strict=True):
        row[length:] = PAD
    return words, torch.randn(12, EMBEDDING)


@torch.no_grad()
def torchs(ours: TwoDirections, theirs: nn.RNNBase) -> nn.RNNBase:
    """A layer of torch with the weights of ours."""
    for direction, suffix in enumerate(("_l0", "_l0_reverse")):
        for name, weights in (
            ("weight_ih", ours.read_weight),
            ("bias_ih", ours.read_bias),
            ("weight_hh", ours.recur_weight),
            ("bias_hh", ours.recur_bias),
        ):
            theirs.get_parameter(name + suffix).copy_(weights[direction])
    return theirs


def read_by(layer: nn.RNNBase, words: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
    """The outputs of both directions, zeros beyond the end, and the last states."""
    packed = pack_padded_sequence(vectors[words], torch.tensor(LENGTHS), batch_first=True, enforce_sorted=False)
    outputs, states = layer(packed)
    return pad_packed_sequence(outputs, batch_first=True)[0], states


def test_the_gru_is_that_of_torch() -> None:
    ours = encoder("gru")
    theirs = torchs(ours.layer, nn.GRU(EMBEDDING, WIDTH, batch_first=True, bidirectional=True))
    words, vectors = sentences()
    _, last = read_by(theirs, words, vectors)
    wanted = torch.cat((last[0], last[1]), dim=-1)
    torch.testing.assert_close(ours(words, vectors), wanted, atol=1e-5, rtol=1e-5)


def test_infersent_is_the_largest_of_torchs_lstm() -> None:
    ours = encoder("infersent")
    theirs = torchs(ours.layer, nn.LSTM(EMBEDDING, WIDTH, batch_first=True, bidirectional=True))
    words, vectors = sentences()
    outputs, _ = read_by(theirs, words, vectors)
    wanted = torch.stack([outputs[i, :length].amax(0) for i, length in enumerate(LENGTHS)])
    torch.testing.assert_close(ours(words, vectors), wanted, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_the_self_attentive_encoder_is_that_of_lin_et_al() -> None:
    ours = encoder("self-attentive", views=3)
    theirs = torchs(ours.layer, nn.LSTM(EMBEDDING, WIDTH, batch_first=True, bidirectional=True))
    words, vectors = sentences()
    outputs, _ = read_by(theirs, words, vectors)
    key, query = ours.key, ours.query.weight
    wanted = []
    for row, length in zip(outputs, LENGTHS, strict=True):
        views = []
        for view in range(3):
            scores = [float(torch.tanh(key.weight @ h + key.bias) @ query[view]) for h in row[:length]]
            weights = torch.tensor(scores).softmax(0)
            views.append(sum(weight * h for weight, h in zip(weights, row, strict=False)))
        wanted.append(torch.cat(views))
    torch.testing.assert_close(ours(words, vectors), torch.stack(wanted), atol=1e-5, rtol=1e-5)


def test_views_beyond_the_distinct_ones_repeat_the_last() -> None:
    ours = encoder("self-attentive", views=4, distinct_views=2)
    words, vectors = sentences()
    first, second, third, fourth = ours(words, vectors).chunk(4, dim=1)
    assert torch.equal(third, second)
    assert torch.equal(fourth, second)
    assert not torch.allclose(first, second)
    assert ours.size == encoder("self-attentive").size


def test_the_convolution_is_that_of_torch() -> None:
    ours = encoder("convolution", layers=3)
    words, vectors = sentences()
    wanted = []
    for row, length in zip(words, LENGTHS, strict=True):
        x, largest = vectors[row[:length]].T[None], []
        for layer in ours.layers:
            theirs = nn.Conv1d(x.shape[1], WIDTH, 3, padding=1)
            with torch.no_grad():
                theirs.weight.copy_(layer.weight.view(WIDTH, 3, -1).transpose(1, 2))
                theirs.bias.copy_(layer.bias)
            x = torch.relu(theirs(x))
            largest.append(x[0].amax(1))
        wanted.append(torch.cat(largest))
    torch.testing.assert_close(ours(words, vectors), torch.stack(wanted), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_neither_padding_nor_company_matter(kind: str) -> None:
    ours = encoder(kind)
    words, vectors = sentences()
    encoded = ours(words, vectors)
    assert encoded.shape == (len(LENGTHS), ours.size)
    wider = torch.cat((words, torch.full((len(LENGTHS), 3), PAD)), 1)
    torch.testing.assert_close(ours(wider, vectors), encoded, atol=1e-5, rtol=1e-5)
    for row, length in enumerate(LENGTHS):
        torch.testing.assert_close(ours(words[[row], :length], vectors)[0], encoded[row], atol=1e-5, rtol=1e-5)
    assert all(not torch.allclose(a, b, atol=1e-3) for a, b in pairwise(encoded))


@pytest.mark.parametrize("kind", KINDS)
def test_words_that_are_in_no_sentence_change_nothing(kind: str) -> None:
    """With many words a layer reads each place, with few each word."""
    ours = encoder(kind)
    words, vectors = sentences()
    more = torch.cat((vectors, torch.randn(100, EMBEDDING)))
    torch.testing.assert_close(ours(words, more), ours(words, vectors), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_words_matters(kind: str) -> None:
    ours = encoder(kind)
    vectors = torch.randn(12, EMBEDDING)
    there, back = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[7, 6, 5, 4]])
    assert not torch.allclose(ours(there, vectors), ours(back, vectors), atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_of_nothing_but_padding_has_finite_gradients(kind: str) -> None:
    ours = encoder(kind)
    words, vectors = sentences()
    words[1] = PAD
    ours(words, vectors.requires_grad_()).square().sum().backward()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in (*ours.parameters(), vectors))
