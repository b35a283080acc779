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

    from blicket.core.errors import InputError, Refusal
    from blicket.core.registry import benchmark

    b = benchmark(name)
    wanted = b.form(form)
    refused = 0
    for number, raw in enumerate(sys.stdin.buffer, start=1):
        try:
            line = raw.decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise InputError(f"line {number}: not UTF-8") from error
        inputs = tuple(line.split("\t"))
        meaning, reason = "", None
        try:
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
