"""Rows from files: both forms of them, the labels of 2020, the nonce tokens, and the check of a release."""

import re
from collections import Counter

import numpy as np
import pytest

from blicket.benchmarks.cogs.lexicon import nonce_words, plain_lexicon
from blicket.benchmarks.cogs.release import RELEASE, ReadRows, disguised, label_of_2020, recursion_tags, verify_release
from blicket.core.errors import BlicketError, InputError
from blicket.core.reading import read_dataset
from blicket.core.storage import write_dataset

CONJUNCTIVE, FREE = FORMS = ("conjunctive", "variable-free")
CASE = "obj_pp_to_subj_pp"
ANIMATE = {e.word for e in plain_lexicon().entries if e.category == "N_anim"}
UNACCUSATIVE = {e.word for e in plain_lexicon().entries if e.category == "V_unaccusative"}
TOKEN = {word: number for number, word in enumerate(
    "hedgehog Lina cockroach Charlie shark Paula crawl cobra hippo blessed bless squeezed squeeze baked bake shattered "
    "shatter teleported teleport shipped ship".split()
)}  # fmt: skip


def where(row):
    return f"here, line {row + 1}"


def label_of_2020_naively(sentence, form):
    """The subject's head noun is found in the sentence: the first noun of the clause, whatever PPs follow it."""
    words = sentence.split()
    start = 0
    for i, word in enumerate(words):
        if word == "that":
            start = i + 1
        # An unaccusative verb that ends the sentence and is no participle has its subject before it and nothing after.
        if (
            word in UNACCUSATIVE
            and words[i + 1] == "."
            and words[start].lower() in ("the", "a")
            and "was" not in words[start:i]
        ):
            subject = start + 1
            if words[subject] in ANIMATE:
                return re.sub(
                    rf"(\w+) \. theme \( x _ {i} , x _ {subject} \)", rf"\1 . agent ( x _ {i} , x _ {subject} )", form
                )
    return form


@pytest.fixture(scope="module")
def both(cogs):
    """The same data as corrected and as first released."""
    settings = {"train": 300, "dev": 200, "test": 10, "gen": 400, "exposures": [1]}
    return cogs.build(3, cogs.options(settings)), cogs.build(3, cogs.options({**settings, "compat": ["gen-2020"]}))


# --- gen-2020


def test_2020_labels_differ_for_animate_subjects_of_unaccusatives_alone(both, rows_of):
    corrected, first = map(rows_of, both)
    changed = 0
    for name, of in corrected.items():
        for row, old in zip(of, first[name], strict=True):
            expected = label_of_2020_naively(row.sentence, row.form) if row.case == CASE else row.form
            assert (old.sentence, old.case, old.tags) == (row.sentence, row.case, row.tags)
            assert old.form == expected, row.sentence
            assert (old.free != row.free) == (old.form != row.form)
            changed += old.form != row.form
    assert 10 < changed < 36  # 50 of the released 1,000; here of 400


def test_the_card_says_how_many_labels_differ(cogs, dataset, rows_of):
    rows = [row for row in rows_of(dataset)["gen"] if row.case == CASE]
    changed = sum(label_of_2020_naively(row.sentence, row.form) != row.form for row in rows)
    least, most, mean = map(float, re.search(r"of ours (\d+) to (\d+),\s+([\d.]+) on average", cogs.card()).groups())
    assert least <= changed <= most
    assert least < mean < most


def test_2020_labels_change_one_role_in_both_forms(both, rows_of):
    corrected, first = map(rows_of, both)
    for row, old in zip(corrected["gen"], first["gen"], strict=True):
        for ours, theirs in ((row.form, old.form), (row.free, old.free)):
            different = [(a, b) for a, b in zip(ours.split(), theirs.split(), strict=True) if a != b]
            assert different == ([("theme", "agent")] if row.form != old.form else [])


