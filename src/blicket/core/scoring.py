"""Scoring: predictions and gold rows in, a scorecard out, with everything that did not fit named."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, final

from blicket.core.benchmark import Benchmark
from blicket.core.dataset import Dataset
from blicket.core.errors import FormError, InputError, did_you_mean
from blicket.core.example import Role
from blicket.core.predictions import Aligned, Gold, Prediction, align, gold_rows, occurrences, read_predictions
from blicket.core.probe import Finding, Probe, over_seeds
from blicket.core.respondent import Answer
from blicket.core.scorecard import Scorecard, scorecard
from blicket.core.twins import TWIN_MARKS, beside_twins, check_twins
from blicket.core.verdict import Verdict

__all__ = ["Judged", "Scores", "judged", "score"]

Progress = Callable[[str, int, int], None]


@final
@dataclass(frozen=True)
class Judged:
    """The gold rows, how the predictions of each seed fitted them, and by seed the verdict on each row."""

    gold: Sequence[Gold]
    files: tuple[Aligned, ...]
    verdicts: Mapping[str, Sequence[Verdict]]
    more_marks: tuple[str, ...] = ()
    """Marks of these verdicts that the benchmark's judge does not give."""
    probes: Mapping[str, Mapping[str, Finding]] = field(default_factory=dict)
    """By probe and seed what the answers show."""


