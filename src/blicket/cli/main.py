"""The `blicket` command: its parts, and what becomes of errors."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from threading import current_thread, main_thread
from typing import NoReturn

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from blicket.cli.compare import compare
from blicket.cli.fetch import fetch
from blicket.cli.generate import generate
from blicket.cli.interpret import interpret
from blicket.cli.list import list_
from blicket.cli.report import report
from blicket.cli.run import run
from blicket.cli.score import score
from blicket.cli.show import show
from blicket.core.errors import BlicketError
from blicket.core.provenance import package_version

__all__ = ["main"]

STANDARD_INPUT = "/dev/stdin"
LONGEST = 450  # characters of a message; what a user wrote can be of any length
FULL = (ENOSPC, EDQUOT, EFBIG)

app = App(
    name="blicket",
    help=(
        "A laboratory for compositional generalization: languages with systematic gaps, "
        "and verdicts on what learners do in them."
    ),
    version=package_version,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
app.command(list_, name="list")
app.command(show)
app.command(generate)
app.command(interpret)
app.command(run)
app.command(score)
app.command(compare)
app.command(report)
app.command(fetch)


class _Terminated(SystemExit):
    """SIGTERM: it ends workers in silence, as SystemExit does, and unwinds so that nothing is left half-written."""


def main(words: Sequence[str] | None = None) -> None:
    """Run one command; whatever is the user's to mend is one line on standard error and exit status 2."""
    try:
        status = _run(sys.argv[1:] if words is None else words)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()  # the reader has gone, and needs nothing more
        status = 0
    except OSError as error:
        if not _is_of_output(error):
            raise
        _forget_output()
        status = _complain(f"standard output: cannot be written ({error.strerror})")
    raise SystemExit(status)


def _run(words: Sequence[str]) -> int:
    """The exit status of a command, which has complained where that is not 0."""
    # A dash alone would be taken for an option; only the reader of tables knows what it means.
    given = [STANDARD_INPUT if word == "-" else word for word in words]
    try:
        with _unwound_by_sigterm():
            return app(given, exit_on_error=False, print_error=False, result_action="return_value") or 0
    except (CycloptsError, BlicketError) as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return _complain("interrupted", 128 + signal.SIGINT)
    except _Terminated:
        return _complain("terminated", 128 + signal.SIGTERM)


@contextmanager
def _unwound_by_sigterm() -> Iterator[None]:
    """Let SIGTERM be raised as an exception, where that can be had: in the main thread."""

    def unwind(number: int, _: object) -> NoReturn:
        signal.signal(number, signal.SIG_IGN)  # once is enough: cleaning up is not to be unwound as well
        raise _Terminated(128 + number)

    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, unwind)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _is_of_output(error: OSError) -> bool:
    """Whether an error of the system is about standard output, which alone is written to without a name."""
    if error.filename is not None:
        return False
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return error.errno in FULL


def _forget_output() -> None:
    """Let what is still to be written go nowhere, or else the interpreter would try again as it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int = 2) -> int:
    line = " ".join(message.split())
    shown = line if len(line) <= LONGEST else f"{line[: LONGEST - 200]} ... {line[-190:]}"
    sys.stderr.write(f"blicket: {shown}\n")
    return status
