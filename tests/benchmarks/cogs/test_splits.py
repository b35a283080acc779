"""The splits of the default dataset: sizes, what differs from what, what never occurs, and how it is distributed."""

import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from itertools import combinations
from math import sqrt

import pytest

from blicket.benchmarks.cogs.cases import CASES, EXPOSURES
from blicket.benchmarks.cogs.lexicon import nonce_words, plain_lexicon
from blicket.core.errors import Exhausted
from blicket.core.example import Role

SIZES = {"train": 24_155, "train_100": 39_500, "dev": 3_000, "test": 3_000, "gen": 21_000}
EVERYDAY = ("train", "dev", "test")
CONJUNCTIVE, FREE = FORMS = ("conjunctive", "variable-free")
EXPOSED_NOMINALS = {"hedgehog", "cockroach", "shark", "cobra", "hippo", "Lina", "Charlie", "Paula"}
EXPOSED = EXPOSED_NOMINALS | set(
    "crawl crawled blessed squeezed baked shattered teleported shipped bless squeeze bake shatter teleport ship".split()
)
LISTS = {
    category: {e.word for e in plain_lexicon().entries if e.category == category and not e.phenomena}
    for category in ("N_anim", "N_inan", "N_on", "N_in", "N_beside", "PN")
}
NOMINALS = set().union(*LISTS.values()) | EXPOSED_NOMINALS
SMALL = {"train": 300, "dev": 20, "test": 20, "gen": 20, "exposures": (1, 3)}


@pytest.fixture(scope="module")
def read(rows, read_form):
    """(row, facts) of everyday rows by split."""
    return {
        name: [(row, read_form(row.form)) for row in rows[name] if row.case == "in_distribution"] for name in EVERYDAY
    }


@pytest.fixture(scope="module")
def small(cogs):
    return cogs.build(5, cogs.options(SMALL))


def sentences(rows):
    return [row.sentence for row in rows]


def nominals(sentence):
    return [word for word in sentence.split() if word in NOMINALS]


# --- sizes


def test_sizes_names_and_roles(dataset, rows):
    assert {name: len(split) for name, split in dataset.splits.items()} == SIZES
    assert {name: len(of) for name, of in rows.items()} == SIZES
    roles = [Role.TRAIN, Role.TRAIN, Role.DEV, Role.TEST, Role.GENERALIZATION]
    assert [split.role for split in dataset.splits.values()] == roles
    assert list(dataset.splits) == list(SIZES)
    assert dataset.forms == FORMS


def test_cases_and_their_numbers(rows):
    assert Counter(row.case for row in rows["gen"]) == dict.fromkeys(CASES, 1000)
    for name, number in (("train", 1), ("train_100", 100)):
        expected = {"in_distribution": 24_000, "primitive": 143 * number} | dict.fromkeys(EXPOSURES, number)
        assert Counter(row.case for row in rows[name]) == expected
    for name in ("dev", "test"):
        assert Counter(row.case for row in rows[name]) == {"in_distribution": 3_000}


def test_the_columns_and_cases_are_those_of_the_release(rows, reference_rows):
    assert {row.case for row in rows["train"]} == {case for _, _, case in reference_rows["train"]}
    assert {row.case for row in rows["dev"]} == {case for _, _, case in reference_rows["dev"]}
    assert {row.case for row in rows["gen"]} == {case for _, _, case in reference_rows["gen_sample"]}
    assert Counter(case for _, _, case in reference_rows["train"]) == Counter(row.case for row in rows["train"])


@pytest.mark.parametrize(("case", "role"), [("cp_recursion", "ccomp"), ("pp_recursion", "nmod")])
def test_a_hundred_rows_of_each_depth(case, role, rows, read_form):
    of_case = [row for row in rows["gen"] if row.case == case]
    assert Counter(read_form(row.form).chain(role) for row in of_case) == dict.fromkeys(range(3, 13), 100)
    assert all(row.tags == {"depth": read_form(row.form).chain(role)} for row in of_case)
    assert all(row.tags == {} for row in rows["gen"] if not row.case.endswith("_recursion"))


# --- distinct


