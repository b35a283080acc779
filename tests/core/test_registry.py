import subprocess
import sys

import pytest

from blicket.core import registry
from blicket.core.benchmark import Benchmark
from blicket.core.errors import BlicketError, UnknownName


def named(name_):
    """A benchmark that does nothing."""
    nothing = {method: lambda self, *about: None for method in ("options", "build", "interpret", "judge")}
    return type("Nothing", (Benchmark,), {**nothing, "name": name_})


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    registry.benchmark("cogs")
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def test_own_benchmarks_are_known_without_being_loaded():
    program = (
        "import sys; from blicket import benchmark_names; assert 'cogs' in benchmark_names();"
        "assert not any('cogs' in name for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_registered_class_is_found_by_its_name():
    kind = registry.register(named("dax"))
    assert type(registry.benchmark("dax")) is kind
    assert registry.benchmark("dax") is registry.benchmark("dax")
    assert registry.benchmark_names() == tuple(sorted(["cogs", "dax", "natural-logic"]))
    registry.register(kind)  # again is no harm


def test_two_of_a_name_are_refused():
    registry.register(named("dax"))
    with pytest.raises(BlicketError, match="two benchmarks are named 'dax'"):
        registry.register(named("dax"))


def test_the_nearest_name_is_offered():
    with pytest.raises(UnknownName, match="there is no benchmark 'cosg'; did you mean 'cogs'"):
        registry.benchmark("cosg")


def test_an_interface_is_never_made():
    with pytest.raises(TypeError, match="abstract"):
        Benchmark()


def test_splits_with_numbers_have_the_role_of_those_without():
    cogs = registry.benchmark("cogs")
    assert cogs.role("train_100") == cogs.role("train") == "train"
    for name in ("train_x", "validation", "", "100"):
        with pytest.raises(UnknownName):
            cogs.role(name)
