"""Speed, memory and disk of natural logic: each figure beside its bound, and labelling beside a baseline.

The baseline labels a pair the way a script would: model by model, remembering nothing; it has to find the same
relations. Times are of CPU on one core, in one run.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import compress, product
from pathlib import Path

from rich.console import Console
from rich.table import Table

import blicket
from blicket.benchmarks.natural_logic.closed_class import ClosedClass, Frame
from blicket.benchmarks.natural_logic.interpretation import relater
from blicket.benchmarks.natural_logic.pairs import Pairs
from blicket.benchmarks.natural_logic.relations import RELATIONS, relation_table
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
    conditions = {
        "small": ((), "10 s, 500 MB, 60 MB", "the released generator: 187 s, 588 MB"),
        "large": (("--set", "blocks=185"), "30 s", ""),
    }
    for (condition, (more, bound, released)), format_ in product(conditions.items(), ("tsv", "parquet")):
        with tempfile.TemporaryDirectory() as here:
            words = ("generate", "natural-logic", "-o", here, "--format", format_, *WITH_PROBES, *more)
            cpu, memory = child(*words)
            disk = sum(file.stat().st_size for file in Path(here).iterdir()) / 1e6
        yield (
            f"{condition}, {format_}",
            f"{cpu:.2f} s, {memory:.0f} MB, {disk:.1f} MB on disk",
            bound,
            released,
        )


def labelling() -> Iterator[tuple[str, str, str, str]]:
    closed = ClosedClass()
    table = relation_table(closed)
    blocks = range(LABELLED // 6**4)
    pairs = core_sets(blicket.Stream(1, "perf"), blocks, 6, len(closed.frames), 1)[0]
    ours = len(pairs) / seconds(lambda: pairs.related(table))
    chance = random.Random(0)
    sample = [chance.randrange(len(pairs)) for _ in range(BY_HAND)]
    found: list[str] = []
    theirs = BY_HAND / seconds(lambda: found.extend(by_hand(closed, pairs, row) for row in sample), 1)
    assert found == [RELATIONS[label] for label in pairs.related(table)[sample]]
    yield (
        "label pairs",
        f"{ours / 1e6:.0f} million/s",
        "5 million/s",
        f"{ours / theirs:,.0f} x by hand ({theirs:,.0f}/s)",
    )
    compiled = seconds(lambda: relation_table.__wrapped__(closed))
    yield "compile the table", f"{1000 * compiled:.0f} ms", "", ""


def by_hand(closed: ClosedClass, pairs: Pairs, row: int) -> str:
    """The relation of a pair, from the truth values that its sentences have in all models."""
    frames = [closed.frames[frame] for frame in pairs.frames[:, row].tolist()]
    kinds = set()
    for noun, verb, red, hums in product(range(3), repeat=4):
        sides = ((levels(noun, pairs.nouns[:, row], side), levels(verb, pairs.verbs[:, row], side)) for side in (0, 1))
        kinds.add(tuple(phrases(frame, n, red, hums, v) for frame, (n, v) in zip(frames, sides, strict=True)))
    mentioned = [kind for kind in kinds if kind[0][0] or kind[1][0]]
    seen = set()
    for there in product((False, True), repeat=len(mentioned)):
        model = list(compress(mentioned, there))
        subjects = [
            [predicated for subject, predicated in (kind[side] for kind in model) if subject] for side in (0, 1)
        ]
        if all(subjects):
            is_all = [closed.quantifiers[frame.quantifier] == "all" for frame in frames]
            seen.add(tuple(all(hits) if every else any(hits) for every, hits in zip(is_all, subjects, strict=True)))
    if len({(True, False), (False, True)} & seen) < 2:
        return "<" if (False, True) in seen else ">" if (True, False) in seen else "="
    return {(False, False): "^", (False, True): "|", (True, False): "v", (True, True): "#"}[
        (True, True) in seen, (False, False) in seen
    ]


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
    pairs = [example.inputs for example in blicket.benchmark("natural-logic").build(seed=1)["holdout"]]

    def all_of_them() -> list[str]:
        relate = relater()
        return [relate(pair) for pair in pairs]

    took = seconds(all_of_them)
    yield "interpret hold-out", f"{len(pairs) / took:,.0f} pairs/s", "", ""


def main() -> None:
    table = Table("what", "measured", "bound", "baseline", box=None, pad_edge=False)
    for row in (*generation(), *labelling(), *interpretation(), *probing()):
        table.add_row(*row)
    Console(soft_wrap=True).print(table)
    print(f"{os.cpu_count()} cores, one used; {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB here")


if __name__ == "__main__":
    main()
