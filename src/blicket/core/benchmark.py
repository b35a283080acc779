"""What a benchmark is, for everything that does not want to know which."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, ClassVar, final

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError, Refusal, UnknownName
from blicket.core.example import ListedRows, Role, Rows, Tag, known_form, unnumbered
from blicket.core.fetching import Release
from blicket.core.graph import GraphNotation
from blicket.core.probe import Probe
from blicket.core.published import Published
from blicket.core.respondent import Produce, Rank, Request
from blicket.core.verdict import Judge

__all__ = ["Benchmark", "Case"]


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A kind of example that results are told apart by, and the kind of generalization it asks for."""

    name: str
    title: str
    kind: str


class Benchmark(ABC):
    """A language with systematic gaps: subclass it, and register the subclass (`blicket.core.registry.register`).

    A subclass sets the class variables and says how to build, interpret and judge. `forms` are the forms of targets,
    the default first; `roles` gives the role of each split by name, which may end in a number, as in `train_100`.
    `options` is a strict, frozen pydantic model, or what behaves like one.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    forms: ClassVar[tuple[str, ...]]
    input_names: ClassVar[tuple[str, ...]] = ("source",)
    roles: ClassVar[Mapping[str, Role]]
    cases: ClassVar[Mapping[str, Case]] = {}
    other_cases: ClassVar[frozenset[str]] = frozenset()
    """What else rows of the data have for a case, such as those that ask for no generalization."""

    kinds_of_groups: ClassVar[tuple[str, ...]] = ()
    """The kinds of groups that every scorecard has, also where no row is in a group of them."""

    notations: ClassVar[Mapping[str, GraphNotation]] = {}
    """Forms whose targets are labelled graphs over tokens, and how they are read and written."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Forms whose targets are among a few, which respondents are asked to rank; other targets are to be produced."""

    compat: ClassVar[Mapping[str, str]] = {}
    """Flaws of a published release that can be asked for by name, each with what differs."""

    repeated_rows: ClassVar[bool] = False
    """Whether a split may have the same row several times; in a file of answers each is then a row of its own."""

    single_questions: ClassVar[frozenset[str]] = frozenset()
    """Splits for probes whose rows are scored one by one as well, since they hang on no other answer."""

    options_of_files: ClassVar[frozenset[str]] = frozenset({"compat"})
    """The options that also apply to rows that are read and not made."""

    options_of_language: ClassVar[frozenset[str]] = frozenset()
    """The options that say what rows mean, and so apply to rows that are read as their manifest lists them."""

    @abstractmethod
    def options(self, settings: Mapping[str, object]) -> Any:
        """The options of `build` from settings, the defaults where nothing is set; raises InputError."""

    def listed(self, options: Any) -> Mapping[str, object]:
        """Options as a manifest lists them."""
        return {}

    @abstractmethod
    def build(self, seed: int, options: Any = None) -> Dataset:
        """Make the dataset: the same rows for the same seed and options, whatever the machine."""

    @abstractmethod
    def interpret(self, inputs: tuple[str, ...], form: str) -> str:
        """The gold meaning of anything in the language, also unseen; raises Refusal, which says where and why.

        Call `check` first.
        """

    @abstractmethod
    def judge(self, form: str) -> Judge:
        """The scorer of predictions in this form."""

    def rows(
        self,
        inputs: Sequence[tuple[str, ...]],
        targets: Sequence[str],
        cases: Sequence[str],
        form: str,
        options: Any,
        where: Callable[[int], str] = "row {}".format,
    ) -> Rows:
        """Rows that were read from files, with targets in `form`; override it to offer other forms or apply options.

        `where` names the file and line of a row, for messages.
        """
        tags = []
        for row, about in enumerate(zip(cases, inputs, targets, strict=True)):
            try:
                tags.append(self.tags(*about))
            except Refusal as refusal:
                raise InputError(f"{where(row)}: {refusal}") from refusal
        return ListedRows(inputs, {form: targets}, cases, tags, where)

    def tags(self, case: str, inputs: tuple[str, ...], target: str) -> Mapping[str, Tag]:
        """The tags of an example that was read from a file without them; raises Refusal for what is no input."""
        return {}

    def split_of(self, file: str) -> str:
        """The split that is in a file, by its name without an ending; override it for files of a release."""
        return file

    def groups(self, case: str, tags: Mapping[str, Tag]) -> Mapping[str, str]:
        """The groups an example is counted in besides the whole, by kind of group."""
        if case not in self.cases:
            return {"case": case} if case else {}
        return {"case": case, "kind": self.cases[case].kind}

    def probes(self, dataset: Dataset) -> Sequence[Probe]:
        """Tests that ask more than one question about a dataset."""
        return ()

    def release(self) -> Release | None:
        """The files the benchmark was published with, if they can be fetched."""
        return None

    def probed(self, row: Published) -> tuple[str, str] | None:
        """The probe and the group of its findings that a published number is about, if it is about any."""
        return None

    def published(self) -> Sequence[Published]:
        """The numbers of the papers."""
        return ()

    def beside(self, kind: str, group: str) -> Mapping[str, float]:
        """The published exact match of each model for a group of examples, to print beside ours."""
        return {}

    def card(self) -> str:
        """What the benchmark is, what was corrected and what to beware of; CARD.md beside the subclass's module."""
        package = type(self).__module__.rpartition(".")[0] or type(self).__module__
        try:
            return files(package).joinpath("CARD.md").read_text("utf-8")
        except (FileNotFoundError, ModuleNotFoundError, TypeError):
            return f"# {self.title}\n\n{self.citation}\n"

    def form(self, name: str | None) -> str:
        """The form of this name, the default for None; raises UnknownName."""
        return self.forms[0] if name is None else known_form(name, self.forms)

    def request(self, example: str, inputs: tuple[str, ...], form: str) -> Request:
        """What a respondent is asked about an example."""
        if form in self.choices:
            return Rank(example, inputs, self.choices[form])
        return Produce(example, inputs, form)

    def check(self, inputs: tuple[str, ...], form: str) -> None:
        """Refuse what `interpret` cannot be asked: inputs that are no tuple of texts, a form that is not there."""
        if not isinstance(inputs, tuple | list) or [type(text) for text in inputs] != [str] * len(self.input_names):
            texts = (inputs,) if isinstance(inputs, str) else tuple(f"the {name}" for name in self.input_names)
            wanted = f"a tuple of {' and '.join(self.input_names)}, such as {texts}"
            raise InputError(f"{self.name}: expected {wanted}, got {inputs!r}")
        known_form(form, self.forms)

    def role(self, split: str) -> Role:
        """The role of a split by its name, numbers at the end left out."""
        stem = unnumbered(split)
        if stem not in self.roles:
            raise UnknownName("split", split, self.roles)
        return self.roles[stem]
