import pytest

from blicket.core import errors
from blicket.core.errors import BlicketError, Exhausted, FormError, InputError, Refusal, UnknownName, did_you_mean


def test_one_except_catches_them_all():
    kinds = [getattr(errors, name) for name in errors.__all__ if name[0].isupper()]
    assert all(issubclass(kind, BlicketError) for kind in kinds)
    assert issubclass(UnknownName, InputError)
    assert not issubclass(Refusal, InputError)


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("cosg", ["cogs", "sygns"], "; did you mean 'cogs'?"),
        ("conj", ["conjunctive", "variable-free"], "; did you mean 'conjunctive'?"),
        ("co", ["conjunctive", "variable-free"], "; there is conjunctive, variable-free"),
        ("exp", ["exposed-agent", "exposed-theme"], "; there is exposed-agent, exposed-theme"),
        ("xyz", ["b", "a"], "; there is a, b"),
        ("xyz", [], ""),
        ("xyz", map(str, range(8)), "; there is 0, 1, 2, 3, 4, 5, 6, 7"),
        ("xyz", map(str, range(9)), ""),
    ],
)
def test_the_nearest_name_or_the_few_there_are(name, known, said):
    assert did_you_mean(name, known) == said


def test_messages():
    assert str(UnknownName("form", "dsr", ["drs", "fol"])) == "there is no form 'dsr'; did you mean 'drs'?"
    assert str(Refusal("no such word", 3)) == "word 3: no such word"
    assert str(Refusal("empty")) == "empty"
    assert str(FormError("a parenthesis is open", 0)) == "token 0: a parenthesis is open"
    exhausted = Exhausted("gen", 1234, 21000)
    assert (exhausted.found, exhausted.wanted) == (1234, 21000)
    assert str(exhausted).startswith("gen: found 1,234 distinct sentences of the 21,000 wanted")
