"""Distinct sentences: what counts as one, when to stop, what is remembered."""

from itertools import pairwise
from time import perf_counter, process_time

import numpy as np
import pytest

from blicket.core.errors import Exhausted
from blicket.core.progress import watched
from blicket.core.randomness import Stream
from blicket.grammar.distinct import SeenSentences, draw_distinct, joined, without_repeats
from blicket.grammar.rules import Entry, Grammar, Rule
from blicket.grammar.sampling import Sampler


def words_of(*pairs):
    return [Entry(category, word) for category, words in pairs for word in words.split()]


# 40 sentences: 8 words (two of them X and Y alike) before 5, each with at least two derivations.
FORTY = Grammar(
    "S",
    [
        Rule("S", ("A", "B")),
        Rule("S", ("C", "B"), 5.0),
        Rule("A", ("C",)),
        Rule("C", ("X",)),
        Rule("C", ("Y",)),
    ],
    words_of(("X", "a b c d e"), ("Y", "d e f g h"), ("B", "p q r s a")),
)
OTHERS = Grammar("S", [Rule("S", ("'z'", "W", "W", "W"))], words_of(("W", "a b c d e f g h i j")))


def words_in(corpus):
    """The sentences of a corpus that may have no frames yet, as `accept` is shown it."""
    ends = corpus.offsets.tolist()
    words = [corpus.grammar.entries[code].word for code in corpus.entries.tolist()]
    return [tuple(words[start:stop]) for start, stop in pairwise(ends)]


def sentences(corpus):
    return [derivation.words for derivation in corpus]


@pytest.mark.parametrize("wanted", [1, 39, 40])
def test_sentences_are_distinct_though_derivations_are_many(wanted):
    found = sentences(draw_distinct(Sampler(FORTY), Stream(1, "forty"), wanted, what="forty"))
    assert len(found) == len(set(found)) == wanted


def test_all_of_a_language_is_found():
    found = sentences(draw_distinct(Sampler(FORTY), Stream(1, "forty"), 40, what="forty"))
    assert set(found) == {(first, second) for first in "abcdefgh" for second in "pqrsa"}


def test_sentences_come_in_the_order_of_their_first_draws():
    drawn = []

    def overhear(corpus):
        drawn.extend(words_in(corpus))
        return np.ones(len(corpus), bool)

    found = draw_distinct(Sampler(FORTY), Stream(1, "forty"), 25, what="forty", accept=overhear)
    assert len(drawn) > 100
    assert sentences(found) == words_in(found) == list(dict.fromkeys(drawn))[:25]


def test_a_language_that_is_too_small_is_exhausted():
    began = perf_counter()
    with pytest.raises(Exhausted) as stop:
        draw_distinct(Sampler(FORTY), Stream(1, "forty"), 41, what="forty")
    assert (stop.value.found, stop.value.wanted) == (40, 41)
    assert str(stop.value).startswith("forty: ")
    assert perf_counter() - began < 5.0


def weighted(sizes, power):
    """A sentence has a word of each list, and the words of a list have the weights 1, 2 ** -power, 3 ** -power, ..."""
    entries = [Entry(f"C{i}", f"w{i}-{j}", (j + 1) ** -power) for i, size in enumerate(sizes) for j in range(size)]
    return Sampler(Grammar("S", [Rule("S", tuple(f"C{i}" for i in range(len(sizes))))], entries))


def test_the_last_of_sentences_that_are_equally_likely_is_found():
    assert len(draw_distinct(weighted((30, 50, 60), 0.0), Stream(1, "even"), 90_000, what="even")) == 90_000


def test_what_takes_a_few_draws_more_is_found():
    assert len(draw_distinct(weighted((30, 50, 60), 0.5), Stream(1, "uneven"), 90_000, what="uneven")) == 90_000


def test_a_rare_sentence_is_found_if_it_is_all_that_is_missing():
    grammar = Grammar("S", [Rule("S", ("W",))], [Entry("W", "often", 1.0), Entry("W", "rarely", 1e-6)])
    assert len(draw_distinct(Sampler(grammar), Stream(1, "rare"), 2, what="rare")) == 2


