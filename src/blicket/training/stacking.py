"""Several networks of one shape as one: parameters stacked along a first dimension, and mapped over."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap

from blicket.learners.network import SequenceNetwork, State
from blicket.learners.noise import Noise
from blicket.learners.vocabulary import PAD

__all__ = ["Stack", "smoothed_loss", "stacked"]

Parameters = dict[str, Tensor]
Stack = Parameters
"""Parameters by name, each with a first dimension for the seeds."""


def stacked(networks: Sequence[nn.Module], device: torch.device) -> Stack:
    """The parameters of networks of one shape, stacked."""
    named = [dict(network.named_parameters()) for network in networks]
    return {
        name: torch.stack([parameters[name].detach() for parameters in named]).to(device).requires_grad_()
        for name in named[0]
    }


def smoothed_loss(scores: Tensor, gold: Tensor, smoothing: float) -> Tensor:
    """The cross-entropy of each row (batch), summed over its tokens, with `smoothing` spread over all other labels.

    As in the toolkit of Kim & Linzen (2020), every label but gold and padding has a share, also labels never seen. What
    does not depend on the network is left out, so that the loss of a perfect network is its entropy, not zero.
    """
    logarithms = torch.log_softmax(scores.float(), dim=-1)  # (batch, length, vocabulary)
    right = logarithms.gather(-1, gold[..., None])[..., 0]
    loss = -right
    if smoothing:
        others = logarithms.sum(-1) - right - logarithms[..., PAD]
        loss = -(1.0 - smoothing) * right - smoothing / (scores.shape[-1] - 2) * others
    return (loss * (gold != PAD)).sum(-1)


def halved(stack: Stack) -> Stack:
    """The parameters in bfloat16, which is what mixed precision multiplies with; norms stay in single precision."""
    return {name: p if "norm" in name else p.bfloat16() for name, p in stack.items()}


def losses(network: SequenceNetwork, smoothing: float) -> Callable[[Stack, Tensor, Tensor, Tensor, Tensor], Tensor]:
    """The summed training loss of each seed (seeds) on its batch: of (stack, source, target, gold, keys).

    `source` is (seeds, batch, length); `target` begins with <s>, `gold` ends in </s>; `keys` (seeds) are the noise's.
    """

    def one(parameters: Parameters, source: Tensor, target: Tensor, gold: Tensor, key: Tensor) -> Tensor:
        scores = functional_call(network, parameters, (source, target, Noise(key)))
        return smoothed_loss(scores, gold, smoothing).sum()

    return mapped(one)


def judged(network: SequenceNetwork) -> Callable[[Stack, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]:
    """For each seed and row, the summed loss without smoothing, and whether every token is the likeliest.

    That is whether greedy decoding would give exactly the gold target.
    """

    def one(parameters: Parameters, source: Tensor, target: Tensor, gold: Tensor) -> tuple[Tensor, Tensor]:
        scores = functional_call(network, parameters, (source, target))
        right = (scores.argmax(-1) == gold) | (gold == PAD)
        return smoothed_loss(scores, gold, 0.0), right.all(-1)

    return mapped(one)


def starts(network: SequenceNetwork, capacity: int) -> Callable[[Stack, Tensor], State]:
    """The states (seeds, batch, ...) that decoding starts from."""

    def one(parameters: Parameters, source: Tensor) -> State:
        state: State = _method(network, parameters, "start", source, capacity)
        return state

    return mapped(one)


def steps(network: SequenceNetwork) -> Callable[[Stack, State, Tensor, Tensor], tuple[Tensor, State]]:
    """Scores (seeds, batch, vocabulary) and new states, one token (seeds, batch) further at a position of all."""

    def one(parameters: Parameters, state: State, token: Tensor, position: Tensor) -> tuple[Tensor, State]:
        stepped: tuple[Tensor, State] = _method(network, parameters, "step", state, token, position)
        return stepped

    return mapped(one, shared=1)


def calls(network: nn.Module, name: str) -> Callable[..., Tensor]:
    """A method of a network as a function of (stack, arguments), all of which have a first dimension for the seeds."""

    def one(parameters: Parameters, *arguments: Tensor) -> Tensor:
        result: Tensor = _method(network, parameters, name, *arguments)
        return result

    return mapped(one)


def mapped(one: Callable[..., Any], shared: int = 0) -> Callable[..., Any]:
    """A function of one seed as one of several; the last `shared` arguments are the same for all.

    For a stack of one the function is called itself, which spares the mapping's overhead.
    """

    def several(stack: Stack, *arguments: Any) -> Any:
        own = arguments[: len(arguments) - shared]
        rest = arguments[len(own) :]
        if next(iter(stack.values())).shape[0] == 1:
            return _unsqueezed(one(*(_squeezed(argument) for argument in (stack, *own)), *rest))
        return vmap(one, in_dims=(0,) * (1 + len(own)) + (None,) * shared, randomness="error")(stack, *own, *rest)

    return several


def _squeezed(value: Any) -> Any:
    return {k: v[0] for k, v in value.items()} if isinstance(value, Mapping) else value[0]


def _unsqueezed(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_unsqueezed, value))
    return {k: v[None] for k, v in value.items()} if isinstance(value, Mapping) else value[None]


class _Method(nn.Module):
    """A method of a network as a module's forward, since functional_call calls nothing else."""

    def __init__(self, network: nn.Module, name: str) -> None:
        super().__init__()
        self.network = network
        self.name = name

    def forward(self, *arguments: Any) -> Any:
        return getattr(self.network, self.name)(*arguments)


def _method(network: nn.Module, parameters: Parameters, name: str, *arguments: Any) -> Any:
    named = {f"network.{key}": value for key, value in parameters.items()}
    return functional_call(_Method(network, name), named, arguments)
