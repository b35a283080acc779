"""Spelling: capitals, and the endings that many words share."""

from blicket.learners.structured.spelling import SHAPES, SHARED_BY, ending, induced_endings, shape

STEMS = ("walk", "talk", "paint", "help", "jump", "look", "nurs", "clean", "roll", "float", "sketch")


def test_shapes() -> None:
    words = ("Emma", "cat", ".", "[w_3]", "42")
    assert [SHAPES[shape(word)] for word in words] == ["capital", "small", "none", "none", "none"]


def test_an_ending_that_many_words_share_is_known_also_on_new_words() -> None:
    endings = induced_endings(f"{stem}ed" for stem in STEMS)
    assert set(endings) == {"d", "ed"}
    assert ending("blicked", endings) == ending("walked", endings) == endings["ed"] > 0
    assert ending("rapid", endings) == endings["d"]
    assert ending("wug", endings) == 0


def test_an_ending_of_few_words_is_none() -> None:
    few = [f"{stem}ed" for stem in STEMS[: SHARED_BY - 1]]
    assert induced_endings(few + few) == {}


def test_names_and_signs_have_no_endings() -> None:
    endings = induced_endings(f"{stem}ed" for stem in STEMS)
    assert [ending(word, endings) for word in ("Ed", "Jared", "[wed", "d")] == [0, 0, 0, 0]
