"""The options of COGS; the defaults are those of the release."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blicket.benchmarks.cogs.cases import DEPTHS, Gap
from blicket.core.errors import InputError, UnknownName, did_you_mean

__all__ = ["COMPAT", "CogsOptions", "parsed"]

COMPAT = {
    "gen-2020": "the gen set as first released: an animate subject of an unaccusative verb is labelled an agent in "
    "obj_pp_to_subj_pp (50 rows of the release, corrected on 2022-09-13)",
}
"""The flaws of the first release that can be asked for."""

PUBLISHED = "published"
Count = Annotated[int, Field(ge=0, le=100_000_000)]


class CogsOptions(BaseModel):
    """How many of what; `exposures` are the numbers of exposure examples a train set each is made with."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    train: Count = 24_000
    dev: Count = 3_000
    test: Count = 3_000
    gen: Annotated[int, Field(ge=0, le=10_000_000)] = 1_000
    """Rows a case; the recursion cases have equally many of each depth, the first depths one more if need be."""
    depths: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(le=200)]] = DEPTHS
    exposures: tuple[Annotated[int, Field(ge=0, le=10_000)], ...] = (1, 100)
    nonce: bool = False
    """Tokens `[w_n]` for the exposed words (Kim 2021, section 5.2.3)."""
    held_out: Gap | None = None
    """What is cut out of train into a split of its own, for development (`blicket.benchmarks.cogs.development`)."""
    distinct_nominals: bool = True
    """Whether no noun or name may stand twice in a sentence; deep recursion runs out of nouns."""
    compat: frozenset[str] = frozenset()

    @model_validator(mode="after")
    def _check(self) -> "CogsOptions":
        if self.depths[0] > self.depths[1]:
            raise ValueError(f"depths: {self.depths[0]} is deeper than {self.depths[1]}")
        if len(set(self.exposures)) < len(self.exposures):
            raise ValueError("exposures: a number stands twice")
        return self


def parsed(settings: dict[str, Any]) -> CogsOptions:
    """Options from settings; raises InputError with the first thing that is wrong."""
    settings = dict(settings)
    if "compat" in settings:
        settings["compat"] = _compat(settings["compat"])
    for name in ("depths", "exposures"):
        if isinstance(settings.get(name), list):
            settings[name] = tuple(settings[name])
    try:
        return CogsOptions(**settings)
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
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"cogs has no option {name!r}{did_you_mean(name, CogsOptions.model_fields)}"
    message, got = first["msg"].removeprefix("Value error, "), first["input"]
    if first["type"] in ("tuple_type", "too_long", "missing"):
        name = str(first["loc"][0])
        message = f"expected a list such as {list(CogsOptions.model_fields[name].default)}"
        got = list(got) if isinstance(got, tuple) else got
    return f"option {name}: {message}, got {got!r}" if name else message
