"""Pairs in which words enter through their relations alone."""

from itertools import product

import numpy as np
import pytest

import blicket
from blicket.core.respondent import Rank
from blicket.learners.classifier import ClassifierShape
from blicket.learners.encoders import EncoderShape
from blicket.learners.pairs import PairLearner
from blicket.learners.relational import Lexicon
from blicket.training.classification import ClassifierRegime
from blicket.training.device import one_thread

RELATIONS = ("=", "<", ">", "^", "|", "v", "#")
MIRRORED = dict(zip("=<>^|v#", "=><^|v#", strict=True))


def hierarchy(word):
    """Words such as a3: the third of the chain a."""
    return (word[0], int(word[1:])) if word[1:].isdigit() else None


@pytest.fixture(scope="module")
def data():
    benchmark = blicket.benchmark("natural-logic")
    return benchmark.build(1, benchmark.options({"blocks": 6, "jabberwocky": 3, "levels": 4, "probes": True}))


@pytest.mark.parametrize(
    ("premise", "hypothesis", "wanted"),
    [
        ("all red a3 that hum b4", "some a5 not b4", ("all red 1 that hum 2", "some 1> not 2=")),
        ("all a3 b4", "all red a2 b9", ("all 1 2", "all red 1< 2>")),
        ("all a3 b4", "all c3 b4", ("all 1 2", "all 1? 2=")),
        ("all a3", "all a3 b4", ("all 1", "all 1= 2?")),
        ("all red", "some", ("all red", "some")),
    ],
)
def test_words_give_way_to_their_relations(premise, hypothesis, wanted):
    assert Lexicon(hierarchy).rewritten((premise, hypothesis)) == wanted


def test_told_words_keep_their_order_and_guesses_agree_with_each_other():
    lexicon = Lexicon(hierarchy, frozenset(f"a{i}" for i in range(9)))
    told = Lexicon(hierarchy)

    def relation(by, one, other):
        return by.rewritten((one, other))[1][1:]

    novel = [f"b{i}" for i in range(12)]
    for one, other in product(range(9), repeat=2):
        assert relation(lexicon, f"a{one}", f"a{other}") == relation(told, f"a{one}", f"a{other}")
    found = {(one, other): relation(lexicon, one, other) for one, other in product(novel, repeat=2)}
    assert all(found[other, one] == MIRRORED[said] for (one, other), said in found.items())
    assert all((said == "=") == (one == other) for (one, other), said in found.items())
    narrower = {pair for pair, said in found.items() if said == "<"}
    assert all((a, d) in narrower for (a, b), (c, d) in product(narrower, repeat=2) if b == c)
    right = np.mean([said == relation(told, *pair) for pair, said in found.items() if pair[0] != pair[1]])
    assert 0.2 < right < 0.8


def test_a_dataset_says_how_its_words_are_related(data):
    assert data.hierarchy("N3.2") == ("noun 3", 2)
    assert data.hierarchy("V9.4") == ("verb 9", 4)
    assert data.hierarchy("all") is None
    benchmark = blicket.benchmark("natural-logic")
    nonce = benchmark.build(1, benchmark.options({"blocks": 1, "jabberwocky": 1, "words": "english"}))
    for split in ("train", "jabberwocky"):
        for example in nonce[split][:40]:
            words = [nonce.hierarchy(word) for text in example.inputs for word in text.split()]
            assert sum(place is not None for place in words) == 4


@pytest.fixture(scope="module")
def answers(data):
    """By how words enter and split what the same small network says of its pairs."""

    def fitted(words):
        shape = ClassifierShape(EncoderShape("gru", width=24, embedding=24), hidden=48)
        regime = ClassifierRegime(epochs=40, rate=0.004, batch=32)
        learner = PairLearner(shape, regime, "relation", words, data.hierarchy)
        (found,) = learner.fit(data["train"], data["dev"], [1])
        return learner.revived(data["train"], data["dev"], {1: found.checkpoints["best"]}).respondents()[0]

    found = {}
    for words in ("vectors", "relations", "guesses"):
        with one_thread():
            respondent = fitted(words)
        for split in ("holdout", "jabberwocky", "identical", "neighbours", "reversed"):
            requests = [Rank(example.id, example.inputs, RELATIONS) for example in data[split]]
            found[words, split] = np.array([answer.output for answer in respondent.answer(requests)])
    return found


def gold(data, split):
    return np.array([example.targets["relation"] for example in data[split]])


def test_known_and_novel_words_are_the_same_to_it(data, answers):
    for split in ("holdout", "jabberwocky", "neighbours", "reversed"):
        assert (answers["relations", split] == gold(data, split)).mean() > 0.96
    assert (answers["relations", "identical"] == gold(data, "identical")).mean() > 0.9


def test_the_same_network_with_vectors_is_not_systematic(data, answers):
    right = (answers["vectors", "jabberwocky"] == gold(data, "jabberwocky")).mean()
    assert right < 0.85 < (answers["relations", "jabberwocky"] == gold(data, "jabberwocky")).mean()


def test_guesses_are_wrong_about_novel_words_and_as_consistent_as_knowledge(data, answers):
    right = answers["guesses", "jabberwocky"] == gold(data, "jabberwocky")
    assert right.mean() < 0.9
    assert (answers["guesses", "identical"] == answers["relations", "identical"]).all()
    assert (answers["guesses", "holdout"] == answers["relations", "holdout"]).all()
    backwards = answers["guesses", "reversed"] == gold(data, "reversed")
    assert backwards[right].mean() > 0.97
