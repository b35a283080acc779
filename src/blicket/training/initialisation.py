"""Initial weights, drawn from a seed alone and not from the library's global state."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from blicket.core.randomness import Stream
from blicket.learners.convs2s import Normed

__all__ = ["drawn_from", "initialised"]


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """What the library draws here it draws from this seed; its global state stays as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(Stream(seed, "initialisation").words(1)[0] >> 1))
        yield


def initialised(network: nn.Module, how: str, seed: int) -> nn.Module:
    """The network with fresh weights.

    `glorot` is what the toolkit of Kim & Linzen (2020) does with its Transformer: Glorot uniform for every matrix,
    embeddings too, and the library's own for the rest; `uniform` what it does with an LSTM: everything in +-0.1.
    `embeddings-kaiming` and `embeddings-tenth` are the network's own, but for embeddings.
    """
    with drawn_from(seed):
        for module in network.modules():
            if isinstance(module, nn.Linear | nn.Embedding | nn.LayerNorm | nn.LSTM | Normed):
                module.reset_parameters()
        for name, parameter in network.named_parameters():
            if how == "uniform":
                nn.init.uniform_(parameter, -0.1, 0.1)
            elif how == "glorot" and parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            elif how == "embeddings-kaiming" and "embedding" in name:
                nn.init.kaiming_normal_(parameter)
            elif how == "embeddings-tenth" and "embedding" in name:
                nn.init.normal_(parameter, std=0.1)
    return network
