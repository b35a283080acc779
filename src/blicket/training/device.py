"""What networks are computed on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

__all__ = ["best_device", "device_name", "one_thread", "within_memory"]


def best_device() -> torch.device:
    """A GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def device_name() -> str:
    """What to call it."""
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"


def within_memory(work: Callable[[], None]) -> bool:
    """Do some work; the result is False if the GPU's memory is too small for it."""
    try:
        work()
    except torch.cuda.OutOfMemoryError:
        pass  # the frames that hold the memory are gone only after this block
    else:
        return True
    torch.cuda.empty_cache()
    return False


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on a single core: what is small gains nothing from several, and sums come out the same."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
