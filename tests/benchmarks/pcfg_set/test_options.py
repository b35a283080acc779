"""Options from settings: the defaults of the release, and one line for whatever is wrong."""

import pytest

from blicket.benchmarks.pcfg_set.options import COMPAT, PcfgSetOptions, parsed
from blicket.core.errors import InputError


def test_the_defaults_are_those_of_the_release():
    options = parsed({})
    assert options == PcfgSetOptions()
    assert (options.train, options.dev, options.test) == (82_622, 4_860, 9_721)
    assert (options.symbols, options.strings, options.naturalise) == (520, (2, 5), True)
    assert options.pairs[2:] == ("append remove_second", "append swap_first_last")
    assert (options.trained_functions, options.twin_rows, 4 * options.twin_primitives) == (8, 2_500, 332)
    assert options.ratios == (1, 5, 10, 50)
    assert list(options.exceptions) == ["reverse echo", "prepend remove_first", "echo remove_first", "prepend reverse"]
    assert options.compat == frozenset()


def test_published_stands_for_all_flaws():
    assert parsed({"compat": "published"}).compat == set(COMPAT) == {"unfiltered-dev", "two-function-exceptions"}


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"trian": 5}, ["pcfg-set has no option 'trian'", "did you mean 'train'?"]),
        ({"train": -1}, ["option train", "-1"]),
        ({"symbols": 0}, ["option symbols", "0"]),
        ({"strings": [5, 2]}, ["strings: 5 is longer than 2"]),
        ({"strings": [2]}, ["option strings", "expected a list such as [2, 5], got [2]"]),
        ({"strings": [0, 2]}, ["option strings", "0"]),
        ({"string_lengths": [3, 1]}, ["string_lengths: 3 is longer than 1"]),
        ({"tests": ["systematicty"]}, ["tests: there is no test 'systematicty'; did you mean 'systematicity'?"]),
        ({"tests": ["localism", "localism"]}, ["tests: a test stands twice"]),
        ({"synonyms": ["swap"]}, ["synonyms: there is no function 'swap'; did you mean 'swap_first_last'?"]),
        ({"pairs": ["append"]}, ["pairs: expected two functions with a space between, got 'append'"]),
        ({"pairs": ["append repat"]}, ["pairs: there is no function 'repat'; did you mean 'repeat'?"]),
        ({"pairs": ["copy copy", "copy copy"]}, ["pairs: a pair stands twice"]),
        ({"pairs": "copy copy"}, ["option pairs: expected a list such as", "got 'copy copy'"]),
        ({"exceptions": {"copy copy": "append copy"}}, ["'copy copy' and 'append copy' take different numbers"]),
        ({"exceptions": {"copy append": "copy copy"}}, ["'copy append' and 'copy copy' take different numbers"]),
        ({"exceptions": {"copy copy": "copy"}}, ["exceptions: expected two functions"]),
        ({"exceptions": ["copy copy"]}, ["option exceptions", "dictionary"]),
        ({"ratios": [5, 5]}, ["ratios: a number stands twice"]),
        ({"ratios": [0]}, ["option ratios", "0"]),
        ({"ratios": [0.001]}, ["option ratios", "0.001"]),
        ({"naturalise": 1}, ["option naturalise", "boolean"]),
        ({"compat": ["unfiltred-dev"]}, ["'unfiltred-dev'", "did you mean 'unfiltered-dev'"]),
    ],
)
def test_what_is_wrong_is_said_in_one_line(settings, parts):
    with pytest.raises(InputError) as error:
        parsed(settings)
    for part in parts:
        assert part in str(error.value)
    assert "\n" not in str(error.value)


def test_every_option_and_flaw_is_in_the_card(pcfg_set):
    card = pcfg_set.card()
    for name in (*PcfgSetOptions.model_fields, *COMPAT):
        assert f"`{name}`" in card
    assert set(pcfg_set.compat) == set(COMPAT)
