"""Speed and memory of COGS: each figure beside its bound, and beside a baseline on the same grammar.

Baselines are nltk's chart parsers, its generator, and a sampler that walks the rules one by one. Times are of CPU on
one core, since a shared machine's clock says little; the baseline runs in the same minute, and the ratio is what
carries over to other machines. `--million` adds the million sentences.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
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


def interpretation(sentences: list[str]) -> Iterator[tuple[str, str, str, str]]:
    ours = len(sentences) / seconds(lambda: _all(sentences))
    parser = nltk.parse.EarleyChartParser(nltk_grammar())
    chart = nltk.parse.BottomUpLeftCornerChartParser(nltk_grammar())
    sample = [lowered(s) for s in random.Random(0).sample([s for s in sentences if s.endswith(".")], 60)]
    theirs = min(seconds(lambda p=p: [next(p.parse(s)) for s in sample], 1) for p in (parser, chart)) / len(sample)
    yield (
        "interpret, train set",
        f"{ours:,.0f}/s",
        "30,000/s",
        f"{ours * theirs:,.0f} x nltk's chart parsers (parse only)",
    )


def _all(sentences: list[str]) -> list[str]:
    fresh = Interpreter()
    return [fresh.interpret(sentence, FORM) for sentence in sentences]


def generation(million: bool) -> Iterator[tuple[str, str, str, str]]:
    from nltk.parse.generate import generate

    listed = seconds(lambda: sum(1 for _ in islice(generate(nltk_grammar(), depth=9), 20_000)), 1) / 20_000
    walked = seconds(walk, 1) / WALKED
    with tempfile.TemporaryDirectory() as here:
        cpu, memory = child("generate", "cogs", "-o", here)
        rows = sum(s["rows"] for s in json.loads((Path(here) / "dataset.json").read_text())["splits"].values())
        ratio = (
            f"a row {1e6 * cpu / rows:.0f} us; nltk's enumeration {1e6 * listed:.0f} us, a walk {1e6 * walked:.0f} us"
        )
        yield "whole data set", f"{cpu:.2f} s, {memory:.0f} MB", "3 s, 500 MB", ratio
        if million:
            only = ("--set", "dev=0", "--set", "test=0", "--set", "gen=0", "--set", "exposures=[]")
            cpu, memory = child("generate", "cogs", "-o", here, "--set", "train=1000000", *only)
            yield (
                "a million distinct",
                f"{cpu:.1f} s, {memory:.0f} MB",
                "80 core-s, 364 MB",
                f"{walked / (cpu / 1e6):,.1f} x a walk (which makes no forms)",
            )


def scoring() -> Iterator[tuple[str, str, str, str]]:
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
        cpu, memory = child("score", "cogs", str(file), "--json")
    yield "score 21,000 corrupted", f"{cpu:.2f} s, {memory:.0f} MB", "5 s", ""


def equality() -> Iterator[tuple[str, str, str, str]]:
    subjects = list(islice((e.word for e in plain_lexicon().entries if e.category == "N_anim"), 20))
    text = " liked that ".join(f"a {noun}" for noun in subjects) + " ate ."
    form = conjunctive.parse(blicket.benchmark("cogs").interpret((text[0].upper() + text[1:],), FORM))
    other = conjunctive.ConjunctiveForm(tuple(reversed(form.body)))
    took = seconds(lambda: equal(form, other))
    yield f"equality, {len(form.body)} conjuncts", f"{1000 * took:.2f} ms", "10 ms", ""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--million", action="store_true")
    million = options.parse_args().million
    sentences = [example.inputs[0] for example in blicket.benchmark("cogs").build(seed=1)["train"]]
    table = Table("what", "measured", "bound", "baseline", box=None, pad_edge=False)
    rows = [*generation(million), *interpretation(sentences), *scoring(), *equality()]
    rows.append(("blicket --help", f"{1000 * min(child('--help')[0] for _ in range(5)):.0f} ms", "200 ms", ""))
    for row in rows:
        table.add_row(*row)
    Console(soft_wrap=True).print(table)
    print(f"{os.cpu_count()} cores, one used")


if __name__ == "__main__":
    main()