@final
@dataclass(frozen=True)
class Scores:
    """A scorecard, how each file fitted the gold rows, and the scorecards of the rows that hold no surprises.

    `familiar` has, where the train set is known, the rows whose input words (`words`) or whose target tokens (`labels`)
    all occur in it, and those for which both hold. `probes` has by probe and seed what the answers show.
    """

    card: Scorecard
    files: tuple[Aligned, ...]
    familiar: dict[str, Scorecard]
    probes: Mapping[str, Mapping[str, Finding]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The scorecard's numbers, and under `files`, `familiar` and `probes` the rest."""
        said = self.card.as_dict()
        if self.familiar:
            said["familiar"] = {name: card.as_dict() for name, card in self.familiar.items()}
        if self.probes:
            said["probes"] = {name: over_seeds(findings) for name, findings in self.probes.items()}
        said["files"] = [file.as_dict() for file in self.files]
        return said


def score(
    benchmark: Benchmark,
    files: Sequence[Path],
    form: str,
    dataset: Dataset | None = None,
    *,
    twins: Sequence[Path] = (),
    progress: Progress = lambda file, done, rows: None,
) -> Scores:
    """Score files of predictions, one a seed, against the same gold rows.

    `twins` are as many files again, with the answers of the same seeds to the same questions put in another way.
    """
    benchmark.form(form)
    files = [*files, *twins]
    same = [path.resolve() for path in files]
    repeated = [path for path, resolved in zip(files, same, strict=True) if same.count(resolved) > 1]
    if repeated:
        raise InputError(f"{repeated[-1]}: given twice; each file counts as a seed")
    if dataset is not None and form not in dataset.forms:
        raise InputError(f"the data has targets as {' and '.join(dataset.forms)}, and not as {form}")
    found = _judged_files(benchmark, files[: len(files) - len(twins)], form, dataset, progress)
    if twins:
        other = _judged_files(benchmark, files[len(files) - len(twins) :], form, dataset, progress)
        found = _paired(found, other)
    return Scores(
        _card(benchmark, form, found, range(len(found.gold))),
        found.files,
        {name: _card(benchmark, form, found, rows) for name, rows in _familiar_rows(found.gold, dataset, form).items()},
        found.probes,
    )


def _judged_files(
    benchmark: Benchmark, files: Sequence[Path], form: str, dataset: Dataset | None, progress: Progress
) -> Judged:
    read: dict[str, list[Prediction]] = {}
    for path in files:
        read |= read_predictions(path, benchmark.input_names)
    asking = benchmark.probes(dataset) if dataset is not None else ()
    probes = _findings(asking, read)
    rest = _without_probes(benchmark, read) if asking else read
    found = judged(benchmark, rest, form, dataset, progress=progress)
    if not found.gold and not probes:
        raise InputError(_nothing(read, dataset))
    return replace(found, probes=probes)


def _paired(found: Judged, twins: Judged) -> Judged:
    """The verdicts with what their twins add, seed by seed in the order of the files."""
    if len(found.files) != len(twins.files):
        raise InputError(f"--twin: {len(twins.files)} seeds, expected {len(found.files)}: a twin for each")
    check_twins(found.gold, twins.gold)
    verdicts = {
        one.seed: beside_twins(found.verdicts[one.seed], one.outputs, twins.verdicts[other.seed], other.outputs)
        for one, other in zip(found.files, twins.files, strict=True)
    }
    return replace(found, files=(*found.files, *twins.files), verdicts=verdicts, more_marks=TWIN_MARKS)


def _findings(probes: Sequence[Probe], read: Mapping[str, list[Prediction]]) -> dict[str, dict[str, Finding]]:
    """By probe and seed what the answers show, in the probes that some of them are about."""
    found: dict[str, dict[str, Finding]] = {probe.name: {} for probe in probes}
    for seed, predictions in read.items():
        answers = {p.id: Answer(p.output) for p in reversed(predictions) if p.id is not None}  # the first counts
        for finding in (probe.finding(answers) for probe in probes):
            if finding is not None:
                found[finding.name][seed] = finding
    return {name: by_seed for name, by_seed in found.items() if by_seed}


def _without_probes(benchmark: Benchmark, read: Mapping[str, list[Prediction]]) -> dict[str, list[Prediction]]:
    """The predictions that are scored row by row: not those of what is only asked in view of other answers."""
    names = {name for name, role in benchmark.roles.items() if role is Role.PROBE} - benchmark.single_questions
    if not names:
        return dict(read)
    return {
        seed: [p for p in predictions if (p.id or "").rpartition("/")[0] not in names]
        for seed, predictions in read.items()
    }


def judged(
    benchmark: Benchmark,
    predictions: Mapping[str, list[Prediction]],
    form: str,
    dataset: Dataset | None = None,
    *,
    progress: Progress = lambda seed, done, rows: None,
) -> Judged:
    """The verdicts on the predictions of each seed, all against the same gold rows."""
    benchmark.form(form)
    if benchmark.repeated_rows:
        predictions = {seed: occurrences(said) for seed, said in predictions.items()}
    gold = gold_rows(predictions, dataset, form, benchmark.tags)
    _check_gold(benchmark, form, gold, dataset)
    aligned = tuple(align(seed, said, gold) for seed, said in predictions.items())
    return Judged(gold, aligned, {file.seed: _verdicts(benchmark, form, gold, file, progress) for file in aligned})


def _nothing(read: Mapping[str, list[Prediction]], dataset: Dataset | None) -> str:
    """Why there is no gold row."""
    named = {(p.id or "").rpartition("/")[0] for predictions in read.values() for p in predictions}
    empty = [name for name in dataset.splits if name in named] if dataset is not None else []
    if not empty:
        return "there are no predictions to score"
    are = "are" if len(empty) > 1 else "is"
    return f"{', '.join(read)}: there are no gold rows to score against; {' and '.join(empty)} of the data {are} empty"


def _check_gold(benchmark: Benchmark, form: str, gold: Sequence[Gold], dataset: Dataset | None) -> None:
    """Refuse gold that is not in the form, before anything is blamed on a prediction, and cases that nobody knows."""
    judge = benchmark.judge(form)
    cases = {"", *benchmark.cases, *benchmark.other_cases}
    for row in gold:
        own = row.id is None or dataset is None
        if own and benchmark.cases and row.case not in cases:
            near = did_you_mean(row.case, cases - {""}) or f"; `blicket show {benchmark.name} --json` lists them"
            raise InputError(f"{row.where}: there is no case {row.case!r}{near}")
        try:
            judge.check(row.target)
        except FormError as error:
            raise InputError(f"{row.where or row.name}: the target is no {form} form: {error}") from error


def _verdicts(
    benchmark: Benchmark, form: str, gold: Sequence[Gold], file: Aligned, progress: Progress
) -> list[Verdict]:
    judge = benchmark.judge(form)
    verdicts = []
    for done, (row, output) in enumerate(zip(gold, file.outputs, strict=True)):
        verdicts.append(Verdict.missing() if output is None else judge.verdict(row.inputs, row.target, output))
        if done % 1000 == 0:
            progress(file.seed, done, len(gold))
    return verdicts


def _card(benchmark: Benchmark, form: str, found: Judged, rows: Sequence[int]) -> Scorecard:
    groups = []
    for gold in (found.gold[row] for row in rows):
        of_row = dict(benchmark.groups(gold.case, gold.tags))
        split = (gold.id or "").rpartition("/")[0]
        groups.append({"split": split, **of_row} if split else of_row)
    chosen = {seed: [of_seed[row] for row in rows] for seed, of_seed in found.verdicts.items()}
    order = {**dict.fromkeys(benchmark.kinds_of_groups, ()), "case": benchmark.cases}
    return scorecard(benchmark.judge(form), chosen, groups, order, found.more_marks)


def _familiar_rows(gold: Sequence[Gold], dataset: Dataset | None, form: str) -> dict[str, list[int]]:
    train = dataset.with_role(Role.TRAIN)[:1] if dataset is not None else ()
    if not train:
        return {}
    words, labels = set[str](), set[str]()
    for _, columns in train[0].batches(form):
        words.update(*(text.split() for inputs in columns.inputs for text in inputs))
        labels.update(*(target.split() for target in columns.targets))
    knows_words = [words.issuperset(w for text in row.inputs for w in text.split()) for row in gold]
    knows_labels = [labels.issuperset(row.target.split()) for row in gold]
    return {
        "words": [i for i, known in enumerate(knows_words) if known],
        "labels": [i for i, known in enumerate(knows_labels) if known],
        "words_and_labels": [i for i in range(len(gold)) if knows_words[i] and knows_labels[i]],
    }
