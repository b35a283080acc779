"""The pieces that all networks share."""

import pytest
import torch

from blicket.learners.lstm import Lstm
from blicket.learners.network import SequenceNetwork, dropped, masked, padding
from blicket.learners.noise import Noise
from blicket.learners.transformer import Transformer
from blicket.learners.vocabulary import BEGIN, END, PAD, UNKNOWN


def test_only_padding_is_no_token() -> None:
    assert padding(torch.tensor([PAD, UNKNOWN, BEGIN, END, 9])).tolist() == [True, False, False, False, False]


def test_what_is_hidden_gets_no_weight() -> None:
    scores = torch.randn(3, 5, requires_grad=True)
    hidden = torch.tensor([[False] * 5, [False, True, True, False, True], [True] * 5])
    weights = torch.softmax(masked(scores, hidden), -1)
    torch.testing.assert_close(weights[0], torch.softmax(scores[0], -1))
    assert torch.equal(weights[1] == 0.0, hidden[1])
    torch.testing.assert_close(weights[1, [0, 3]], torch.softmax(scores[1, [0, 3]], -1))
    (weights * torch.randn(3, 5)).sum().backward()
    assert scores.grad is not None
    assert torch.isfinite(scores.grad).all()
    assert not scores.grad[2].any()  # a row that hides everything says nothing
    assert not scores.grad[1, hidden[1]].any()


def test_scores_are_in_single_precision() -> None:
    assert masked(torch.zeros(2, 2, dtype=torch.bfloat16), torch.eye(2, dtype=torch.bool)).dtype == torch.float32


def test_dropout_is_for_training() -> None:
    x = torch.ones(100)
    assert dropped(x, 0.5, None) is x
    assert (dropped(x, 0.5, Noise(torch.tensor(5, dtype=torch.int32))) == 0.0).any()


def test_a_network_is_an_interface() -> None:
    with pytest.raises(TypeError, match="abstract"):
        SequenceNetwork()  # type: ignore[abstract]
    assert Lstm.unrolled
    assert not Transformer.unrolled
