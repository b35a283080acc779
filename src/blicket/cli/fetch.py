"""`blicket fetch`."""

from typing import Annotated

from cyclopts import Parameter

from blicket.cli.arguments import BenchmarkName, Directory

__all__ = ["fetch"]


def fetch(
    name: BenchmarkName,
    /,
    *,
    output: Annotated[
        Directory | None, Parameter(name=("--output", "-o"), help="Where to, instead of the cache.")
    ] = None,
    url: Annotated[
        str | None, Parameter(help="A mirror of the release: the address that its file names follow.")
    ] = None,
) -> None:
    """Fetch the released files of a benchmark, check them, and print where they are: for --official."""
    from blicket.cli.progress import rows_progress
    from blicket.core.errors import InputError
    from blicket.core.fetching import cache_directory, fetch_release
    from blicket.core.registry import benchmark

    release = benchmark(name).release()
    if release is None:
        raise InputError(f"{name} has no released files to fetch")
    directory = output or cache_directory() / release.name
    with rows_progress("fetching") as progress:
        fetch_release(release, directory, url, progress)
    print(directory)
