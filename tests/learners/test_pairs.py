"""Classifiers of pairs as a learner: real, tiny networks on natural logic."""

from dataclasses import replace

import numpy as np
import pytest

import blicket
from blicket.core.errors import BlicketError, InputError
from blicket.core.example import ListedRows, Role, Split
from blicket.core.respondent import Produce, Rank
from blicket.learners.classifier import ClassifierShape
from blicket.learners.embeddings import initial_vectors
from blicket.learners.encoders import EncoderShape
from blicket.learners.pairs import PairLearner
from blicket.training.classification import EMBEDDING, ClassifierRegime

KINDS = ("gru", "infersent", "self-attentive", "convolution")
RELATIONS = ("=", "<", ">", "^", "|", "v", "#")


def learner(kind: str, width: int = 8, **regime: object) -> PairLearner:
    shape = ClassifierShape(EncoderShape(kind, width=width, embedding=width), hidden=width)
    return PairLearner(shape, ClassifierRegime(**regime), "relation")


@pytest.fixture(scope="module")
def data() -> blicket.Dataset:
    """162 pairs of which a fifth are for validation, and 81 of novel words."""
    benchmark = blicket.benchmark("natural-logic")
    return benchmark.build(1, benchmark.options({"blocks": 2, "jabberwocky": 1, "levels": 3}))


@pytest.fixture(scope="module")
def easy() -> blicket.Dataset:
    """Four frames and one adjective: little enough to be learned in seconds."""
    benchmark = blicket.benchmark("natural-logic")
    options = {"blocks": 6, "jabberwocky": 1, "levels": 4, "adjectives": [], "relatives": [], "negation": False}
    return benchmark.build(1, benchmark.options(options))


def requests_of(split: Split) -> list[Rank]:
    return [Rank(example.id, example.inputs, RELATIONS) for example in split]


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns_what_it_is_shown(kind: str, easy: blicket.Dataset) -> None:
    """Pairs of known words that training did not show, far above always saying the commonest relation."""
    fitting = learner(kind, 48, epochs=30, batch=32, rate=0.004)
    (fitted,) = fitting.fit(easy["train"], easy["dev"], [1])
    cohort = fitting.revived(easy["train"], easy["dev"], {1: fitted.checkpoints["best"]})
    (answers,) = cohort.answers(requests_of(easy["holdout"]))
    gold = [example.targets["relation"] for example in easy["holdout"]]
    right = np.mean([answer.output == target for answer, target in zip(answers, gold, strict=True)])
    commonest = max(gold.count(relation) for relation in RELATIONS) / len(gold)
    assert commonest < 0.55
    assert right > 0.8
    assert max(point["dev_accuracy"] for point in fitted.curve) > 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_seeds_together_get_what_each_would_have_got_alone(kind: str, data: blicket.Dataset) -> None:
    fitting = learner(kind, epochs=3, batch=50)  # so that the last batch of an epoch is not full
    together = fitting.fit(data["train"], data["dev"], [1, 2])
    alone = [fitting.fit(data["train"], data["dev"], [seed])[0] for seed in (1, 2)]
    for ours, theirs in zip(together, alone, strict=True):
        assert ours.best == theirs.best
        for checkpoint in ("best", "last"):
            for name, parameter in ours.checkpoints[checkpoint].items():
                np.testing.assert_allclose(parameter, theirs.checkpoints[checkpoint][name], atol=1e-4)
        for here, there in zip(ours.curve, theirs.curve, strict=True):
            assert here["train_loss"] == pytest.approx(there["train_loss"], abs=1e-4)
            assert here["dev_loss"] == pytest.approx(there["dev_loss"], abs=1e-4)
    assert not np.allclose(
        together[0].checkpoints["last"]["first.weight"], together[1].checkpoints["last"]["first.weight"]
    )


def test_cohorts_answer_as_each_network_does(data: blicket.Dataset) -> None:
    fitting = learner("gru", epochs=2)
    fitted = fitting.fit(data["train"], data["dev"], [3, 5])
    cohort = fitting.revived(data["train"], data["dev"], {f.seed: f.checkpoints["last"] for f in fitted})
    asked = requests_of(data["jabberwocky"])
    done: list[int] = []
    together = cohort.answers(asked, done.append)
    assert done[-1] == len(asked)
    respondents = cohort.respondents()
    assert [respondent.name for respondent in respondents] == ["3", "5"]
    for ours, respondent in zip(together, respondents, strict=True):
        theirs = respondent.answer(asked)
        for one, other in zip(ours, theirs, strict=True):
            assert one.output == RELATIONS[int(np.argmax(one.scores))]
            assert one.scores == pytest.approx(other.scores, abs=1e-4)
    assert cohort.answers([]) == [[], []]