@pytest.mark.parametrize("form", FORMS)
def test_2020_labels_of_files_are_those_of_generated_rows(form, both, cogs, tmp_path, rows_of):
    corrected, first = both
    write_dataset(corrected, tmp_path, "tsv", form)
    read = read_dataset(cogs, tmp_path, cogs.options({"compat": ["gen-2020"]}))
    assert [vars(row) for row in rows_of(read)["gen"]] == [vars(row) for row in rows_of(first)["gen"]]
    plain = read_dataset(cogs, tmp_path, cogs.options({}))
    assert [vars(row) for row in rows_of(plain)["dev"]] == [vars(row) for row in rows_of(corrected)["dev"]]


@pytest.mark.parametrize(
    ("sentence", "changes"),
    [
        ("The cat on the mirror rolled .", True),
        ("A boy beside a table in a room froze .", True),
        ("Emma said that the cat on the bed rolled .", True),
        ("The girl in a car hoped that the dog in a box froze .", True),
        ("The cake on the table rolled .", False),  # inanimate
        ("Emma rolled .", False),  # a name; no PP can stand on it
        ("The cat on the table rolled the cake .", False),  # an agent already
        ("The cat on the table was rolled .", False),  # a passive theme
        ("The cake on the table was rolled by the cat in a car .", False),
        ("The cat on the table slept .", False),
        ("The cat on the table ate .", False),
        ("The cat on the table was given a cake .", False),
    ],
)
def test_which_sentences_were_mislabelled(sentence, changes, cogs):
    for form in FORMS:
        target = cogs.interpret((sentence,), form)
        old = label_of_2020(sentence, target, form)
        if not changes:
            assert old == target
            continue
        assert old != target
        assert Counter(old.split()) - Counter(target.split()) == {"agent": 1}
        assert Counter(target.split()) - Counter(old.split()) == {"theme": 1}
    if changes:
        assert label_of_2020(sentence, cogs.interpret((sentence,), CONJUNCTIVE), CONJUNCTIVE) == label_of_2020_naively(
            sentence, cogs.interpret((sentence,), CONJUNCTIVE)
        )


def test_the_released_sample_is_the_corrected_one(reference_rows):
    """Labels that were corrected are themes in the file we have, and nothing else of the sample changes."""
    for sentence, form, case in reference_rows["gen_sample"]:
        if case == CASE:
            assert label_of_2020(sentence, form, CONJUNCTIVE) == label_of_2020_naively(sentence, form)


def test_other_cases_keep_their_labels(cogs):
    """cobra in `only_seen_as_transitive_subj_as_unacc_subj` is an animate subject of an unaccusative, and was right."""
    sentence = "The cobra rolled ."
    target = cogs.interpret((sentence,), CONJUNCTIVE)
    options = cogs.options({"compat": ["gen-2020"]})
    case = "only_seen_as_transitive_subj_as_unacc_subj"
    rows = cogs.rows(
        [(sentence,), ("The cat on the bed rolled .",)], [target, target], [case, case], CONJUNCTIVE, options, where
    )
    assert rows.columns(np.arange(2), CONJUNCTIVE).targets == [target, target]


# --- both forms of what was read


def test_released_rows_have_both_forms(reference_rows, cogs):
    for name in ("dev", "gen_sample"):
        sentences, forms, cases = zip(*reference_rows[name], strict=True)
        rows = cogs.rows([(s,) for s in sentences], forms, cases, CONJUNCTIVE, cogs.options({}), where)
        assert rows.forms == FORMS
        columns = rows.columns(np.arange(len(rows)), FREE)
        assert columns.targets == [cogs.interpret((s,), FREE) for s in sentences]
        # And back, from files of the other form.
        again = cogs.rows(columns.inputs, columns.targets, columns.cases, FREE, cogs.options({}), where)
        assert again.forms == (FREE, CONJUNCTIVE)
        back = again.columns(np.arange(len(rows)), CONJUNCTIVE)
        assert back.targets == list(forms)
        assert back.tags == columns.tags


