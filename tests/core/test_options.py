import pytest

from blicket.core.errors import InputError, UnknownName
from blicket.core.options import Options, listed, parsed


class Dials(Options):
    """Some options."""

    size: int = 3
    names: tuple[str, ...] = ("a",)
    compat: frozenset[str] = frozenset()


def dials(**settings):
    return parsed(Dials, "toys", ("old", "odd"), settings)


def test_lists_become_tuples_and_names_sets():
    options = dials(names=["b", "c"], compat=["published"])
    assert (options.names, options.compat) == (("b", "c"), {"old", "odd"})
    assert listed(options) == {"size": 3, "names": ["b", "c"], "compat": ["odd", "old"]}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"sise": 1}, "toys has no option 'sise'; did you mean 'size'?"),
        ({"size": "1"}, "option size: Input should be a valid integer, got '1'"),
        ({"size": [1]}, "option size: Input should be a valid integer, got [1]"),
        ({"names": "b"}, "option names: expected a list such as ['a'], got 'b'"),
    ],
)
def test_what_is_wrong_is_one_line(settings, says):
    with pytest.raises(InputError) as error:
        dials(**settings)
    assert str(error.value) == says


def test_flaws_are_known_by_name():
    with pytest.raises(UnknownName, match="there is no compat 'oddd'; did you mean 'odd'"):
        dials(compat="oddd")
    with pytest.raises(InputError, match="option compat: expected names, got 5"):
        dials(compat=5)
