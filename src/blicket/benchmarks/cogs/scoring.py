"""Verdicts on COGS predictions: exact match, meaning, output structure, and the kinds of error of the papers.

The kinds may overlap. Kim & Linzen 2020, section 5.2 and appendix G; Kim 2021, section 4.5.5.1 (with footnote 20, which
defines output structure) and section 5.3.3.
"""

from collections.abc import Sequence
from typing import ClassVar, final

from rapidfuzz.distance import Levenshtein

from blicket.benchmarks.cogs.composition import CONJUNCTIVE
from blicket.core.verdict import Judge, Outcome, Verdict
from blicket.meaning import conjunctive, equal, tokenise, variable_free
from blicket.meaning.codes import Codes, is_conjunctive, is_variable_free

__all__ = ["CogsJudge"]

ROLES = frozenset("agent theme recipient ccomp xcomp nmod on in beside".split())
SKELETON = frozenset("( ) , . ; * = _ AND LAMBDA x a b e".split())
LONGEST = 1000
"""A prediction of more tokens than this is too long: twice the longest gold form (section 5.2.1)."""


@final
class CogsJudge(Judge):
    """Judges predictions in one form.

    Marks: `structure_match`, which holds of exact ones too; `single_lexical`, one input word rendered wrongly and all
    else right; `index_only`, nothing but position numbers wrong; `early_end`, a proper prefix of gold; `too_long`; and
    `ill_formed`, the papers' simple sign of it: the end is not a closing parenthesis, though gold's is.
    """

    marks: ClassVar[tuple[str, ...]] = (
        "structure_match",
        "single_lexical",
        "index_only",
        "early_end",
        "too_long",
        "ill_formed",
    )
    measures: ClassVar[tuple[str, ...]] = ("edit_distance",)

    def __init__(self, form: str) -> None:
        self._parse = conjunctive.parse if form == CONJUNCTIVE else variable_free.parse
        self._is_form = is_conjunctive if form == CONJUNCTIVE else is_variable_free
        self._codes = Codes()

    def check(self, target: str) -> None:
        """Parse the target, if it is not seen at a glance to be a form."""
        if not self._is_form(self._codes.of(target, "")[0]):
            self._parse(target)

    def verdict(self, inputs: tuple[str, ...], target: str, prediction: str) -> Verdict:
        """The verdict; spaces do not matter, as both sides are tokenised again."""
        gold, said = self._codes.of(target, prediction)
        if gold == said:
            return Verdict(Outcome.CORRECT, True, frozenset({"structure_match"}), {"edit_distance": 0.0})
        distance = {"edit_distance": float(Levenshtein.distance(gold, said))}
        marks = _marks_of_ends(gold, said)
        outcome = Outcome.INCORRECT if self._is_form(said) else Outcome.UNPARSEABLE
        # Renaming variables and reordering change neither the number of tokens nor what is no variable.
        if len(gold) == len(said):
            wanted, given = tokenise(target), tokenise(prediction)
            marks += _marks_of_structure(wanted, given)
            if outcome is Outcome.INCORRECT and (wanted[0] == "LAMBDA" or _content(wanted) == _content(given)):
                same = equal(self._parse(target), self._parse(prediction))
                outcome = Outcome.CORRECT if same else outcome
        return Verdict(outcome, False, frozenset(marks), distance)


def _marks_of_ends(gold: str, said: str) -> list[str]:
    """The kinds of error that the length and the end show, of forms as codes."""
    marks = []
    if len(said) < len(gold) and gold.startswith(said):
        marks.append("early_end")
    if len(said) > LONGEST:
        marks.append("too_long")
    if gold.endswith(")") and not said.endswith(")"):
        marks.append("ill_formed")
    return marks


def _marks_of_structure(gold: Sequence[str], said: Sequence[str]) -> list[str]:
    """Whether the output structure is right, and with it all but indices or one word, of forms of one length."""
    wrong = [i for i, (a, b) in enumerate(zip(gold, said, strict=True)) if a != b]
    categories = {_category(gold[i]) for i in wrong}
    if "skeleton" in categories or any(_category(gold[i]) != _category(said[i]) for i in wrong):
        return []
    if categories == {"index"}:
        return ["structure_match", "index_only"]
    one_word = categories == {"word"} and len({_source_of(gold, i) for i in wrong}) == 1
    return ["structure_match", "single_lexical"] if one_word else ["structure_match"]


def _content(tokens: Sequence[str]) -> list[str]:
    """What neither the names of variables nor the order of conjuncts touches."""
    return sorted(token for token in tokens if len(token) > 1 and not token.isdecimal())


def _category(token: str) -> str:
    """The categories within which a wrong token leaves the output structure as it is; skeleton tokens have none."""
    if token in SKELETON:
        return "skeleton"
    if token in ROLES:
        return "role"
    return "index" if token.isdecimal() else "word"


def _source_of(gold: Sequence[str], at: int) -> tuple[str, str]:
    """The input word that a word of the gold form renders.

    A nominal is its own sign, since none stands twice in a sentence. Verbs may, and are told apart: in the conjunctive
    form by the position that they speak of, in the variable-free form, where each stands once, by its place.
    """
    after = gold[at + 1 : at + 3]
    if after[:1] in ([","], [")"], [";"]):
        return gold[at], ""
    if "=" in gold:
        return gold[at], str(at) if after[:1] == ["("] and after[1:] != ["nmod"] else ""
    opening = gold.index("(", at) if "(" in gold[at:] else len(gold)
    return gold[at], gold[opening + 3] if gold[opening + 1 : opening + 3] == ["x", "_"] else ""
