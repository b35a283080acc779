"""Fetching released files into a cache, each whole and checked or not at all."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import final

from blicket.core.errors import InputError
from blicket.core.storage import made_directory, written_whole

__all__ = ["Release", "cache_directory", "fetch_release"]

BLOCK = 1 << 16
LOCK = "sha256.json"
TIMEOUT = 30  # seconds without a byte


@final
@dataclass(frozen=True)
class Release:
    """Where the files of a release are, and their SHA-256; None for a file whose hash is not known beforehand.

    Such a file is checked by `verify`, which raises InputError, and its hash is kept beside it from then on.
    """

    name: str
    url: str
    files: Mapping[str, str | None]
    verify: Callable[[Path], None]


def cache_directory() -> Path:
    """Where fetched files are kept: BLICKET_CACHE, or else the user's cache."""
    if os.environ.get("BLICKET_CACHE"):
        return Path(os.environ["BLICKET_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "blicket"


def fetch_release(
    release: Release,
    directory: Path,
    url: str | None = None,
    progress: Callable[[str, int, int], None] = lambda file, done, total: None,
) -> dict[str, str]:
    """Fetch the files that are not there yet and check all of them; the result is their hashes."""
    from urllib.parse import urlsplit  # here, because it takes a while to load

    base = (release.url if url is None else url).rstrip("/")
    if not base.startswith(("https://", "http://")):
        raise InputError(f"{base or repr(url)}: expected an address that begins with https://")
    try:
        if not urlsplit(base).hostname or urlsplit(base).port == 0:
            raise ValueError("it names no host")
    except ValueError as error:
        raise InputError(f"{base}: is no address ({error})") from error
    made_directory(directory)
    lock = _read_lock(directory / LOCK)
    hashes: dict[str, str] = {}
    fetched = [name for name in release.files if not (directory / name).exists()]
    for name, known in release.files.items():
        path, expected = directory / name, known or lock.get(name)
        if name in fetched:
            _download(f"{base}/{name}", path, expected, progress)
        hashes[name] = sha256(_content(path)).hexdigest()
        _compare(path, hashes[name], expected, "remove it and fetch again")
    unknown = [directory / name for name, known in release.files.items() if known is None and name not in lock]
    if unknown:
        _verify(release, directory, unknown, [path for path in unknown if path.name in fetched])
    with written_whole(directory / LOCK) as file:
        file.write(json.dumps(hashes, indent=2).encode() + b"\n")
    return hashes


def _read_lock(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        lock = json.loads(_content(path))
    except (ValueError, RecursionError):
        lock = None
    if not isinstance(lock, dict) or not all(isinstance(hash_, str) for hash_ in lock.values()):
        raise InputError(f"{path}: is damaged; remove it and fetch again")
    return lock


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def _verify(release: Release, directory: Path, unknown: list[Path], fetched: list[Path]) -> None:
    """Check files whose hashes are not known; of those that do not pass, what was just fetched is not kept."""
    try:
        release.verify(directory)
    except InputError as error:
        for path in fetched:
            path.unlink(missing_ok=True)
        advice = [_not_kept(path.name for path in fetched)] if fetched else []
        others = [str(path) for path in unknown if path not in fetched]
        advice += [f"remove {', '.join(others)} and fetch again"] if others else []
        raise InputError(f"{error}; {'; '.join(advice)}") from error


def _not_kept(names: Iterable[str]) -> str:
    listed = list(names)
    are = "are" if len(listed) > 1 else "is"
    return f"{', '.join(listed)} {are} not kept: fetch again, or with --url from elsewhere"


def _compare(name: object, found: str, expected: str | None, advice: str) -> None:
    if expected is not None and found != expected:
        raise InputError(f"{name}: its SHA-256 is {found[:12]}..., expected {expected[:12]}...; {advice}")


def _download(url: str, path: Path, expected: str | None, progress: Callable[[str, int, int], None]) -> None:
    """Fetch one file; it gets its name only after its hash was compared."""
    # Here, because these modules take longer to load than most commands to run.
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

    digest = sha256()
    try:
        with urlopen(url, timeout=TIMEOUT) as answer, written_whole(path) as file:  # noqa: S310
            total = int(answer.headers.get("Content-Length") or 0)
            done = 0
            while block := answer.read(BLOCK):
                digest.update(block)
                file.write(block)
                done += len(block)
                progress(path.name, done, total or done)
            if total and done < total:
                raise InputError(f"{url}: broke off after {done:,} of {total:,} bytes; fetch again")
            _compare(url, digest.hexdigest(), expected, _not_kept([path.name]))
    except HTTPError as error:
        error.close()
        raise InputError(f"{url}: cannot be fetched ({error.reason})") from error
    except (URLError, OSError, HTTPException, ValueError) as error:
        raise InputError(f"{url}: cannot be fetched ({getattr(error, 'reason', error)})") from error
