"""The gold meaning of any sentence of the language, also unseen ones, or a refusal that says why and at which word."""

from collections.abc import Iterable
from functools import cache
from typing import NoReturn, final

from blicket.benchmarks.cogs.composition import CONJUNCTIVE, Template, compose, written
from blicket.benchmarks.cogs.grammar import cogs_grammar, language
from blicket.benchmarks.cogs.lexicon import Primitive, nonce_lexicon, plain_lexicon
from blicket.core.errors import Refusal, did_you_mean
from blicket.core.spacing import words_of
from blicket.grammar import Parser
from blicket.grammar.rules import is_literal
from blicket.meaning import Arc, Node, SemanticGraph, Tag

__all__ = ["Interpreter", "interpreter", "primitive_graph"]

PATTERNS_KEPT = 1 << 15

DESCRIPTIONS = {
    "N": "a noun",
    "PN": "a name",
    "V_infinitive": "an infinitive",
    "V_clausal": "a verb with a that-clause",
    "V_control": "a verb with an infinitive",
    "V_transitive": "a transitive verb",
    "V_omissible": "a verb with an omissible object",
    "V_unaccusative": "an unaccusative verb",
    "V_unergative": "an unergative verb",
    "V_dative": "a dative verb",
}


@cache
def interpreter() -> "Interpreter":
    """The one interpreter of a process, made when it is first wanted."""
    return Interpreter()


@final
class Interpreter:
    """Reads sentences and primitives in the words of COGS and of its nonce variant.

    Sentences whose words have the same ambiguity classes in the same order share a template, so that most are
    interpreted by looking up their words.
    """

    def __init__(self) -> None:
        lexicons = plain_lexicon(), nonce_lexicon()
        entries = tuple(dict.fromkeys(entry for lexicon in lexicons for entry in lexicon.entries))
        self._parser = Parser(language(cogs_grammar(entries)))
        self._classes = self._parser.classes
        self._predicates = {entry.word: entry.predicate or "" for entry in self._parser.grammar.entries}
        self._primitives = {p.word: p for lexicon in lexicons for p in lexicon.meanings}
        self._lemmas = {word: primitive.predicate for word, primitive in self._primitives.items()}
        self._templates: dict[tuple[str, tuple[frozenset[str], ...]], Template] = {}

    def interpret(self, text: str, form: str) -> str:
        """The meaning of a sentence or primitive in a form; raises Refusal."""
        words = words_of(text)
        if words[-1:] != ["."]:
            return written(self._primitive(words), form)
        self._lower_first(words)
        del words[-1]
        try:
            pattern = tuple([self._classes[word] for word in words])
        except KeyError:
            self._refuse(words)
        template = self._templates.get((form, pattern))
        if template is None:
            frames = self._parser.frames(pattern)
            if not frames:
                self._refuse(words)
            if len(self._templates) >= PATTERNS_KEPT:
                self._templates.clear()
            template = self._templates[form, pattern] = Template.of(frames[0], form)
        return template.filled([self._predicates[word] for word in words])

    def graph(self, text: str) -> SemanticGraph:
        """The meaning of a sentence or primitive as a graph over its tokens; raises Refusal."""
        words = words_of(text)
        if words[-1:] != ["."]:
            return self._primitive(words)
        self.interpret(text, CONJUNCTIVE)
        self._lower_first(words)
        frame = self._parser.frames([self._classes[word] for word in words[:-1]])[0]
        graph = compose(frame, [self._predicates[word] for word in words[:-1]])
        return SemanticGraph((*graph.nodes, None), graph.arcs)

    def predicates(self, text: str) -> list[str | None]:
        """What each token of a text would contribute as a content word; None for those that are none."""
        return [self._predicates.get(word) or self._lemmas.get(word) for word in text.split()]

    def is_name(self, word: str) -> bool:
        """Whether a word is a proper noun."""
        return word in self._classes and "PN" in self._classes[word]

    def _lower_first(self, words: list[str]) -> None:
        if words[0] in ("A", "The"):
            words[0] = words[0].lower()
        elif words[0] in ("a", "the"):
            raise Refusal(f"{words[0]!r} begins the sentence and wants a capital", 1)

    def _primitive(self, words: list[str]) -> SemanticGraph:
        if not words:
            raise Refusal("the line is empty; a sentence or a primitive is wanted", 1)
        if len(words) > 1:
            if words[-1].endswith("."):
                raise Refusal(f"{words[-1]!r} wants a space before the full stop", len(words))
            raise Refusal(f"the sentence ends in {words[-1]!r}; it wants a final ' .'", len(words))
        primitive = self._primitives.get(words[0])
        if primitive is not None:
            return primitive_graph(primitive)
        near = did_you_mean(words[0], self._primitives)
        raise Refusal(f"{words[0]!r} is no noun, name or verb that has a meaning on its own{near}", 1)

    def _refuse(self, words: list[str]) -> NoReturn:
        """Say at which word, counted from 1, the sentence leaves the language."""
        known = [word in self._classes for word in words]
        first_unknown = known.index(False) if False in known else len(words)
        pattern = [self._classes[word] for word in words[:first_unknown]]
        at, expected, complete = self._parser.expected(pattern)
        if at < first_unknown or first_unknown == len(words):
            could = expected | {"'.'"} if complete else expected
            raise Refusal(_unexpected(words, at, could), at + 1)
        word = words[at]
        if at > 0 and word.lower() in ("a", "the"):
            raise Refusal(f"{word!r} stands inside the sentence and wants no capital", at + 1)
        raise Refusal(f"{word!r} is not a word of the language{did_you_mean(word, self._classes)}", at + 1)


def primitive_graph(primitive: Primitive) -> SemanticGraph:
    """The meaning of a word on its own; the bindings are those of the data, not of the papers, for transitives."""
    verb = Node(Tag.VERB, primitive.predicate)
    match primitive.kind:
        case "name":
            return SemanticGraph((Node(Tag.PROPER, primitive.predicate),))
        case "noun":
            return SemanticGraph((Node(Tag.INDEFINITE, primitive.predicate),), (), ("a",))
        case "transitive":
            return SemanticGraph((verb,), (Arc(0, "agent", -2), Arc(0, "theme", -1)), ("a", "b", "e"))
        case "unaccusative":
            return SemanticGraph((verb,), (Arc(0, "theme", -1),), ("a", "e"))
        case _:
            return SemanticGraph((verb,), (Arc(0, "agent", -1),), ("a", "e"))


def _unexpected(words: list[str], at: int, expected: Iterable[str]) -> str:
    """What stands at a position where it cannot, and what could."""
    could = f"; expected {_listed(expected)}"
    before = " ".join(words[max(0, at - 3) : at])
    if not words:
        return f"the sentence is empty{could}"
    if at == len(words):
        return f"the sentence ends too early, after {before!r}{could}"
    return (
        f"{words[at]!r} cannot follow {before!r}{could}" if at else f"a sentence cannot begin with {words[at]!r}{could}"
    )


def _listed(categories: Iterable[str]) -> str:
    """Categories in words, all kinds of verb as one where several fit."""
    verbs = {c for c in categories if c in DESCRIPTIONS and c.startswith("V_")}
    named = {c if is_literal(c) else DESCRIPTIONS.get(c, "a participle") for c in categories if c not in verbs}
    named |= {"a verb"} if len(verbs) > 2 else {DESCRIPTIONS[c] for c in verbs}
    *first, last = sorted(named)
    return f"{', '.join(first)} or {last}" if first else last
