"""Speed, memory and disk of natural logic: each figure beside its bound, and labelling beside a baseline.

The baseline labels a pair the way a script would: it compares the sets of models in which the sentences are true, kind of
individual by kind of individual, and remembers nothing. Times are of CPU on one core, in one run.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.table import Table

import blicket
from blicket.benchmarks.natural_logic.closed_class import ClosedClass, Frame
from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.relations import relation_table
from blicket.benchmarks.natural_logic.sampling import core_sets
from blicket.probes import asked

COMMAND = (sys.executable, "-m", "blicket")
WITH_PROBES = ("--set", "probes=true")
LABELLED = 4_000_000
BY_HAND = 300


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least CPU time of some runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def child(*words: str) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a command."""
    with tempfile.NamedTemporaryFile() as errors:
        process = subprocess.Popen((*COMMAND, *words), stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(Path(errors.name).read_text())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def generation() -> Iterator[tuple[str, str, str, str]]:
    conditions = {"small": ((), "10 s, 500 MB, 60 MB"), "large": (("--set", "blocks=185"), "30 s")}
    for (condition, (more, bound)), format_ in product(conditions.items(), ("tsv", "parquet")):
        with tempfile.TemporaryDirectory() as here:
            words = ("generate", "natural-logic", "-o", here, "--format", format_, *WITH_PROBES, *more)
            cpu, memory = child(*words)
            disk = sum(file.stat().st_size for file in Path(here).iterdir()) / 1e6
        yield (
            f"{condition}, {format_}",
            f"{cpu:.2f} s, {memory:.0f} MB, {disk:.1f} MB on disk",
            bound,
            "released: 187 s, 588 MB",
        )


def labelling() -> Iterator[tuple[str, str, str, str]]:
    closed = ClosedClass()
    table = relation_table(closed)
    blocks = range(LABELLED // 6**4)
    pairs = core_sets(blicket.Stream(1, "perf"), blocks, 6, len(closed.frames), 1)[0]
    ours = len(pairs) / seconds(lambda: pairs.related(table))
    chance = random.Random(0)
    sample = [chance.randrange(len(pairs)) for _ in range(BY_HAND)]
    theirs = BY_HAND / seconds(lambda: [by_hand(closed, pairs, row) for row in sample], 1)
    yield (
        "label pairs",
        f"{ours / 1e6:.0f} million/s",
        "5 million/s",
        f"{ours / theirs:,.0f} x by hand ({theirs:,.0f}/s)",
    )
    compiled = seconds(lambda: relation_table.__wrapped__(closed))
    yield "compile the table", f"{1000 * compiled:.0f} ms", "", ""


def by_hand(closed: ClosedClass, pairs: Pairs, row: int) -> set[tuple[bool, bool]]:
    """Which truth values a pair can have."""
    frames = [closed.frames[frame] for frame in pairs.frames[:, row].tolist()]
    kinds = set()
    for noun, verb, red, hums in product(range(3), range(3), range(3), range(3)):
        kinds.add(
            (
                *phrases(
                    frames[0], levels(noun, pairs.nouns[:, row], 0), red, hums, levels(verb, pairs.verbs[:, row], 0)
                ),
                *phrases(
                    frames[1], levels(noun, pairs.nouns[:, row], 1), red, hums, levels(verb, pairs.verbs[:, row], 1)
                ),
            )
        )
    seen = set()
    kinds = sorted(kind for kind in kinds if kind[0] or kind[2])
    for there in product((False, True), repeat=len(kinds)):
        model = [kind for kind, is_there in zip(kinds, there, strict=True) if is_there]
        truth = []
        for side, frame in enumerate(frames):
            hits = [kind[2 * side + 1] for kind in model if kind[2 * side]]
            truth.append(bool(hits) and (all(hits) if closed.quantifiers[frame.quantifier] == "all" else any(hits)))
        seen.add(tuple(truth))
    return seen


def levels(in_: int, of: object, side: int) -> bool:
    """Whether an individual that is in the first so many of a pair's words, the widest first, is in this one."""
    widest_first = sorted(set(of.tolist()))
    return in_ > widest_first.index(of[side])


def phrases(frame: Frame, noun: bool, red: int, hums: int, verb: bool) -> tuple[bool, bool]:
    return noun and red >= frame.adjective and hums >= frame.relative, verb != bool(frame.negation)


def probing() -> Iterator[tuple[str, str, str, str]]:
    benchmark = blicket.benchmark("natural-logic")
    data = benchmark.build(seed=1)
    probes = benchmark.probes(data)

    class Constant(blicket.Respondent):
        name = "constant"

        def answer(self, requests):
            return [blicket.Answer("#") for _ in requests]

    said = []
    asking = seconds(lambda: said.extend(asked(probes, Constant())), 1)
    yield (
        "ask all probes",
        f"{asking:.2f} s of our own for {sum(len(s.ids) for s in said):,} answers",
        "120 s with answers",
        "",
    )
    with tempfile.TemporaryDirectory() as here:
        blicket.write_dataset(data, Path(here) / "data", "tsv", "relation")
        blicket.write_predictions(Path(here) / "said.parquet", said)
        cpu, memory = child("score", "natural-logic", f"{here}/said.parquet", "--data", f"{here}/data", "--json")
    yield "score with probes", f"{cpu:.2f} s, {memory:.0f} MB", "", ""


def interpretation() -> Iterator[tuple[str, str, str, str]]:
    benchmark = blicket.benchmark("natural-logic")
    pairs = [example.inputs for example in benchmark.build(seed=1)["holdout"]]
    took = seconds(lambda: [benchmark.interpret(pair, "relation") for pair in pairs])
    yield "interpret hold-out", f"{len(pairs) / took:,.0f} pairs/s", "", ""


def main() -> None:
    table = Table("what", "measured", "bound", "baseline", box=None, pad_edge=False)
    for row in (*generation(), *labelling(), *interpretation(), *probing()):
        table.add_row(*row)
    Console(soft_wrap=True).print(table)
    print(f"{os.cpu_count()} cores, one used; {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB here")


if __name__ == "__main__":
    main()
