"""Runs whose benchmark has probes: they are asked in rounds, their answers kept, and what these show scored."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from blicket.core.predictions import read_predictions
from blicket.core.registry import benchmark
from blicket.core.scoring import score
from blicket.learners.embeddings import initial_vectors
from blicket.learners.pairs import PairLearner
from blicket.runs.data import benchmark_of, data_of
from blicket.runs.recipe import read_recipe
from blicket.runs.run import Watcher, prepared

PAIRS = Path(__file__).with_name("pairs.toml")
NAMES = ("premise", "hypothesis")


def made(runs, *changes):
    recipe = read_recipe(PAIRS, changes)
    of = benchmark_of(PAIRS, recipe)
    return prepared(recipe, of, data_of(recipe, of), runs, None)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Not to be changed."""
    run = made(tmp_path_factory.mktemp("probed"))
    assert run.go([1, 2], Watcher()) == [1, 2]
    return run


def said(run, seed, name="probes", checkpoint=None):
    (predictions,) = read_predictions(run.directory.predictions(seed, name, checkpoint), NAMES).values()
    return {prediction.id: prediction.output for prediction in predictions}


def test_what_probes_asked_is_kept_beside_the_splits(finished):
    names = {path.name for path in finished.directory.of_seed(1).iterdir()}
    assert {"holdout.parquet", "jabberwocky.json", "probes.parquet", "probes.json"} <= names
    assert finished.directory.probed() == [1, 2]
    assert finished.directory.splits() == ["holdout", "jabberwocky"]


def test_everything_is_asked_that_a_probe_wants_and_nothing_else(finished):
    answers = said(finished, 1)
    dataset = finished.dataset
    right = {e.id for e in dataset["jabberwocky"] if answers[e.id] == e.targets["relation"]}
    assert 0 < len(right) < len(dataset["jabberwocky"])
    asked = {name: {id_ for id_ in answers if id_.startswith(f"{name}/")} for name in ("reversed", "neighbours")}
    assert asked["reversed"] == {id_.replace("jabberwocky", "reversed") for id_ in right}
    whole = benchmark("natural-logic").build(1, benchmark("natural-logic").options({**OPTIONS, "probes": True}))
    neighbours = {e.id for e in whole["neighbours"] if f"jabberwocky/{e.tags['of']}" in right}
    assert asked["neighbours"] == neighbours
    assert len([id_ for id_ in answers if id_.startswith("identical/")]) == len(whole["identical"])


OPTIONS = {"blocks": 2, "jabberwocky": 2, "levels": 3, "adjectives": ["red"], "relatives": []}


def test_the_same_question_has_the_same_answer_as_in_its_split(finished):
    for split in ("holdout", "jabberwocky"):
        of_split = said(finished, 2, split)
        assert {id_: output for id_, output in said(finished, 2).items() if id_ in of_split} == of_split


def test_scores_are_those_of_the_file(finished):
    file = finished.directory.predictions(1, "probes")
    found = score(finished.benchmark, [file], "relation", finished.directory.dataset()).as_dict()["probes"]
    kept = finished.directory.read_probes(1)["probes"]
    assert list(kept) == ["holdout", "jabberwocky", "perturbation", "identical", "consistency"]
    assert kept == json.loads(json.dumps(found))
    assert kept["perturbation"]["missing"] == [0]


def test_probes_are_asked_again_where_they_are_gone_and_only_there(finished, tmp_path, monkeypatch):
    run = made(tmp_path)
    run.go([1], Watcher())
    before = said(run, 1)
    assert before == said(finished, 1)
    run.directory.scores(1, "probes").unlink()
    monkeypatch.setattr(PairLearner, "revived", None)
    run.go([1], Watcher())
    monkeypatch.undo()
    run.directory.predictions(1, "probes").unlink()
    told = []
    run.go([1], Watcher(answered=lambda name, done, of: told.append((name, done, of))))
    assert said(run, 1) == before
    assert {name for name, _, _ in told} == {"probes"}
    assert told[0][1] == 0
    assert told[-1][1:] == (len(before), len(before))


def test_another_checkpoint_answers_probes_into_files_of_its_own(tmp_path):
    run = made(tmp_path, "training.epochs=3")
    run.go([1], Watcher(), "last")
    assert run.directory.predictions(1, "probes", "last").name == "probes-last.parquet"
    assert said(run, 1, checkpoint="last")
    assert not run.directory.predictions(1, "probes").exists()


def test_without_novel_words_only_hold_out_is_looked_at(tmp_path):
    run = made(tmp_path, 'data.evaluate=["holdout"]', "training.epochs=1")
    run.go([1], Watcher())
    assert list(run.directory.read_probes(1)["probes"]) == ["holdout"]
    run = made(tmp_path, 'data.evaluate=["dev"]', "training.epochs=1")
    run.go([1], Watcher())
    assert not run.directory.predictions(1, "probes").exists()


# Vectors of words


def test_vectors_of_words_are_those_of_the_network_with_their_accuracy(finished):
    dataset, said_ = finished.dataset, finished.directory.read_words(2)
    found = {word["word"]: word for word in said_["words"]}
    assert len(found) == 4 * 2 * 3  # four blocks of three nouns and three verbs
    assert {word for word, of in found.items() if of["trained"]} == {
        f"{c}{b}.{n}" for c in "NV" for b in (1, 2) for n in (1, 2, 3)
    }
    answers = {**said(finished, 2, "holdout"), **said(finished, 2, "jabberwocky")}
    for word in ("N1.2", "V3.1"):
        rows = [
            e
            for split in ("holdout", "jabberwocky")
            for e in dataset[split]
            if any(word in text.split() for text in e.inputs)
        ]
        assert found[word]["n"] == len(rows) > 40
        assert found[word]["right"] == sum(answers[e.id] == e.targets["relation"] for e in rows) / len(rows)
    trained = load_file(finished.directory.network(2, "best"))["embedding.weight"]
    lengths = [of["length"] for of in found.values() if of["trained"]]
    assert sorted(lengths) == pytest.approx(sorted(np.linalg.norm(trained[4:], axis=1).tolist()[:12]), abs=1e-4)
    novel = [np.linalg.norm(initial_vectors(2, [word], 12)) for word, of in found.items() if not of["trained"]]
    assert [of["length"] for of in found.values() if not of["trained"]] == pytest.approx(novel, abs=1e-4)
    assert 0 < said_["lengths"]["p"] <= 1
    assert abs(said_["cosines"]["mean"]) < 0.2


def test_words_that_enter_through_their_relations_have_no_vectors(tmp_path):
    run = made(tmp_path, "network.words=relations", "training.epochs=1")
    run.go([1], Watcher())
    assert run.directory.probed() == [1]
    assert not run.directory.words(1).exists()
