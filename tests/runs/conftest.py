"""Tiny runs of real networks, in this process and on one thread."""

from pathlib import Path

import pytest
import torch

from blicket.runs.data import benchmark_of, data_of
from blicket.runs.recipe import read_recipe
from blicket.runs.run import prepared

TINY = Path(__file__).with_name("tiny.toml")


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def make_run():
    """The run of the tiny recipe with changes, kept in a directory; nothing is trained yet."""

    def make(runs, *changes, limit=None):
        recipe = read_recipe(TINY, changes)
        benchmark = benchmark_of(TINY, recipe)
        return prepared(recipe, benchmark, data_of(recipe, benchmark, limit=limit), runs, limit)

    return make
