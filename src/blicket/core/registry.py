"""Benchmarks by name: those that come with the package, and those that other packages add.

A package adds one with the entry point group `blicket.benchmarks`, naming the module in which the class is registered.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TypeVar

from blicket.core.benchmark import Benchmark
from blicket.core.errors import BlicketError, UnknownName

__all__ = ["benchmark", "benchmark_names", "register"]

GROUP = "blicket.benchmarks"
OWN = {
    "cogs": "blicket.benchmarks.cogs",
    "natural-logic": "blicket.benchmarks.natural_logic",
    "pcfg-set": "blicket.benchmarks.pcfg_set",
}

_registered: dict[str, Benchmark] = {}
Kind = TypeVar("Kind", bound=type[Benchmark])


def register(kind: Kind) -> Kind:
    """Make a benchmark known under its name: a decorator for subclasses of Benchmark."""
    earlier = _registered.get(kind.name)
    if earlier is not None and type(earlier) is not kind:
        raise BlicketError(f"two benchmarks are named {kind.name!r}: {type(earlier).__module__} and {kind.__module__}")
    _registered[kind.name] = kind()
    return kind


def benchmark_names() -> tuple[str, ...]:
    """The names of all benchmarks, without loading any."""
    return tuple(sorted({*OWN, *_added(), *_registered}))


def benchmark(name: str) -> Benchmark:
    """The benchmark of this name; raises UnknownName with the nearest one."""
    if name not in _registered:
        if name in OWN:
            import_module(OWN[name])
        elif name in _added():
            _load(name)
    if name not in _registered:
        raise UnknownName("benchmark", name, benchmark_names())
    return _registered[name]


def _load(name: str) -> None:
    """Load another package's benchmark, whatever it may do."""
    try:
        _added()[name]()
    except Exception as error:
        raise BlicketError(f"benchmark {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if name not in _registered:
        raise BlicketError(f"benchmark {name!r}: the module of its entry point registers none of that name")


@cache
def _added() -> dict[str, Callable[[], object]]:
    """How to load the benchmarks of other packages."""
    return {point.name: point.load for point in entry_points(group=GROUP)}
