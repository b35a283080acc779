"""Natural logic as a benchmark."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, final

from blicket.benchmarks.natural_logic.relations import NAMES, RELATIONS
from blicket.core.benchmark import Benchmark, Case
from blicket.core.dataset import Dataset
from blicket.core.example import Role, Rows, Tag
from blicket.core.probe import Probe
from blicket.core.published import Published, published_results
from blicket.core.registry import register
from blicket.core.verdict import Judge

__all__ = ["NaturalLogic"]


@register
@final
class NaturalLogic(Benchmark):
    """Natural-logic inference with known and with novel words."""

    name = "natural-logic"
    version = "1"
    title = "Natural logic: relations of sentence pairs, and probes with words never met before"
    citation = "Goodwin et al. 2020, Probing Linguistic Systematicity, ACL"
    forms = ("relation",)
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"relation": RELATIONS}
    input_names = ("premise", "hypothesis")
    cases: ClassVar[Mapping[str, Case]] = {
        name: Case(name, f"{name.replace('_', ' ').capitalize()} {symbol}", "relation")
        for symbol, name in NAMES.items()
    }
    kinds_of_groups = ("case",)
    options_of_language = frozenset(
        "blocks jabberwocky levels quantifiers adjectives relatives negation words compat".split()
    )

    @property
    def roles(self) -> Mapping[str, Role]:  # type: ignore[override]
        """Kept with the splits."""
        from blicket.benchmarks.natural_logic.splits import ROLES

        return ROLES

    @property
    def compat(self) -> Mapping[str, str]:  # type: ignore[override]
        """Kept with the options, which need it too."""
        from blicket.benchmarks.natural_logic.options import COMPAT

        return COMPAT

    def options(self, settings: Mapping[str, object]) -> Any:
        """A NaturalLogicOptions."""
        from blicket.benchmarks.natural_logic.options import parsed

        return parsed(settings)

    def listed(self, options: Any) -> Mapping[str, object]:
        """All of them: sets sorted, tuples as lists."""
        return {
            name: sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value
            for name, value in options
        }

    def build(self, seed: int, options: Any = None) -> Dataset:
        """Draw every split; sentences are written out when they are read."""
        from blicket.benchmarks.natural_logic.splits import language_of, sampled_splits

        options = self.options({}) if options is None else options
        about = {"seed": seed, **self.listed(options)}
        hierarchy = language_of(options).lexicon.place
        splits = sampled_splits(seed, options)
        return Dataset(self.name, self.version, splits, self.input_names, about, hierarchy=hierarchy)

    def rows(
        self,
        inputs: Sequence[tuple[str, ...]],
        targets: Sequence[str],
        cases: Sequence[str],
        form: str,
        options: Any,
        where: Callable[[int], str] = "row {}".format,
    ) -> Rows:
        """Rows of files, read as pairs; with `labels-2020` they get the labels of the release."""
        from blicket.benchmarks.natural_logic.splits import read_rows

        self.form(form)
        return read_rows(options, inputs, targets, where)

    def interpret(self, inputs: tuple[str, ...], form: str) -> str:
        """The symbol of the relation between premise and hypothesis, with any noun and verb of one block."""
        self.check(inputs, form)
        return self._relate(inputs)

    @cached_property
    def _relate(self) -> Callable[[Sequence[str]], str]:
        from blicket.benchmarks.natural_logic.interpretation import relater

        return relater()

    def judge(self, form: str) -> Judge:
        """A RelationJudge."""
        from blicket.benchmarks.natural_logic.scoring import RelationJudge

        self.form(form)
        return RelationJudge()

    def groups(self, case: str, tags: Mapping[str, Tag]) -> Mapping[str, str]:
        """By relation, and by block where it is known."""
        groups = {"case": case} if case else {}
        return {**groups, "block": str(tags["block"])} if "block" in tags else groups

    def probes(self, dataset: Dataset) -> Sequence[Probe]:
        """The probes of the paper on a dataset's jabberwocky pairs, and accuracy by block."""
        from blicket.benchmarks.natural_logic.probing import probes_of

        return probes_of(self, dataset)

    def probed(self, row: Published) -> tuple[str, str] | None:
        """The probe, and the relation or everything; single types of perturbation are not ours to the letter."""
        from blicket.benchmarks.natural_logic.probing import probed

        return probed(row)

    @cached_property
    def _tables(self) -> list[Published]:
        return list(published_results(files(__package__).joinpath("published.toml").read_text("utf-8")))

    def published(self) -> Sequence[Published]:
        """Tables 3 to 7."""
        return self._tables
