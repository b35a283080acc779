"""What is made of two encodings, written out."""

import pytest
import torch

from blicket.learners.classifier import ClassifierShape, PairClassifier
from blicket.learners.encoders import EncoderShape

ENCODER = EncoderShape("infersent", width=3, embedding=4)


@pytest.mark.parametrize("difference", ["signed", "absolute"])
@pytest.mark.parametrize("linear", [False, True])
def test_scores_are_those_of_three_layers_of_the_features(difference: str, linear: bool) -> None:
    network = PairClassifier(ClassifierShape(ENCODER, 5, difference, linear), 12, 7)
    words = torch.randint(4, 12, (6, 4))
    u, v = network.encode(words[:3]), network.encode(words[3:])
    x = torch.cat((u, v, u * v, (u - v).abs() if difference == "absolute" else u - v), 1)
    between = (lambda y: y) if linear else torch.tanh
    x = between(x @ network.first.weight.T + network.first.bias)
    x = between(x @ network.second.weight.T + network.second.bias)
    wanted = x @ network.third.weight.T + network.third.bias
    assert wanted.shape == (3, 7)
    torch.testing.assert_close(network(words), wanted)
    torch.testing.assert_close(network.compare(u, v), wanted)
