"""Speed and memory of COGS: each figure beside its bound, and beside a baseline on the same grammar.

Baselines are nltk's chart parsers, its generator and its edit distance on the same grammar and forms, and a sampler
that walks the rules one by one. Times are of CPU unless they are said to be of the clock, which says little on a shared
machine; the baseline runs in the same minute, and the ratio is what carries over to other machines.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import nltk
from rich.console import Console
from rich.table import Table

import blicket
from blicket.benchmarks.cogs.grammar import cogs_grammar, language
from blicket.benchmarks.cogs.interpretation import Interpreter
from blicket.benchmarks.cogs.lexicon import plain_lexicon
from blicket.meaning import conjunctive, equal

FORM = "conjunctive"
COMMAND = (sys.executable, "-m", "blicket")

Row = tuple[str, str, str, str]


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least CPU time of some runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


@dataclass(frozen=True)
class Usage:
    """What a command took: CPU and clock in seconds; megabytes at the peak of one process, and of all of them at once.

    `together` counts what processes share in each of them (RSS), `proportional` once (PSS).
    """

    cpu: float
    clock: float
    peak: float
    together: float
    proportional: float


def child(*words: str) -> Usage:
    """Run a command, and look at its processes every fiftieth of a second.

    The peak that wait4 gives is no less than this process's own memory, from which the command is started.
    """
    peak = together = proportional = 0.0
    with tempfile.NamedTemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen((*COMMAND, *words), stdout=subprocess.DEVNULL, stderr=errors)
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            memory = [of for pid in tree(process.pid) if (of := resident(pid))]
            peak = max([peak, *(most for most, _, _ in memory)])
            together = max(together, sum(rss for _, rss, _ in memory))
            proportional = max(proportional, sum(pss for _, _, pss in memory))
            time.sleep(0.02)
        clock = time.perf_counter() - start
        _, status, usage = ended
        if status:
            raise SystemExit(Path(errors.name).read_text())
    return Usage(usage.ru_utime + usage.ru_stime, clock, peak, together, proportional)


def tree(pid: int) -> list[int]:
    """A process and all below it, as far as they are still there."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(below for one in children for below in tree(int(one)))]


def resident(pid: int) -> tuple[float, float, float] | None:
    """The megabytes of a process at its peak, now, and now with its share of those it has in common with others."""
    try:
        lines = [Path(f"/proc/{pid}/{name}").read_text().splitlines() for name in ("status", "smaps_rollup")]
    except OSError:
        return None
    said = {line.split()[0]: line.split()[1] for of in lines for line in of[1:] if len(line.split()) == 3}
    return tuple(int(said[name]) / 1024 for name in ("VmHWM:", "Rss:", "Pss:")) if "VmHWM:" in said else None


def nltk_grammar() -> nltk.CFG:
    """The language of COGS in nltk's notation."""
    grammar = language(cogs_grammar(plain_lexicon().entries))
    name = {c: nltk.Nonterminal(c) for c in (*grammar.rules_of, *grammar.entries_of)}
    rules = [nltk.Production(name[r.parent], [name[c] for c in r.children]) for r in grammar.rules]
    words = [nltk.Production(name[e.category], [e.word]) for e in grammar.entries]
    return nltk.CFG(name[grammar.start], [*rules, *words])


def lowered(sentence: str) -> list[str]:
    words = sentence.split()[:-1]
    return [words[0].lower() if words[0] in ("A", "The") else words[0], *words[1:]]


WALKED = 5_000


def walk() -> None:
    """Draw everyday sentences rule by rule, the way a script would: no forms, repeated ones not thrown away."""
    grammar, chance = cogs_grammar(plain_lexicon().entries), random.Random(0)
    rules = {c: [grammar.rules[i] for i in places] for c, places in grammar.rules_of.items()}
    rules = {
        c: [r for r in of if not any("exposed" in p or p == "subject-pp" for p in r.phenomena)]
        for c, of in rules.items()
    }
    words = {c: [grammar.entries[i] for i in places] for c, places in grammar.entries_of.items()}

    def expand(category: str) -> list[str]:
        if category in words:
            choices = words[category]
            return [chance.choices(choices, [entry.weight for entry in choices])[0].word]
        choices = rules[category]
        rule = chance.choices(choices, [rule.weight for rule in choices])[0]
        return [word for child in rule.children for word in expand(child)]

    for _ in range(WALKED):
        expand(grammar.start)


