"""Ours beside published: a number over seeds, and in words where the published value lies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from blicket.core.benchmark import Benchmark
from blicket.core.published import Published
from blicket.report.published import Quantity, answered
from blicket.report.reading import Measured
from blicket.statistics.seeds import OverSeeds, over_seeds

__all__ = [
    "Compared",
    "Comparison",
    "compared",
    "further_kinds",
    "groups_of",
    "heading_of",
    "overview",
    "title_of",
    "title_of_group",
]

BY_ROW = ("case", "kind", "split")


@final
@dataclass(frozen=True)
class Compared:
    """A run with the published numbers it answers to."""

    run: Measured
    published: Mapping[Quantity, Published]


@final
@dataclass(frozen=True)
class Comparison:
    """A quantity of one run with each seed, and the published number beside it if there is one."""

    run: Measured
    quantity: Quantity
    rows: int
    by_seed: Mapping[int, float]
    published: Published | None

    @cached_property
    def over(self) -> OverSeeds:
        """The summary over seeds."""
        return over_seeds(list(self.by_seed.values()))

    @property
    def difference(self) -> float | None:
        """Our mean less the published value."""
        return None if self.published is None else self.over.mean - self.published.value

    @property
    def words(self) -> str:
        """Whether the published value lies inside our interval; a value that only rounding puts outside is told so."""
        if self.published is None:
            return ""
        said, rounded = self.over.beside(self.published.value), self.over.beside(self._nearest(self.published))
        return said if said == rounded else f"{said}, by no more than its rounding"

    @property
    def place(self) -> str:
        """The same in a word or two."""
        if self.published is None or self.over.low is None or self.over.high is None:
            return ""
        inside = self.over.low <= self.published.value <= self.over.high
        place = "inside" if inside else "below" if self.published.value < self.over.low else "above"
        return f"{place}, by rounding" if self.words.endswith("rounding") else place

    def _nearest(self, published: Published) -> float:
        """What is nearest to our mean of all that would be printed like the published value."""
        reach = 0.5 * 10.0 ** -int(published.about.get("decimals", 12))
        return min(max(self.over.mean, published.value - reach), published.value + reach)


def compared(runs: Iterable[Measured]) -> list[Compared]:
    """Each run with what it answers to."""
    return [Compared(run, answered(run)) for run in runs]


def comparison(of: Compared, quantity: Quantity) -> Comparison | None:
    """A quantity of a run, if any seed has it."""
    cards = of.run.scores.get(quantity.split, {})
    values = {seed: value for seed, card in cards.items() if (value := quantity.of(card)) is not None}
    if not values:
        return None
    n = Quantity(quantity.split, "n", quantity.kind, quantity.group).of(next(iter(cards.values())))
    return Comparison(of.run, quantity, int(n or 0), values, of.published.get(quantity))


def overview(of: Compared) -> list[Comparison]:
    """The splits as wholes, exact match with meaning beside it where they part, and lexical and structural cases."""
    wanted = []
    for split in of.run.scores:
        wanted += [Quantity(split, "exact"), Quantity(split, "meaning")]
        wanted += [q for q in of.published if q.split == split and not q.kind and q not in wanted]
        if split in of.run.focus:
            kinds = _groups(of.run, split, "kind")
            wanted += [Quantity(split, "exact", "kind", group) for group in kinds if len(kinds) > 1]
    return _known(of, wanted)


def groups_of(of: Compared, split: str, kind: str) -> list[Comparison]:
    """Exact match in each group of a kind, and what else is published of these groups."""
    groups = _groups(of.run, split, kind)
    wanted = [Quantity(split, "exact", kind, group) for group in groups]
    wanted += [q for q in of.published if (q.split, q.kind) == (split, kind) and q not in wanted]
    place = {group: i for i, group in enumerate(groups)}
    return _known(of, sorted(wanted, key=lambda quantity: place.get(quantity.group, len(place))))


def further_kinds(runs: Sequence[Measured], split: str) -> list[str]:
    """The kinds of groups besides cases and their kinds, in the order of the scorecards."""
    kinds: dict[str, None] = {}
    for run in runs:
        for card in run.scores.get(split, {}).values():
            kinds |= dict.fromkeys(kind for kind, groups in card["by"].items() if len(groups) > 1)
    return [kind for kind in kinds if kind not in BY_ROW]


def _groups(run: Measured, split: str, kind: str) -> list[str]:
    cards = run.scores.get(split, {}).values()
    return list(dict.fromkeys(group for card in cards for group in card["by"].get(kind, {})))


def _known(of: Compared, wanted: Iterable[Quantity]) -> list[Comparison]:
    found = (comparison(of, quantity) for quantity in wanted)
    return [one for one in found if one is not None]


def title_of(one: Comparison) -> str:
    """What a quantity is called in a row of its own."""
    q = one.quantity
    place = title_of_group(one.run.benchmark, q.kind, q.group) if q.kind else q.split
    named = f"{q.split}, {place}" if q.kind == "kind" else place
    return named if q.measure == "exact" else f"{named}: {q.measure.replace('_', ' ')}"


def title_of_group(benchmark: Benchmark, kind: str, group: str) -> str:
    """What a group is called: a case by its title."""
    case = benchmark.cases.get(group)
    if kind == "case":
        return group.replace("_", " ") if case is None else case.title
    inner, _, rest = group.rpartition("/")
    if inner in benchmark.cases:
        return f"{benchmark.cases[inner].title}, {kind.removeprefix('case_').replace('_', ' ')} {rest}"
    return f"{kind.replace('_', ' ')} {group}" if kind not in ("kind", "split") else group


def heading_of(one: Comparison) -> str:
    """What a row stands under: a case under its kind."""
    case = one.run.benchmark.cases.get(one.quantity.group)
    return case.kind.capitalize() if one.quantity.kind == "case" and case is not None else ""
