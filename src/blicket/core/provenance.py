"""Provenance: what a number was made with."""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["package_version", "provenance"]

LIBRARIES = ("numpy", "pyarrow", "torch")


@cache
def package_version() -> str:
    """The version of this package, also where it is used without having been installed."""
    try:
        return version("blicket")
    except PackageNotFoundError:
        return "0+unknown"


def provenance() -> dict[str, object]:
    """The time, versions, the state of the source tree and the hardware."""
    return {
        "began": datetime.now(UTC).isoformat(timespec="seconds"),
        "blicket": package_version(),
        "git": _git_state(),
        "python": platform.python_version(),
        "libraries": {name: found for name in LIBRARIES if (found := _version(name)) is not None},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git_state() -> str | None:
    """The commit of the source tree that is running, `+changes` if it was edited; None outside a checkout."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        command = ("git", "-C", str(here), *words)
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()  # noqa: S603

    try:
        if Path(git("rev-parse", "--show-toplevel")) not in here.parents:
            return None
        if not git("ls-files", str(Path(__file__))):
            return None
        return git("rev-parse", "HEAD") + ("+changes" if git("status", "--porcelain", "--", str(here.parent)) else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _processor() -> str:
    """The model of the processor, which Python itself does not know on Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
