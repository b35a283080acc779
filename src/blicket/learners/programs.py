"""A learner of programs: what each function does is a short program over its arguments, found in calls of it alone.

It learns, from pairs of input and output alone:

- which words are symbols: those that outputs are made of; the others are functions, and one is the separator;
- the separator: the word that stands in each input once for each string of symbols but the first;
- how many arguments each function takes: from how often it stands in inputs of so many strings, by least squares;
- what each function does: of all short programs the one that explains most inputs with this function alone. A program
  joins parts of arguments: the whole, the first or last symbol, all but one of them or but both, and these reversed.

It assumes that inputs are calls in prefix notation, that a function does to what another gives what it does to a
string, at any length, and that these parts are what programs are made of; who chose them knew PCFG SET. So
productivity, systematicity and localism are assumed and not learned; what is learned is which word is what. The price:
it cannot memorise an exception, nor learn anything that is no such program.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import final

import numpy as np

from blicket.core.errors import BlicketError, InputError
from blicket.core.example import Split
from blicket.core.learner import Cohort, Fitted, Learner, Observer, Parameters, Progress, check_roles
from blicket.core.respondent import Answer, Produce, Request, Respondent

__all__ = ["Knowledge", "ProgramLearner", "ProgramShape"]

String = tuple[str, ...]
Part = tuple[int, str]
"""Of which argument, and which part."""
Program = tuple[Part, ...]

PARTS: Mapping[str, Callable[[String], String]] = {
    "whole": lambda x: x,
    "first": lambda x: x[:1],
    "last": lambda x: x[-1:],
    "but first": lambda x: x[1:],
    "but last": lambda x: x[:-1],
    "but both": lambda x: x[1:-1],
    "whole reversed": lambda x: x[::-1],
    "but first reversed": lambda x: x[:0:-1],
    "but last reversed": lambda x: x[-2::-1] if len(x) > 1 else (),
    "but both reversed": lambda x: x[-2:0:-1],
}
LONGEST = 100_000
"""Symbols of an answer at most."""
KNOWLEDGE = "knowledge"


@final
@dataclass(frozen=True)
class ProgramShape:
    """How many parts a program joins at most."""

    parts: int = 3


@final
@dataclass(frozen=True)
class Knowledge:
    """What was learned: the symbols, the separator, and by function how many arguments it takes and its program."""

    symbols: frozenset[str]
    separator: str
    arities: Mapping[str, int]
    programs: Mapping[str, Program]

    def answer(self, text: str) -> str:
        """What an input comes to; nothing where it is no input, or a function is not known."""
        values: list[String] = []
        string: list[str] = []
        for word in reversed(text.split()):
            if word in self.symbols:
                string.append(word)
                continue
            if string:
                values.append(tuple(reversed(string)))
                string = []
            if word == self.separator:
                continue
            if word not in self.programs or len(values) < self.arities[word]:
                return ""
            arguments = [values.pop() for _ in range(self.arities[word])]
            values.append(run(self.programs[word], arguments))
        if string:
            values.append(tuple(reversed(string)))
        return " ".join(values[0]) if len(values) == 1 else ""

    def saved(self) -> Parameters:
        """As an array, as checkpoints have them."""
        programs = {function: list(program) for function, program in self.programs.items()}
        told = [sorted(self.symbols), self.separator, dict(self.arities), programs]
        return {KNOWLEDGE: np.frombuffer(json.dumps(told).encode(), np.uint8)}

    @classmethod
    def read(cls, parameters: Parameters) -> "Knowledge":
        """From such an array."""
        symbols, separator, arities, programs = json.loads(parameters[KNOWLEDGE].tobytes())
        made = {function: tuple((at, part) for at, part in program) for function, program in programs.items()}
        return cls(frozenset(symbols), separator, arities, made)


def run(program: Program, arguments: Sequence[String]) -> String:
    """The parts of the arguments, joined; cut off where that is very long."""
    return tuple(symbol for at, part in program for symbol in PARTS[part](arguments[at]))[:LONGEST]


def learned(pairs: Sequence[tuple[str, str]], parts: int) -> tuple[Knowledge, float]:
    """What pairs of input and output teach, and the share of the single calls among them that it explains."""
    symbols = frozenset(word for _, output in pairs for word in output.split())
    inputs = [text.split() for text, _ in pairs]
    separator = _separator(inputs, symbols)
    arities = _arities(inputs, symbols, separator)
    calls = _calls(pairs, symbols, separator, arities)
    found = {function: _best(arities[function], of, parts) for function, of in calls.items()}
    explained, number = sum(n for _, n in found.values()), sum(map(len, calls.values()))
    programs = {function: program for function, (program, n) in found.items() if n}
    return Knowledge(symbols, separator, arities, programs), explained / max(number, 1)


def _strings(words: Sequence[str], symbols: frozenset[str]) -> int:
    """How many strings of symbols an input has."""
    known = [word in symbols for word in words]
    return sum(here and not before for before, here in zip([False, *known], known, strict=False))


def _separator(inputs: Iterable[Sequence[str]], symbols: frozenset[str]) -> str:
    """The word that there is one of for each string but the first."""
    candidates: set[str] | None = None
    for words in inputs:
        wanted = _strings(words, symbols) - 1
        counts = Counter(word for word in words if word not in symbols)
        if wanted > 0:
            fitting = {word for word, n in counts.items() if n == wanted}
            candidates = fitting if candidates is None else candidates & fitting
    if candidates is None or len(candidates) != 1:
        raise InputError(f"this learner wants inputs whose arguments a word parts; found {sorted(candidates or ())}")
    return candidates.pop()


def _arities(inputs: Sequence[Sequence[str]], symbols: frozenset[str], separator: str) -> dict[str, int]:
    """The arguments of each function: strings are one more than all functions want beyond their first."""
    functions = sorted({word for words in inputs for word in words} - symbols - {separator})
    place = {function: at for at, function in enumerate(functions)}
    counts, wanted = np.zeros((len(inputs), len(functions))), np.zeros(len(inputs))
    for row, words in enumerate(inputs):
        wanted[row] = _strings(words, symbols) - 1
        for word in words:
            if word in place:
                counts[row, place[word]] += 1
    beyond = np.linalg.solve(counts.T @ counts + 1e-6 * np.eye(len(functions)), counts.T @ wanted)
    return {function: 1 + max(0, round(float(more))) for function, more in zip(functions, beyond, strict=True)}


def _calls(
    pairs: Iterable[tuple[str, str]], symbols: frozenset[str], separator: str, arities: Mapping[str, int]
) -> dict[str, list[tuple[list[String], String]]]:
    """By function the inputs that are a call of it and nothing more: arguments, and what came out."""
    found: dict[str, list[tuple[list[String], String]]] = {}
    for text, output in pairs:
        function, *rest = text.split()
        if function in arities and all(word in symbols or word == separator for word in rest):
            arguments = [tuple(part.split()) for part in " ".join(rest).split(f" {separator} ")]
            if len(arguments) == arities[function]:
                found.setdefault(function, []).append((arguments, tuple(output.split())))
    return found


def _best(arity: int, calls: Sequence[tuple[list[String], String]], parts: int) -> tuple[Program, int]:
    """The program that explains most calls, and how many; of several the shortest."""
    best: tuple[Program, int] = ((), 0)
    for program in _programs(arity, parts):
        explained = 0
        for at, (arguments, output) in enumerate(calls):
            explained += run(program, arguments) == output
            if explained + len(calls) - at - 1 <= best[1]:
                break
        if explained > best[1]:
            best = program, explained
        if explained == len(calls):
            break
    return best


def _programs(arity: int, parts: int) -> Iterator[Program]:
    """All programs, short ones first."""
    some = list(product(range(arity), PARTS))
    for number in range(1, parts + 1):
        yield from product(some, repeat=number)


@final
@dataclass(frozen=True)
class ProgramLearner(Learner):
    """Learns in one pass, and nothing by chance: all seeds are alike."""

    shape: ProgramShape
    form: str

    @property
    def headline(self) -> str:
        """There is one."""
        return "last"

    def fit(
        self,
        train: Split,
        dev: Split,
        seeds: Sequence[int],
        *,
        checkpoints: Path | None = None,
        observers: Sequence[Observer] = (),
        tell: Callable[[Progress], None] = lambda progress: None,
    ) -> Sequence[Fitted]:
        """Learn once; dev is only looked at."""
        check_roles(train, dev)
        pairs = [(" ".join(example.inputs), example.targets[self.form]) for example in train]
        knowledge, explained = learned(pairs, self.shape.parts)
        right = sum(knowledge.answer(" ".join(e.inputs)) == e.targets[self.form] for e in dev) / len(dev)
        cohort = ProgramCohort(tuple(seeds), knowledge, self.form)
        for observe in observers:
            observe(1, cohort)
        n = len(seeds)
        none = (None,) * n, (False,) * n
        point = {"update": 1, "train_loss": 1.0 - explained, "dev_loss": 1.0 - right, "dev_accuracy": right}
        tell(Progress(tuple(seeds), 1, 1, (1.0 - explained,) * n, 1.0, 0.0, (1.0 - right,) * n, (right,) * n, *none))
        kept = {"best": knowledge.saved(), "last": knowledge.saved()}
        return [Fitted(seed, [point], 1, None, False, kept) for seed in seeds]

    def revived(self, train: Split, dev: Split, parameters: Mapping[int, Parameters]) -> Cohort:
        """What was learned."""
        check_roles(train, dev)
        return ProgramCohort(tuple(parameters), Knowledge.read(next(iter(parameters.values()))), self.form)


@final
@dataclass(frozen=True)
class ProgramCohort(Cohort):
    """What was learned, under the name of each seed."""

    seeds: tuple[int, ...]
    knowledge: Knowledge
    form: str

    def answers(
        self, requests: Sequence[Request], progress: Callable[[int], None] = lambda done: None
    ) -> list[list[Answer]]:
        """What inputs come to."""
        said = []
        for request in requests:
            if not isinstance(request, Produce) or request.form != self.form:
                raise BlicketError(f"this learner was fitted to produce {self.form} forms, nothing else")
            said.append(Answer(self.knowledge.answer(" ".join(request.inputs))))
        progress(len(requests))
        return [said for _ in self.seeds]

    def respondents(self) -> Sequence[Respondent]:
        """A respondent a seed."""
        return [ProgramRespondent(ProgramCohort((seed,), self.knowledge, self.form)) for seed in self.seeds]


@final
class ProgramRespondent(Respondent):
    """What was learned, by itself."""

    def __init__(self, cohort: ProgramCohort) -> None:
        self._cohort = cohort
        self.name = str(cohort.seeds[0])

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """What inputs come to."""
        return self._cohort.answers(requests)[0]
