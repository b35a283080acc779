"""Adam (Kingma & Ba 2015) on stacked parameters, with clipping by each seed's own norm, and learning rate schedules."""

from dataclasses import dataclass
from typing import Literal, final

import torch
from torch import Tensor

__all__ = ["Adam", "Schedule"]

EPSILON = 1e-8


@final
@dataclass(frozen=True)
class Schedule:
    """The learning rate of an update, counted from 1; `noam` is that of Vaswani et al. (2017), section 5.3."""

    kind: Literal["noam", "constant"] = "noam"
    rate: float = 2.0
    warmup: int = 4_000
    width: int = 512

    def __call__(self, update: int) -> float:
        """The rate."""
        if self.kind == "constant":
            return self.rate
        return float(self.rate * self.width**-0.5 * min(update**-0.5, update * self.warmup**-1.5))


@final
class Adam:
    """Moments and updates; every tensor has a first dimension for the seeds, which never meet."""

    def __init__(self, parameters: list[Tensor], betas: tuple[float, float], clip: float | None) -> None:
        self.parameters = parameters
        self.betas = betas
        self.clip = clip
        self.means = [torch.zeros_like(p, requires_grad=False) for p in parameters]
        self.squares = [torch.zeros_like(p, requires_grad=False) for p in parameters]

    @torch.no_grad()
    def update(self, number: int, rate: float, examples: int) -> Tensor:
        """Apply the gradients of a loss summed over `examples`, as its mean; the result is each seed's norm (seeds)."""
        gradients = [p.grad for p in self.parameters if p.grad is not None]
        torch._foreach_mul_(gradients, 1.0 / examples)
        norms = torch.stack([g.flatten(1).float().square().sum(1) for g in gradients]).sum(0).sqrt()
        if self.clip is not None:
            scale = (self.clip / (norms + 1e-6)).clamp(max=1.0)
            torch._foreach_mul_(gradients, [scale.view(-1, *(1,) * (g.dim() - 1)) for g in gradients])
        first, second = self.betas
        torch._foreach_lerp_(self.means, gradients, 1.0 - first)
        torch._foreach_mul_(self.squares, second)
        torch._foreach_addcmul_(self.squares, gradients, gradients, 1.0 - second)
        roots = torch._foreach_sqrt(self.squares)
        torch._foreach_div_(roots, (1.0 - second**number) ** 0.5)
        torch._foreach_add_(roots, EPSILON)
        torch._foreach_addcdiv_(self.parameters, self.means, roots, -rate / (1.0 - first**number))
        torch._foreach_zero_(gradients)
        return norms
