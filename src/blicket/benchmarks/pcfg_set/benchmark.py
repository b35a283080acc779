"""PCFG SET as a benchmark."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, final

from blicket.benchmarks.pcfg_set.cases import OTHER_CASES, ROLES, cases, kind_of
from blicket.core.benchmark import Benchmark, Case
from blicket.core.dataset import Dataset
from blicket.core.example import Role, Tag
from blicket.core.probe import Probe
from blicket.core.published import Published, published_results
from blicket.core.registry import register
from blicket.core.verdict import Judge

__all__ = ["PcfgSet"]

MODELS = {"lstms2s": "LSTM", "convs2s": "Conv", "transformer": "Transf."}
EXCEPTIONS_FILE = re.compile(r"test_pcfg_ratio=(0\.[0-9]+)_exception")
NUMBERED = ("functions", "depth", "length", "string_length")


@register
@final
class PcfgSet(Benchmark):
    """String edit operations in prefix notation, and five tests of compositionality on them."""

    name = "pcfg-set"
    version = "1"
    title = "PCFG SET: string edit operations, with five tests of compositionality"
    citation = (
        "Hupkes, Dankers, Mul & Bruni 2020, Compositionality Decomposed: How do Neural Networks Generalise?, JAIR 67"
    )
    forms = ("symbols",)
    roles: ClassVar[Mapping[str, Role]] = ROLES
    cases: ClassVar[Mapping[str, Case]] = cases()
    other_cases = OTHER_CASES
    kinds_of_groups = ("case", "kind", *NUMBERED[:3])
    repeated_rows = True
    single_questions = frozenset(name for name, role in ROLES.items() if role is Role.PROBE) - {"localism_unrolled"}
    options_of_files = frozenset()

    @property
    def compat(self) -> Mapping[str, str]:  # type: ignore[override]
        """Kept with the options, which need it too."""
        from blicket.benchmarks.pcfg_set.options import COMPAT

        return COMPAT

    def options(self, settings: Mapping[str, object]) -> Any:
        """A PcfgSetOptions."""
        from blicket.benchmarks.pcfg_set.options import parsed

        return parsed(settings)

    def listed(self, options: Any) -> Mapping[str, object]:
        """All of them."""
        from blicket.core.options import listed

        return listed(options)

    def build(self, seed: int, options: Any = None) -> Dataset:
        """Draw the inputs, and part them as the task and each test want; raises InputError where strings run out."""
        from blicket.benchmarks.pcfg_set.splits import leaking, made_splits

        options = self.options({}) if options is None else options
        splits = made_splits(seed, options)
        about = {"seed": seed, **self.listed(options), **leaking(splits)}
        return Dataset(self.name, self.version, splits, self.input_names, about)

    def interpret(self, inputs: tuple[str, ...], form: str) -> str:
        """The string that an input means; synonyms mean what their functions do."""
        from blicket.benchmarks.pcfg_set.interpretation import interpret

        self.check(inputs, form)
        return interpret(inputs[0])

    def judge(self, form: str) -> Judge:
        """A PcfgSetJudge."""
        from blicket.benchmarks.pcfg_set.scoring import PcfgSetJudge

        self.form(form)
        return PcfgSetJudge()

    def tags(self, case: str, inputs: tuple[str, ...], target: str) -> Mapping[str, Tag]:
        """How many functions and words there are, and how deep functions are nested; and what the case adds to that."""
        from blicket.benchmarks.pcfg_set.interpretation import interpret
        from blicket.benchmarks.pcfg_set.structure import string_length, structure
        from blicket.core.spacing import words_of

        words = words_of(inputs[0])
        tags = structure(words).as_tags()
        match kind_of(case):
            case "lengths":
                return {**tags, "string_length": string_length(words)}
            case "overgeneralisation":
                return {**tags, "rule": interpret(inputs[0])}
        return tags

    def probes(self, dataset: Dataset) -> Sequence[Probe]:
        """Substitutivity and localism, where the dataset has their rows."""
        from blicket.benchmarks.pcfg_set.probing import probes_of

        return probes_of(self, dataset)

    def probed(self, row: Published) -> tuple[str, str] | None:
        """Consistency is what the probes of table 1's tests find."""
        return (row.about["test"], "consistency") if row.measure == "consistency" else None

    def split_of(self, file: str) -> str:
        """The released exceptions are in files such as `test_pcfg_ratio=0.001_exception`."""
        ratio = EXCEPTIONS_FILE.fullmatch(file)
        return f"overgeneralisation_exceptions_{round(10_000 * float(ratio[1]))}" if ratio else file

    def groups(self, case: str, tags: Mapping[str, Tag]) -> Mapping[str, str]:
        """Also by number of functions, depth and length, and in the test of lengths by that of the strings."""
        of_case = {"case": case, "kind": kind_of(case)} if case else {}
        return of_case | {name: str(tags[name]) for name in NUMBERED if name in tags}

    @cached_property
    def _tables(self) -> list[Published]:
        return list(published_results(files(__package__).joinpath("published.toml").read_text("utf-8")))

    def published(self) -> Sequence[Published]:
        """Table 1, and the numbers that the authors' own predictions give."""
        return self._tables

    def beside(self, kind: str, group: str) -> Mapping[str, float]:
        """Table 1, sequence accuracy, by model."""
        if kind != "split":
            return {}
        return {
            MODELS[result.about["model"]]: result.value
            for result in self.published()
            if result.table == "table-1" and result.measure == "exact" and result.about["split"] == group
        }
