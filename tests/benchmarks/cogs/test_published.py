"""The published numbers: complete, and as the paper's text has them."""

import re
import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from blicket.core.published import published_results

MODELS = ("transformer", "bilstm", "lstm")
TITLES = {"transformer": "Transf.", "bilstm": "BiLSTM", "lstm": "LSTM"}


@pytest.fixture(scope="module")
def document():
    return files("blicket.benchmarks.cogs").joinpath("published.toml").read_text("utf-8")


@pytest.fixture(scope="module")
def results(document):
    return list(published_results(document))


@pytest.fixture(scope="module")
def paper(papers):
    text = (papers / "kim-linzen-2020-cogs.txt").read_text("utf-8", "replace")
    return re.sub(r"\s+", " ", text)


def table(results, name):
    return [r for r in results if r.table == name]


def of(results, name, **about):
    found = [r for r in table(results, name) if all(r.about.get(k) == v for k, v in about.items())]
    assert len(found) == 1, about
    return found[0]


def test_it_loads_through_the_core_and_the_benchmark(results, cogs):
    assert list(cogs.published()) == results
    assert len(results) > 250


def test_the_tables_of_the_paper_are_there(results):
    sizes = Counter(r.table for r in results)
    assert sizes["table-7"] == 126
    assert (sizes["table-2"], sizes["table-4"], sizes["table-6"], sizes["figure-4"]) == (9, 9, 18, 9)


def test_every_case_and_kind_of_depth_exists(results, cogs):
    assert {r.about["case"] for r in results if "case" in r.about} == set(cogs.cases)
    assert {r.about["depth"] for r in results if "depth" in r.about} <= {"all", "3", "3-5", "6-12"}
    assert {r.about["group"] for r in results if "group" in r.about} == {"structural", "depth"}
    assert {r.about["split"] for r in results if "split" in r.about} <= set(cogs.roles)


def test_every_record_says_what_it_is(results, document):
    known = set(tomllib.loads(document)["models"])
    sources = {source["id"] for source in tomllib.loads(document)["source"]}
    for r in results:
        assert r.where, r
        assert r.about.get("source") in sources, r
        assert "model" not in r.about or r.about["model"] in known
        assert r.about["relation"] in ("equal", "about", "above")
        assert r.about["unit"] in ("share", "tokens", "count", "loss")
        assert r.about["unit"] != "share" or 0 <= r.value <= 1
        assert r.sd is None or 0 <= r.sd <= 0.5
        assert r.n is None or r.n >= 1
        assert isinstance(r.about["aggregate"], str)


def test_values_have_the_decimals_they_were_printed_with(results):
    for r in results:
        if "decimals" in r.about and r.about["unit"] == "share":
            assert round(r.value, r.about["decimals"]) == pytest.approx(r.value, abs=1e-9), r


def test_counts_give_the_shares_beside_them(results):
    for r in results:
        if {"count", "items"} <= set(r.about):
            assert r.about["count"] / r.about["items"] == pytest.approx(
                r.value, abs=0.51 * 10 ** -r.about["decimals"]
            ), r


def test_what_repeats_a_number_repeats_it(results):
    repeating = [r for r in results if r.about.get("repeats")]
    assert repeating
    keys = ("model", "split", "case", "depth", "exposures")
    for r in repeating:
        original = [
            o
            for o in table(results, r.about["repeats"])
            if all(o.about.get(k) == r.about[k] for k in keys if k in r.about and k in o.about)
        ]
        assert r.value in {o.value for o in original}, r


@pytest.mark.parametrize("exposures", [1, 100])
@pytest.mark.parametrize("model", MODELS)
def test_the_mean_of_table_7_is_the_aggregate(model, exposures, results):
    """21 cases of 1,000: their mean is the accuracy on all, but for what rounding takes."""
    cells = [
        r.value for r in table(results, "table-7") if r.about["model"] == model and r.about["exposures"] == exposures
    ]
    assert len(cells) == 21
    aggregate = of(results, "table-6", model=model, exposures=exposures, split="gen")
    assert sum(cells) / 21 == pytest.approx(aggregate.value, abs=0.0075)


# Read off Table 7, appendix F, by hand: the label of a row in the text, and its three numbers in the text's order.
SPOTS = [
    (1, "subj_to_obj_common", "Subject→ Object (common noun)", (0.31, 0.05, 0.18)),
    (1, "obj_to_subj_common", "Object→ Subject (common noun)", (0.87, 0.28, 0.51)),
    (1, "prim_to_inf_arg", "Primitive verb→ Infinitival argument", (0.00, 0.23, 0.07)),
    (1, "active_to_passive", "Active→ Passive", (0.99, 0.45, 0.48)),
    (1, "do_dative_to_pp_dative", "Double object dative→ PP dative", (0.45, 0.16, 0.75)),
    (1, "pp_recursion", "Depth generalization: PP modifiers", (0.00, 0.00, 0.02)),
    (100, "subj_to_obj_proper", "Subject→ Object NP (proper noun)", (0.54, 0.60, 0.54)),
    (100, "unacc_to_transitive", "Unaccusative→ Transitive", (0.47, 0.75, 0.94)),
    (100, "only_seen_as_unacc_subj_as_unerg_subj", "Theme NP→ Unergative subject", (0.96, 0.96, 0.98)),
]


