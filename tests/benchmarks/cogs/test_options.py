"""Options from settings: the defaults of the release, and one line for whatever is wrong."""

import pytest
from pydantic import ValidationError

from blicket.benchmarks.cogs.options import COMPAT, CogsOptions, parsed
from blicket.core.errors import InputError, UnknownName


def test_the_defaults_are_those_of_the_release():
    options = parsed({})
    assert options == CogsOptions()
    assert (options.train, options.dev, options.test, options.gen) == (24_000, 3_000, 3_000, 1_000)
    assert options.depths == (3, 12)
    assert options.exposures == (1, 100)
    assert options.nonce is False
    assert options.distinct_nominals is True
    assert options.compat == frozenset()


def test_lists_are_taken_where_tuples_are_wanted():
    options = parsed({"depths": [4, 5], "exposures": [7], "compat": ["gen-2020"], "nonce": True})
    assert (options.depths, options.exposures, options.nonce) == ((4, 5), (7,), True)
    assert options.compat == {"gen-2020"}
    assert parsed({"exposures": []}).exposures == ()


def test_published_stands_for_all_flaws():
    assert parsed({"compat": ["published"]}).compat == set(COMPAT) == {"gen-2020"}
    assert parsed({"compat": ["published", "gen-2020"]}).compat == set(COMPAT)
    assert parsed({"compat": []}).compat == frozenset()


def test_settings_are_left_as_they_were():
    settings = {"compat": ["published"], "depths": [3, 4]}
    parsed(settings)
    assert settings == {"compat": ["published"], "depths": [3, 4]}


def test_options_are_values():
    assert hash(parsed({})) == hash(CogsOptions())
    with pytest.raises(ValidationError):
        parsed({}).train = 3


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"trian": 5}, ["'trian'", "did you mean 'train'?"]),
        ({"zzz": 5}, ["cogs has no option 'zzz'"]),
        ({"train": -1}, ["option train", "-1"]),
        ({"train": 2.5}, ["option train", "2.5"]),
        ({"train": "5"}, ["option train", "'5'"]),
        ({"train": True}, ["option train", "True"]),
        ({"train": 10**9}, ["option train", "100000000"]),
        ({"gen": -1}, ["option gen"]),
        ({"depths": [3]}, ["option depths"]),
        ({"depths": [3, 4, 5]}, ["option depths"]),
        ({"depths": [5, 3]}, ["depths", "5 is deeper than 3"]),
        ({"depths": [0, 3]}, ["option depths", "0"]),
        ({"depths": [3, 500]}, ["option depths", "200"]),
        ({"depths": 3}, ["option depths", "3"]),
        ({"exposures": [1, 1]}, ["exposures", "twice"]),
        ({"exposures": [-1]}, ["option exposures", "-1"]),
        ({"exposures": 5}, ["option exposures", "5"]),
        ({"nonce": "yes"}, ["option nonce", "'yes'"]),
        ({"nonce": 1}, ["option nonce"]),
    ],
)
def test_what_is_wrong_is_said_in_one_line(settings, parts):
    with pytest.raises(InputError) as wrong:
        parsed(settings)
    for part in parts:
        assert part in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert "pydantic" not in str(wrong.value)


@pytest.mark.parametrize("name", ["gen-2021", "gen_2020", ""])
def test_an_unknown_flaw_is_named_and_a_near_one_offered(name):
    with pytest.raises(UnknownName, match=r"there is no compat") as wrong:
        parsed({"compat": [name]})
    assert "gen-2020" in str(wrong.value)


@pytest.mark.parametrize("value", [3, 2.5, True, [1], None])
def test_compat_wants_a_list_of_names(value):
    """From `--set compat=3`, or from a recipe."""
    with pytest.raises(InputError, match="option compat"):
        parsed({"compat": value})


def test_one_flaw_may_be_named_without_a_list():
    """`--set compat=gen-2020` is what one would type."""
    assert parsed({"compat": "gen-2020"}).compat == {"gen-2020"}
    assert parsed({"compat": "published"}).compat == set(COMPAT)
    with pytest.raises(UnknownName, match="'gen-2021'; did you mean 'gen-2020'"):
        parsed({"compat": "gen-2021"})


def test_each_option_is_described(cogs):
    assert set(cogs.compat) == set(COMPAT)
    assert all(what.strip() for what in COMPAT.values())
    card = cogs.card()
    for name in CogsOptions.model_fields:
        assert name in card
