"""Sampling derivations from a grammar's distribution, also under conditions, exactly and many at a time.

Conditions are automata (`blicket.grammar.conditions`). A category is split by the states its trees can be in; the
weight of all trees below each split category (its inside weight) then turns the rules into the conditional
probabilities given that the conditions hold, so that no derivation is thrown away. Derivations grow together: every
round rewrites the open categories of all of them by one table look-up.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate, count, islice, product
from math import inf
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.errors import GrammarError, UnknownName
from blicket.core.randomness import Stream
from blicket.grammar.conditions import Condition
from blicket.grammar.derivations import Corpus, Frame
from blicket.grammar.rules import Grammar

__all__ = ["Sampler"]

States = tuple[Hashable, ...]
Keep = Callable[[Corpus], NDArray[np.intp]]
ROUNDS_KEPT = 8
RESOLUTION = 52  # bits of a random word that decide between alternatives; the 12 others hold a category's number


@dataclass(slots=True)
class _Split:
    """A category split by states, with its alternatives: (code, split children, weight)."""

    category: str
    states: States
    alternatives: list[tuple[int, tuple[int, ...], float]] = field(default_factory=list)
    inside: float = 0.0


@final
class Sampler:
    """Draws derivations of a grammar that satisfy all conditions, in proportion to their weights.

    Raises GrammarError where no derivation satisfies them, or the weights of all that do have no finite sum.
    """

    def __init__(self, grammar: Grammar, *conditions: Condition) -> None:
        self.grammar = grammar
        _check_names(grammar, conditions)
        splits = _split(grammar, conditions)
        accepted = [
            number
            for number, split in enumerate(splits)
            if split.category == grammar.start
            and all(c.accepts(s) for c, s in zip(conditions, split.states, strict=True))
        ]
        reached = list(_reachable(splits, accepted))
        _weigh([splits[number] for number in sorted(reached)], splits)
        accepted = [number for number in accepted if splits[number].inside > 0.0]
        if not accepted:
            raise GrammarError(f"no derivation of {grammar.start!r} satisfies all conditions")
        self.weight = sum(splits[number].inside for number in accepted)
        """The weight of all derivations that satisfy the conditions; 1 for a normalised grammar without any."""
        self._tabulate(splits, accepted, [number for number in reached if splits[number].inside > 0.0])
        self._known_frames: dict[bytes, int] = {}
        self._frames: list[Frame] = []

    def _tabulate(self, splits: list[_Split], accepted: list[int], reached: list[int]) -> None:
        """Lay out what each reachable split category can become, as arrays that one search covers.

        The alternatives of category s lie between s * 2**52 and (s + 1) * 2**52; the root is one more category.
        """
        if len(reached) >= 1 << (64 - RESOLUTION):
            most = (1 << (64 - RESOLUTION)) - 1
            raise GrammarError(
                f"the conditions make {len(reached):,} split categories; the sampler can number {most:,}"
            )
        place = {number: here + 1 for here, number in enumerate(reached)}
        rows: list[list[tuple[int, tuple[int, ...], float]]] = [
            [(place[number], (), splits[number].inside) for number in accepted]
        ]
        for number in reached:
            rows.append(
                [
                    (code, tuple(-place[child] for child in children), weight)
                    for code, children, weight in _realised(splits, number)
                ]
            )
        flat = [alternative for row in rows for alternative in row]
        widest = max(len(children) for _, children, _ in flat)
        self._boundaries = np.array([b for s, row in enumerate(rows) for b in _boundaries(s, row)], np.uint64)
        self._codes = np.array([code for code, _, _ in flat], np.int32)
        self._arity = np.array([len(children) for _, children, _ in flat], np.int64)
        self._children = np.array([c + (0,) * (widest - len(c)) for _, c, _ in flat], np.int32)
        self._entry_type = np.min_scalar_type(len(self.grammar.entries))
        # An entry's code stands behind those of the rules; its category's code, as in Frame, is negative.
        lexical = self.grammar.frame_codes
        rules = len(self.grammar.rules)
        self._frame_code = np.array(
            [*range(rules), *(lexical[entry.category] for entry in self.grammar.entries)], np.int32
        )

    def draw(self, stream: Stream, n: int, keep: Keep | None = None) -> Corpus:
        """`n` independent derivations, or those of them that `keep` chooses by their words.

        Frames take longer to tell apart than words take to draw, so `keep` is shown a corpus without them.
        """
        root = self._codes[self._choose(stream, np.zeros(n, np.uint64))]
        codes, lengths = self._grow(stream, -root)
        is_word = codes >= len(self.grammar.rules)
        entries = (codes[is_word] - len(self.grammar.rules)).astype(self._entry_type)
        words_before = np.concatenate(([0], np.cumsum(is_word)))
        ends = np.concatenate(([0], np.cumsum(lengths)))
        drawn = Corpus(self.grammar, (), np.full(n, -1, np.int32), entries, words_before[ends])
        rows = np.arange(n) if keep is None else keep(drawn)
        return replace(
            drawn.take(rows), frames=self._frames, frame_of=self._frames_of(self._frame_code[codes], ends, rows)
        )

    def _choose(self, stream: Stream, category: NDArray[np.uint64]) -> NDArray[np.intp]:
        """For each category the row of a random alternative."""
        draws = stream.words(len(category)) >> np.uint64(64 - RESOLUTION)
        keys = (category << np.uint64(RESOLUTION)) | draws
        return np.searchsorted(self._boundaries, keys, side="right") - 1

    def _grow(self, stream: Stream, codes: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Rewrite open categories (negative codes) until none is left; the result is preorder, and its lengths.

        What stands before a derivation's first open category is finished. It is put aside now and then, so that time
        grows with the length of sentences and not with its square.
        """
        owners = np.arange(len(codes))
        aside: list[tuple[NDArray[np.intp], NDArray[np.int32]]] = []
        for rounds in count(1):
            open_ = np.flatnonzero(codes < 0)
            if not len(open_):
                break
            codes, owners = self._rewritten(stream, codes, owners, open_)
            if rounds % ROUNDS_KEPT == 0:
                starts = np.searchsorted(owners, np.arange(owners[-1] + 1))
                open_ = np.append(np.flatnonzero(codes < 0), len(codes))
                finished = np.arange(len(codes)) < open_[np.searchsorted(open_, starts)][owners]
                aside.append((owners[finished], codes[finished]))
                codes, owners = codes[~finished], owners[~finished]
        owners = np.concatenate([*(owner for owner, _ in aside), owners])
        codes = np.concatenate([*(part for _, part in aside), codes])
        order = np.argsort(owners, kind="stable") if aside else slice(None)
        return codes[order], np.bincount(owners, minlength=1 if len(owners) else 0)

    def _rewritten(
        self, stream: Stream, codes: NDArray[np.int32], owners: NDArray[np.intp], open_: NDArray[np.intp]
    ) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """One round: in the place of each open category a random alternative of it, with its children."""
        chosen = self._choose(stream, (-codes[open_]).astype(np.uint64))
        width = np.ones(len(codes), np.int64)
        width[open_] += self._arity[chosen]
        ends = np.cumsum(width)
        place = ends - width
        grown = np.empty(ends[-1], np.int32)
        grown[place] = codes
        at = place[open_]
        grown[at] = self._codes[chosen]
        for child in range(self._children.shape[1]):
            has = self._arity[chosen] > child
            grown[at[has] + 1 + child] = self._children[chosen[has], child]
        return grown, np.repeat(owners, width)

    def _frames_of(self, codes: NDArray[np.int32], ends: NDArray[np.intp], rows: NDArray[np.intp]) -> NDArray[np.int32]:
        """The frames of these derivations, as places in the list that all draws of this sampler share."""
        blob, known = codes.tobytes(), self._known_frames
        cuts = ends * codes.itemsize
        pairs = zip(cuts[rows].tolist(), cuts[rows + 1].tolist(), strict=True)
        frame_of = [known.setdefault(blob[start:stop], len(known)) for start, stop in pairs]
        for key in islice(known, len(self._frames), None):
            self._frames.append(Frame(self.grammar, tuple(np.frombuffer(key, codes.dtype).tolist())))
        return np.array(frame_of, np.int32)


