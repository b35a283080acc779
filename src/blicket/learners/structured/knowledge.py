"""What is read off train before anything is fitted: words, endings, tags, roles, the lexicon, shared dependents."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from blicket.core.errors import FormError, InputError
from blicket.core.example import Split
from blicket.core.graph import Arc, GraphNotation, SemanticGraph
from blicket.learners.structured.sharing import SharingRule, induced_rules, stripped
from blicket.learners.structured.spelling import ending, induced_endings, shape

__all__ = ["Knowledge", "Sentence", "read_sentences"]

NONE = ""  # the tag of a word without a node
FAMILIAR = 10  # times that a word is met, for its tags to be all that it can have


@final
@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a sentence and its graph."""

    tokens: tuple[str, ...]
    graph: SemanticGraph


def read_sentences(split: Split, form: str, notation: GraphNotation) -> list[Sentence]:
    """The sentences of a split; raises InputError at a row whose target draws no graph."""
    sentences = []
    for start, columns in split.batches(form):
        for row, (inputs, target) in enumerate(zip(columns.inputs, columns.targets, strict=True), start):
            tokens = tuple(" ".join(inputs).split())
            try:
                sentences.append(Sentence(tokens, notation.read(tokens, target)))
            except FormError as error:
                place = split.rows.place(row) or f"{split.name}/{row}"
                raise InputError(f"{place}: the target draws no graph over the sentence ({error})") from error
    return sentences


@final
@dataclass(frozen=True)
class Knowledge:
    """What train says outright.

    `frequencies` are those of `words`, whose first is every rare word. `fillable` says which labels the arcs from a
    node with a tag may have. `categories` are the tags that a word of train can have. `predicates` is the lexicon: what
    a word means, where that is not itself. `articles` only say how the next word is meant. Sentences of a single word
    have no structure to learn; what they mean is remembered in `wholes`.
    """

    words: Mapping[str, int]
    frequencies: NDArray[np.int64]
    endings: Mapping[str, int]
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    fillable: NDArray[np.bool_]  # (tags, labels)
    categories: Mapping[str, NDArray[np.bool_]]  # (tags)
    predicates: Mapping[str, str]
    articles: frozenset[str]
    rules: tuple[SharingRule, ...]
    wholes: Mapping[tuple[str, ...], SemanticGraph]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], rare: int) -> "Knowledge":
        """The knowledge; words that occur at most `rare` times are told apart by their spelling and context alone."""
        structured = [sentence for sentence in sentences if len(sentence.tokens) > 1]
        if not structured:
            raise InputError("train has no sentence of several words, so that there is no structure to learn")
        counts = Counter(token for sentence in structured for token in sentence.tokens)
        frequent = sorted(word for word, times in counts.items() if times > rare)
        tags = (NONE, *sorted({node.tag for s in structured for node in s.graph.nodes if node is not None}))
        labels = tuple(sorted({arc.label for s in structured for arc in s.graph.arcs}))
        fillable = np.zeros((len(tags), len(labels)), bool)
        for sentence in structured:
            for arc in sentence.graph.arcs:
                head = sentence.graph.nodes[arc.head]
                assert head is not None
                fillable[tags.index(head.tag), labels.index(arc.label)] = True
        return cls(
            {word: number for number, word in enumerate(frequent, 1)},
            np.array([0, *(counts[word] for word in frequent)]),
            induced_endings(counts),
            tags,
            labels,
            fillable,
            _categories(sentences, tags),
            _lexicon(sentences),
            _articles(structured),
            induced_rules(sentence.graph for sentence in structured),
            {s.tokens: s.graph for s in sentences if len(s.tokens) == 1},
        )

    def numbers(self, tokens: Sequence[str]) -> list[tuple[int, int, int]]:
        """Word, shape and ending of each token as numbers."""
        return [(self.words.get(token, 0), shape(token), ending(token, self.endings)) for token in tokens]

    @property
    def passed_over(self) -> NDArray[np.bool_]:
        """Which words are articles, by their numbers."""
        return np.array([False, *(word in self.articles for word in self.words)])

    def predicate(self, token: str) -> str:
        """What a token means: its own name, unless train says otherwise."""
        return self.predicates.get(token, token)

    def able(self, tokens: Sequence[str]) -> NDArray[np.bool_]:
        """The tags that each token can have: those of its category, all of them for a word that train never shows."""
        every = np.ones(len(self.tags), bool)
        return np.array([self.categories.get(token, every) for token in tokens])  # (length, tags)

    def tree(self, graph: SemanticGraph) -> tuple[Arc, ...]:
        """The arcs of a graph without those that follow from others."""
        return stripped(graph, self.rules)


def _categories(sentences: Sequence[Sentence], tags: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """The tags of each word, and what else words with these tags can have.

    Nouns are met as definites and as indefinites, names as names alone: two tags belong together if most words that
    have the one are also met with the other.
    """
    numbers = {tag: number for number, tag in enumerate(tags)}
    seen: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(len(tags), np.int64))
    for sentence in sentences:
        for token, node in zip(sentence.tokens, sentence.graph.nodes, strict=True):
            seen[token][numbers[NONE if node is None else node.tag]] += 1
    met = np.array(list(seen.values())) > 0  # (words, tags)
    often = met[np.array(list(seen.values())).sum(1) >= FAMILIAR].astype(np.int64)
    shared = often.T @ often  # (tags, tags): how many words have both
    together = 2 * shared > np.minimum.outer(shared.diagonal(), shared.diagonal())
    return {token: together[of_token].any(0) | of_token for token, of_token in zip(seen, met, strict=True)}


def _lexicon(sentences: Sequence[Sentence]) -> dict[str, str]:
    """The predicate that each word has most often; of several the first in the alphabet."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for token, node in zip(sentence.tokens, sentence.graph.nodes, strict=True):
            if node is not None:
                seen[token][node.predicate] += 1
    return {token: min(of_token, key=lambda p: (-of_token[p], p)) for token, of_token in seen.items()}


def _articles(sentences: Sequence[Sentence]) -> frozenset[str]:
    """Words without a node that stand before nodes of one tag alone, where no node has that tag without them.

    *The* is one, for definites; *was* is none, since verbs do without it.
    """
    followed: defaultdict[str, set[str]] = defaultdict(set)
    preceded: defaultdict[str, set[str]] = defaultdict(set)
    nodes: set[str] = set()
    for sentence in sentences:
        tags = [NONE if node is None else node.tag for node in sentence.graph.nodes]
        nodes.update(token for token, tag in zip(sentence.tokens, tags, strict=True) if tag)
        for before, tag in zip((NONE, *sentence.tokens), (*tags, NONE), strict=True):
            followed[before].add(tag)
            preceded[tag].add(before)
    mute = {word: min(tags) for word, tags in followed.items() if word and word not in nodes and len(tags) == 1}
    return frozenset(word for word, tag in mute.items() if tag and all(mute.get(w) == tag for w in preceded[tag]))
