"""The task and its tests: splits of the same inputs, each by its own rule.

Hupkes et al. 2020, sections 3 and 4; sizes and choices are those of the release.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, final

from blicket.benchmarks.pcfg_set.cases import ROLES, case
from blicket.benchmarks.pcfg_set.corpus import Corpus, Writer
from blicket.benchmarks.pcfg_set.distribution import natural_shapes, plain_shapes, string_frequencies, strings_at_most
from blicket.benchmarks.pcfg_set.exceptions import exceptional_meaning
from blicket.benchmarks.pcfg_set.functions import FUNCTIONS, arity, twin
from blicket.benchmarks.pcfg_set.options import PcfgSetOptions
from blicket.benchmarks.pcfg_set.strings import Strings, below
from blicket.benchmarks.pcfg_set.structure import first_pair, has_word
from blicket.core.example import ListedRows, Role, Split, Tag, unnumbered
from blicket.core.randomness import Stream

__all__ = ["FORM", "leaking", "made_splits"]

FORM = "symbols"


class Row(NamedTuple):
    """An input with its target, the case it was chosen for, and its tags."""

    input: str
    target: str
    tags: Mapping[str, Tag]
    case: str = ""


def made_splits(seed: int, options: PcfgSetOptions) -> dict[str, Split]:
    """The splits of the task, and of the tests that the options name."""
    tests = _Tests(seed, options)
    makers: Mapping[str, Callable[[], Iterator[tuple[str, list[Row]]]]] = {
        "systematicity": tests.systematicity,
        "productivity": tests.productivity,
        "substitutivity": tests.substitutivity,
        "localism": tests.localism,
        "overgeneralisation": tests.overgeneralisation,
        "functions": tests.functions,
        "lengths": tests.lengths,
    }
    made = {"train": tests.train, "dev": tests.dev, "test": tests.test}
    for test, splits in makers.items():
        if test in options.tests:
            made |= splits()
    return {name: _split(name, rows) for name, rows in made.items()}


def _split(name: str, rows: Sequence[Row]) -> Split:
    inputs = [(row.input,) for row in rows]
    listed = ListedRows(inputs, {FORM: [r.target for r in rows]}, [r.case for r in rows], [r.tags for r in rows])
    return Split(name, ROLES[unnumbered(name)], listed)


def _rows(corpus: Corpus) -> list[Row]:
    rows = zip(corpus.inputs, corpus.meanings, corpus.structures, strict=True)
    return [Row(text, meaning, parts.as_tags()) for text, meaning, parts in rows]


@final
class _Tests:
    """The inputs of one seed, and what each test makes of them."""

    def __init__(self, seed: int, options: PcfgSetOptions) -> None:
        self._seed, self._options = seed, options
        self._strings = Strings(options.symbols, self._stream("strings"), distinct=options.distinct_strings)
        self._writer = Writer(options.symbols, self._strings)
        end_of_dev = options.train + options.dev
        inputs = end_of_dev + options.test
        most = strings_at_most(*options.strings, options.symbols, inputs) if options.distinct_strings else None
        self._lengths = string_frequencies(*options.strings, most)
        shapes = natural_shapes(self._lengths) if options.naturalise else plain_shapes(self._lengths)
        rows = _rows(self._writer.distinct(shapes, inputs, self._stream("inputs")))
        self.train, self.dev, self.test = rows[: options.train], rows[options.train : end_of_dev], rows[end_of_dev:]

    def systematicity(self) -> Iterator[tuple[str, list[Row]]]:
        """Train and test are parted anew: what has one of the pairs is for testing."""

        def held_out(row: Row) -> str | None:
            pair = first_pair(row.input, self._options.pairs)
            return None if pair is None else case("systematicity", pair)

        yield from self._parted("systematicity", held_out)

    def productivity(self) -> Iterator[tuple[str, list[Row]]]:
        """Train and test are parted anew: what has more functions than in training is for testing."""

        def held_out(row: Row) -> str | None:
            return case("productivity") if int(row.tags["functions"]) > self._options.trained_functions else None

        yield from self._parted("productivity", held_out)

    def _parted(self, test: str, held_out: Callable[[Row], str | None]) -> Iterator[tuple[str, list[Row]]]:
        """`held_out` gives the case of a row that training must not show."""
        pool = _with_cases([*self.train, *self.test], held_out)
        yield f"{test}_train", [row for row in pool if not row.case]
        yield f"{test}_dev", self._filtered_dev(held_out)
        yield f"{test}_test", [row for row in pool if row.case]

    def _filtered_dev(self, held_out: Callable[[Row], str | None]) -> list[Row]:
        """The dev set without what a test holds out; unfiltered on request, and then these rows have their case."""
        dev = _with_cases(self.dev, held_out)
        return dev if "unfiltered-dev" in self._options.compat else [row for row in dev if not row.case]

    def substitutivity(self) -> Iterator[tuple[str, list[Row]]]:
        """Two train sets, and test rows with every occurrence of a function, and then with its synonym instead."""
        synonyms, equal, tested = self._options.synonyms, list(self.train), []
        for function in synonyms:
            places = [at for at, row in enumerate(self.train) if has_word(row.input, function)]
            for at in self._some(places, len(places) // 2, "synonym", function):
                equal[at] = _twinned(equal[at], function)
            places = [at for at, row in enumerate(self.test) if has_word(row.input, function)]
            chosen = self._some(places, self._options.twin_rows, "tested synonym", function)
            tested += [(function, self.test[at]._replace(case=case("substitutivity", function))) for at in chosen]
        yield "substitutivity_equal_train", equal
        alone = [row for function in synonyms for row in self._twins_alone(function)]
        yield "substitutivity_primitive_train", [*self.train, *alone]
        yield "substitutivity_test", [row for _, row in tested]
        yield "substitutivity_twin", [_twinned(row, function) for function, row in tested]

    def _twins_alone(self, function: str) -> Iterator[Row]:
        """Rows in which a synonym is the only function."""
        rows = self._calls(function, self._options.twin_primitives, "primitive")
        return (_twinned(row, function) for row in rows)

    def localism(self) -> Iterator[tuple[str, list[Row]]]:
        """The test rows that are more than one call."""
        rows = [row for row in self.test if int(row.tags["functions"]) > 1]
        yield "localism_test", [row._replace(case=case("localism")) for row in rows]

    def overgeneralisation(self) -> Iterator[tuple[str, list[Row]]]:
        """For each ratio a train set, in which pairs are exceptions, and these exceptions."""

        def held_out(row: Row) -> str | None:
            pair = first_pair(row.input, self._options.exceptions)
            return None if pair is None else case("overgeneralisation", pair)

        rows = _with_cases(self.train, held_out)
        candidates = {pair: self._candidates(rows, pair) for pair in self._options.exceptions}
        rarer = {pair: self._occurrences_of_the_rarer(pair) for pair in self._options.exceptions}
        for ratio in self._options.ratios:
            wanted = {pair: round(ratio * number / 10_000) for pair, number in rarer.items()}
            chosen = [at for pair, of in candidates.items() for at in _shares(of, wanted[pair])]
            exceptions = {at: self._exception(rows[at]) for at in chosen}
            keep = self._options.regular_pairs
            train = [
                exceptions.get(at, row)
                for at, row in enumerate(self.train)
                if keep or at in exceptions or not rows[at].case
            ]
            yield f"overgeneralisation_train_{ratio}", train
            measured = list(exceptions.values())
            if "two-function-exceptions" in self._options.compat:
                measured = [row for row in measured if row.tags["functions"] == 2]
            yield f"overgeneralisation_exceptions_{ratio}", measured
        yield "overgeneralisation_dev", self._filtered_dev(held_out)

    def _occurrences_of_the_rarer(self, pair: str) -> int:
        """The number of training rows with that function of a pair that has fewer."""
        return min(sum(has_word(row.input, function) for row in self.train) for function in pair.split(" "))

    def _candidates(self, rows: Sequence[Row], pair: str) -> tuple[list[int], list[int]]:
        """The rows that can be exceptions of a pair, in random order: those of two functions, and those of more.

        Where the pair stands in what is thrown away, or where both meanings happen to be the same, is no exception.
        """
        of_pair = [at for at, row in enumerate(rows) if row.case == case("overgeneralisation", pair)]
        exceptions = self._options.exceptions
        places = [at for at in of_pair if exceptional_meaning(rows[at].input, exceptions) != rows[at].target]
        order = [places[i] for i in self._stream("exceptions", pair).permutation(len(places)).tolist()]
        two = [at for at in order if rows[at].tags["functions"] == 2]
        return two, [at for at in order if rows[at].tags["functions"] != 2]

    def _exception(self, row: Row) -> Row:
        """A row with its exceptional meaning; the meaning by the rules is a tag."""
        target = exceptional_meaning(row.input, self._options.exceptions)
        return row._replace(target=target, tags={**row.tags, "rule": row.target})

    def functions(self) -> Iterator[tuple[str, list[Row]]]:
        """Each function alone."""
        rows = [
            row._replace(case=case("functions", function))
            for function in FUNCTIONS
            for row in self._calls(function, self._options.function_rows, "functions")
        ]
        yield "functions", rows

    def lengths(self) -> Iterator[tuple[str, list[Row]]]:
        """Each function alone on strings of each length, as many as there are strings that were not used."""
        places = sum(map(arity, FUNCTIONS))
        shortest, longest = self._options.string_lengths
        rows = []
        for length in range(shortest, longest + 1):
            left = self._strings.left(length) if self._options.distinct_strings else places * self._options.length_rows
            number = min(self._options.length_rows, left // places)
            for function in FUNCTIONS:
                for row in _rows(self._writer.calls(function, [length] * arity(function) * number)):
                    tags = {**row.tags, "string_length": length}
                    rows.append(row._replace(case=case("lengths", function), tags=tags))
        yield "lengths", rows

    def _calls(self, function: str, n: int, purpose: str) -> list[Row]:
        """Inputs of one function alone, on strings of lengths as in all inputs."""
        lengths = [length for length, frequency in self._lengths.items() for _ in range(frequency)]
        drawn = below(len(lengths), n * arity(function), self._stream(purpose, function)).tolist()
        return _rows(self._writer.calls(function, [lengths[at] for at in drawn]))

    def _some(self, places: Sequence[int], n: int, *purpose: str) -> list[int]:
        """As many places at random, in their order; all if there are not as many."""
        return sorted(places[i] for i in self._stream(*purpose).permutation(len(places))[:n].tolist())

    def _stream(self, *purpose: str) -> Stream:
        return Stream(self._seed, "pcfg-set", *purpose)


def _with_cases(rows: Iterable[Row], held_out: Callable[[Row], str | None]) -> list[Row]:
    return [row if (name := held_out(row)) is None else row._replace(case=name) for row in rows]


def _twinned(row: Row, function: str) -> Row:
    """A row with the synonym of a function in its place, wherever it stands."""
    words = [twin(function) if word == function else word for word in row.input.split(" ")]
    return row._replace(input=" ".join(words))


def _shares(candidates: tuple[list[int], list[int]], n: int) -> list[int]:
    """About half the exceptions have two functions, and the others more; fewer where there are not as many."""
    two, more = candidates
    return [*two[: n - n // 2], *more[: n // 2]]


def leaking(splits: Mapping[str, Split]) -> dict[str, object]:
    """How many rows of which dev sets hold what their tests hold out, if there are any."""
    found = {}
    for name, split in splits.items():
        if split.role is Role.DEV:
            found[name] = sum(bool(case) for _, columns in split.batches(FORM) for case in columns.cases)
    return {"leaking": found} if any(found.values()) else {}
