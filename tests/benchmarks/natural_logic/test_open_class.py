import pytest

from blicket.benchmarks.natural_logic.open_class import OpenClassWord, english, read_symbol, symbols
from blicket.core.errors import InputError


def test_symbols_name_block_and_level_from_1():
    lexicon = symbols(2, 3)
    assert lexicon.nouns == (("N1.1", "N1.2", "N1.3"), ("N2.1", "N2.2", "N2.3"))
    assert lexicon.verbs[1][2] == "V2.3"
    assert lexicon.find("V2.3") == read_symbol("V2.3") == OpenClassWord("verb", 2, 3)


@pytest.mark.parametrize(
    "word", ["N0.1", "N1.0", "N01.1", "N1", "n1.1", "X1.1", "N1.1 ", "N1.1.1", "N1.1234567", "", "٣"]
)
def test_what_is_no_symbol(word):
    assert read_symbol(word) is None


@pytest.mark.parametrize(("blocks", "levels"), [(40, 6), (205, 6), (205, 7), (2, 3)])
def test_english_and_nonce_words_are_all_different(blocks, levels):
    lexicon = english(blocks, levels)
    assert [len(block) for block in (*lexicon.nouns, *lexicon.verbs)] == [levels] * (2 * blocks)
    assert len(lexicon.known) == 2 * blocks * levels
    closed_class = {"all", "some", "no", "not", "red", "rose", "that", "hum", "sing"}
    assert closed_class.isdisjoint(lexicon.known)
    assert all(word.isalpha() and word.islower() for word in lexicon.known)
    assert lexicon.find(lexicon.verbs[-1][-1]) == OpenClassWord("verb", blocks, levels)


def test_the_first_blocks_have_english_words_from_wide_to_narrow():
    lexicon = english(40, 6)
    assert lexicon.nouns[0][1:4] == ["animals", "mammals", "dogs"]
    assert lexicon.verbs[0][2:4] == ["travel", "walk"]
    assert english(1, 2).nouns == [["organisms", "animals"]]


def test_words_run_out():
    with pytest.raises(InputError, match="there are nonce words for 1,440 levels, and 1,782 are wanted"):
        english(300, 6)
