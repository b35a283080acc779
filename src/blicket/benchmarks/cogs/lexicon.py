"""The words of COGS: lists in rank order, Zipfian weights, lemmas, and the exposed words with their nonce tokens."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from blicket.grammar import Entry

__all__ = ["CROSSLISTED", "Lexicon", "Primitive", "nonce_lexicon", "nonce_words", "plain_lexicon"]

ZIPF_EXPONENT = Decimal("1.4")
ZETA = Decimal("3.10554727797758039978")  # of the exponent: the sum of rank ** -1.4 over all ranks

CROSSLISTED = "crawled"
"""An exposed word that no split ever uses: the past tense of crawl, which only `interpret` accepts."""

# The category of each list; verbs are V_ and the class. Nominals of all categories are N_ or PN.
NOUN_CATEGORIES = {
    "animate": "N_anim",
    "inanimate": "N_inan",
    "on": "N_on",
    "in": "N_in",
    "beside": "N_beside",
    "proper": "PN",
}
# Where an exposed word may stand: nouns have categories of their own, as their places differ from case to case.
EXPOSED_CATEGORIES = {
    "animate": ("N_exposed",),
    "proper": ("PN_exposed",),
    "infinitive": ("V_infinitive",),
    "unergative": ("V_unergative",),
    "transitive": ("V_transitive", "V_transitive_participle"),
    "omissible": ("V_omissible", "V_omissible_participle"),
    "unaccusative": ("V_unaccusative", "V_unaccusative_participle"),
    "dative": ("V_dative", "V_dative_participle"),
}


@dataclass(frozen=True, slots=True)
class Primitive:
    """A word whose meaning stands alone: a noun, a name, or a verb (by lemma) of a class."""

    word: str
    predicate: str
    kind: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The entries of the grammar and the primitives of the train set."""

    entries: tuple[Entry, ...]
    primitives: tuple[Primitive, ...]
    meanings: tuple[Primitive, ...]
    """Every word that has a primitive meaning, whether the train set shows it or not."""


@cache
def plain_lexicon() -> Lexicon:
    """The lexicon with the exposed words as they are."""
    lists = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    entries = (*_ordinary_entries(lists), *_exposed_entries(lists))
    meanings = tuple(dict.fromkeys(_meanings(lists, entries)))
    shown = _shown(lists)
    return Lexicon(entries, tuple(p for p in meanings if (p.word, p.kind) in shown), meanings)


@cache
def nonce_lexicon() -> Lexicon:
    """The lexicon with `[w_n]` for each exposed word, and a second token for the lemma where it looks different."""
    plain, token = plain_lexicon(), nonce_words()

    def disguised(entry: Entry) -> Entry:
        if entry.word not in token or entry.predicate is None:
            return entry
        return replace(entry, word=token[entry.word], predicate=token[entry.predicate])

    return Lexicon(
        tuple(disguised(entry) for entry in plain.entries),
        tuple(_disguised_primitive(p, token) for p in plain.primitives),
        tuple(_disguised_primitive(p, token) for p in plain.meanings),
    )


@cache
def nonce_words() -> dict[str, str]:
    """The token of each exposed word and, where it looks different, of its lemma, numbered in order."""
    lists = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
    parts = [part for word in lists["exposed"]["nonce"].split() for part in word.split("/")]
    return {part: f"[w_{number}]" for number, part in enumerate(parts)}


def _disguised_primitive(primitive: Primitive, token: dict[str, str]) -> Primitive:
    word, predicate = (token.get(text, text) for text in (primitive.word, primitive.predicate))
    return Primitive(word, predicate, primitive.kind)


def _zipf(n: int) -> list[float]:
    """The weight of each rank: Zipf's law over all ranks, and an equal share of what lies beyond rank n.

    Decimals, because the powers of binary floats differ between platforms in the last place.
    """
    law = [Decimal(rank) ** -ZIPF_EXPONENT / ZETA for rank in range(1, n + 1)]
    share = (1 - sum(law, start=Decimal(0))) / n
    return [float(weight + share) for weight in law]


def _ordinary_entries(lists: dict[str, Any]) -> Iterator[Entry]:
    spelling = lists["spelling"]
    for name, category in NOUN_CATEGORIES.items():
        words = lists["nouns"][name].split()
        for word, weight in zip(words, _zipf(len(words)), strict=True):
            yield Entry(category, word, weight, spelling.get(word, word))
    for name, text in lists["verbs"].items():
        verbs = text.split()
        for verb, weight in zip(verbs, _zipf(len(verbs)), strict=True):
            word, lemma = verb.split("/")
            yield Entry(f"V_{name}", word, weight, lemma)


def _exposed_entries(lists: dict[str, Any]) -> Iterator[Entry]:
    """Exposed words carry themselves as a phenomenon: conditions ask for one and exclude the others by it."""
    for name, categories in EXPOSED_CATEGORIES.items():
        for item in lists["exposed"][name].split():
            word, _, lemma = item.partition("/")
            for category in categories:
                yield Entry(category, word, 1.0, lemma or word, frozenset({word}))


def _meanings(lists: dict[str, Any], entries: tuple[Entry, ...]) -> Iterator[Primitive]:
    """Nouns and names stand for themselves; of the verbs, those of four classes have meanings, under their lemmas."""
    classes = {f"V_{name}": name for name in lists["primitives"]["verbs"].split()}
    kinds = {"omissible": "transitive"}
    for entry in entries:
        predicate = entry.predicate or entry.word
        if entry.category.startswith("PN"):
            yield Primitive(entry.word, predicate, "name")
        elif entry.category.startswith("N_"):
            yield Primitive(entry.word, predicate, "noun")
        elif entry.category in classes:
            name = classes[entry.category]
            yield Primitive(predicate, predicate, kinds.get(name, name))


def _shown(lists: dict[str, Any]) -> set[tuple[str, str]]:
    """The words and kinds of the primitives in the train set."""
    primitives, kinds = lists["primitives"], {"omissible": "transitive"}
    shown = {(word, "noun") for word in primitives["nouns"].split()}
    shown |= {(word, "name") for word in primitives["names"].split()}
    shown |= {(word, "unergative") for word in primitives["exposed"].split()}
    for name in primitives["verbs"].split():
        shown |= {(verb.split("/")[1], kinds.get(name, name)) for verb in lists["verbs"][name].split()}
    return shown
