"""The default dataset, built once, the reference data, and a reader of forms that shares no code with the package."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from blicket.benchmarks.cogs import Cogs
from blicket.core.dataset import Dataset

REFERENCE = Path(__file__).parents[3].parent / "shared" / "reference" / "cogs"
PAPERS = REFERENCE.parents[1] / "papers"
FORMS = "conjunctive", "variable-free"


@dataclass
class Facts:
    """What a conjunctive form says: nouns and verbs by position, and (position, role, filler) with names as words."""

    nouns: dict[int, tuple[str, bool]] = field(default_factory=dict)
    verbs: dict[int, str] = field(default_factory=dict)
    roles: list[tuple[int, str, int | str]] = field(default_factory=list)

    def of(self, verb: int) -> dict[str, int | str]:
        return {role: filler for head, role, filler in self.roles if head == verb}

    def places(self, word: str) -> list[tuple[int, str]]:
        """The verbs and roles that a noun or name fills, its modifiers left out."""
        said = [i for i, (noun, _) in self.nouns.items() if noun == word]
        return [(head, role) for head, role, filler in self.roles if filler == word or filler in said]

    def modified(self) -> set[int]:
        return {head for head, role, _ in self.roles if role.startswith("nmod")}

    def chain(self, role: str) -> int:
        """The length of the longest chain of a role."""
        after: dict[int, list[int]] = {}
        for head, label, filler in self.roles:
            if label.split(" . ")[0] == role and isinstance(filler, int):
                after.setdefault(head, []).append(filler)
        best = 0
        frontier = set(after)
        while frontier := {filler for head in frontier for filler in after.get(head, ())}:
            best += 1
        return best


def _read_form(text: str) -> Facts:
    facts = Facts()
    for part in re.split(r" ; | AND ", text):
        if noun := re.fullmatch(r"(\* )?(\S+) \( x _ (\d+) \)", part):
            facts.nouns[int(noun[3])] = (noun[2], noun[1] is not None)
            continue
        role = re.fullmatch(r"(\S+) \. (\w+|nmod \. \w+) \( x _ (\d+) , (?:x _ (\d+)|([^\s()]+)) \)", part)
        assert role, part
        head = int(role[3])
        if role[2].startswith("nmod"):
            assert facts.nouns[head][0] == role[1]
        else:
            assert facts.verbs.setdefault(head, role[1]) == role[1]
        facts.roles.append((head, role[2], role[5] if role[4] is None else int(role[4])))
    return facts


@pytest.fixture(scope="session")
def read_form() -> Callable[[str], Facts]:
    return _read_form


@pytest.fixture(scope="session")
def reference() -> Path:
    if not (REFERENCE / "train.tsv").exists():
        pytest.skip(f"the reference data are not at {REFERENCE}")
    return REFERENCE


@pytest.fixture(scope="session")
def papers() -> Path:
    if not PAPERS.exists():
        pytest.skip(f"the texts of the papers are not at {PAPERS}")
    return PAPERS


@pytest.fixture(scope="session")
def reference_rows(reference) -> dict[str, list[tuple[str, str, str]]]:
    """Sentence, form and case of the released rows, by file."""
    return {
        name: [tuple(line.split("\t")) for line in (reference / f"{name}.tsv").read_text("utf-8").splitlines()]
        for name in ("train", "dev", "gen_sample")
    }


@pytest.fixture(scope="session")
def reference_lexicon(reference) -> dict:
    return json.loads((reference / "lexicon.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def cogs() -> Cogs:
    return Cogs()


@pytest.fixture(scope="session")
def dataset(cogs) -> Dataset:
    """The default dataset."""
    return cogs.build(1)


def _rows_of(dataset: Dataset) -> dict[str, list[SimpleNamespace]]:
    rows = {}
    for name, split in dataset.splits.items():
        columns = {form: [c for _, c in split.batches(form)] for form in dataset.forms}
        first = columns[FORMS[0]]
        rows[name] = [
            SimpleNamespace(sentence=inputs[0], form=form, case=case, free=free, tags=tags)
            for one, two in zip(first, columns[FORMS[1]], strict=True)
            for inputs, form, case, free, tags in zip(
                one.inputs, one.targets, one.cases, two.targets, one.tags or [{}] * len(one.cases), strict=True
            )
        ]
    return rows


@pytest.fixture(scope="session")
def rows_of() -> Callable[[Dataset], dict[str, list[SimpleNamespace]]]:
    return _rows_of


@pytest.fixture(scope="session")
def rows(dataset) -> dict[str, list[SimpleNamespace]]:
    """Every row of the default dataset, by split."""
    return _rows_of(dataset)
