"""The `blicket` command: its parts, and what becomes of errors."""

import os
import sys
from collections.abc import Sequence

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from blicket.cli.fetch import fetch
from blicket.cli.generate import generate
from blicket.cli.interpret import interpret
from blicket.cli.list import list_
from blicket.cli.score import score
from blicket.cli.show import show
from blicket.core.errors import BlicketError
from blicket.core.provenance import package_version

__all__ = ["main"]

app = App(
    name="blicket",
    help=(
        "A laboratory for compositional generalization: languages with systematic gaps, "
        "and verdicts on what learners do in them."
    ),
    version=package_version,
    help_format="plaintext",
)
app.command(list_, name="list")
app.command(show)
app.command(generate)
app.command(interpret)
app.command(score)
app.command(fetch)


def main(words: Sequence[str] | None = None) -> None:
    """Run one command; whatever is the user's to mend is one line on standard error and exit status 2."""
    try:
        status = app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        _complain(" ".join(str(error).split()))
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
    sys.stderr.write(f"blicket: {message}\n")
    raise SystemExit(2)
