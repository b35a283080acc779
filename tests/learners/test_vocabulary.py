"""Vocabularies: order, special tokens, matrices, and back to text."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from blicket.learners.vocabulary import BEGIN, END, PAD, UNKNOWN, Vocabulary

WORDS = st.lists(st.sampled_from(["a", "b", "( x _ 1 )", "Zoë", "<", "</s"]), max_size=6).map(" ".join)


def test_special_tokens_come_first_and_once() -> None:
    words = Vocabulary.of(["b <unk> a", "</s> <pad> b <s>"])
    assert words.tokens == ("<pad>", "<unk>", "<s>", "</s>", "a", "b")
    assert (PAD, UNKNOWN, BEGIN, END) == (0, 1, 2, 3)
    assert len(words) == 6
    assert len(Vocabulary.of([])) == 4


@given(st.lists(WORDS, max_size=6), st.randoms(use_true_random=False))
def test_order_and_repetition_of_texts_do_not_matter(texts: list[str], random: object) -> None:
    shuffled = texts * 2
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert Vocabulary.of(shuffled) == Vocabulary.of(texts)


def test_what_it_does_not_have_is_unknown() -> None:
    words = Vocabulary.of(["a b"])
    assert words.numbers("b c a A") == [5, UNKNOWN, 4, UNKNOWN]
    assert words.numbers("") == []


def test_a_matrix_is_filled_up_with_padding() -> None:
    words = Vocabulary.of(["a b"])
    ended = words.matrix(["a", "", "b a c"], ended=True)
    assert ended.tolist() == [[4, END, PAD, PAD], [END, PAD, PAD, PAD], [5, 4, UNKNOWN, END]]
    assert ended.dtype == np.int32
    assert words.matrix(["a", "", "b a c"], ended=False).tolist() == [[4, PAD, PAD], [PAD] * 3, [5, 4, UNKNOWN]]
    assert words.matrix([], ended=True).shape[0] == 0
    assert words.matrix(["", ""], ended=False).shape == (2, 0)


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_known_texts_come_back_from_their_rows(texts: list[str]) -> None:
    words = Vocabulary.of(texts)
    assert [words.text(row) for row in words.matrix(texts, ended=True)] == texts


def test_text_goes_up_to_the_end() -> None:
    words = Vocabulary.of(["a b"])
    assert words.text([4, 5, END, 4, PAD]) == "a b"
    assert words.text([4, UNKNOWN]) == "a <unk>"
    assert words.text([END, 4]) == words.text([]) == ""
