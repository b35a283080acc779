"""The answers of each seed, row by row, with a verdict each: what is not in a scorecard is counted from these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.example import Role
from blicket.core.predictions import Gold, align, gold_rows, read_predictions
from blicket.core.verdict import Judge, Outcome, Verdict
from blicket.report.reading import Measured

__all__ = ["NO_ANSWER", "SAME_MEANING", "UNNAMED", "Judged", "judge_runs", "kinds_of"]

UNNAMED, SAME_MEANING, NO_ANSWER = "of_no_kind_named", "same_meaning", "no_answer"
WHOLE = 5e-7
"""How far a scorecard may be from the answers beside it: no more than by rounding."""

Progress = Callable[[str, int, int], None]


@final
@dataclass(frozen=True)
class Judged:
    """The gold rows of a split, and for each seed its answers (None where there is none) and their verdicts."""

    run: Measured
    split: str
    gold: Sequence[Gold]
    outputs: Mapping[int, Sequence[str | None]]
    verdicts: Mapping[int, Sequence[Verdict]]
    longest_learned: int
    """Tokens of the longest target in the train split."""

    def wrong(self, seed: int) -> list[int]:
        """The rows that a seed did not get exactly right."""
        return [row for row, verdict in enumerate(self.verdicts[seed]) if not verdict.exact]

    def kinds(self, seed: int, row: int) -> frozenset[str]:
        """The kinds of error that a wrong answer shows."""
        return kinds_of(self.verdicts[seed][row], self.outputs[seed][row])


def kinds_of(verdict: Verdict, output: str | None) -> frozenset[str]:
    """The kinds of error of an answer that is not exact: the judge's marks, and what its outcome says."""
    if output is None:
        return frozenset({NO_ANSWER})
    said = {Outcome.UNPARSEABLE: "unparseable", Outcome.UNDECIDED: "undecided", Outcome.CORRECT: SAME_MEANING}
    kinds = verdict.marks | ({said[verdict.outcome]} if verdict.outcome in said else set())
    return kinds or frozenset({UNNAMED})


def judge_runs(runs: Sequence[Measured], progress: Progress = lambda what, done, of: None) -> list[Judged]:
    """The answers to every split that nothing was selected on; data that runs share is read once."""
    data: dict[tuple[str, str], Dataset] = {}
    judged = []
    for run in runs:
        key = (run.benchmark.name, run.data_hash)
        if key not in data:
            data[key] = run.directory.dataset()
        longest = _longest(data[key], str(run.recipe["data"].get("train", "")), run.form)
        for split in run.scores:
            if run.benchmark.role(split) != Role.DEV:
                judged.append(_judge(run, split, data[key], longest, progress))
    return judged


def _longest(dataset: Dataset, train: str, form: str) -> int:
    if train not in dataset.splits:
        return 0
    targets = (target for _, columns in dataset[train].batches(form) for target in columns.targets)
    return max((len(target.split()) for target in targets), default=0)


def _judge(run: Measured, split: str, dataset: Dataset, longest: int, progress: Progress) -> Judged:
    if run.form not in dataset.forms:
        raise InputError(f"{run.directory.data}: has targets as {' and '.join(dataset.forms)}, and not as {run.form}")
    dataset[split]
    judge = run.benchmark.judge(run.form)
    gold: list[Gold] = []
    outputs: dict[int, Sequence[str | None]] = {}
    verdicts: dict[int, Sequence[Verdict]] = {}
    for done, seed in enumerate(run.scores[split]):
        progress(f"{run.label}, {split}", done, len(run.scores[split]))
        path = run.directory.predictions(seed, split)
        read = read_predictions(path, run.benchmark.input_names)
        gold = gold or gold_rows(read, dataset, run.form, run.benchmark.tags)
        outputs[seed] = align(str(path), [p for said in read.values() for p in said], gold).outputs
        verdicts[seed] = [_verdict(judge, row, said) for row, said in zip(gold, outputs[seed], strict=True)]
        _check(run, seed, split, verdicts[seed])
    return Judged(run, split, gold, outputs, verdicts, longest)


def _verdict(judge: Judge, row: Gold, output: str | None) -> Verdict:
    return Verdict.missing() if output is None else judge.verdict(row.inputs, row.target, output)


def _check(run: Measured, seed: int, split: str, verdicts: Sequence[Verdict]) -> None:
    """Refuse a scorecard that is not that of the answers beside it: one of the two was exchanged."""
    card = run.scores[split][seed]
    share = sum(verdict.exact for verdict in verdicts) / max(1, len(verdicts))
    if card["n"] != len(verdicts) or abs((card["exact"] or 0.0) - share) > WHOLE:
        said = f"{card['exact']} of {card['n']:,} rows exact" if card["exact"] is not None else "no rows"
        raise InputError(
            f"{run.directory.scores(seed, split)}: says {said}, but the answers beside it are {share:.6g} of "
            f"{len(verdicts):,}; remove it and `blicket run` scores them again"
        )