@pytest.mark.parametrize("power", [1.0, 1.5])
def test_sentences_too_rare_to_be_had_are_given_up_in_time(power):
    began = process_time()
    with pytest.raises(Exhausted, match=r"found [0-9,]+ distinct sentences of the 90,000 wanted") as stop:
        draw_distinct(weighted((30, 50, 60), power), Stream(1, "zipf"), 90_000, what="zipf")
    assert process_time() - began < 8.0
    # What was found can be had.
    sampler, found = weighted((30, 50, 60), power), stop.value.found
    assert len(draw_distinct(sampler, Stream(1, "zipf"), found, what="zipf")) == found > 20_000


def test_progress_is_told():
    told = []
    with watched(lambda *said: told.append(said)):
        draw_distinct(weighted((30, 50, 60), 0.0), Stream(1, "even"), 85_000, what="even")
    draw_distinct(weighted((3,), 0.0), Stream(1, "few"), 1, what="few")
    assert told[-1] == ("even", 85_000, 85_000)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert len(told) > 1


def test_many_sentences_take_several_batches():
    grammar = Grammar("S", [Rule("S", ("W",) * 4)], words_of(("W", "a b c d e f g h")))  # 8 ** 4 sentences
    found = sentences(draw_distinct(Sampler(grammar), Stream(1, "many"), 4096, what="many"))
    assert len(found) == len(set(found)) == 4096


def test_derivations_keep_the_frames_they_were_drawn_with():
    for derivation in draw_distinct(Sampler(FORTY), Stream(1, "frames"), 40, what="forty"):
        assert tuple(entry.category for entry in derivation.entries) == derivation.frame.categories


def test_what_was_seen_does_not_come_again():
    seen, sampler, stream = SeenSentences(), Sampler(FORTY), Stream(1, "shared")
    first = sentences(draw_distinct(sampler, stream, 15, what="first", seen=seen))
    assert len(seen) == 15
    second = sentences(draw_distinct(sampler, stream, 25, what="second", seen=seen))
    assert len(seen) == 40
    assert set(first).isdisjoint(second)
    with pytest.raises(Exhausted) as stop:
        draw_distinct(sampler, stream, 1, what="third", seen=seen)
    assert stop.value.found == 0


def test_calls_that_share_nothing_forget():
    draws = [
        sentences(draw_distinct(Sampler(FORTY), Stream(1, "apart"), 30, what="apart", seen=SeenSentences()))
        for _ in range(2)
    ]
    assert draws[0] == draws[1]
    assert sentences(draw_distinct(Sampler(FORTY), Stream(1, "apart"), 30, what="apart")) == draws[0]


def test_one_sentence_of_two_grammars_is_one_sentence():
    first = Grammar("S", [Rule("S", ("'a'", "'b'"))], [])
    second = Grammar("S", [Rule("S", ("'b'",)), Rule("S", ("'a'", "'b'"))], [])
    seen = SeenSentences()
    draw_distinct(Sampler(first), Stream(1, "first"), 1, what="first", seen=seen)
    with pytest.raises(Exhausted) as stop:
        draw_distinct(Sampler(second), Stream(1, "second"), 2, what="second", seen=seen)
    assert stop.value.found == 1


def test_length_and_order_tell_sentences_apart():
    grammar = Grammar("S", [Rule("S", ("W",) * n) for n in (1, 2, 3)], words_of(("W", "a b c")))  # 3 + 9 + 27 sentences
    assert len(draw_distinct(Sampler(grammar), Stream(1, "short"), 39, what="short")) == 39
    with pytest.raises(Exhausted):
        draw_distinct(Sampler(grammar), Stream(1, "short"), 40, what="short")


def test_accept_throws_out_before_anything_is_remembered():
    def without_a(corpus):
        return np.array(["a" not in words for words in words_in(corpus)], bool)

    seen = SeenSentences()
    found = sentences(draw_distinct(Sampler(FORTY), Stream(1, "a"), 28, what="no a", seen=seen, accept=without_a))
    assert set(found) == {(first, second) for first in "bcdefgh" for second in "pqrs"}
    assert len(seen) == 28


