"""What is read off train: words by frequency, tags, roles, the lexicon, and what single words mean."""

import pytest

from blicket.benchmarks.cogs.notation import ConjunctiveNotation
from blicket.core.errors import InputError
from blicket.core.example import ListedRows, Role, Split
from blicket.learners.structured.knowledge import Knowledge, Sentence, read_sentences
from blicket.learners.structured.sharing import SharingRule
from blicket.learners.structured.treebank import treebank

TRAIN = {
    "The boy wanted to crawl .": "* boy ( x _ 1 ) ; want . agent ( x _ 2 , x _ 1 ) AND want . xcomp ( x _ 2 , x _ 4 ) "
    "AND crawl . agent ( x _ 4 , x _ 1 )",
    "Emma saw the cat on a mat .": "* cat ( x _ 3 ) ; see . agent ( x _ 1 , Emma ) AND see . theme ( x _ 1 , x _ 3 ) "
    "AND cat . nmod . on ( x _ 3 , x _ 6 ) AND mat ( x _ 6 )",
    "The cat saw Emma .": "* cat ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , Emma )",
    "Paula": "Paula",
    "shark": "LAMBDA a . shark ( a )",
}


def split(rows: dict[str, str]) -> Split:
    listed = ListedRows([(sentence,) for sentence in rows], {"conjunctive": list(rows.values())}, [""] * len(rows))
    return Split("train", Role.TRAIN, listed)


def sentences(rows: dict[str, str] = TRAIN) -> list[Sentence]:
    return read_sentences(split(rows), "conjunctive", ConjunctiveNotation())


def test_words_that_are_frequent_enough_have_numbers() -> None:
    knowledge = Knowledge.of(sentences(), 1)
    assert set(knowledge.words) == {"The", "cat", "saw", "Emma", "."}
    assert knowledge.frequencies.tolist() == [0, 3, 2, 2, 2, 2]
    assert [number for number, _, _ in knowledge.numbers(["The", "boy", "saw"])] == [knowledge.words["The"], 0, 5]


def test_tags_labels_and_which_tag_has_which_role() -> None:
    knowledge = Knowledge.of(sentences(), 1)
    assert knowledge.tags == ("", "definite", "indefinite", "proper", "verb")
    assert knowledge.labels == ("agent", "nmod . on", "theme", "xcomp")
    roles = {
        (knowledge.tags[tag], knowledge.labels[label]) for tag, label in zip(*knowledge.fillable.nonzero(), strict=True)
    }
    assert roles == {("definite", "nmod . on"), ("verb", "agent"), ("verb", "theme"), ("verb", "xcomp")}


def test_the_lexicon_says_what_words_mean_and_new_words_mean_themselves() -> None:
    knowledge = Knowledge.of(sentences(), 1)
    words = ("saw", "wanted", "boy", "Emma", "shark", "wug")
    assert [knowledge.predicate(word) for word in words] == ["see", "want", "boy", "Emma", "shark", "wug"]


def test_articles_say_how_the_next_word_is_meant_and_nothing_else() -> None:
    """*The* and *a* do; *was* stands before verbs alone too, but other verbs do without it."""
    passive = {"Emma was seen .": "see . theme ( x _ 2 , Emma )"}
    assert Knowledge.of(sentences(), 1).articles == {"The", "the", "a"}
    knowledge = Knowledge.of(sentences(TRAIN | passive), 1)
    assert knowledge.articles == {"The", "the", "a"}
    passed_over = [word for word, number in knowledge.words.items() if knowledge.passed_over[number]]
    assert passed_over == ["The"]
    assert Knowledge.of(sentences(passive), 0).articles == {"was"}  # as far as this alone shows


def test_a_word_with_two_meanings_means_the_more_frequent_one() -> None:
    more = {"The cat sawed Emma .": TRAIN["The cat saw Emma ."].replace("see", "cut")}
    other = {"The boy sawed Emma .": more["The cat sawed Emma ."].replace("cat", "boy").replace("cut", "saw")}
    again = {"The mat sawed Emma .": more["The cat sawed Emma ."].replace("cat", "mat")}
    assert Knowledge.of(sentences(TRAIN | other | more | again), 1).predicate("sawed") == "cut"


def test_the_subject_of_an_infinitive_follows_from_a_rule() -> None:
    knowledge = Knowledge.of(sentences(), 1)
    assert knowledge.rules == (SharingRule("xcomp", "agent", "agent"),)
    first = sentences()[0].graph
    assert [(arc.head, arc.label, arc.dependent) for arc in knowledge.tree(first)] == [(2, "agent", 1), (2, "xcomp", 4)]


def test_single_words_are_remembered_whole_and_teach_no_structure() -> None:
    read = sentences()
    knowledge = Knowledge.of(read, 0)
    assert set(knowledge.wholes) == {("Paula",), ("shark",)}
    assert "shark" not in knowledge.words
    assert sum(map(len, treebank(read, knowledge))) == 3


def test_a_treebank_has_the_trees_by_length() -> None:
    read = sentences()
    knowledge = Knowledge.of(read, 1)
    bank = {trees.tags.shape[1]: trees for trees in treebank(read, knowledge)}
    assert sorted(bank) == [5, 6, 8]
    trees = bank[8]  # Emma saw the cat on a mat .
    assert trees.heads[0].tolist() == [1, 8, -1, 1, -1, -1, 3, -1]
    assert [knowledge.labels[i] for i in trees.labels[0, [0, 3, 6]]] == ["agent", "theme", "nmod . on"]
    filled = [(row, knowledge.labels[label]) for row, label in trees.slots[0].nonzero().tolist()]
    assert filled == [(1, "agent"), (1, "theme"), (3, "nmod . on")]
    assert bank[6].slots[0, 4].sum() == 0  # what follows from a rule fills no slot


def test_a_target_that_draws_no_graph_is_named() -> None:
    with pytest.raises(InputError, match=r"train/1: the target draws no graph over the sentence \(.*"):
        sentences({"Paula": "Paula", "The cat saw Emma .": "* cat ( x _ 9 ) ; see . agent ( x _ 2 , x _ 9 )"})


def test_train_without_sentences_is_refused() -> None:
    with pytest.raises(InputError, match="no structure to learn"):
        Knowledge.of(sentences({"Paula": "Paula"}), 1)
