import pytest

from blicket.benchmarks.natural_logic.options import COMPAT, NaturalLogicOptions, parsed
from blicket.core.errors import InputError, UnknownName


def test_the_defaults_are_the_small_condition_of_the_paper():
    options = parsed({})
    assert options == NaturalLogicOptions()
    assert (options.blocks, options.jabberwocky, options.levels, options.depth) == (20, 20, 6, 6)
    assert len(options.closed.frames) == 36
    assert (options.words, options.probes, options.compat) == ("symbols", False, frozenset())


def test_lists_are_taken_where_tuples_are_wanted():
    assert parsed({"adjectives": ["big", "huge"], "relatives": []}).closed.adjectives == ("big", "huge")


def test_published_stands_for_all_flaws():
    assert parsed({"compat": ["published"]}).compat == set(COMPAT)
    assert parsed({"compat": "published"}).depth == 7
    assert parsed({"compat": ["labels-2020"]}).compat == {"labels-2020"}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"block": 3}, "natural-logic has no option 'block'; did you mean 'blocks'?"),
        ({"blocks": 0}, "option blocks: Input should be greater than or equal to 1, got 0"),
        ({"blocks": "many"}, "option blocks: Input should be a valid integer, got 'many'"),
        ({"levels": 13}, "option levels: Input should be less than or equal to 12, got 13"),
        ({"levels": 5, "compat": ["seven-levels"]}, "option levels: seven-levels says how many there are"),
        ({"quantifiers": ["all", "most"]}, "option quantifiers: there is no 'most'; there is all, no, some"),
        ({"quantifiers": []}, "option quantifiers: Tuple should have at least 1 item"),
        ({"adjectives": ["red", "red"]}, "option closed-class words: 'red' stands twice"),
        ({"relatives": ["not so"]}, "expected words in lower-case letters, got 'not so'"),
        ({"relatives": ["N1.1"]}, "expected words in lower-case letters, got 'N1.1'"),
        ({"adjectives": ["a  b"]}, "expected words in lower-case letters, got 'a  b'"),
        ({"adjectives": "red"}, "option adjectives: expected a list such as ['red', 'rose'], got 'red'"),
        ({"adjectives": list("abcdef")}, "option adjectives: Tuple should have at most 5 items"),
        ({"words": "french"}, "option words: Input should be 'symbols' or 'english', got 'french'"),
        ({"blocks": 10_000, "levels": 12}, "option blocks and levels: make 415,134,720 pairs, at most 20,000,000"),
        (
            {"quantifiers": ["all"], "adjectives": [], "relatives": [], "negation": False},
            "option closed-class words: 1 pairs of frames are too few for 2 splits",
        ),
        ({"compat": 5}, "option compat: expected names, got 5"),
    ],
    ids=str,
)
def test_bad_options_are_one_clear_line(settings, says):
    with pytest.raises(InputError) as error:
        parsed(settings)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_flaw_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="there is no compat 'labels-2021'; did you mean 'labels-2020'"):
        parsed({"compat": ["labels-2021"]})
