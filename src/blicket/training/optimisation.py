"""Optimisers on stacked parameters, with clipping by each seed's own norm.

Every tensor has a first dimension for the seeds, which never meet: each has its own rate and its own gradient's norm.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import final

import torch
from torch import Tensor

__all__ = ["Adam", "Optimiser", "Sgd"]

EPSILON = 1e-8


class Optimiser(ABC):
    """Applies the gradients of some parameters; subclass it and say how, and what it remembers between updates."""

    parameters: list[Tensor]
    clip: float | None

    @property
    @abstractmethod
    def memory(self) -> Mapping[str, list[Tensor]]:
        """What is remembered, by name: a tensor a parameter."""

    @abstractmethod
    def apply(self, gradients: list[Tensor], number: int, rates: Sequence[float]) -> None:
        """Move the parameters at the rate of each seed; the gradients may be changed."""

    @torch.no_grad()
    def update(self, number: int, rates: Sequence[float], counts: Sequence[int]) -> Tensor:
        """Apply the gradients of a loss summed over `counts` of each seed, as its mean.

        Updates are counted from 1. The result is the norm of each seed's gradient (seeds).
        """
        gradients = [p.grad for p in self.parameters if p.grad is not None]
        norms = torch.stack([g.flatten(1).float().square().sum(1) for g in gradients]).sum(0).sqrt()
        share = 1.0 / torch.tensor(counts, dtype=norms.dtype).to(norms.device)
        norms = norms * share
        if self.clip is None:
            multiply(gradients, [1.0 / count for count in counts])
        else:
            scale = share * (self.clip / (norms + 1e-6)).clamp(max=1.0)
            torch._foreach_mul_(gradients, [_along(scale, g) for g in gradients])
        self.apply(gradients, number, rates)
        torch._foreach_zero_(gradients)
        return norms


@final
class Adam(Optimiser):
    """Adam (Kingma & Ba 2015)."""

    def __init__(self, parameters: list[Tensor], betas: tuple[float, float], clip: float | None) -> None:
        self.parameters, self.clip = parameters, clip
        self.betas = betas
        self.means = [torch.zeros_like(p, requires_grad=False) for p in parameters]
        self.squares = [torch.zeros_like(p, requires_grad=False) for p in parameters]

    @property
    def memory(self) -> Mapping[str, list[Tensor]]:
        """Both moments."""
        return {"mean": self.means, "square": self.squares}

    def apply(self, gradients: list[Tensor], number: int, rates: Sequence[float]) -> None:
        """Algorithm 1 of the paper."""
        first, second = self.betas
        torch._foreach_lerp_(self.means, gradients, 1.0 - first)
        torch._foreach_mul_(self.squares, second)
        torch._foreach_addcmul_(self.squares, gradients, gradients, 1.0 - second)
        roots = list(torch._foreach_sqrt(self.squares))
        torch._foreach_div_(roots, (1.0 - second**number) ** 0.5)
        torch._foreach_add_(roots, EPSILON)
        multiply(roots, [(1.0 - first**number) / rate for rate in rates])
        torch._foreach_addcdiv_(self.parameters, self.means, roots, -1.0)


@final
class Sgd(Optimiser):
    """Gradient descent, with Nesterov's momentum if there is any (Sutskever et al. 2013, as torch.optim.SGD has it)."""

    def __init__(self, parameters: list[Tensor], momentum: float, clip: float | None) -> None:
        self.parameters, self.clip = parameters, clip
        self.momentum = momentum
        self.velocities = [torch.zeros_like(p, requires_grad=False) for p in parameters] if momentum else []

    @property
    def memory(self) -> Mapping[str, list[Tensor]]:
        """The velocities, where there is momentum."""
        return {"velocity": self.velocities} if self.velocities else {}

    def apply(self, gradients: list[Tensor], number: int, rates: Sequence[float]) -> None:
        """Along the gradient, or to where the velocity will have led."""
        if self.velocities:
            torch._foreach_mul_(self.velocities, self.momentum)
            torch._foreach_add_(self.velocities, gradients)
            torch._foreach_add_(gradients, self.velocities, alpha=self.momentum)
        multiply(gradients, rates)
        torch._foreach_sub_(self.parameters, gradients)


def multiply(tensors: list[Tensor], factors: Sequence[float]) -> None:
    """Multiply what is each seed's by its factor, in place; by one number, which is faster, where all have the same."""
    if len(set(factors)) == 1:
        torch._foreach_mul_(tensors, factors[0])
        return
    of_seeds = torch.tensor(factors, dtype=tensors[0].dtype).to(tensors[0].device)
    torch._foreach_mul_(tensors, [_along(of_seeds, tensor) for tensor in tensors])


def _along(of_seeds: Tensor, tensor: Tensor) -> Tensor:
    """A number a seed, to meet a tensor along its first dimension."""
    return of_seeds.view(-1, *(1,) * (tensor.dim() - 1))