def _check_names(grammar: Grammar, conditions: Iterable[Condition]) -> None:
    """Refuse a condition on a phenomenon that nothing shows: it would hold of everything, or of nothing."""
    shown = [rule.phenomena for rule in grammar.rules] + [entry.phenomena for entry in grammar.entries]
    known = frozenset[str]().union(*shown)
    for condition in conditions:
        for name in sorted(condition.phenomena - known):
            raise UnknownName("phenomenon", name, known)


def _split(grammar: Grammar, conditions: tuple[Condition, ...]) -> list[_Split]:
    """Every category in every combination of states that some tree has, found from the words upwards."""
    splits: list[_Split] = []
    number: dict[tuple[str, States], int] = {}
    of_category: dict[str, list[int]] = {}
    agenda: deque[int] = deque()

    def reach(category: str, states: States, code: int, children: tuple[int, ...], weight: float) -> None:
        key = category, states
        if key not in number:
            number[key] = len(splits)
            of_category.setdefault(category, []).append(len(splits))
            agenda.append(len(splits))
            splits.append(_Split(category, states))
        splits[number[key]].alternatives.append((code, children, weight))

    of_words = {p: _states(conditions, p, ()) for p in {entry.phenomena for entry in grammar.entries}}
    for place, entry in enumerate(grammar.entries):
        states = of_words[entry.phenomena]
        if states is not None:
            reach(entry.category, states, len(grammar.rules) + place, (), entry.weight)
    uses: dict[str, list[tuple[int, int]]] = {}
    for code, rule in enumerate(grammar.rules):
        for at, child in enumerate(rule.children):
            uses.setdefault(child, []).append((code, at))
    while agenda:
        new = agenda.popleft()
        for code, at in uses.get(splits[new].category, ()):
            rule = grammar.rules[code]
            # Each combination is met once: when the last of its members, and of equal members the leftmost, is new.
            pools = [
                [new] if i == at else [s for s in of_category.get(child, ()) if s < new + (i > at)]
                for i, child in enumerate(rule.children)
            ]
            for children in product(*pools):
                states = _states(conditions, rule.phenomena, tuple(splits[c].states for c in children))
                if states is not None:
                    reach(rule.parent, states, code, children, rule.weight)
    return splits