def test_sentences_are_distinct_within_and_across_splits(rows):
    everyday = [s for name in EVERYDAY for s in sentences(rows[name])]
    assert len(set(everyday)) == len(everyday) == 30_155
    gen = sentences(rows["gen"])
    assert len(set(gen)) == len(gen)
    assert not set(gen) & set(everyday)
    assert not set(gen) & set(sentences(rows["train_100"]))


def test_train_100_repeats_primitives_alone(rows):
    train, larger = (Counter((r.sentence, r.form, r.case) for r in rows[name]) for name in ("train", "train_100"))
    assert set(train) <= set(larger)
    for (sentence, form, case), times in larger.items():
        assert times == (100 if case == "primitive" else 1), sentence
        if case == "in_distribution" or case == "primitive":
            assert train[sentence, form, case] == 1


def test_no_nominal_stands_twice(rows):
    for name in ("train_100", "dev", "test", "gen"):
        twice = [s for s in sentences(rows[name]) if len(set(nominals(s))) < len(nominals(s))]
        assert twice == [], name


def test_rows_are_mixed(rows):
    """Neither primitives, nor exposures, nor cases stand together."""
    for name in ("train", "train_100"):
        places = [i for i, row in enumerate(rows[name]) if row.case == "primitive"]
        assert 0.4 < sum(places) / len(places) / len(rows[name]) < 0.6
    changes = sum(a.case != b.case for a, b in zip(rows["gen"], rows["gen"][1:], strict=False))
    assert changes > 19_000


# --- in distribution


def test_everyday_depth_is_at_most_two(read):
    for name in EVERYDAY:
        for role in ("ccomp", "nmod"):
            assert {facts.chain(role) for _, facts in read[name]} == {0, 1, 2}


def test_no_exposed_word_in_everyday_rows(read):
    for name in EVERYDAY:
        assert not any(EXPOSED & set(row.sentence.split()) for row, _ in read[name])
        assert not any(EXPOSED & set(row.form.split()) for row, _ in read[name])


def test_exposed_words_occur_in_train_no_more_than_they_are_exposed(rows):
    """15 words: 12 in an exposure sentence each, shark, Paula and crawl alone as primitives."""
    for name, number in (("train", 1), ("train_100", 100)):
        counted = Counter(word for row in rows[name] for word in row.sentence.split() if word in EXPOSED)
        shown = EXPOSED_NOMINALS | set("crawl blessed squeezed baked shattered teleported shipped".split())
        assert counted == dict.fromkeys(shown, number)
        alone = {row.sentence for row in rows[name] if row.sentence in EXPOSED}
        assert alone == {"shark", "Paula", "crawl"}


def test_no_subject_is_modified(read):
    for name in EVERYDAY:
        for row, facts in read[name]:
            words = row.sentence.split()
            for verb in facts.verbs:
                agent = facts.of(verb).get("agent")
                first = min((f for f in facts.of(verb).values() if isinstance(f, int)), default=verb)
                assert not facts.modified() & {agent, first if first < verb else None}, words


def test_animacy_and_the_lists_of_prepositions(read):
    animate = LISTS["N_anim"]
    for name in EVERYDAY:
        for row, facts in read[name]:
            words = row.sentence.split()
            for head, role, filler in facts.roles:
                noun = None if isinstance(filler, str) else words[filler]
                passive = words[head - 1] == "was"
                recipients = "recipient" in facts.of(head)
                if role in ("agent", "recipient"):
                    assert noun is None or noun in animate
                elif role.startswith("nmod"):
                    assert noun in LISTS[f"N_{role.split()[-1]}"]
                elif role == "theme" and (passive or recipients):
                    assert noun in LISTS["N_inan"]


def test_primitives_are_the_released_ones(rows, reference_rows):
    released = {(word, form) for word, form, case in reference_rows["train"] if case == "primitive"}
    assert {(row.sentence, row.form) for row in rows["train"] if row.case == "primitive"} == released


# --- distribution of constructions


def constructions(sentence, facts):
    """The clauses of a sentence as voice and roles in surface order, and the phrases in them: what rules were used."""
    words = sentence.split()
    clauses, phrases = [], []
    for verb in facts.verbs:
        said = sorted((words.index(f) if isinstance(f, str) else f, role) for role, f in facts.of(verb).items())
        voice = "was" if words[verb - 1] == "was" else "to" if words[verb - 1] == "to" else "active"
        frame = (voice, *(role for _, role in said), "to" in words[verb:] and "recipient" in facts.of(verb))
        clauses.append(frame)
        for role, filler in facts.of(verb).items():
            if role not in ("ccomp", "xcomp"):
                phrases.append((*frame, role, phrase(words, facts, filler)))
    for _, role, filler in facts.roles:
        if role.startswith("nmod"):
            phrases.append((role, filler in facts.modified(), words[filler - 1].lower()))
    return clauses, phrases