@pytest.mark.parametrize(("exposures", "case", "label", "values"), SPOTS)
def test_table_7_against_the_paper(exposures, case, label, values, paper, results):
    printed = paper[paper.index("# Exposure Contexts Case Transformer LSTM (Bi) LSTM (Uni)") :]
    before, after = printed.split(" 100 Subject", 1)
    part = before if exposures == 1 else "Subject" + after
    row = f"{label} {values[0]:.2f} {values[1]:.2f} {values[2]:.2f}"
    assert row in part
    for model, value in zip(MODELS, values, strict=True):
        assert of(results, "table-7", exposures=exposures, case=case, model=model).value == value


def test_all_of_table_7_is_in_the_paper_in_order(paper, results):
    printed = paper[
        paper.index("# Exposure Contexts Case Transformer LSTM (Bi) LSTM (Uni)") : paper.index("Table 7: Full")
    ]
    numbers = [float(text) for text in re.findall(r"\b\d\.\d\d\b", printed)]
    ours = [r.value for r in table(results, "table-7")]
    assert numbers == ours


@pytest.mark.parametrize(
    ("name", "model", "line"),
    [
        ("table-2", "transformer", "Transformer 0.96 0.96 0.35 (± 0.06)"),
        ("table-2", "bilstm", "LSTM (Bi) 0.99 0.99 0.16 (± 0.08)"),
        ("table-2", "lstm", "LSTM (Uni) 0.99 0.99 0.32 (± 0.06)"),
        ("table-4", "bilstm", "LSTM (Bi) 0.00 0.01 0.00"),
        ("table-4", "lstm", "LSTM (Uni) 0.01 0.03 0.00"),
        ("figure-4", "transformer-45m", "45M 0.95 0.95 0.20 (± 0.26)"),
        ("figure-4", "transformer-5.3m", "5.3M 0.95 0.95 0.37 (± 0.14)"),
    ],
)
def test_the_other_tables_against_the_paper(name, model, line, paper, results):
    assert line in paper
    of_model = [r for r in table(results, name) if r.about["model"] == model]
    plain, _, spread = line.partition(" (±")
    assert [r.value for r in of_model] == [float(text) for text in plain.split()[-3:]]
    assert of_model[-1].sd == (float(spread.strip(" )")) if spread else None)


def test_error_rates_that_the_texts_state(paper, results):
    for text, table_, measure, value in (
        ("only 0.3% (7/2591)", "appendix-g", "structure_mismatch", 0.003),
        ("0.5% (14/2773)", "appendix-g", "structure_mismatch", 0.005),
        ("79.6% of all errors; 39/49", "appendix-g", "structure_mismatch", 0.796),
        ("12% of all Transformer errors", "appendix-g", "ill_formed", 0.12),
        ("too early (90.3% of all depth", "section-5.2", "early_end", 0.903),
        ("only 0.5% of all depth", "section-5.2", "index_only", 0.005),
    ):
        assert text in paper or text.replace("only ", "") in paper, text
        assert value in {r.value for r in table(results, table_) if r.measure == measure}


def test_the_numbers_printed_beside_ours(cogs, results):
    for case in cogs.cases:
        expected = {TITLES[m]: of(results, "table-7", exposures=1, case=case, model=m).value for m in MODELS}
        assert cogs.beside("case", case) == expected
    assert cogs.beside("case", "prim_to_obj_common") == {"Transf.": 0.06, "BiLSTM": 0.05, "LSTM": 0.01}
    assert cogs.beside("split", "gen") == {"Transf.": 0.35, "BiLSTM": 0.16, "LSTM": 0.32}
    assert cogs.beside("split", "test") == {"Transf.": 0.96, "BiLSTM": 0.99, "LSTM": 0.99}
    assert cogs.beside("depth_band", "3-5") == {"Transf.": 0.0, "BiLSTM": 0.01, "LSTM": 0.03}
    assert cogs.beside("depth_band", "6-12") == dict.fromkeys(TITLES.values(), 0.0)


@pytest.mark.parametrize(("kind", "group"), [("kind", "lexical"), ("depth", "3"), ("case", "mine"), ("split", "train")])
def test_nothing_is_printed_where_the_paper_has_nothing(kind, group, cogs):
    assert cogs.beside(kind, group) == {}
