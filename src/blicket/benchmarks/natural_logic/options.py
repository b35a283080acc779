"""The options of natural logic; the defaults are the paper's description."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blicket.benchmarks.natural_logic.closed_class import NEGATION, QUANTIFIERS, ClosedClass
from blicket.benchmarks.natural_logic.open_class import MOST_BLOCKS, MOST_LEVELS, Words
from blicket.core.errors import InputError, UnknownName, did_you_mean

__all__ = [
    "COMPAT",
    "CORE_SET_TWICE",
    "DUPLICATES",
    "LABELS_2020",
    "SEVEN_LEVELS",
    "VALIDATION_APART",
    "NaturalLogicOptions",
    "parsed",
]

LABELS_2020 = "labels-2020"
SEVEN_LEVELS = "seven-levels"
CORE_SET_TWICE = "core-set-twice"
VALIDATION_APART = "validation-apart"
DUPLICATES = "duplicates"

COMPAT = {
    LABELS_2020: "the released labels: where premise and hypothesis are `some` and `all`, have equal noun phrases, and "
    "verb phrases that together cover everything, negation instead of cover (18 of 11,664 cases)",
    SEVEN_LEVELS: "seven nouns and verbs a block instead of six; the third of each is in no training or validation "
    "pair, and in all other splits",
    CORE_SET_TWICE: "two pairs for every combination of open-class words instead of one, in every split",
    VALIDATION_APART: "validation pairs drawn like training pairs, of which a fifth are kept, instead of a fifth of "
    "the training pairs set aside",
    DUPLICATES: "closed-class words drawn without looking at what was drawn before, so that a pair may occur twice, "
    "also in two splits",
}
"""The flaws of the release that can be asked for."""

PUBLISHED = "published"
LEVELS = 6
MOST_PAIRS = 20_000_000
CLOSED_CLASS = re.compile(r"[a-z]+( [a-z]+)*")

Chain = Annotated[tuple[str, ...], Field(max_length=5)]


class NaturalLogicOptions(BaseModel):
    """How many blocks of which words; 20 blocks are the small condition of the paper, 185 the large one."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    blocks: Annotated[int, Field(ge=1, le=MOST_BLOCKS // 2)] = 20
    jabberwocky: Annotated[int, Field(ge=0, le=MOST_BLOCKS // 2)] = 20
    levels: Annotated[int, Field(ge=1, le=MOST_LEVELS)] = LEVELS
    quantifiers: Annotated[tuple[str, ...], Field(min_length=1)] = ClosedClass.quantifiers
    adjectives: Chain = ClosedClass.adjectives
    relatives: Chain = ClosedClass.relatives
    negation: bool = ClosedClass.negation
    words: Words = "symbols"
    probes: bool = False
    """Whether the pairs that probes derive are splits too, for those who answer them elsewhere."""
    compat: frozenset[str] = frozenset()

    @property
    def closed(self) -> ClosedClass:
        """The closed-class words."""
        return ClosedClass(self.quantifiers, self.adjectives, self.relatives, self.negation)

    @property
    def depth(self) -> int:
        """The levels of every block."""
        return LEVELS + 1 if SEVEN_LEVELS in self.compat else self.levels

    @property
    def core_sets(self) -> int:
        """How many pairs there are for every combination of open-class words."""
        return 2 if CORE_SET_TWICE in self.compat else 1

    @property
    def drawings(self) -> int:
        """How many pairs of a training block are drawn for every combination, validation and hold-out included."""
        return self.core_sets * (3 if VALIDATION_APART in self.compat else 2)

    @model_validator(mode="after")
    def _check(self) -> "NaturalLogicOptions":
        if SEVEN_LEVELS in self.compat and self.levels != LEVELS:
            raise ValueError(f"levels: {SEVEN_LEVELS} says how many there are")
        for quantifier in self.quantifiers:
            if quantifier not in QUANTIFIERS:
                raise ValueError(f"quantifiers: there is no {quantifier!r}{did_you_mean(quantifier, QUANTIFIERS)}")
        listed = (*self.quantifiers, *self.adjectives, *self.relatives)
        for words in listed:
            if CLOSED_CLASS.fullmatch(words) is None or NEGATION in words.split():
                raise ValueError(f"adjectives and relatives: expected words in lower-case letters, got {words!r}")
            if listed.count(words) > 1:
                raise ValueError(f"closed-class words: {words!r} stands twice")
        _check_size(self)
        return self


def _check_size(options: NaturalLogicOptions) -> None:
    frames = len(options.closed.frames) ** 2
    if DUPLICATES not in options.compat and options.drawings > frames:
        raise ValueError(f"closed-class words: {frames} pairs of frames are too few for {options.drawings} splits")
    pairs = (options.blocks * options.drawings + options.jabberwocky) * options.depth**4
    if pairs > MOST_PAIRS:
        raise ValueError(f"blocks and levels: make {pairs:,} pairs, at most {MOST_PAIRS:,} are possible")


def parsed(settings: Mapping[str, Any]) -> NaturalLogicOptions:
    """Options from settings; raises InputError with the first thing that is wrong."""
    settings = dict(settings)
    if "compat" in settings:
        settings["compat"] = _compat(settings["compat"])
    for name in ("quantifiers", "adjectives", "relatives"):
        if isinstance(settings.get(name), list):
            settings[name] = tuple(settings[name])
    try:
        return NaturalLogicOptions(**settings)
    except ValidationError as error:
        raise InputError(_said(error)) from error


def _compat(names: Any) -> frozenset[str]:
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in names):
        raise InputError(f"option compat: expected names, got {names!r}")
    for name in sorted(names):
        if name not in COMPAT and name != PUBLISHED:
            raise UnknownName("compat", name, (*COMPAT, PUBLISHED))
    return frozenset(COMPAT) if PUBLISHED in names else frozenset(names)


def _said(error: ValidationError) -> str:
    """The first complaint in one line."""
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        return f"natural-logic has no option {name!r}{did_you_mean(name, NaturalLogicOptions.model_fields)}"
    message, got = first["msg"].removeprefix("Value error, "), first["input"]
    if first["type"] == "tuple_type":
        message = f"expected a list such as {list(NaturalLogicOptions.model_fields[name].default)}"
    got = list(got) if isinstance(got, tuple) else got
    return f"option {name}: {message}, got {got!r}" if name else f"option {message}"
