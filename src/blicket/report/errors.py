"""Errors: how many of each kind, and which are typical of a case, and which the worst."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, final

from rapidfuzz.distance import Levenshtein

from blicket.core.errors import FormError
from blicket.core.graph import GraphNotation
from blicket.report.alignment import Pair, aligned, folded
from blicket.report.judged import NO_ANSWER, SAME_MEANING, UNNAMED, Judged
from blicket.report.parses import Parse

__all__ = ["CaseErrors", "Count", "ShownError", "counts", "shown_errors"]


@final
@dataclass(frozen=True, slots=True)
class Count:
    """How many of a seed's `errors` in a case (all cases where it is empty) are of a kind."""

    seed: int
    case: str
    kind: str
    n: int
    errors: int
    rows: int

    def as_dict(self) -> dict[str, Any]:
        """The numbers, and the shares among errors and among rows."""
        of_errors = self.n / self.errors if self.errors else None
        return {**asdict(self), "of_errors": of_errors, "of_rows": self.n / self.rows}


def counts(of: Judged) -> list[Count]:
    """The kinds of error of each seed: over all rows, and case by case."""
    judge = of.run.benchmark.judge(of.run.form)
    kinds = ("unparseable", "undecided", SAME_MEANING, *judge.marks, UNNAMED, NO_ANSWER)
    rows = Counter(row.case for row in of.gold if row.case)
    found = []
    for seed in of.verdicts:
        errors: Counter[str] = Counter()
        by_kind: Counter[tuple[str, str]] = Counter()
        for row in of.wrong(seed):
            for case in {"", of.gold[row].case}:
                errors[case] += 1
                by_kind.update((case, kind) for kind in of.kinds(seed, row))
        found += [Count(seed, "", kind, by_kind["", kind], errors[""], len(of.gold)) for kind in kinds]
        for case, n in rows.items():
            found += [Count(seed, case, kind, by_kind[case, kind], errors[case], n) for kind in kinds]
    return found


@final
@dataclass(frozen=True)
class ShownError:
    """An answer to look at; `distance` is in tokens."""

    which: str
    kinds: tuple[str, ...]
    seed: int
    id: str
    inputs: tuple[str, ...]
    gold: str
    said: str
    distance: int
    parse: Parse | None = None
    """The answer's graph beside that of gold, where both are graphs over the tokens of the input."""

    @cached_property
    def pairs(self) -> list[Pair]:
        """Gold and answer token by token, long stretches folded."""
        return folded(aligned(self.gold.split(), self.said.split()))


@final
@dataclass(frozen=True)
class CaseErrors:
    """The errors of a run in a case: how many in how many answers, the commonest kinds, and what to look at."""

    label: str
    case: str
    answers: int
    errors: int
    kinds: tuple[str, ...]
    of_kinds: int
    shown: tuple[ShownError, ...]


def shown_errors(of: Judged) -> Iterator[CaseErrors]:
    """For each case, of the answers of the commonest kinds one of median distance, and the one that is farthest off."""
    cases = dict.fromkeys(row.case for row in of.gold)
    ordered = [case for case in of.run.benchmark.cases if case in cases]
    wrong: dict[str, list[tuple[int, int]]] = {case: [] for case in [*ordered, *cases]}
    for seed in of.verdicts:
        for row in of.wrong(seed):
            if of.outputs[seed][row] is not None:
                wrong[of.gold[row].case].append((seed, row))
    for case, places in wrong.items():
        if places:
            yield _of_case(of, case, places)


def _of_case(of: Judged, case: str, places: Sequence[tuple[int, int]]) -> CaseErrors:
    kinds = {place: tuple(sorted(of.kinds(*place))) for place in places}
    commonest = min(Counter(kinds.values()).items(), key=lambda item: (-item[1], item[0]))[0]
    far = {place: _distance(of, *place) for place in places}
    typical = sorted((far[place], place[1], place[0]) for place in places if kinds[place] == commonest)
    middle = typical[(len(typical) - 1) // 2]
    worst = min((-far[place], place[1], place[0]) for place in places)
    if middle[1:] == worst[1:]:
        shown = [_shown(of, "typical and worst", middle[2], middle[1], middle[0])]
    else:
        shown = [_shown(of, "typical", middle[2], middle[1], middle[0])]
        shown.append(_shown(of, "worst", worst[2], worst[1], -worst[0]))
    n = sum(1 for row in of.gold if row.case == case) * len(of.verdicts)
    return CaseErrors(of.run.label, case, n, len(places), commonest, len(typical), tuple(shown))


def _distance(of: Judged, seed: int, row: int) -> int:
    """Tokens to insert, delete or exchange; a judge that measures it has its own way to tell tokens apart."""
    measured = of.verdicts[seed][row].measures.get("edit_distance")
    if measured is not None:
        return int(measured)
    return Levenshtein.distance(of.gold[row].target.split(), (of.outputs[seed][row] or "").split())


def _shown(of: Judged, which: str, seed: int, row: int, distance: int) -> ShownError:
    gold = of.gold[row]
    kinds = tuple(sorted(of.kinds(seed, row)))
    said = of.outputs[seed][row] or ""
    notation = of.run.benchmark.notations.get(of.run.form)
    parse = None if notation is None else _parse(notation, " ".join(gold.inputs).split(), gold.target, said)
    return ShownError(which, kinds, seed, gold.name, gold.inputs, gold.target, said, distance, parse)


def _parse(notation: GraphNotation, tokens: Sequence[str], gold: str, said: str) -> Parse | None:
    try:
        return Parse(tokens, notation.read(tokens, said), notation.read(tokens, gold))
    except FormError:
        return None
