"""The `blicket` command: its parts, and what becomes of errors."""

import os
import sys
from collections.abc import Sequence

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


def main(words: Sequence[str] | None = None) -> None:
    """Run one command; whatever is the user's to mend is one line on standard error and exit status 2."""
    try:
        # A dash alone would be taken for an option; only the reader of tables knows what it means.
        given = [STANDARD_INPUT if word == "-" else word for word in (sys.argv[1:] if words is None else words)]
        status = app(given, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        _complain(str(error))
    except BlicketError as error:
        _complain(str(error))
    except KeyboardInterrupt:
        sys.stderr.write("blicket: interrupted\n")
        raise SystemExit(130) from None
    except BrokenPipeError:
        # The reader has gone; nothing more can be said, not even by the interpreter as it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    else:
        raise SystemExit(status or 0)


def _complain(message: str) -> None:
    line = " ".join(message.split())
    shown = line if len(line) <= LONGEST else f"{line[: LONGEST - 200]} ... {line[-190:]}"
    sys.stderr.write(f"blicket: {shown}\n")
    raise SystemExit(2)
