import pytest

from blicket.core.errors import Refusal
from blicket.core.spacing import words_of


def test_words():
    assert words_of("a b , c") == ["a", "b", ",", "c"]
    assert words_of("") == words_of("   ") == []


@pytest.mark.parametrize(
    ("text", "word", "says"),
    [
        ("a  b", 1, "'a' is followed by 2 spaces; one space is wanted"),
        ("a b\tc", 2, "'b' is followed by a tab"),
        (" a", 1, "a space stands before 'a'"),
        ("a b ", 2, "a space follows 'b'"),
        ("a\u00a0b", 1, "a no-break space"),
    ],
)
def test_too_much_space_is_refused(text, word, says):
    with pytest.raises(Refusal) as refused:
        words_of(text)
    assert refused.value.word == word
    assert says in str(refused.value)