def test_the_same_seed_gives_the_same_bits(data: blicket.Dataset) -> None:
    fitting = learner("infersent", epochs=2)
    one, other = (fitting.fit(data["train"], data["dev"], [4])[0].checkpoints["last"] for _ in range(2))
    assert {name: p.tobytes() for name, p in one.items()} == {name: p.tobytes() for name, p in other.items()}


# Novel words


def test_novel_words_answer_with_the_vectors_they_would_have_begun_with(data: blicket.Dataset) -> None:
    """A network whose vocabulary has the novel words, with untrained vectors, says the same."""
    fitting = learner("gru", epochs=2)
    (fitted,) = fitting.fit(data["train"], data["dev"], [7])
    kept = fitted.checkpoints["last"]
    cohort = fitting.revived(data["train"], data["dev"], {7: kept})
    asked = requests_of(data["jabberwocky"])
    (answers,) = cohort.answers(asked)
    novel = sorted({word for request in asked for text in request.inputs for word in text.split() if word[0] in "NV"})
    words = replace(cohort.words, tokens=(*cohort.words.tokens, *novel))
    vectors = np.concatenate((kept[EMBEDDING], initial_vectors(7, novel, 8)))
    stack = {**cohort.stack, EMBEDDING: cohort.stack[EMBEDDING].new_tensor(vectors)[None]}
    (wanted,) = replace(cohort, words=words, stack=stack).answers(asked)
    assert [answer.scores for answer in answers] == [pytest.approx(answer.scores, abs=1e-5) for answer in wanted]
    (alone,) = cohort.answers(asked[40:41])
    assert alone[0].scores == pytest.approx(answers[40].scores, abs=1e-4)


def test_nothing_that_is_learned_depends_on_novel_words(data: blicket.Dataset) -> None:
    shown = {word for example in data["train"] for text in example.inputs for word in text.split()}
    asked = {word for example in data["jabberwocky"] for text in example.inputs for word in text.split()}
    assert {word[0] for word in asked - shown} == {"N", "V"}
    (fitted,) = learner("gru", epochs=1).fit(data["train"], data["dev"], [1])
    assert len(fitted.checkpoints["last"][EMBEDDING]) == 4 + len(shown)


def test_words_of_dev_that_train_does_not_have_are_novel_too(data: blicket.Dataset) -> None:
    (fitted,) = learner("gru", epochs=1).fit(data["train"].limited(5), data["dev"], [1])
    assert np.isfinite(fitted.curve[0]["dev_loss"])


def test_vectors_of_words_are_updated_unless_they_are_frozen(data: blicket.Dataset) -> None:
    for frozen in (False, True):
        (fitted,) = learner("convolution", epochs=1, frozen=frozen).fit(data["train"], data["dev"], [1])
        cohort = learner("convolution").revived(data["train"], data["dev"], {1: fitted.checkpoints["last"]})
        words = cohort.words.tokens[4:]
        same = np.array_equal(fitted.checkpoints["last"][EMBEDDING][4:], initial_vectors(1, words, 8))
        assert same is frozen


# Labels and refusals


def test_a_relation_that_training_never_showed_is_never_said(data: blicket.Dataset) -> None:
    few = data["train"].limited(30)
    shown = {example.targets["relation"] for example in few}
    assert shown < set(RELATIONS)
    fitting = learner("gru", epochs=1)
    (fitted,) = fitting.fit(few, data["dev"], [1])
    cohort = fitting.revived(few, data["dev"], {1: fitted.checkpoints["last"]})
    (answers,) = cohort.answers(requests_of(data["holdout"]))
    assert {answer.output for answer in answers} <= shown
    assert all(np.isinf(answer.scores[i]) == (r not in shown) for answer in answers for i, r in enumerate(RELATIONS))


def test_what_it_cannot_be_asked(data: blicket.Dataset) -> None:
    fitting = learner("gru", epochs=1)
    (fitted,) = fitting.fit(data["train"], data["dev"], [1])
    cohort = fitting.revived(data["train"], data["dev"], {1: fitted.checkpoints["last"]})
    for request in (Produce("a/0", ("x", "y"), "relation"), Rank("a/0", ("x",), RELATIONS)):
        with pytest.raises(BlicketError, match="which relation a pair of sentences is in, nothing else"):
            cohort.answers([request])
    with pytest.raises(BlicketError, match="a/0: none of the candidates is among what was learned"):
        cohort.answers([Rank("a/0", ("x", "y"), ("yes", "no"))])


def test_what_it_cannot_learn_from(data: blicket.Dataset) -> None:
    rows = ListedRows([("one sentence",)], {"relation": ["#"]}, [""])
    with pytest.raises(InputError, match="train: has 1 input a row; pairs of sentences are wanted"):
        learner("gru").fit(Split("train", Role.TRAIN, rows), data["dev"], [1])
    with pytest.raises(InputError, match="holdout is a test split"):
        learner("gru").fit(data["holdout"], data["dev"], [1])
