"""Gradients of all seeds on one batch, by the fastest way a device has.

On a GPU a network is compiled, once a shape; of one that is unrolled over time only the small operations are, since
the whole is too long for a compiler, and so they are where minutes of compiling are not worth it. Then it is captured
as a CUDA graph, because thousands of kernels take longer to launch than to run. On a CPU a network is just called.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, final

import torch
from torch import Tensor

from blicket.learners.fused import fusing
from blicket.learners.network import SequenceNetwork
from blicket.training.stacking import Stack, halved, losses

__all__ = ["Backward", "Graph"]

WARM_UPS = 3  # runs before a capture, in which libraries allocate what they need


@final
class Backward:
    """Adds the gradients of a batch to `.grad` of the stack and gives each seed's summed loss (seeds)."""

    def __init__(
        self, network: SequenceNetwork, stack: Stack, smoothing: float, *, half: bool, whole: bool = True
    ) -> None:
        self._stack = stack
        self._on_gpu = next(iter(stack.values())).device.type == "cuda"
        compiles = self._on_gpu and whole and not network.unrolled
        self._fuses = self._on_gpu and not compiles
        mapped = losses(network, smoothing)

        def batch_losses(stack: Stack, source: Tensor, target: Tensor, gold: Tensor, keys: Tensor) -> Tensor:
            return mapped(halved(stack) if half else stack, source, target, gold, keys)

        self._losses = torch.compile(batch_losses, dynamic=False) if compiles else batch_losses
        self._graphs: dict[tuple[int, ...], Graph] = {}

    def __call__(self, source: Tensor, target: Tensor, gold: Tensor, keys: Tensor) -> Tensor:
        """One batch; `source`, `target` and `gold` are (seeds, batch, length)."""
        if not self._on_gpu:
            return self.run(source, target, gold, keys)
        shape = (*source.shape, target.shape[-1])
        if shape not in self._graphs:
            pool = next(iter(self._graphs.values())).pool if self._graphs else None
            self._graphs[shape] = Graph(self.run, list(self._stack.values()), (source, target, gold, keys), pool)
        return self._graphs[shape].replay((source, target, gold, keys))

    def run(self, *batch: Tensor) -> Tensor:
        """Forward and backward without a graph."""
        with fusing() if self._fuses else nullcontext():
            summed: Tensor = self._losses(self._stack, *batch)
        summed.sum().backward()  # type: ignore[no-untyped-call]
        return summed.detach()

    def zero(self) -> None:
        """Make room for gradients, so that they are always added in the same place."""
        for parameter in self._stack.values():
            parameter.grad = torch.zeros_like(parameter)


@final
class Graph:
    """What runs forwards and backwards on one shape of batch, captured; it gives each seed's loss.

    Gradients are added to where they were when it was captured.
    """

    def __init__(
        self, run: Callable[..., Tensor], parameters: Sequence[Tensor], batch: tuple[Tensor, ...], pool: Any = None
    ) -> None:
        self._batch = tuple(tensor.clone() for tensor in batch)
        kept = [p.grad.clone() for p in parameters if p.grad is not None]
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UPS):
                run(*self._batch)
        torch.cuda.current_stream().wait_stream(stream)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, pool=pool):
            self._summed = run(*self._batch)
        self.pool = self._graph.pool()
        gradients = [p.grad for p in parameters if p.grad is not None]
        torch._foreach_copy_(gradients, kept)

    def replay(self, batch: tuple[Tensor, ...]) -> Tensor:
        """Run on another batch of the shape."""
        torch._foreach_copy_(list(self._batch), list(batch))
        self._graph.replay()
        return self._summed.clone()
