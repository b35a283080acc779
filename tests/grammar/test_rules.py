"""What a grammar is made of, what it refuses, and merging its categories."""

import pytest

from blicket.core.errors import GrammarError
from blicket.grammar.rules import Entry, Grammar, Rule, is_literal

WORDS = (Entry("N", "dog", 2.0), Entry("V", "runs"), Entry("V", "dog"), Entry("N", "cat"))
CLAUSE = Rule("S", ("NP", "VP"))


def toy(*more, entries=WORDS, start="S"):
    return Grammar(start, (CLAUSE, Rule("NP", ("'the'", "N")), Rule("VP", ("V",)), *more), entries)


def test_rules_and_entries_are_numbered_in_order():
    grammar = toy(Rule("NP", ("'a'", "N")), Rule("NP", ("'the'", "N", "'the'")))
    assert dict(grammar.rules_of) == {"S": (0,), "NP": (1, 3, 4), "VP": (2,)}
    assert dict(grammar.entries_of) == {"N": (0, 3), "V": (1, 2), "'the'": (4,), "'a'": (5,)}
    assert list(grammar.entries_of) == ["N", "V", "'the'", "'a'"]
    assert grammar.entries[4:] == (Entry("'the'", "the"), Entry("'a'", "a"))


def test_words_are_different_and_in_the_order_of_the_lexicon():
    assert toy().words == ("dog", "runs", "cat", "the")


def test_rules_and_entries_may_come_from_generators():
    grammar = Grammar("S", (rule for rule in [Rule("S", ("N",))]), (entry for entry in WORDS))
    assert len(grammar.rules) == 1
    assert grammar.entries == WORDS


@pytest.mark.parametrize(
    ("category", "literal"),
    [("'was'", True), ("'''", True), ("''", False), ("'", False), ("N", False), ("'was", False), ("", False)],
)
def test_a_literal_is_a_word_in_quotes(category, literal):
    assert is_literal(category) is literal


@pytest.mark.parametrize(
    ("build", "culprit"),
    [
        (lambda: toy(Rule("NP", ("Det", "N"))), "'Det', a child of 'NP'"),
        (lambda: toy(Rule("NP", ("'the", "N"))), "\"'the\", a child of 'NP'"),
        (lambda: toy(Rule("VP", ())), "'VP' has no children"),
        (lambda: toy(Rule("VP", ("V", "V"), 0.0)), "0.0 of a rule of 'VP'"),
        (lambda: toy(Rule("VP", ("V", "V"), -0.5)), "-0.5 of a rule of 'VP'"),
        (lambda: toy(Rule("VP", ("V", "V"), float("nan"))), "nan of a rule of 'VP'"),
        (lambda: toy(Rule("VP", ("V", "V"), float("inf"))), "inf of a rule of 'VP'"),
        (lambda: toy(Rule("NP", ("NP",))), "'NP' can be its own only child"),
        (
            lambda: toy(Rule("A", ("B",)), Rule("B", ("C",)), Rule("C", ("A",))),
            "'A' can be its own only child",
        ),
        (lambda: toy(Rule("N", ("V", "V"))), "'N' is both"),
        (lambda: toy(start="Q"), "'Q' has no rules"),
        (lambda: toy(start="N"), "'N' has no rules"),
    ],
    ids=[
        "unknown child", "broken literal", "no children", "zero", "negative", "not a number", "infinite",
        "its own child", "cycle", "phrasal and lexical", "unknown start", "lexical start",
    ],
)  # fmt: skip
def test_a_bad_grammar_is_refused_in_one_line_that_names_the_culprit(build, culprit):
    with pytest.raises(GrammarError) as refusal:
        build()
    assert culprit in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_the_weight_of_an_entry_is_checked(weight):
    with pytest.raises(GrammarError, match="ox"):
        toy(entries=(*WORDS, Entry("N", "ox", weight)))


def test_a_category_without_a_finite_phrase_is_refused():
    with pytest.raises(GrammarError, match="'X'"):
        toy(Rule("VP", ("V", "X")), Rule("X", ("V", "X")))


def test_recursion_and_chains_are_no_cycles():
    grammar = toy(
        Rule("NP", ("NP", "PP")), Rule("PP", ("P", "NP")), Rule("P", ("Q",)), Rule("P", ("R",)),
        Rule("Q", ("R",)), Rule("R", ("'in'",)),
    )  # fmt: skip
    assert len(grammar.rules) == 9


def test_renamed_merges_what_becomes_equal():
    grammar = Grammar(
        "S",
        (
            Rule("S", ("NP_a", "VP"), 0.5, "first"),
            Rule("S", ("NP_b", "VP"), 0.25, "first"),
            Rule("NP_a", ("N_x",)),
            Rule("NP_b", ("N_y",)),
            Rule("NP_b", ("NP_a",)),
            Rule("NP_b", ("'some'", "N_y")),
            Rule("VP", ("V",)),
        ),
        (Entry("N_x", "dog"), Entry("N_y", "dog"), Entry("N_y", "rock"), Entry("V", "runs")),
    )
    merged = grammar.renamed(lambda category: category.split("_")[0])
    assert [(rule.parent, rule.children) for rule in merged.rules] == [
        ("S", ("NP", "VP")), ("NP", ("N",)), ("NP", ("'some'", "N")), ("VP", ("V",)),
    ]  # fmt: skip
    assert merged.rules[0].meaning == "first"
    assert [(e.category, e.word) for e in merged.entries] == [
        ("N", "dog"), ("N", "rock"), ("V", "runs"), ("'some'", "some"),
    ]  # fmt: skip
    assert merged.start == "S"


def test_renamed_renames_the_start_too():
    assert toy().renamed(str.lower).start == "s"


def test_renamed_by_nothing_changes_nothing():
    grammar = toy(Rule("NP", ("NP", "VP"), 0.5, "m", frozenset({"p"})))
    same = grammar.renamed(lambda category: category)
    assert (same.start, same.rules, same.entries) == (grammar.start, grammar.rules, grammar.entries)


def test_renamed_refuses_a_merger_that_makes_a_cycle():
    grammar = toy(Rule("S", ("A",)), Rule("A", ("B",)), Rule("B", ("C",)), Rule("C", ("V",)))
    with pytest.raises(GrammarError, match="only child"):
        grammar.renamed(lambda category: "A" if category == "C" else category)


def test_renamed_refuses_to_merge_rules_that_mean_different_things():
    grammar = toy(Rule("S", ("NP", "VQ"), 1.0, "other"), Rule("VQ", ("V", "V")))
    with pytest.raises(GrammarError):
        grammar.renamed(lambda category: "VP" if category == "VQ" else category)


def test_renamed_leaves_words_in_quotes_alone():
    grammar = toy(Rule("NP", ("'some_one'",)))
    assert "some_one" in grammar.renamed(lambda category: category.split("_")[0]).words
