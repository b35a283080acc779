"""Does `all wugs blick` entail `some wugs blick`? A benchmark with two inputs and two forms of targets.

The gap: in training, daxes are only ever spoken of with `all` in the premise.
"""

from dataclasses import asdict, dataclass
from itertools import product
from types import MappingProxyType

from blicket import (
    Benchmark,
    Case,
    Dataset,
    InputError,
    Judge,
    ListedRows,
    Outcome,
    Refusal,
    Role,
    Split,
    Stream,
    UnknownName,
    Verdict,
    register,
)

NOUNS, VERBS, QUANTIFIERS = ("wugs", "fips", "daxes"), ("blick", "gorp", "zup"), ("all", "some", "no")
RELATIONS = {("all", "some"): "entailment", ("all", "no"): "contradiction", ("no", "all"): "contradiction"}
RELATIONS |= {("some", "no"): "contradiction", ("no", "some"): "contradiction"}
SIGNS = {"entailment": "<", "contradiction": "|", "neutral": "#"}
LABELS = {sign: label for label, sign in SIGNS.items()}


@dataclass(frozen=True)
class WugOptions:
    """How many rows there are; gen holds all there are by default."""

    train: int = 20
    gen: int = 36


class WugJudge(Judge):
    """A label in other letters means the same; anything but a label cannot be parsed."""

    marks = ("too_strong",)
    measures = ("letters",)

    def __init__(self, form):
        self.known = tuple(SIGNS) if form == "label" else tuple(LABELS)

    def verdict(self, inputs, target, prediction):
        said = prediction.strip().lower()
        measures = {"letters": float(abs(len(prediction) - len(target)))}
        if said not in self.known:
            return Verdict(Outcome.UNPARSEABLE, False, frozenset(), measures)
        marks = frozenset({"too_strong"}) if said in ("entailment", "<") and said != target else frozenset()
        outcome = Outcome.CORRECT if said == target else Outcome.INCORRECT
        return Verdict(outcome, prediction == target, marks, measures)


@register
class Wugs(Benchmark):
    """The toy."""

    name = "wugs"
    version = "3"
    title = "Wugs: what follows from a sentence about wugs"
    citation = "Nobody 1958, The wug test, Journal of Nonsense"
    forms = ("label", "sign")
    input_names = ("premise", "hypothesis")
    roles = MappingProxyType({"train": Role.TRAIN, "gen": Role.GENERALIZATION})
    cases = MappingProxyType(
        {
            "new_premise": Case("new_premise", "A familiar noun under an unfamiliar quantifier", "lexical"),
            "new_verbs": Case("new_verbs", "Premise and hypothesis about different verbs", "structural"),
        }
    )
    compat = MappingProxyType({"some-is-all": "nothing, yet"})

    def options(self, settings):
        for name, value in settings.items():
            if name == "compat":
                for flaw in value:
                    if flaw not in self.compat:
                        raise UnknownName("compat", flaw, self.compat)
            elif name not in asdict(WugOptions()):
                raise UnknownName("option", name, asdict(WugOptions()))
            elif not isinstance(value, int) or value < 0:
                raise InputError(f"option {name}: expected a number of rows, got {value!r}")
        return WugOptions(**{name: value for name, value in settings.items() if name != "compat"})

    def build(self, seed, options=None):
        options = options or WugOptions()
        pairs = list(product(NOUNS, VERBS, QUANTIFIERS, QUANTIFIERS))
        order = Stream(seed, "wugs").permutation(len(pairs)).tolist()
        everyday = [pairs[i] for i in order if pairs[i][0] != "daxes" or pairs[i][2] == "all"]
        gap = [pairs[i] for i in order if pairs[i][0] == "daxes" and pairs[i][2] != "all"]
        train = self._rows([(self._inputs(*pair), "") for pair in everyday[: options.train]])
        new_verbs = [((f"{q} wugs blick", f"{r} wugs zup"), "new_verbs") for q in QUANTIFIERS for r in QUANTIFIERS]
        new = [(self._inputs(*pair), "new_premise") for pair in gap]
        splits = {
            "train": Split("train", Role.TRAIN, train),
            "gen": Split("gen", Role.GENERALIZATION, self._rows([*new, *new_verbs][: options.gen])),
        }
        return Dataset(self.name, self.version, splits, self.input_names, {"seed": seed, **asdict(options)})

    def interpret(self, inputs, form):
        self.check(inputs, form)
        (q, noun, verb), (r, noun2, verb2) = (
            self._words(text, which) for text, which in zip(inputs, "12", strict=True)
        )
        same = (noun, verb) == (noun2, verb2)
        label = ("entailment" if q == r else RELATIONS.get((q, r), "neutral")) if same else "neutral"
        return label if form == "label" else SIGNS[label]

    def judge(self, form):
        return WugJudge(form)

    @staticmethod
    def _inputs(noun, verb, q, r):
        return f"{q} {noun} {verb}", f"{r} {noun} {verb}"

    @staticmethod
    def _words(text, which):
        words = text.split(" ")
        if len(words) != 3:
            raise Refusal(f"input {which} has {len(words)} words, expected 3")
        for number, (word, known) in enumerate(zip(words, (QUANTIFIERS, NOUNS, VERBS), strict=True), start=1):
            if word not in known:
                raise Refusal(f"{word!r} in input {which}; expected {' or '.join(known)}", number)
        return words

    def _rows(self, pairs):
        inputs = [pair for pair, _ in pairs]
        targets = {form: [self.interpret(pair, form) for pair in inputs] for form in self.forms}
        tags = [{"same": int(a.split()[1:] == b.split()[1:])} for a, b in inputs]
        return ListedRows(inputs, targets, [case for _, case in pairs], tags)