def test_primitives_have_both_forms(cogs):
    for word in ("shark", "Paula", "touch", "roll", "crawl", "TV", "[w_4]", "[w_5]"):
        for form, other in (FORMS, FORMS[::-1]):
            rows = cogs.rows([(word,)], [cogs.interpret((word,), form)], ["primitive"], form, cogs.options({}), where)
            assert rows.columns(np.arange(1), other).targets == [cogs.interpret((word,), other)], word


def test_generated_data_read_back_is_the_same(cogs, tmp_path, rows_of):
    corrected = cogs.build(3, cogs.options({"train": 200, "dev": 20, "test": 20, "gen": 20, "exposures": [1, 2]}))
    for form in FORMS:
        for format_ in ("tsv", "jsonl", "csv", "parquet"):
            folder = tmp_path / f"{form}.{format_}"
            write_dataset(corrected, folder, format_, form)
            read = read_dataset(cogs, folder, cogs.options({}))
            assert read.content_hash(CONJUNCTIVE) == corrected.content_hash(CONJUNCTIVE)
            assert read.content_hash(FREE) == corrected.content_hash(FREE)
    assert [row.tags for row in rows_of(read)["gen"]] == [row.tags for row in rows_of(corrected)["gen"]]


def test_a_target_of_another_sentence_says_which_row(cogs):
    rows = cogs.rows(
        [("Emma slept .",)], ["sleep . agent ( x _ 7 , Emma )"], ["x"], CONJUNCTIVE, cogs.options({}), where
    )
    with pytest.raises(InputError, match=r"here, line 1: the target is no conjunctive form") as wrong:
        rows.columns(np.arange(1), FREE)
    assert "\n" not in str(wrong.value)
    assert rows.columns(np.arange(1), CONJUNCTIVE).targets == ["sleep . agent ( x _ 7 , Emma )"]


def test_a_target_that_2020_cannot_read_says_which_row(cogs):
    options = cogs.options({"compat": ["gen-2020"]})
    with pytest.raises(BlicketError, match="here, line 1"):
        cogs.rows([("Emma slept .",)], ["sleep . agent ( x _ 7"], [CASE], CONJUNCTIVE, options, where)


# --- depth


def test_depths_are_counted_from_either_form(rows):
    for row in rows["gen"][::40]:
        tags = [row.tags] if row.case.endswith("_recursion") else []
        assert recursion_tags(row.case, [row.form]) == recursion_tags(row.case, [row.free]) == tags


def test_read_rows_carry_depths(cogs, rows):
    some = rows["gen"][:400]
    read = ReadRows([(r.sentence,) for r in some], [r.form for r in some], [r.case for r in some], CONJUNCTIVE, where)
    assert read.columns(np.arange(400), CONJUNCTIVE).tags == [r.tags for r in some]
    assert read.columns(np.array([5, 2]), FREE).targets == [some[5].free, some[2].free]
    assert len(read) == 400


# --- nonce


def test_files_get_the_same_tokens(reference_rows, cogs):
    sentences, forms, cases = zip(*reference_rows["train"], strict=True)
    rows = cogs.rows([(s,) for s in sentences], forms, cases, CONJUNCTIVE, cogs.options({"nonce": True}), where)
    columns = rows.columns(np.arange(len(rows)), CONJUNCTIVE)
    token = {word: f"[w_{number}]" for word, number in TOKEN.items()}
    for sentence, form, (said,), target in zip(sentences, forms, columns.inputs, columns.targets, strict=True):
        assert said == " ".join(token.get(word, word) for word in sentence.split())
        assert target == " ".join(token.get(word, word) for word in form.split())
    exposed = [i for i, (said,) in enumerate(columns.inputs) if "[w_" in said]
    assert len(exposed) == 15
    free = rows.columns(np.array(exposed), FREE)
    for i, target in zip(exposed, free.targets, strict=True):
        assert target == cogs.interpret(columns.inputs[i], FREE)
        assert columns.targets[i] == cogs.interpret(columns.inputs[i], CONJUNCTIVE)


