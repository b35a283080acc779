"""COGS as a benchmark."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, final

from blicket.benchmarks.cogs.cases import CASES, EXPOSURES, HELD_OUT, IN_DISTRIBUTION, PRIMITIVE
from blicket.benchmarks.cogs.composition import CONJUNCTIVE, FORMS
from blicket.core.benchmark import Benchmark, Case
from blicket.core.dataset import Dataset
from blicket.core.example import Role, Rows, Tag
from blicket.core.fetching import Release
from blicket.core.graph import GraphNotation
from blicket.core.published import Published, published_results
from blicket.core.registry import register
from blicket.core.verdict import Judge

__all__ = ["Cogs"]

MODELS = {"transformer": "Transf.", "bilstm": "BiLSTM", "lstm": "LSTM"}
BANDS = {"0-2": range(3), "3-5": range(3, 6), "6-12": range(6, 13), "13-": range(13, sys.maxsize)}
"""Depths of embedding: those of train, those that people cope with, and others (table 4, section 5.2.2)."""


@register
@final
class Cogs(Benchmark):
    """The compositional generalization challenge based on semantic interpretation."""

    name = "cogs"
    version = "1"
    title = "COGS: English sentences to logical forms, with 21 systematic gaps"
    citation = (
        "Kim & Linzen 2020, COGS: A Compositional Generalization Challenge Based on Semantic Interpretation, EMNLP"
    )
    forms = FORMS
    roles: ClassVar[Mapping[str, Role]] = {
        "train": Role.TRAIN,
        "dev": Role.DEV,
        HELD_OUT: Role.DEV,
        "test": Role.TEST,
        "gen": Role.GENERALIZATION,
    }
    cases: ClassVar[Mapping[str, Case]] = {case.name: Case(case.name, case.title, case.kind) for case in CASES.values()}
    other_cases = frozenset({IN_DISTRIBUTION, PRIMITIVE, *EXPOSURES})
    kinds_of_groups = ("case", "kind", "depth")

    options_of_files = frozenset({"compat", "nonce"})

    @property
    def notations(self) -> Mapping[str, GraphNotation]:  # type: ignore[override]
        """Only conjunctive forms say which token means what; a variable-free form has to be aligned."""
        from blicket.benchmarks.cogs.notation import ConjunctiveNotation

        return {CONJUNCTIVE: ConjunctiveNotation()}

    @property
    def compat(self) -> Mapping[str, str]:  # type: ignore[override]
        """Kept with the options, which need it too."""
        from blicket.benchmarks.cogs.options import COMPAT

        return COMPAT

    def options(self, settings: Mapping[str, object]) -> Any:
        """A CogsOptions."""
        from blicket.benchmarks.cogs.options import parsed

        return parsed(dict(settings))

    def listed(self, options: Any) -> Mapping[str, object]:
        """All of them: sets sorted, tuples as lists."""
        return {
            name: sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value
            for name, value in options
        }

    def build(self, seed: int, options: Any = None) -> Dataset:
        """Sample every split; sentences and forms are written out when they are read."""
        from blicket.benchmarks.cogs.lexicon import nonce_lexicon, plain_lexicon
        from blicket.benchmarks.cogs.splits import sampled_splits

        options = self.options({}) if options is None else options
        lexicon = nonce_lexicon() if options.nonce else plain_lexicon()
        splits = sampled_splits(seed, options, lexicon)
        if options.held_out is not None:
            from blicket.benchmarks.cogs.development import with_gap

            splits = with_gap(splits, options.held_out, seed)
        about = {"seed": seed, **self.listed(options)}
        return Dataset(self.name, self.version, splits, self.input_names, about, self.notations)

    def rows(
        self,
        inputs: Sequence[tuple[str, ...]],
        targets: Sequence[str],
        cases: Sequence[str],
        form: str,
        options: Any,
        where: Callable[[int], str] = "row {}".format,
    ) -> Rows:
        """Rows of files, in both forms, with what `options` want done to them."""
        from blicket.benchmarks.cogs.release import ReadRows, disguised, labels_of_2020

        if "gen-2020" in options.compat:
            targets = labels_of_2020(inputs, targets, cases, form, where)
        if options.nonce:
            inputs, targets = disguised(inputs, targets)
        return ReadRows(inputs, targets, cases, form, where)

    def interpret(self, inputs: tuple[str, ...], form: str) -> str:
        """The form of a sentence or primitive."""
        from blicket.benchmarks.cogs.interpretation import interpreter

        self.check(inputs, form)
        return interpreter().interpret(inputs[0], form)

    def judge(self, form: str) -> Judge:
        """A CogsJudge."""
        from blicket.benchmarks.cogs.scoring import CogsJudge

        return CogsJudge(self.form(form))

    def tags(self, case: str, target: str) -> Mapping[str, Tag]:
        """The depth of a row of a recursion case."""
        from blicket.benchmarks.cogs.release import recursion_tags

        return next(iter(recursion_tags(case, [target])), {})

    def groups(self, case: str, tags: Mapping[str, Tag]) -> Mapping[str, str]:
        """Also by depth: pooled over the two recursion cases, by case, and in the bands of table 4."""
        groups = dict(super().groups(case, tags))
        if "depth" in tags:
            depth = tags["depth"]
            groups |= {"depth": str(depth), "case_depth": f"{case}/{depth}"}
            groups["depth_band"] = next(name for name, band in BANDS.items() if depth in band)
        return groups

    @cached_property
    def _tables(self) -> list[Published]:
        return list(published_results(files(__package__).joinpath("published.toml").read_text("utf-8")))

    def release(self) -> Release:
        """The repository of the paper."""
        from blicket.benchmarks.cogs.release import RELEASE

        return RELEASE

    def published(self) -> Sequence[Published]:
        """The tables of both texts and the numbers in them."""
        return self._tables

    def beside(self, kind: str, group: str) -> Mapping[str, float]:
        """Tables 2, 7 (one exposure) and 4, by model."""
        tables = {"split": ("table-2", "split"), "case": ("table-7", "case"), "depth_band": ("table-4", "depth")}
        table, key = tables.get(kind, ("", ""))
        return {
            MODELS[result.about["model"]]: result.value
            for result in self.published()
            if result.table == table and result.about.get(key) == group and result.about["exposures"] == 1
        }