def phrase(words, facts, filler):
    if isinstance(filler, str):
        return "name"
    kind = "animate" if words[filler] in LISTS["N_anim"] else "inanimate"
    return kind, filler in facts.modified(), facts.nouns[filler][1]


def distributions(pairs):
    """Of whole sentences by voice and main arguments, of clauses and of phrases."""
    sentences, clauses, phrases = Counter(), Counter(), Counter()
    for sentence, facts in pairs:
        some, more = constructions(sentence, facts)
        clauses.update(some)
        phrases.update(more)
        main = some[0] if len(some) == 1 else ("embedded", *facts.of(min(facts.verbs)))
        sentences[main[0], main[1], len(main) > 3] += 1
    return clauses, phrases, sentences


def total_variation(first, second):
    n, m = first.total(), second.total()
    return sum(abs(first[key] / n - second[key] / m) for key in first.keys() | second.keys()) / 2


@pytest.fixture(scope="module")
def ours(cogs, read, read_form):
    """Clauses and phrases of 24,000 everyday sentences of four seeds."""
    found = [distributions((row.sentence, facts) for row, facts in read["train"])]
    for seed in (2, 3, 4):
        only_train = cogs.options({"dev": 0, "test": 0, "gen": 0, "exposures": (0,)})
        split = cogs.build(seed, only_train)["train"]
        found.append(
            distributions(
                (inputs[0], read_form(form))
                for _, columns in split.batches(CONJUNCTIVE)
                for inputs, form in zip(columns.inputs, columns.targets, strict=True)
            )
        )
    return found


@pytest.fixture(scope="module")
def released(reference_rows, read_form):
    rows = [row for row in reference_rows["train"] if row[2] == "in_distribution"]
    assert len(rows) == 24_000
    return distributions((sentence, read_form(form)) for sentence, form, _ in rows)


def largest_z(first, second):
    """The construction whose share differs most, in standard errors, with both its counts."""
    n, m = first.total(), second.total()
    found = []
    for key in first.keys() | second.keys():
        pooled = (first[key] + second[key]) / (n + m)
        z = (first[key] / n - second[key] / m) / sqrt(pooled * (1 / n + 1 / m))
        found.append((abs(z), key, first[key], second[key]))
    return max(found, key=lambda row: row[0])


WHICH = pytest.mark.parametrize("which", [0, 1, 2], ids=["clauses", "phrases", "sentences"])


@WHICH
def test_constructions_are_distributed_as_in_the_released_train_set(which, ours, released):
    """The distance to the release is that between two seeds of ours, which is what sampling makes of one grammar.

    Total variation when this was written, as a mean: over clauses 0.0128 from the release, 0.0121 (0.0099 to 0.0156)
    from seed to seed; over phrases 0.0198 from the release, 0.0210 (0.0195 to 0.0230) from seed to seed.
    """
    own = [total_variation(a[which], b[which]) for a, b in combinations(ours, 2)]
    distances = [total_variation(a[which], released[which]) for a in ours]
    mean = sum(own) / len(own)
    spread = sqrt(sum((d - mean) ** 2 for d in own) / (len(own) - 1))
    assert sum(distances) / len(distances) < mean + 4 * spread
    assert sum(distances) / len(distances) < 1.25 * max(own)


@WHICH
def test_no_construction_is_rarer_or_more_frequent_than_in_the_release(which, ours, released):
    """Four seeds pooled: largest z 1.7, 2.1 and 1.7 when this was written.

    The bounds are what chance exceeds once in a hundred times among that many constructions. A passive less likely by
    8% gives 3.7 among the sentences.
    """
    z, *construction = largest_z(sum((found[which] for found in ours), Counter()), released[which])
    assert z < (4, 4.2, 3.4)[which], construction


