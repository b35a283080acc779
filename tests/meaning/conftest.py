"""Sentences with their graphs, drawn at random or read from the reference data."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from blicket.meaning import Arc, Conjunct, ConjunctiveForm, Node, SemanticGraph, Tag

Sentence = tuple[list[str], SemanticGraph]

# Few words, so that names and nouns occur several times; nonce words as nouns, names and verbs.
NOUNS = ("cat", "box", "[w_1]", "x")
NAMES = ("Emma", "Liam", "[w_2]")
VERBS = ("like", "say", "[w_3]")
FRAMES = {
    "unergative": ("agent",),
    "transitive": ("agent", "theme"),
    "passive": ("theme", "agent"),
    "double object": ("agent", "recipient", "theme"),
    "complement": ("agent", "ccomp"),
    "control": ("agent", "xcomp"),
}


class Writer:
    """Writes a sentence word by word, and its graph beside it."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self.draw = draw
        self.tokens: list[str] = []
        self.nodes: list[Node | None] = []
        self.arcs: list[Arc] = []

    def word(self, token: str, tag: Tag | None = None) -> int:
        self.tokens.append(token)
        self.nodes.append(None if tag is None else Node(tag, token))
        return len(self.tokens) - 1

    def nominal(self, common: bool = False) -> int:
        tag = self.draw(st.sampled_from([Tag.PROPER] * (1 - common) + [Tag.DEFINITE, Tag.INDEFINITE]))
        if tag is Tag.PROPER:
            return self.word(self.draw(st.sampled_from(NAMES)), tag)
        self.word("the" if tag is Tag.DEFINITE else "a")
        noun = self.word(self.draw(st.sampled_from(NOUNS)), tag)
        if self.draw(st.integers(0, 3)) == 3:
            preposition = self.draw(st.sampled_from(["on", "in"]))
            self.word(preposition)
            self.arcs.append(Arc(noun, f"nmod . {preposition}", self.nominal(common=True)))
        return noun

    def clause(self) -> int:
        subject = self.nominal()
        verb = self.word(self.draw(st.sampled_from(VERBS)), Tag.VERB)
        self.rest(verb, subject, FRAMES[self.draw(st.sampled_from(list(FRAMES)))])
        return verb

    def rest(self, verb: int, subject: int, roles: tuple[str, ...]) -> None:
        self.arcs.append(Arc(verb, roles[0], subject))
        for role in roles[1:]:
            self.word({"ccomp": "that", "xcomp": "to"}.get(role, "by"))
            if role == "ccomp":
                dependent = self.clause()
            elif role == "xcomp":
                dependent = self.word(self.draw(st.sampled_from(VERBS)), Tag.VERB)
                frame = self.draw(st.sampled_from(["unergative", "transitive", "control"]))
                self.rest(dependent, subject, FRAMES[frame])
            else:
                dependent = self.nominal()
            self.arcs.append(Arc(verb, role, dependent))


@st.composite
def _sentence(draw: Callable[..., Any]) -> Sentence:
    writer = Writer(draw)
    writer.clause()
    writer.word(".")
    arcs = sorted(writer.arcs, key=lambda arc: (arc.head, arc.dependent, arc.label))
    return writer.tokens, SemanticGraph(tuple(writer.nodes), tuple(arcs))


@st.composite
def _primitive(draw: Callable[..., Any]) -> Sentence:
    kind = draw(st.sampled_from(["name", "noun", "verb"]))
    if kind == "name":
        name = draw(st.sampled_from(NAMES))
        return [name], SemanticGraph((Node(Tag.PROPER, name),))
    if kind == "noun":
        return ["cat"], SemanticGraph((Node(Tag.INDEFINITE, "cat"),), (), ("a",))
    binders = draw(st.sampled_from([("a", "e"), ("a", "b", "e"), ("a", "b", "c", "e")]))
    openings = draw(st.permutations(range(len(binders) - 1)))
    arcs = [Arc(0, role, -1 - k) for role, k in zip(("agent", "theme", "recipient"), openings, strict=False)]
    return ["like"], SemanticGraph((Node(Tag.VERB, "like"),), tuple(arcs), binders)


_WORDS = st.sampled_from(["cat", "eat", "x", "[w_12]", "Emma", "nmod", "é", "\x007"])
_ARGUMENTS = st.lists(st.one_of(st.integers(0, 40), _WORDS), min_size=1, max_size=2).map(tuple)
_CONJUNCTS = st.builds(Conjunct, st.lists(_WORDS, min_size=1, max_size=3).map(" . ".join), _ARGUMENTS)


@pytest.fixture(scope="session")
def sentences() -> st.SearchStrategy[Sentence]:
    return _sentence()


@pytest.fixture(scope="session")
def primitives() -> st.SearchStrategy[Sentence]:
    return _primitive()


@pytest.fixture(scope="session")
def forms() -> st.SearchStrategy[ConjunctiveForm]:
    """Any forms inside the syntax, most of them senseless."""
    conjuncts = st.lists(_CONJUNCTS, min_size=1, max_size=6).map(tuple)
    definites = st.lists(_CONJUNCTS, max_size=3).map(tuple)
    binders = st.lists(st.sampled_from("abe"), max_size=3).map(tuple)
    named = st.builds(ConjunctiveForm, name=st.sampled_from(["Paula", "[w_3]"]))
    return st.one_of(st.builds(ConjunctiveForm, conjuncts, definites, binders), named)


@pytest.fixture(scope="session")
def names() -> frozenset[str]:
    return frozenset(NAMES)


@pytest.fixture(scope="session")
def cogs_rows() -> list[tuple[str, str, str]]:
    folder = Path(__file__).parents[2].parent / "shared" / "reference" / "cogs"
    if not (folder / "train.tsv").exists():
        pytest.skip(f"the reference data are not at {folder}")
    lines = [
        line
        for name in ("train", "dev", "gen_sample")
        for line in (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    ]
    return [tuple(line.split("\t")) for line in lines]
