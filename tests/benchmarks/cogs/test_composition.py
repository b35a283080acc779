"""From frames to forms: rules 1 to 5 of the facts by example, and templates against meanings composed word by word."""

from dataclasses import replace

import pytest

from blicket.benchmarks.cogs.cases import CASES, everyday
from blicket.benchmarks.cogs.composition import CONJUNCTIVE, FORMS, VARIABLE_FREE, Template, compose, written
from blicket.benchmarks.cogs.grammar import cogs_grammar
from blicket.benchmarks.cogs.lexicon import plain_lexicon
from blicket.core.randomness import Stream
from blicket.grammar import Derivation, Sampler
from blicket.meaning import Tag, tokenise

# Sentence, conjunctive form (from the release but for the last two), variable-free form (by its description).
EXAMPLES = [
    (
        "The boy needed to crawl .",
        "* boy ( x _ 1 ) ; need . agent ( x _ 2 , x _ 1 ) AND need . xcomp ( x _ 2 , x _ 4 ) "
        "AND crawl . agent ( x _ 4 , x _ 1 )",
        "need ( agent = * boy , xcomp = crawl ( agent = * boy ) )",
    ),
    (
        "The creature grew Charlie .",
        "* creature ( x _ 1 ) ; grow . agent ( x _ 2 , x _ 1 ) AND grow . theme ( x _ 2 , Charlie )",
        "grow ( agent = * creature , theme = Charlie )",
    ),
    (
        "The girl shipped a cookie in a container to Scarlett .",
        "* girl ( x _ 1 ) ; ship . agent ( x _ 2 , x _ 1 ) AND ship . theme ( x _ 2 , x _ 4 ) "
        "AND ship . recipient ( x _ 2 , Scarlett ) AND cookie ( x _ 4 ) AND cookie . nmod . in ( x _ 4 , x _ 7 ) "
        "AND container ( x _ 7 )",
        "ship ( agent = * girl , theme = cookie ( nmod . in = container ) , recipient = Scarlett )",
    ),
    (
        "The girl teleported Liam the cookie .",
        "* girl ( x _ 1 ) ; * cookie ( x _ 5 ) ; teleport . agent ( x _ 2 , x _ 1 ) AND "
        "teleport . recipient ( x _ 2 , Liam ) AND teleport . theme ( x _ 2 , x _ 5 )",
        "teleport ( agent = * girl , recipient = Liam , theme = * cookie )",
    ),
    (
        "The cookie was blessed by the dog .",
        "* cookie ( x _ 1 ) ; * dog ( x _ 6 ) ; bless . theme ( x _ 3 , x _ 1 ) AND bless . agent ( x _ 3 , x _ 6 )",
        "bless ( theme = * cookie , agent = * dog )",
    ),
    (
        "A landlord hoped that the hippo decomposed .",
        "* hippo ( x _ 5 ) ; landlord ( x _ 1 ) AND hope . agent ( x _ 2 , x _ 1 ) AND hope . ccomp ( x _ 2 , x _ 6 ) "
        "AND decompose . theme ( x _ 6 , x _ 5 )",
        "hope ( agent = landlord , ccomp = decompose ( theme = * hippo ) )",
    ),
    (
        "A cat in the house was offered the cake by the boy .",
        "* house ( x _ 4 ) ; * cake ( x _ 8 ) ; * boy ( x _ 11 ) ; cat ( x _ 1 ) AND cat . nmod . in ( x _ 1 , x _ 4 ) "
        "AND offer . recipient ( x _ 6 , x _ 1 ) AND offer . theme ( x _ 6 , x _ 8 ) "
        "AND offer . agent ( x _ 6 , x _ 11 )",
        "offer ( recipient = cat ( nmod . in = * house ) , theme = * cake , agent = * boy )",
    ),
    (
        "The TV on the table in a room wanted to sleep .",
        "* tv ( x _ 1 ) ; * table ( x _ 4 ) ; tv . nmod . on ( x _ 1 , x _ 4 ) AND table . nmod . in ( x _ 4 , x _ 7 ) "
        "AND room ( x _ 7 ) AND want . agent ( x _ 8 , x _ 1 ) AND want . xcomp ( x _ 8 , x _ 10 ) "
        "AND sleep . agent ( x _ 10 , x _ 1 )",
        "want ( agent = * tv ( nmod . on = * table ( nmod . in = room ) ) , "
        "xcomp = sleep ( agent = * tv ( nmod . on = * table ( nmod . in = room ) ) ) )",
    ),
]