def test_a_wrong_probability_would_show(ours, released):
    """GRAMMAR.md makes one half of the animate objects names; in the release it is a third."""
    wrong = Counter(released[1])
    for key in wrong:
        if key[0] == "active" and key[-2:] == ("theme", "name"):
            wrong[key] = round(1.5 * wrong[key])
    assert largest_z(ours[0][1], wrong)[0] > 8


# --- options


def test_every_row_has_the_meaning_that_interpret_gives(small, cogs):
    for split in small.splits.values():
        for example in split:
            for form in FORMS:
                assert example.targets[form] == cogs.interpret(example.inputs, form)


def test_ids_count_the_rows(small):
    assert [example.id for example in small["dev"]] == [f"dev/{row}" for row in range(20)]


def test_small_options(small):
    assert {name: len(split) for name, split in small.splits.items()} == {
        "train": 300 + 143 + 12,
        "train_3": 300 + 143 * 3 + 12 * 3,
        "dev": 20,
        "test": 20,
        "gen": 21 * 20,
    }
    depths = Counter(e.tags["depth"] for e in small["gen"] if e.case == "cp_recursion")
    assert depths == dict.fromkeys(range(3, 13), 2)


def test_depths_share_rows_as_evenly_as_can_be(cogs):
    built = cogs.build(
        1, cogs.options({"train": 1, "dev": 0, "test": 0, "gen": 11, "depths": [2, 5], "exposures": [0]})
    )
    depths = Counter((e.case, e.tags["depth"]) for e in built["gen"] if e.tags)
    for case in ("cp_recursion", "pp_recursion"):
        assert [depths[case, depth] for depth in (2, 3, 4, 5)] == [3, 3, 3, 2]


def test_nothing_can_be_asked_for(cogs):
    built = cogs.build(1, cogs.options({"train": 0, "dev": 0, "test": 0, "gen": 0, "exposures": []}))
    assert {name: len(split) for name, split in built.splits.items()} == {"train": 0, "dev": 0, "test": 0}


def test_exhaustion_says_how_many_there_were(cogs, monkeypatch):
    monkeypatch.setattr("blicket.grammar.distinct.SHORTEST_SPAN", 5000)
    with pytest.raises(Exhausted) as exhausted:
        cogs.build(1, cogs.options({"train": 1, "dev": 0, "test": 0, "gen": 1, "depths": [90, 90], "exposures": [0]}))
    assert "cp_recursion at depth 90" in str(exhausted.value)
    assert exhausted.value.found == 0


def test_deep_recursion_with_repeated_nominals(cogs, read_form):
    settings = {"train": 1, "dev": 0, "test": 0, "gen": 4, "depths": [50, 50], "distinct_nominals": False}
    for example in cogs.build(1, cogs.options({**settings, "exposures": [0]}))["gen"]:
        role = {"cp_recursion": "ccomp", "pp_recursion": "nmod"}.get(example.case)
        if role:
            assert example.tags == {"depth": 50}
            assert read_form(example.targets[CONJUNCTIVE]).chain(role) == 50
            assert example.targets[FREE] == cogs.interpret(example.inputs, FREE)


@pytest.mark.parametrize("seed", [1, 2])
def test_shallow_recursion_does_not_repeat_everyday_sentences(cogs, seed):
    """Depths that train shows can be asked for; rows of gen are new all the same."""
    settings = {"train": 4000, "dev": 1000, "test": 1000, "gen": 400, "depths": [1, 2], "exposures": [1]}
    built = cogs.build(seed, cogs.options(settings))
    everyday = {e.inputs for name in EVERYDAY for e in built[name]}
    assert not everyday & {e.inputs for e in built["gen"]}


# --- nonce


def test_the_nonce_variant_is_the_plain_one_with_tokens_replaced(small, cogs):
    nonce = cogs.build(5, cogs.options({**SMALL, "nonce": True}))
    token = nonce_words()
    for name, split in small.splits.items():
        for plain, disguised in zip(split, nonce[name], strict=True):
            assert disguised.case == plain.case
            assert disguised.tags == plain.tags
            assert disguised.inputs[0].split() == [token.get(word, word) for word in plain.inputs[0].split()]
            for form in FORMS:
                assert disguised.targets[form].split() == [token.get(w, w) for w in plain.targets[form].split()]
                assert disguised.targets[form] == cogs.interpret(disguised.inputs, form)
                assert not EXPOSED & set(disguised.targets[form].split())
            assert not EXPOSED & set(disguised.inputs[0].split())


