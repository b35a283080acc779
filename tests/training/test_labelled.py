"""Pairs of sentences as numbers."""

import numpy as np
import torch

from blicket.core.example import ListedRows, Role, Split
from blicket.learners.vocabulary import PAD, Vocabulary
from blicket.training.labelled import NONE, LabelledPairs, numbered, sentences_of

PAIRS = [("all a run", "some b run"), ("some b run", "all a run"), ("all a run", "all a run")]


def pairs(words, labels=("#", "<")):
    split = Split("train", Role.TRAIN, ListedRows(PAIRS, {"relation": ["<", "=", "#"]}, [""] * 3))
    return LabelledPairs.of(split, "relation", words, labels, torch.device("cpu"))


def test_every_distinct_sentence_stands_once():
    found = sentences_of(PAIRS)
    assert found.sentences == ["all a run", "some b run"]
    assert found.at.tolist() == [[0, 1, 0], [1, 0, 0]]


def test_words_that_are_not_known_come_after_all_that_are():
    known = Vocabulary.of(["all run"])
    table, novel = numbered(["all b run", "some a"], known)
    assert novel == ["a", "b", "some"]
    assert table.tolist() == [[4, 7, 5], [8, 6, PAD]]
    assert len(known) == 6


def test_words_that_are_called_like_special_tokens_are_words():
    _, novel = numbered(["all <pad>"], Vocabulary.of(["all"]))
    assert novel == ["<pad>"]


def test_batches_have_premises_first_and_nothing_where_there_is_no_row():
    of = pairs(Vocabulary.of(text for pair in PAIRS for text in pair))
    assert of.labels.tolist() == [1, 2, 0]  # "=" was never shown
    words, gold = of.batch(np.array([[1, -1], [0, 2]]))
    all_a, some_b = of.sentences.tolist()
    gone = [PAD] * 3
    assert words.tolist() == [[some_b, gone, all_a, gone], [all_a, all_a, some_b, all_a]]
    assert gold.tolist() == [[2, NONE], [1, 0]]
