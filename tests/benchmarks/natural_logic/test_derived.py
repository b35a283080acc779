from collections import Counter

import numpy as np
import pytest

from blicket.benchmarks.natural_logic.derived import identical, neighbours, reversed_rows
from blicket.benchmarks.natural_logic.interpretation import Reader
from blicket.benchmarks.natural_logic.relations import RELATIONS


@pytest.fixture(scope="module")
def base(build):
    return build()["jabberwocky"].rows


def texts(rows):
    columns = rows.columns(np.arange(len(rows)), "relation")
    return columns.inputs, columns.targets


def test_neighbours_are_all_pairs_one_word_away_in_another_relation(base, natural_logic):
    """Found from the sentences themselves, edit by edit."""
    columns = base.columns(np.arange(40), "relation")
    places = (("all", "some"), ("", "red", "rose"), ("", "that hum", "that sing"), ("", "not"))
    wanted = []
    for row, (pair, target) in enumerate(zip(columns.inputs, columns.targets, strict=True)):
        parts = [_parts(text) for text in pair]
        for side in (0, 1):
            for place, words in enumerate(places):
                for word in set(words) - {parts[side][place]}:
                    edited = [list(part) for part in parts]
                    edited[side][place] = word
                    inputs = tuple(_text(part) for part in edited)
                    relation = natural_logic.interpret(inputs, "relation")
                    if relation != target:
                        wanted.append((row, inputs, relation))
    made = neighbours(base)
    first = made.rows.of < 40
    found = made.rows.columns(np.flatnonzero(first), "relation")
    assert wanted
    assert sorted(zip(made.rows.of[first].tolist(), found.inputs, found.targets, strict=True)) == sorted(wanted)


def _parts(text):
    reader = Reader(_closed())
    sentence = reader.pair((text, text))[0]
    frame = _closed().frames[sentence.frame]
    words = [place[word] for place, word in zip(_closed().places, frame, strict=True)]
    tokens = text.split(" ")
    return [*words, tokens[sentence.noun_at], tokens[sentence.verb_at]]


def _closed():
    from blicket.benchmarks.natural_logic.closed_class import ClosedClass

    return ClosedClass()


def _text(parts):
    quantifier, adjective, relative, negation, noun, verb = parts
    return " ".join(word for word in (quantifier, adjective, noun, relative, negation, verb) if word)


def test_neighbours_are_ordered_by_what_they_are_derived_from(base):
    made = neighbours(base)
    keys = made.rows.of.astype(int) * 12 + made.edits
    assert (np.diff(keys) > 0).all()
    assert len(made.edits) == len(made.rows)


def test_reversed_rows_are_the_same_sentences_the_other_way_round(base):
    (there, targets), (back, backwards) = texts(base), texts(reversed_rows(base))
    assert [pair[::-1] for pair in there] == back
    swapped = {"<": ">", ">": "<"}
    assert [swapped.get(target, target) for target in targets] == backwards


def test_identical_pairs_are_all_frames_with_every_noun_once_and_every_verb_as_often(base):
    pairs, targets = texts(identical(base))
    assert len(pairs) == len(set(pairs)) == 2 * 36 * 36 * 6
    parts = [[_words(text) for text in pair] for pair in pairs[: 36 * 36 * 6]]
    assert all(premise == hypothesis for premise, hypothesis in parts)
    counted = Counter(premise for premise, _ in parts)
    assert set(counted) == {(f"N4.{noun}", f"V4.{verb}") for noun in range(1, 7) for verb in range(1, 7)}
    assert set(counted.values()) == {36 * 36 // 6}
    assert targets.count("^") == targets.count("=") == 36 * 6 * 2
    assert set(targets) == set(RELATIONS)


def _words(text):
    return tuple(word for word in text.split(" ") if word[0] in "NV")
