"""The grammar of COGS, whole: everyday English and all that generalization adds to it, in one weighted grammar.

The splits and cases are conditions on its derivations (`splits.py`), and merging its categories gives the language that
`interpret` accepts (`interpretation.py`). Kim & Linzen 2020, appendix A, describes it; the numbers are those of the
grammar its author made known. What only generalization uses (exposed words, PPs on subjects) has a weight of one beside
the everyday alternatives: the conditions always ask for it or exclude it, so that no other weight depends on it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from blicket.grammar import Entry, Grammar, Rule

__all__ = ["NOMINAL_CATEGORIES", "Composition", "cogs_grammar", "language"]

NOMINAL_CATEGORIES = frozenset({"N_anim", "N_inan", "N_on", "N_in", "N_beside", "N_exposed", "PN", "PN_exposed"})
PREPOSITIONS = {"on": 0.334, "in": 0.333, "beside": 0.333}
FRAME = 0.10525  # of each verb frame; that of complement clauses is CLAUSE
CLAUSE = 0.158
PASSIVE_CLASSES = ("V_transitive_participle", "V_omissible_participle", "V_unaccusative_participle")


@dataclass(frozen=True, slots=True)
class Composition:
    """How the meaning of a phrase is put together from its children's, which are counted from 0.

    The phrase is about the same thing as its child `head`. The children in `roles` fill roles of the head. The phrase
    waits for a subject that fills `subject_role` of the head and, under control, is the agent of child `controlled`; a
    rule that has the child `subject` gives it to the waiting ones. `determiner` is the child that makes the head
    definite or not.
    """

    head: int
    roles: tuple[tuple[str, int], ...] = field(default=())
    subject_role: str | None = None
    controlled: int | None = None
    subject: int | None = None
    determiner: int | None = None


def cogs_grammar(entries: tuple[Entry, ...]) -> Grammar:
    """The whole grammar over these words."""
    return Grammar("S", (*_clauses(), *_active(), *_passive(), *_noun_phrases()), entries)


def language(grammar: Grammar) -> Grammar:
    """The language of the grammar: animacy, the noun lists of the prepositions and the cases' gaps are forgotten.

    They restrict what is sampled and not what it means.
    """
    return grammar.renamed(_merged_category)


def _merged_category(category: str) -> str:
    if category.startswith("N_"):
        return "N"
    return "PN" if category == "PN_exposed" else category.split("/")[0]


def _rule(parent: str, children: str, weight: float, meaning: Composition | None, phenomena: str = "") -> Rule:
    return Rule(parent, tuple(children.split()), weight, meaning, frozenset(phenomena.split()))


def _clauses() -> Iterator[Rule]:
    """Sentences; a simple active clause is set apart from one with a complement, as the cases tell them apart."""
    clause = Composition(head=1, subject=0)
    yield _rule("S", "NP/agent VP", 0.49, clause)
    yield _rule("S", "NP/subject VP/clausal", 0.49 * CLAUSE, clause)
    yield _rule("S", "NP/theme VP/unaccusative", 0.06, clause)
    yield _rule("S", "NP/passive VP/passive", 0.375, clause)
    yield _rule("S", "NP/recipient VP/recipient", 0.075, clause)
    complement = Composition(head=0, roles=(("ccomp", 2),), subject_role="agent")
    yield _rule("VP/clausal", "V_clausal 'that' S", 1, complement, "cp")


def _active() -> Iterator[Rule]:
    """Simple active verb phrases; the name of each frame is a phenomenon."""
    intransitive = Composition(head=0, subject_role="agent")
    transitive = Composition(head=0, roles=(("theme", 1),), subject_role="agent")
    control = Composition(head=0, roles=(("xcomp", 2),), subject_role="agent", controlled=2)
    to_dative = Composition(head=0, roles=(("theme", 1), ("recipient", 3)), subject_role="agent")
    double_object = Composition(head=0, roles=(("recipient", 1), ("theme", 2)), subject_role="agent")
    yield _rule("VP", "V_unergative", FRAME, intransitive, "unergative")
    yield _rule("VP", "V_unaccusative NP/object", FRAME, transitive, "causative")
    yield _rule("VP", "V_omissible", FRAME, intransitive, "object-omitted")
    yield _rule("VP", "V_omissible NP/object", FRAME, transitive, "transitive")
    yield _rule("VP", "V_transitive NP/object", FRAME, transitive, "transitive")
    yield _rule("VP", "V_control 'to' V_infinitive", FRAME, control, "control")
    yield _rule("VP", "V_dative NP/dative-theme 'to' NP/goal", FRAME, to_dative, "pp-dative")
    yield _rule("VP", "V_dative NP/goal NP/dative-theme", FRAME, double_object, "do-dative")
    unaccusative = Composition(head=0, subject_role="theme")
    yield _rule("VP/unaccusative", "V_unaccusative", 1, unaccusative, "unaccusative")


def _passive() -> Iterator[Rule]:
    """Passives, each with and without a by-phrase."""
    for verb in PASSIVE_CLASSES:
        short = Composition(head=1, subject_role="theme")
        long = Composition(head=1, roles=(("agent", 3),), subject_role="theme")
        yield _rule("VP/passive", f"'was' {verb}", 0.125, short, "passive")
        yield _rule("VP/passive", f"'was' {verb} 'by' NP/subject", 0.125, long, "passive")
    verb = "V_dative_participle"
    short = Composition(head=1, roles=(("recipient", 3),), subject_role="theme")
    long = Composition(head=1, roles=(("recipient", 3), ("agent", 5)), subject_role="theme")
    yield _rule("VP/passive", f"'was' {verb} 'to' NP/goal", 0.125, short, "passive-dative")
    yield _rule("VP/passive", f"'was' {verb} 'to' NP/goal 'by' NP/subject", 0.125, long, "passive-dative")
    short = Composition(head=1, roles=(("theme", 2),), subject_role="recipient")
    long = Composition(head=1, roles=(("theme", 2), ("agent", 4)), subject_role="recipient")
    yield _rule("VP/recipient", f"'was' {verb} NP/inanimate", 0.5, short, "passive-dative")
    yield _rule("VP/recipient", f"'was' {verb} NP/inanimate 'by' NP/subject", 0.5, long, "passive-dative")


def _noun_phrases() -> Iterator[Rule]:
    """Noun phrases by the places they stand in; `object`, `agent` and `theme` also hold exposed nouns."""
    same = Composition(head=0)
    yield _rule("Det", "'the'", 0.5, same)
    yield _rule("Det", "'a'", 0.5, same)
    yield _rule("NP/agent", "NP/subject", 1, same)
    yield from _exposed("NP/agent", modified=False, phenomenon="exposed-agent")
    yield from _plain("NP/subject", "N_anim", 0.5, "bare-subject")
    yield _rule("NP/subject", "PN", 0.5, same, "bare-subject")
    yield from _modified("NP/subject", "N_anim", 1, "pp subject-pp")
    yield from _plain("NP/recipient", "N_anim", 0.5, "bare-subject")
    yield _rule("NP/recipient", "PN", 0.5, same, "bare-subject")
    yield from _modified("NP/recipient", "N_anim", 1, "pp subject-pp")
    yield from _plain("NP/passive", "N_inan", 1, "bare-subject")
    yield from _modified("NP/passive", "N_inan", 1, "pp subject-pp")
    yield from _plain("NP/theme", "N_inan", 0.5, "bare-subject")
    yield from _modified("NP/theme", "N_inan", 0.5, "pp subject-pp")
    yield from _plain("NP/theme", "N_anim", 0.25, "bare-subject")
    yield _rule("NP/theme", "PN", 0.25, same, "bare-subject")
    yield from _modified("NP/theme", "N_anim", 0.5, "pp subject-pp")
    yield from _exposed("NP/theme", modified=False, phenomenon="exposed-theme")
    yield from _plain("NP/goal", "N_anim", 0.5)
    yield _rule("NP/goal", "PN", 0.5, same)
    # Of animate objects one third each is bare, modified and a name: the released train set has 751, 768 and 773.
    third = 0.5 / 3
    yield _rule("NP/object", "NP/inanimate", 0.5, same)
    yield from _plain("NP/object", "N_anim", third)
    yield from _modified("NP/object", "N_anim", third, "pp")
    yield _rule("NP/object", "PN", third, same)
    yield from _exposed("NP/object", modified=True, phenomenon="exposed-object")
    yield _rule("NP/dative-theme", "NP/inanimate", 1, same)
    yield from _exposed("NP/dative-theme", modified=True, phenomenon="exposed-object")
    yield from _plain("NP/inanimate", "N_inan", 0.5)
    yield from _modified("NP/inanimate", "N_inan", 0.5, "pp")
    for preposition in PREPOSITIONS:
        yield from _plain(f"NP/{preposition}", f"N_{preposition}", 0.9)
        yield from _modified(f"NP/{preposition}", f"N_{preposition}", 0.1, "pp")


def _plain(parent: str, noun: str, weight: float, phenomena: str = "") -> Iterator[Rule]:
    yield _rule(parent, f"Det {noun}", weight, Composition(head=1, determiner=0), phenomena)


def _modified(parent: str, noun: str, weight: float, phenomena: str) -> Iterator[Rule]:
    """A noun with a PP; modifiers nest and never follow one another (appendix H)."""
    for preposition, share in PREPOSITIONS.items():
        meaning = Composition(head=1, determiner=0, roles=((f"nmod . {preposition}", 3),))
        children = f"Det {noun} '{preposition}' NP/{preposition}"
        yield _rule(parent, children, weight * share, meaning, phenomena)


def _exposed(parent: str, *, modified: bool, phenomenon: str) -> Iterator[Rule]:
    """Noun phrases of the exposed nouns; of those with and without a PP one half each, where PPs stand."""
    yield from _plain(parent, "N_exposed", 0.5 if modified else 1, phenomenon)
    if modified:
        yield from _modified(parent, "N_exposed", 0.5, f"pp {phenomenon}")
    yield _rule(parent, "PN_exposed", 1, Composition(head=0), phenomenon)