def test_no_exposed_word_is_left_in_disguised_rows(reference_rows):
    sentences, forms, _ = zip(*reference_rows["gen_sample"], strict=True)
    inputs, targets = disguised([(s,) for s in sentences], forms)
    words = {w for (said,) in inputs for w in said.split()} | {w for target in targets for w in target.split()}
    assert not words & set(TOKEN)
    assert {f"[w_{TOKEN[word]}]" for word in ("Paula", "hedgehog", "shipped", "ship")} <= words
    assert nonce_words() == {word: f"[w_{number}]" for word, number in TOKEN.items()}


def test_the_dissertations_examples(cogs):
    """Chapter 5, (7)-(8) and (12)-(13)."""
    inputs, targets = disguised(
        [("Emma appreciated the hedgehog .",), ("Paula drew Natalie .",), ("The cat shipped Emma the donut .",)],
        [
            "*hedgehog(x_3); appreciate.agent(x_1, Emma) AND appreciate.theme(x_1, x_3)",
            "draw.agent(x_1, Paula) AND draw.theme(x_1, Natalie)",
            "*cat(x_1); *donut(x_5); ship.agent(x_2, x_1) AND ship.recipient(x_2, Emma) AND ship.theme(x_2, x_5)",
        ],
    )
    assert inputs == [
        ("Emma appreciated the [w_0] .",),
        ("[w_5] drew Natalie .",),
        ("The cat [w_19] Emma the donut .",),
    ]
    assert targets == [cogs.interpret(sentence, CONJUNCTIVE) for sentence in inputs]
    assert targets[2].split().count("[w_20]") == 3


def test_both_flaw_and_tokens(both, cogs, rows_of):
    """`nonce` and `gen-2020` together, from files: the labels of 2020, disguised."""
    corrected, first = both
    some = [row for row in rows_of(corrected)["gen"] if row.case == CASE]
    old = [row.form for row in rows_of(first)["gen"] if row.case == CASE]
    options = cogs.options({"compat": ["gen-2020"], "nonce": True})
    read = cogs.rows(
        [(r.sentence,) for r in some], [r.form for r in some], [CASE] * len(some), CONJUNCTIVE, options, where
    )
    assert read.columns(np.arange(len(some)), CONJUNCTIVE).targets == old


# --- the release


def test_the_release_names_its_files(reference):
    assert set(RELEASE.files) == {"train.tsv", "train_100.tsv", "dev.tsv", "test.tsv", "gen.tsv"}


def test_known_hashes_are_those_of_the_reference(reference):
    from hashlib import sha256

    for name in ("train.tsv", "dev.tsv"):
        assert RELEASE.files[name] == sha256((reference / name).read_bytes()).hexdigest()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    sizes = {"train": 3, "train_100": 1, "dev": 1, "test": 1, "gen": 1}
    monkeypatch.setattr("blicket.benchmarks.cogs.release.ROWS", sizes)
    row = "Emma slept .\tsleep . agent ( x _ 1 , Emma )\tin_distribution\n"
    for name, rows in sizes.items():
        (tmp_path / f"{name}.tsv").write_text(row * rows)
    return tmp_path


def test_a_release_that_agrees_passes(folder):
    verify_release(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Emma slept .\tsleep . agent ( x _ 1 , Emma )\tx\n" * 2, r"train\.tsv: has 2 rows, expected 3"),
        (
            "Emma slept .\tsleep . agent ( x _ 1 , Emma )\tx\n" * 2
            + "Emma slept .\tsleep . theme ( x _ 1 , Emma )\tx\n",
            r"train\.tsv, line 3: the target is not the meaning of 'Emma slept \.'",
        ),
        ("Emma zorked .\tzork\tx\n" * 3, r"train\.tsv, line 1: word 2: 'zorked' is not a word"),
        ("Emma slept .\tx\n" * 3, r"train\.tsv, line 1: 2 columns, expected 3"),
    ],
)
def test_a_release_that_does_not_is_told_where(folder, text, message):
    (folder / "train.tsv").write_text(text)
    with pytest.raises(InputError, match=message):
        verify_release(folder)