@pytest.fixture(scope="module")
def derivations():
    grammar = cogs_grammar(plain_lexicon().entries)
    samplers = {"everyday": Sampler(grammar, *everyday())}
    samplers |= {name: Sampler(grammar, *CASES[name].conditions()) for name in CASES if "recursion" not in name}
    return [d for name, sampler in samplers.items() for d in sampler.draw(Stream(8, name), 40)]


@pytest.mark.parametrize(("sentence", "form", "free"), EXAMPLES)
def test_examples(sentence, form, free, cogs):
    assert cogs.interpret((sentence,), "conjunctive") == form
    assert cogs.interpret((sentence,), "variable-free") == free


def test_the_released_examples_are_in_the_release(reference_rows):
    released = {sentence: form for rows in reference_rows.values() for sentence, form, _ in rows}
    known = [(sentence, form) for sentence, form, _ in EXAMPLES if sentence in released]
    assert len(known) >= 5
    assert all(released[sentence] == form for sentence, form in known)


def test_the_forms():
    assert FORMS == (CONJUNCTIVE, VARIABLE_FREE) == ("conjunctive", "variable-free")


def test_a_template_filled_is_the_form_composed(derivations):
    for derivation in derivations:
        predicates = [entry.predicate for entry in derivation.entries]
        graph = compose(derivation.frame, predicates)
        for form in FORMS:
            assert Template.of(derivation.frame, form).filled(predicates) == written(graph, form)


@pytest.mark.parametrize("word", ["%s", "%", "100%d", "[w_19]", "{}", "\\1", "tv"])
def test_predicates_are_filled_in_as_they_are(word, derivations):
    """Whatever a lexicon's predicates look like, to string formatting for instance."""
    derivation = max(derivations, key=lambda d: len(d.entries))
    predicates = [word if entry.predicate else None for entry in derivation.entries]
    for form in FORMS:
        assert Template.of(derivation.frame, form).filled(predicates).split().count(word) >= 3


def test_one_frame_serves_all_words(derivations):
    """A template depends on the frame alone: with other words it gives the meaning of the other sentence."""
    derivation = derivations[0]
    predicates = [f"p{i}" for i in range(len(derivation.entries))]
    entries = tuple(
        replace(e, predicate=p) if e.predicate else e for e, p in zip(derivation.entries, predicates, strict=True)
    )
    other = Derivation(derivation.frame, entries)
    template = Template.of(derivation.frame, CONJUNCTIVE)
    assert template.filled(predicates) == written(
        compose(other.frame, [e.predicate or "" for e in entries]), CONJUNCTIVE
    )


def test_content_words_and_no_others_have_nodes(derivations):
    nominal = {"N": Tag.INDEFINITE, "P": Tag.PROPER, "V": Tag.VERB}
    for derivation in derivations:
        graph = compose(derivation.frame, [entry.predicate for entry in derivation.entries])
        for i, entry in enumerate(derivation.entries):
            node = graph.nodes[i]
            if entry.category.startswith("'"):
                assert node is None
                continue
            expected = nominal[entry.category[0]]
            if expected is Tag.INDEFINITE and derivation.words[i - 1] == "the":
                expected = Tag.DEFINITE
            assert (node.tag, node.predicate) == (expected, entry.predicate)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("split", ["train", "gen"])
def test_every_form_is_the_same_without_any_spaces(dataset, split, form):
    rows = 0
    for _, columns in dataset[split].batches(form):
        rows += len(columns.targets)
        for target in columns.targets:
            assert tokenise(target.replace(" ", "")) == target.split() == tokenise(target)
    assert rows == {"train": 24_155, "gen": 21_000}[split]