def test_verbs_have_two_tokens_and_nouns_one(cogs):
    nonce = cogs.build(5, cogs.options({**SMALL, "nonce": True}))
    shipped = next(e for e in nonce["train"] if e.case == "exposure_example_pp_dative")
    assert "[w_19]" in shipped.inputs[0].split()
    assert "[w_20]" in shipped.targets[CONJUNCTIVE].split()
    assert not {"[w_19]"} & set(shipped.targets[CONJUNCTIVE].split())
    paula = next(e for e in nonce["train"] if e.inputs == ("[w_5]",))
    assert paula.targets == {CONJUNCTIVE: "[w_5]", FREE: "[w_5]"}


# --- the same bytes

# Of the TSV files of SMALL, in order. They pin reproducibility and nothing else: they are what the code wrote when this
# test was written, and no evidence that what it wrote is right. Change them when a change of the data is meant.
GOLDEN = {
    CONJUNCTIVE: "b98536fbdd21fc3e32115801879d5ea0ced689c8df41d5fd5a4efa86bb00cc05",
    FREE: "15f704d878be0a8433db42b21531229a231df3e64dbc6fcffd13c2e06c9c87c7",
}
PROGRAM = """
import random, sys
import numpy
seed = int(sys.argv[1])
random.seed(seed); numpy.random.seed(seed); numpy.random.random(seed + 1)
from hashlib import sha256
from pathlib import Path
from blicket.benchmarks.cogs import Cogs
from blicket.core.storage import write_dataset
cogs = Cogs()
built = cogs.build(5, cogs.options({"train": 300, "dev": 20, "test": 20, "gen": 20, "exposures": (1, 3)}))
for form in ("conjunctive", "variable-free"):
    folder = Path(sys.argv[2]) / form
    write_dataset(built, folder, "tsv", form, workers=1 + seed % 2)
    digest = sha256()
    for name in built.splits:
        digest.update((folder / f"{name}.tsv").read_bytes())
    print(form, digest.hexdigest())
"""


@pytest.mark.parametrize("disturbance", [0, 1])
def test_the_same_seed_gives_the_same_bytes(disturbance, tmp_path):
    environment = {**os.environ, "PYTHONHASHSEED": str(disturbance + 11), "LC_ALL": "C"}
    command = [sys.executable, "-c", PROGRAM, str(disturbance), str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert dict(line.split() for line in done.stdout.splitlines()) == GOLDEN


def test_content_does_not_depend_on_how_it_is_read(small):
    """Rows one by one, in batches and out of order are the same rows."""
    split = small["train_3"]
    whole = list(split)
    assert [split[i] for i in (700, 3, -1)] == [whole[700], whole[3], whole[-1]]
    assert split[5:9] == whole[5:9]
    batched = [t for _, columns in split.batches(FREE, 17) for t in columns.targets]
    assert batched == [example.targets[FREE] for example in whole]


def test_seeds_give_different_data_of_the_same_kind(small, cogs):
    other = cogs.build(6, cogs.options(SMALL))
    assert [len(split) for split in other.splits.values()] == [len(split) for split in small.splits.values()]
    shared = {e.inputs for e in other["train"]} & {e.inputs for e in small["train"]}
    assert len(shared) < 143 + 60
    assert other.content_hash() != small.content_hash()
    assert cogs.build(5, cogs.options(SMALL)).content_hash() == small.content_hash()


def test_the_content_hash_covers_inputs_targets_and_cases(small):
    digest = sha256()
    for split in small.splits.values():
        digest.update(f"\x1d{split.name}\x1d{split.role}\x1d".encode())
        lines = ["\x1f".join((*e.inputs, e.targets[CONJUNCTIVE], e.case)) for e in split]
        digest.update("\x1e".join(lines).encode() + b"\x1e")
    assert small.content_hash() == digest.hexdigest()


def test_more_rows_of_a_split_leave_generalization_cases_alone(cogs, small):
    """A case is drawn by a stream of its own, so that other numbers of exposures do not change the gen set."""
    other = cogs.build(5, cogs.options({**SMALL, "exposures": (3,)}))
    assert [e.inputs for e in other["gen"]] == [e.inputs for e in small["gen"]]
