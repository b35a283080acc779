"""`blicket interpret`."""

import sys

from blicket.cli.arguments import BenchmarkName, Form, Json

__all__ = ["interpret"]


def interpret(name: BenchmarkName, /, *, form: Form = None, json_: Json = False) -> int:
    """Print the gold meaning of each line of standard input.

    A line outside the language leaves an empty line, says why on standard error, and makes the exit status 2.
    Benchmarks with two inputs take them on one line, with a tab between.
    """
    import json

    from blicket.core.errors import Refusal
    from blicket.core.registry import benchmark

    b = benchmark(name)
    wanted = b.form(form)
    refused = 0
    for number, raw in enumerate(sys.stdin.buffer, start=1):
        meaning, reason = "", None
        try:
            inputs = _inputs(raw)
            if len(inputs) != len(b.input_names):
                raise Refusal(f"{len(inputs)} inputs, expected {' and '.join(b.input_names)} with a tab between")
            meaning = b.interpret(inputs, wanted)
        except Refusal as refusal:
            refused += 1
            reason = str(refusal)
            sys.stderr.write(f"line {number}: {reason}\n")
        if json_:
            meaning = json.dumps({"line": number, "meaning": meaning or None, "refused": reason}, ensure_ascii=False)
        sys.stdout.write(meaning + "\n")
    sys.stdout.flush()
    return 2 if refused else 0


def _inputs(raw: bytes) -> tuple[str, ...]:
    """The inputs on a line of standard input; a byte order mark before the first is no part of it."""
    from blicket.core.errors import Refusal

    try:
        return tuple(raw.decode("utf-8-sig").rstrip("\r\n").split("\t"))
    except UnicodeDecodeError as error:
        raise Refusal(f"not UTF-8 (byte 0x{raw[error.start]:02x})") from error