def interpretation(sentences: list[str]) -> Iterator[Row]:
    ours = len(sentences) / seconds(lambda: _all(sentences))
    parser = nltk.parse.EarleyChartParser(nltk_grammar())
    chart = nltk.parse.BottomUpLeftCornerChartParser(nltk_grammar())
    sample = [lowered(s) for s in random.Random(0).sample([s for s in sentences if s.endswith(".")], 60)]
    theirs = min(seconds(lambda p=p: [next(p.parse(s)) for s in sample], 1) for p in (parser, chart)) / len(sample)
    yield (
        "interpret, train set",
        f"{ours:,.0f}/s",
        "30,000/s",
        f"{ours * theirs:,.0f} x nltk",
    )


def _all(sentences: list[str]) -> list[str]:
    fresh = Interpreter()
    return [fresh.interpret(sentence, FORM) for sentence in sentences]


def generation() -> Iterator[Row]:
    from nltk.parse.generate import generate

    listed = seconds(lambda: sum(1 for _ in islice(generate(nltk_grammar(), depth=9), 20_000)), 1) / 20_000
    walked = seconds(walk, 1) / WALKED

    def beside(row: float) -> str:
        return f"{listed / row:.1f} x nltk, {walked / row:.1f} x a walk"

    with tempfile.TemporaryDirectory() as here:
        used = child("generate", "cogs", "-o", here)
        rows = sum(s["rows"] for s in json.loads((Path(here) / "dataset.json").read_text())["splits"].values())
        yield "whole data set", f"{used.cpu:.2f} s, {used.peak:.0f} MB", "3 s, 500 MB", beside(used.cpu / rows)
        only = (
            "--set",
            "train=1000000",
            "--set",
            "dev=0",
            "--set",
            "test=0",
            "--set",
            "gen=0",
            "--set",
            "exposures=[]",
        )
        for workers in ("1 worker", "2 workers"):
            used = child("generate", "cogs", "-o", here, *only, "--workers", workers[0])
            clock = f"{used.cpu:.1f} s, clock {used.clock:.1f} s"
            yield f"a million, {workers}", clock, "clock 40 s", beside(used.cpu / 1e6)
            yield "  all processes", f"{used.together:.0f} MB", "364 MB", ""
            yield "  shared counted once", f"{used.proportional:.0f} MB", "", ""


def scoring() -> Iterator[Row]:
    gen = blicket.benchmark("cogs").build(seed=1)["gen"]
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as here:
        file = Path(here) / "predictions.jsonl"
        with file.open("w") as out:
            for example in gen:
                target = example.targets[FORM]
                tokens = target.split()
                tokens[chance.randrange(len(tokens))] = chance.choice(tokens)
                row = {
                    "source": example.inputs[0],
                    "target": target,
                    "case": example.case,
                    "prediction": " ".join(tokens),
                }
                out.write(json.dumps(row) + "\n")
        used = child("score", "cogs", str(file), "--json")
        pairs = [json.loads(line) for line in chance.sample(file.read_text().splitlines(), 200)]
    tokens = [(row["target"].split(), row["prediction"].split()) for row in pairs]
    theirs = seconds(lambda: [nltk.edit_distance(gold, said) for gold, said in tokens], 1) / len(tokens)
    yield (
        "score 21,000 wrong",
        f"{used.cpu:.2f} s, {used.peak:.0f} MB",
        "5 s",
        f"{theirs / (used.cpu / len(gen)):.0f} x nltk",
    )


def equality() -> Iterator[Row]:
    subjects = list(islice((e.word for e in plain_lexicon().entries if e.category == "N_anim"), 20))
    text = " liked that ".join(f"a {noun}" for noun in subjects) + " ate ."
    form = conjunctive.parse(blicket.benchmark("cogs").interpret((text[0].upper() + text[1:],), FORM))
    other = conjunctive.ConjunctiveForm(tuple(reversed(form.body)))
    took = seconds(lambda: equal(form, other))
    yield (
        f"equality, {len(form.body)} conjuncts",
        f"{1000 * took:.2f} ms",
        "10 ms",
        "none",
    )


def main() -> None:
    sentences = [example.inputs[0] for example in blicket.benchmark("cogs").build(seed=1)["train"]]
    table = Table("what", "measured", "bound", "baseline", box=None, pad_edge=False)
    rows = [*generation(), *interpretation(sentences), *scoring(), *equality()]
    rows.append(("blicket --help", f"{1000 * min(child('--help').cpu for _ in range(5)):.0f} ms", "200 ms", "none"))
    for row in rows:
        table.add_row(*row)
    Console(soft_wrap=True).print(table)
    print(
        f"""
Speed as a multiple of that of nltk's generator, which lists sentences in order, and of a walk, which draws them at
random: neither makes forms, throws out repeats or writes files. Of nltk's quickest chart parser, which makes no forms.
Of nltk's edit distance alone, one of the figures of a score. For equality of forms there is no honest baseline.
{os.cpu_count()} cores, one used but for two workers."""
    )


if __name__ == "__main__":
    main()