def test_accepting_nothing_ends():
    def nothing(corpus):
        return np.zeros(len(corpus), bool)

    with pytest.raises(Exhausted) as stop:
        draw_distinct(Sampler(FORTY), Stream(1, "none"), 1, what="none", accept=nothing)
    assert stop.value.found == 0


def test_nothing_wanted_is_an_empty_corpus():
    assert len(draw_distinct(Sampler(FORTY), Stream(1, "zero"), 0, what="zero")) == 0


def fingerprints(*numbers):
    return np.array(numbers, np.uint64)


def test_seen_takes_first_occurrences_in_order():
    seen = SeenSentences()
    assert seen.add(fingerprints(9, 4, 9, 2**64 - 1, 4, 0), 100).tolist() == [0, 1, 3, 5]
    assert seen.add(fingerprints(0, 5, 2**64 - 1, 5, 9), 100).tolist() == [1]
    assert len(seen) == 5


def test_seen_takes_at_most_so_many_and_only_those():
    seen = SeenSentences()
    assert seen.add(fingerprints(7, 3, 7, 5, 1), 2).tolist() == [0, 1]
    assert len(seen) == 2
    assert seen.add(fingerprints(1, 7, 5, 3), 0).tolist() == []
    assert seen.add(fingerprints(1, 7, 5, 3), 10).tolist() == [0, 2]


def test_seen_agrees_with_a_set():
    seen, naive = SeenSentences(), set()
    for number in range(30):
        batch = Stream(number, "seen").words(40) >> np.uint64(57)  # numbers below 128
        expected = []
        for place, fingerprint in enumerate(batch.tolist()):
            if fingerprint not in naive and len(expected) < 6:
                naive.add(fingerprint)
                expected.append(place)
        assert seen.add(batch, 6).tolist() == expected
        assert len(seen) == len(naive)


REPEATS = Grammar(
    "S",
    [Rule("S", ("N", "V", "M")), Rule("S", ("N", "V", "M", "P", "N"))],
    words_of(("N", "dog fish"), ("M", "fish cat"), ("V", "fish"), ("P", "dog")),
)


@pytest.mark.parametrize("categories", [{"N", "M"}, {"N"}, {"N", "M", "V"}, {"V"}, set()])
def test_without_repeats_looks_at_words_of_these_categories(categories):
    corpus = Sampler(REPEATS).draw(Stream(1, "repeats"), 400)
    kept = without_repeats(frozenset(categories), REPEATS)(corpus)
    for derivation, keep in zip(corpus, kept.tolist(), strict=True):
        words = [entry.word for entry in derivation.entries if entry.category in categories]
        assert keep is (len(words) == len(set(words)))


def test_without_repeats_respects_words_across_categories():
    accept = without_repeats(frozenset({"N", "M"}), REPEATS)
    found = draw_distinct(Sampler(REPEATS), Stream(1, "repeats"), 3, what="no repeats", accept=accept)
    three_words = {("dog", "fish", "fish"), ("dog", "fish", "cat"), ("fish", "fish", "cat")}
    five_words = {("dog", "fish", "cat", "dog", "fish"), ("fish", "fish", "cat", "dog", "dog")}
    assert set(sentences(found)) <= three_words | five_words
    with pytest.raises(Exhausted) as stop:
        draw_distinct(Sampler(REPEATS), Stream(1, "repeats"), 6, what="no repeats", accept=accept)
    assert stop.value.found == 5


def test_joined_puts_parts_one_after_the_other():
    sampler, stream = Sampler(OTHERS), Stream(1, "parts")
    parts = [sampler.draw(stream, n) for n in (3, 0, 5)]
    assert sentences(joined(parts)) == [words for part in parts for words in sentences(part)]


def test_joined_does_not_mix_samplers():
    parts = [Sampler(grammar).draw(Stream(1, "mixed"), 2) for grammar in (FORTY, OTHERS)]
    with pytest.raises((AssertionError, ValueError)):
        joined(parts)
