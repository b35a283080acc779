"""Speed and memory of PCFG SET: each figure beside its bound, and beside a baseline in the same minute.

Baselines are nltk's chart parsers, which read inputs and do not interpret them, and a walk that draws an input of the
plain grammar and its meaning word by word, without lengths and depths, distinct strings, tests and files. Times are of
CPU on one core, since a shared machine's clock says little; the ratio is what carries over to other machines.
`--dev DIR` is the directory of the released dev set, which is then interpreted; without it inputs of ours are.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import nltk
from rich.console import Console
from rich.table import Table

import blicket
from blicket.benchmarks.pcfg_set.distribution import PLAIN, cells
from blicket.benchmarks.pcfg_set.functions import BINARY, TWIN, UNARY, symbols
from blicket.benchmarks.pcfg_set.structure import structure

COMMAND = (sys.executable, "-m", "blicket")
SIZES = ("--set", "train=85000", "--set", "dev=5000", "--set", "test=10000")
FORM = "symbols"
PARSED = 60
WALKED = 20_000

Figure = tuple[str, str, str, str]


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


def nltk_grammar() -> nltk.CFG:
    """The grammar of figure 2."""
    unary, binary = (" | ".join(f"'{f}'" for f in of if not f.endswith(TWIN)) for of in (UNARY, BINARY))
    alphabet = " | ".join(f"'{symbol}'" for symbol in symbols(520))
    rules = f"S -> U S | B S ',' S | X\nX -> A | A X\nU -> {unary}\nB -> {binary}\nA -> {alphabet}"
    return nltk.CFG.fromstring(rules)


def walk() -> None:
    """Draw inputs rule by rule, the way a script would, each with its meaning."""
    chance, alphabet = random.Random(0), symbols(520)
    unary, binary = ([f for f in of if not f.endswith(TWIN)] for of in (UNARY, BINARY))

    def argument() -> tuple[list[str], list[str]]:
        if chance.random() < PLAIN / 1000:
            return call()
        string = [chance.choice(alphabet) for _ in range(chance.randint(2, 5))]
        return string, string

    def call() -> tuple[list[str], list[str]]:
        function = chance.choice([*unary, *binary])
        words, x = argument()
        if function in UNARY:
            return [function, *words], UNARY[function](x)
        more, y = argument()
        return [function, *words, ",", *more], BINARY[function](x, y)

    for _ in range(WALKED):
        words, meaning = call()
        " ".join(words), " ".join(meaning)


def distance(texts: Sequence[str]) -> float:
    """The total variation distance over (length, depth) to the released dev set."""
    found = [structure(text.split(" ")) for text in texts]
    ours = Counter((parts.length, parts.depth) for parts in found)
    theirs = {(length, depth): inputs for length, depth, inputs in cells()}
    total = sum(theirs.values())
    return sum(abs(ours[cell] / len(texts) - theirs.get(cell, 0) / total) for cell in {*ours, *theirs}) / 2


def generation() -> Iterator[Figure]:
    walked = seconds(walk, 1) / WALKED
    with tempfile.TemporaryDirectory() as here:
        cpu, memory = child("generate", "pcfg-set", "-o", here, *SIZES)
        splits = json.loads((Path(here) / "dataset.json").read_text())["splits"]
        rows = sum(split["rows"] for split in splits.values())
        texts = [line.split("\t")[0] for n in ("train", "dev", "test") for line in (Path(here) / f"{n}.tsv").open()]
    ratio = f"{rows:,} rows of {len(splits)} splits in the time of {cpu / walked:,.0f} rows of a walk"
    yield "100,000 inputs, all tests", f"{cpu:.1f} s, {memory:.0f} MB", "8 s, 1,000 MB", ratio
    yield "distance over (length, depth)", f"{distance(texts):.4f}", "0.03", "released test to dev: 0.109"
    with tempfile.TemporaryDirectory() as here:
        times = [
            child("generate", "pcfg-set", "-o", here, "--set", f"train={n}", "--set", "tests=[]")[0]
            for n in (100_000, 200_000, 400_000)
        ]
    growth = (times[2] - times[1]) / (times[1] - times[0])
    yield "100, 200, 400 thousand", " ".join(f"{t:.1f} s" for t in times), "", f"growth {growth:.2f} (linear: 2)"


def interpretation(texts: list[str]) -> Iterator[Figure]:
    pcfg_set = blicket.benchmark("pcfg-set")
    ours = len(texts) / seconds(lambda: [pcfg_set.interpret((text,), FORM) for text in texts], 5)
    parser = nltk.parse.EarleyChartParser(nltk_grammar())
    chart = nltk.parse.BottomUpLeftCornerChartParser(nltk_grammar())
    sample = [text.split() for text in random.Random(0).sample(texts, PARSED)]
    theirs = min(seconds(lambda p=p: [next(p.parse(words)) for words in sample], 1) for p in (parser, chart)) / PARSED
    ratio = f"{ours * theirs:,.0f} x nltk's chart parsers (parse only)"
    yield f"interpret, {len(texts):,} inputs", f"{ours:,.0f}/s", "100,000/s", ratio


def scoring(texts: list[str]) -> Iterator[Figure]:
    pcfg_set = blicket.benchmark("pcfg-set")
    with tempfile.TemporaryDirectory() as here:
        file = Path(here) / "answers.tsv"
        rows = [f"{text}\t{meaning}\t{meaning}\n" for text in texts for meaning in [pcfg_set.interpret((text,), FORM)]]
        file.write_text("source\ttarget\tprediction\n" + "".join(rows))
        cpu, memory = child("score", "pcfg-set", str(file), "--json")
    yield f"score {len(texts):,}", f"{cpu:.2f} s, {memory:.0f} MB", "", ""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--dev", type=Path)
    dev = options.parse_args().dev
    if dev is None:
        made = blicket.benchmark("pcfg-set")
        texts = [example.inputs[0] for example in made.build(1, made.options({"train": 0, "tests": []}))["dev"]]
    else:
        texts = (dev / "dev.src").read_text().splitlines()
    table = Table("what", "measured", "bound", "baseline", box=None, pad_edge=False)
    for row in (*generation(), *interpretation(texts), *scoring(texts)):
        table.add_row(*row)
    Console(soft_wrap=True, width=200).print(table)
    print(f"{os.cpu_count()} cores, one used")


if __name__ == "__main__":
    main()
