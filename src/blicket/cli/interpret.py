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
            meaning = b.interpret(_inputs(raw, b.input_names, first=number == 1), wanted)
        except Refusal as refusal:
            refused += 1
            reason = str(refusal)
            sys.stderr.write(f"line {number}: {reason}\n")
        if json_:
            meaning = json.dumps({"line": number, "meaning": meaning or None, "refused": reason}, ensure_ascii=False)
        sys.stdout.write(meaning + "\n")
    sys.stdout.flush()
    return 2 if refused else 0


def _inputs(raw: bytes, names: tuple[str, ...], *, first: bool) -> tuple[str, ...]:
    """The inputs on a line of standard input, without its ending, and the first without a byte order mark."""
    from blicket.core.errors import Refusal

    try:
        line = raw.decode("utf-8-sig" if first else "utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise Refusal(f"not UTF-8 (byte 0x{raw[error.start]:02x})") from error
    inputs = tuple(line.split("\t")) if len(names) > 1 else (line,)
    if len(inputs) != len(names):
        raise Refusal(f"{len(inputs)} inputs, expected {' and '.join(names)} with a tab between")
    return inputs