def _states(
    conditions: tuple[Condition, ...], phenomena: frozenset[str], children: tuple[States, ...]
) -> States | None:
    states = []
    for i, condition in enumerate(conditions):
        state = condition.state(phenomena, tuple(child[i] for child in children))
        if state is None:
            return None
        states.append(state)
    return tuple(states)


def _weigh(reached: list[_Split], splits: list[_Split], *, rounds: int = 10_000) -> None:
    """Set inside weights by repeated substitution, which for a grammar without recursion ends exactly.

    Only sums and products of doubles occur, so the result is the same on every machine.
    """
    for _ in range(rounds):
        change = 0.0
        for split in reached:
            total = 0.0
            for _, children, weight in split.alternatives:
                for child in children:
                    weight *= splits[child].inside
                total += weight
            if not total < inf:
                raise GrammarError("the weights of all derivations have no finite sum")
            change = max(change, abs(total - split.inside) / total if total else 0.0)
            split.inside = total
        if change < 1e-15:
            return
    raise GrammarError("the weights of all derivations have no finite sum, or one that takes too long to find")


def _realised(splits: list[_Split], number: int) -> list[tuple[int, tuple[int, ...], float]]:
    """The alternatives of a split category, each with the weight of all its trees; weightless ones left out."""
    realised = []
    for code, children, weight in splits[number].alternatives:
        for child in children:
            weight *= splits[child].inside
        if weight > 0.0:
            realised.append((code, children, weight))
    return realised


def _reachable(splits: list[_Split], roots: Iterable[int]) -> Iterator[int]:
    """The split categories that occur below the roots, each once."""
    seen = dict.fromkeys(roots)
    agenda = list(seen)
    while agenda:
        number = agenda.pop()
        yield number
        for _, children, _ in splits[number].alternatives:
            for child in children:
                if child not in seen:
                    seen[child] = None
                    agenda.append(child)


def _boundaries(category: int, row: list[tuple[int, tuple[int, ...], float]]) -> list[int]:
    """Where each alternative's share of the category's interval begins."""
    scale = 1 << RESOLUTION
    sums = list(accumulate(weight for _, _, weight in row))
    cuts = [0, *(int(partial / sums[-1] * scale) for partial in sums[:-1])]
    return [category * scale + cut for cut in cuts]
