"""The 21 generalization cases and the 12 exposure examples, as conditions on derivations of the whole grammar.

Kim & Linzen 2020, section 3 and table 1. A lexical case asks for one exposed word in one place or frame. Its clause may
be a complement, as in everyday English, but the clause around it holds everyday words alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from blicket.benchmarks.cogs.lexicon import CROSSLISTED, plain_lexicon
from blicket.grammar import Absent, Condition, Count, Depth

__all__ = [
    "CASES",
    "DEPTHS",
    "EXPOSURES",
    "GAPS",
    "HELD_OUT",
    "IN_DISTRIBUTION",
    "PRIMITIVE",
    "Gap",
    "GeneralizationCase",
    "everyday",
    "recursion",
]

IN_DISTRIBUTION = "in_distribution"
HELD_OUT = "held_out"
"""The split of what was cut out of train for development."""
Gap = Literal["cp-depth", "pp-depth", "pp-place", "name-recipient", "name-theme", "noun-role", "verb-frame"]
GAPS: tuple[Gap, ...] = get_args(Gap)
"""What can be cut out: see `blicket.benchmarks.cogs.development`."""
PRIMITIVE = "primitive"
EVERYDAY_DEPTH = 2
DEPTHS = (3, 12)


@dataclass(frozen=True, slots=True)
class GeneralizationCase:
    """A kind of sentence: its name in the release, the exposed word it turns on, and where that stands.

    `word` is in `place` (a phenomenon around it), and the innermost clause shows `frame`.
    """

    name: str
    title: str
    kind: str = "lexical"
    word: str | None = None
    place: str | None = None
    frame: str | None = None

    def conditions(self) -> tuple[Condition, ...]:
        """The derivations that belong to the case; those of the recursion cases depend on a depth as well."""
        if self.word is None:
            return _modified_subjects()
        frame = () if self.frame is None else (Count(self.frame, 1, 1),)
        return (*everyday(but=self.word), Count(self.word, 1, 1, within=self.place), *frame)


def everyday(but: str | None = None, *, cp: int = EVERYDAY_DEPTH, pp: int = EVERYDAY_DEPTH) -> tuple[Condition, ...]:
    """The conditions on everyday sentences: shallow, with no PP on a subject and no exposed word `but` one."""
    absent = (_exposed_words() | {"subject-pp"}) - {but}
    return Absent(frozenset(absent)), Depth("cp", 0, cp), Depth("pp", 0, pp)


def recursion(phenomenon: str, depth: int) -> tuple[Condition, ...]:
    """Everyday sentences but for one phenomenon, `cp` or `pp`, that is nested exactly this deep."""
    other = {"cp": "pp", "pp": "cp"}[phenomenon]
    absent = Absent(_exposed_words() | {"subject-pp"})
    return absent, Depth(phenomenon, depth, depth), Depth(other, 0, EVERYDAY_DEPTH)


def _modified_subjects() -> tuple[Condition, ...]:
    """A PP on every subject and by-phrase agent: passive themes and recipients and unaccusative themes are subjects."""
    absent = Absent(_exposed_words() | {"bare-subject"})
    return absent, Depth("cp", 0, EVERYDAY_DEPTH), Depth("pp", 0, EVERYDAY_DEPTH)


@cache
def _exposed_words() -> frozenset[str]:
    exposed = frozenset().union(*(entry.phenomena for entry in plain_lexicon().entries))
    return exposed | {CROSSLISTED}


def _named(cases: Iterable[GeneralizationCase]) -> dict[str, GeneralizationCase]:
    return {case.name: case for case in cases}


def _lexical(
    name: str, title: str, word: str, place: str | None = None, frame: str | None = None
) -> GeneralizationCase:
    return GeneralizationCase(name, title, "lexical", word, place, frame)


AGENT, OBJECT, THEME = "exposed-agent", "exposed-object", "exposed-theme"

CASES = _named(
    (
        _lexical("subj_to_obj_common", "Subject to object (common noun)", "hedgehog", OBJECT),
        _lexical("subj_to_obj_proper", "Subject to object (proper noun)", "Lina", OBJECT),
        _lexical("obj_to_subj_common", "Object to subject (common noun)", "cockroach", AGENT),
        _lexical("obj_to_subj_proper", "Object to subject (proper noun)", "Charlie", AGENT),
        _lexical("prim_to_subj_common", "Primitive noun to subject (common noun)", "shark", AGENT),
        _lexical("prim_to_subj_proper", "Primitive noun to subject (proper noun)", "Paula", AGENT),
        _lexical("prim_to_obj_common", "Primitive noun to object (common noun)", "shark", OBJECT),
        _lexical("prim_to_obj_proper", "Primitive noun to object (proper noun)", "Paula", OBJECT),
        _lexical("prim_to_inf_arg", "Primitive verb to infinitival argument", "crawl"),
        GeneralizationCase("obj_pp_to_subj_pp", "Object to subject modification", "structural"),
        GeneralizationCase("cp_recursion", "Depth: sentential complements", "structural"),
        GeneralizationCase("pp_recursion", "Depth: PP modifiers", "structural"),
        _lexical("active_to_passive", "Active to passive", "blessed", frame="passive"),
        _lexical("passive_to_active", "Passive to active", "squeezed", frame="transitive"),
        _lexical(
            "obj_omitted_transitive_to_transitive",
            "Object-omitted transitive to transitive",
            "baked",
            frame="transitive",
        ),
        _lexical("unacc_to_transitive", "Unaccusative to transitive", "shattered", frame="causative"),
        _lexical("do_dative_to_pp_dative", "Double-object to PP dative", "teleported", frame="pp-dative"),
        _lexical("pp_dative_to_do_dative", "PP to double-object dative", "shipped", frame="do-dative"),
        _lexical("only_seen_as_transitive_subj_as_unacc_subj", "Agent NP to unaccusative subject", "cobra", THEME),
        _lexical(
            "only_seen_as_unacc_subj_as_obj_omitted_transitive_subj",
            "Theme NP to object-omitted transitive subject",
            "hippo",
            AGENT,
            "object-omitted",
        ),
        _lexical(
            "only_seen_as_unacc_subj_as_unerg_subj",
            "Theme NP to unergative subject",
            "hippo",
            AGENT,
            "unergative",
        ),
    )
)

EXPOSURES = _named(
    _lexical(f"exposure_example_{name}", title, word, place, frame)
    for name, title, word, place, frame in (
        ("unacc_subj", "Subject of an unaccusative", "hippo", THEME, None),
        ("unacc", "Unaccusative", "shattered", None, "unaccusative"),
        ("subj_common", "Subject (common noun)", "hedgehog", AGENT, None),
        ("obj_proper", "Object (proper noun)", "Charlie", OBJECT, None),
        ("pp_dative", "PP dative", "shipped", None, "pp-dative"),
        ("subj_proper", "Subject (proper noun)", "Lina", AGENT, None),
        ("obj_common", "Object (common noun)", "cockroach", OBJECT, None),
        ("transitive_subj", "Subject of a transitive", "cobra", AGENT, "transitive"),
        ("obj_omitted_transitive", "Object omitted", "baked", None, "object-omitted"),
        ("active", "Active", "blessed", None, "transitive"),
        ("do_dative", "Double-object dative", "teleported", None, "do-dative"),
        ("passive", "Passive", "squeezed", None, "passive"),
    )
)
