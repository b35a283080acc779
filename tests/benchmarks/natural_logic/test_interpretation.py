"""Pairs of sentences in, symbols out; and for what is outside the language, at which word and why."""

import pytest

from blicket.core.errors import Refusal

GOOD = "all N1.1 V1.1"


@pytest.mark.parametrize(
    ("premise", "hypothesis", "relation"),
    [
        ("all red N1.3 that hum not V1.2", "some N1.4 V1.2", "#"),
        (GOOD, GOOD, "="),
        ("all N1.1 V1.1", "all N1.2 V1.1", "<"),
        ("some N1.2 V1.1", "some N1.1 V1.1", "<"),
        ("some N1.1 V1.1", "some N1.2 V1.1", ">"),
        ("all N7.1 V7.1", "some N7.1 not V7.1", "^"),
        ("all N1.1 V1.1", "all N1.1 not V1.1", "|"),
        ("some N1.1 V1.1", "some N1.1 not V1.1", "v"),
        ("some N1.1 V1.1", "all N1.1 not V1.2", "v"),
        ("some rose N1.1 that sing V1.1", "some red N1.1 that hum V1.1", "<"),
        ("all N200.11 V200.1", "all N200.12 V200.1", "<"),
    ],
)
def test_relations(natural_logic, premise, hypothesis, relation):
    assert natural_logic.interpret((premise, hypothesis), "relation") == relation


NOUN = "expected red or rose or a noun such as N1.2"
VERB = "expected that hum or that sing or not or a verb such as V1.2"


@pytest.mark.parametrize(
    ("inputs", "word", "says"),
    [
        (("alll N1.1 V1.1", GOOD), 1, "'alll' in the premise is no word of the language; did you mean 'all'?"),
        (("all grue N1.1 V1.1", GOOD), 2, f"'grue' in the premise is no word of the language; {NOUN}"),
        ((GOOD, "all N1.0 V1.1"), 2, f"'N1.0' in the hypothesis is no word of the language; {NOUN}"),
        ((GOOD, "all V1.1 N1.1"), 2, f"'V1.1' in the hypothesis cannot stand here; {NOUN}"),
        (("N1.1 all V1.1", GOOD), 1, "'N1.1' in the premise cannot stand here; expected all or some"),
        (("all rose red N1.1 V1.1", GOOD), 3, "'red' in the premise cannot stand here; expected a noun such as N1.2"),
        (("all N1.1 red V1.1", GOOD), 3, f"'red' in the premise cannot stand here; {VERB}"),
        (("all N1.1 not that hum V1.1", GOOD), 4, "'that' in the premise cannot stand here; expected a verb"),
        (("all N1.1 that V1.1", GOOD), 3, f"'that' in the premise cannot stand here; {VERB}"),
        (("all N1.1", GOOD), 3, f"the premise ends after 'N1.1'; {VERB}"),
        ((GOOD, "some"), 2, f"the hypothesis ends after 'some'; {NOUN}"),
        ((GOOD, ""), 1, "the hypothesis is empty; expected all or some"),
        (("all  N1.1 V1.1", GOOD), 2, "the premise has a space too many"),
        ((GOOD, GOOD + " "), 4, "'' in the hypothesis follows its verb, where it should end"),
        ((GOOD + " .", GOOD), 4, "'.' in the premise follows its verb, where it should end"),
        (("all N1.1 V2.1", GOOD), 3, "'V2.1' in the premise is of block 2, and the premise's noun of block 1"),
        ((GOOD, "all N2.1 V1.1"), 2, "'N2.1' in the hypothesis is of block 2, and the premise's noun of block 1"),
        ((GOOD, "all red N1.1 that hum not V3.1"), 7, "'V3.1' in the hypothesis is of block 3"),
        (("no N1.1 V1.1", GOOD), 1, "'no' in the premise is no word of the language"),
    ],
    ids=str,
)
def test_refusals_say_the_word_and_why(natural_logic, inputs, word, says):
    with pytest.raises(Refusal) as refused:
        natural_logic.interpret(inputs, "relation")
    assert str(refused.value).startswith(f"word {word}: {says}")
    assert refused.value.word == word
    assert "\n" not in str(refused.value)
