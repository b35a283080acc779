"""Fused operations: pure functions of tensors as one kernel forwards and one backwards.

A network that is unrolled over time runs thousands of small operations, and launching them takes longer than computing
them. Inside `fusing()` a function marked as `fused` is compiled, and computed again where its gradient is wanted;
elsewhere it is just called. It can be mapped over (torch.func.vmap) and captured in a CUDA graph.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any

import torch
from torch import Tensor
from torch.func import vjp, vmap

__all__ = ["fused", "fusing"]

Function = Callable[..., Any]
MOST_SHAPES = 64  # a compiler gives up beyond so many of one function; 8 by default

_backend: ContextVar[str | None] = ContextVar("backend", default=None)


@contextmanager
def fusing(backend: str = "inductor") -> Iterator[None]:
    """Compile fused functions here."""
    token = _backend.set(backend)
    try:
        yield
    finally:
        _backend.reset(token)


def fused(function: Function) -> Function:
    """The function, as one kernel where fusing is on; its arguments are tensors."""

    @wraps(function)
    def call(*arguments: Tensor) -> Any:
        backend = _backend.get()
        return function(*arguments) if backend is None else _Fused.apply(function, backend, *arguments)  # type: ignore[no-untyped-call]

    return call


class _Fused(torch.autograd.Function):
    @staticmethod
    def forward(function: Function, backend: str, *arguments: Tensor) -> Any:
        return _compiled(function, backend)(*_detached(arguments))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.function, ctx.backend, *arguments = inputs
        ctx.save_for_backward(*arguments)
        for tensor in output if isinstance(output, tuple) else (output,):
            if not tensor.is_floating_point():
                ctx.mark_non_differentiable(tensor)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        pulled = iter(
            _compiled(_pullback(ctx.function), ctx.backend)(_detached(ctx.saved_tensors), _detached(gradients))
        )
        return None, None, *(next(pulled) if a.is_floating_point() else None for a in ctx.saved_tensors)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], function: Function, backend: str, *arguments: Tensor) -> Any:
        outputs = _Fused.apply(_mapped(function, in_dims[2:]), backend, *arguments)  # type: ignore[no-untyped-call]
        return outputs, tuple(0 for _ in outputs) if isinstance(outputs, tuple) else 0


def _detached(tensors: Iterable[Tensor]) -> tuple[Tensor, ...]:
    """The tensors without their history, which a compiler would look into."""
    return tuple(tensor.detach() for tensor in tensors)


@cache
def _compiled(function: Function, backend: str) -> Function:
    torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, MOST_SHAPES)
    compiled: Function = torch.compile(function, backend=backend)
    return compiled


@cache
def _mapped(function: Function, in_dims: tuple[int | None, ...]) -> Function:
    mapped: Function = vmap(function, in_dims=in_dims)
    return mapped


@cache
def _pullback(function: Function) -> Function:
    """The gradients of the arguments that are no whole numbers, from those of the outputs."""

    def pullback(arguments: tuple[Tensor, ...], gradients: tuple[Tensor, ...]) -> Any:
        real = [a for a in arguments if a.is_floating_point()]

        def of_real(*values: Tensor) -> Any:
            rest = iter(values)
            return function(*(next(rest) if a.is_floating_point() else a for a in arguments))

        outputs, pull = vjp(of_real, *real)  # type: ignore[misc]
        return pull(gradients if isinstance(outputs, tuple) else gradients[0])

    return pullback
