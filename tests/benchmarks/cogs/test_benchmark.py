"""COGS as a benchmark: what the contract asks of it."""

from collections import Counter

import numpy as np
import pytest

from blicket.benchmarks.cogs import Cogs
from blicket.benchmarks.cogs.scoring import CogsJudge
from blicket.core.errors import InputError, Refusal, UnknownName
from blicket.core.example import Role
from blicket.core.registry import benchmark, benchmark_names

FORMS = ("conjunctive", "variable-free")


def test_it_is_registered():
    assert "cogs" in benchmark_names()
    assert isinstance(benchmark("cogs"), Cogs)


def test_who_it_is(cogs):
    assert (cogs.name, cogs.forms, cogs.input_names) == ("cogs", FORMS, ("source",))
    assert "Kim" in cogs.citation
    assert "2020" in cogs.citation
    assert cogs.form(None) == "conjunctive"
    assert cogs.form("variable-free") == "variable-free"
    with pytest.raises(UnknownName, match="did you mean 'conjunctive'"):
        cogs.form("conjunctiv")


def test_roles_of_splits(cogs):
    roles = {"train": "train", "train_100": "train", "train_7": "train", "dev": "dev", "test": "test"}
    for split, role in (roles | {"gen": "generalization"}).items():
        assert cogs.role(split) == Role(role)
    with pytest.raises(UnknownName):
        cogs.role("trial")


def test_cases_by_kind(cogs):
    assert Counter(case.kind for case in cogs.cases.values()) == {"lexical": 18, "structural": 3}
    assert all(name == case.name and case.title for name, case in cogs.cases.items())


def test_interpret_and_refuse(cogs):
    assert cogs.interpret(("Emma ran .",), "conjunctive") == "run . agent ( x _ 1 , Emma )"
    assert cogs.interpret(("Emma ran .",), "variable-free") == "run ( agent = Emma )"
    with pytest.raises(Refusal) as refused:
        cogs.interpret(("Emma zorked .",), "conjunctive")
    assert refused.value.word == 2


@pytest.mark.parametrize("form", ["conj", "conjuctive", "Conjunctive"])
def test_no_form_is_taken_for_another(cogs, form):
    for ask in (
        lambda: cogs.interpret(("Emma ran .",), form),
        lambda: cogs.interpret(("Emma",), form),
        lambda: cogs.judge(form),
        lambda: cogs.build(1, cogs.options({"train": 1, "dev": 0, "test": 0, "gen": 0}))["train"].rows.columns(
            np.arange(1), form
        ),
    ):
        with pytest.raises(UnknownName, match=f"there is no form '{form}'; did you mean 'conjunctive'"):
            ask()


@pytest.mark.parametrize("inputs", ["Emma ate .", "E", b"Emma", 5, (), ("Emma", "Emma"), (5,), None])
def test_inputs_are_a_tuple(cogs, inputs):
    with pytest.raises(InputError, match=r"expected a tuple of source, such as \('.*',\), got ") as error:
        cogs.interpret(inputs, "conjunctive")
    assert not isinstance(error.value, UnknownName)


def test_a_sentence_is_offered_as_the_tuple_it_should_be(cogs):
    with pytest.raises(InputError, match=r"such as \('Emma ate \.',\), got 'Emma ate \.'"):
        cogs.interpret("Emma ate .", "conjunctive")


def test_the_manifest_says_how_data_were_made(cogs):
    built = cogs.build(7, cogs.options({"train": 2, "dev": 1, "test": 1, "gen": 0, "compat": ["published"]}))
    assert built.options == {
        "seed": 7,
        "train": 2,
        "dev": 1,
        "test": 1,
        "gen": 0,
        "depths": [3, 12],
        "exposures": [1, 100],
        "nonce": False,
        "held_out": None,
        "distinct_nominals": True,
        "compat": ["gen-2020"],
    }
    assert (built.benchmark, built.version) == (cogs.name, cogs.version)


def test_defaults_are_the_default(cogs, dataset):
    assert dataset.options == {"seed": 1, **cogs.listed(cogs.options({}))}


def test_depth_is_a_tag_of_recursion_alone(cogs):
    form = cogs.interpret(("Emma said that Ava said that the cat on a bed ran .",), "conjunctive")
    assert cogs.tags("cp_recursion", ("",), form) == {"depth": 2}
    assert cogs.tags("pp_recursion", ("",), form) == {"depth": 1}
    assert cogs.tags("subj_to_obj_common", ("",), form) == {}
    assert cogs.tags("", ("",), form) == {}
    assert cogs.tags("mine", ("",), form) == {}


@pytest.mark.parametrize(
    ("case", "depth", "groups"),
    [
        ("subj_to_obj_common", None, {"case": "subj_to_obj_common", "kind": "lexical"}),
        ("obj_pp_to_subj_pp", None, {"case": "obj_pp_to_subj_pp", "kind": "structural"}),
        *(
            (
                case,
                depth,
                {
                    "case": case,
                    "kind": "structural",
                    "depth": str(depth),
                    "case_depth": f"{case}/{depth}",
                    "depth_band": band,
                },
            )
            for case in ("cp_recursion", "pp_recursion")
            for depth, band in ((2, "0-2"), (3, "3-5"), (5, "3-5"), (6, "6-12"), (12, "6-12"))
        ),
        ("in_distribution", None, {"case": "in_distribution"}),
        ("", None, {}),
    ],
)
def test_groups(case, depth, groups, cogs):
    assert cogs.groups(case, {} if depth is None else {"depth": depth}) == groups


def test_the_bands_of_table_4_end_at_twelve(cogs):
    assert cogs.groups("cp_recursion", {"depth": 13}).get("depth_band") != "6-12"


def test_judges(cogs):
    for form in FORMS:
        assert isinstance(cogs.judge(form), CogsJudge)
        target = cogs.interpret(("The cat ran .",), form)
        assert cogs.judge(form).verdict(("The cat ran .",), target, target).exact


def test_rows_of_files_keep_their_order_and_cases(cogs):
    inputs, targets = [("Emma ran .",), ("Ava ran .",)], ["run . agent ( x _ 1 , Emma )", "run . agent ( x _ 1 , Ava )"]
    rows = cogs.rows(inputs, targets, ["mine", ""], "conjunctive", cogs.options({}), str)
    columns = rows.columns(np.array([1, 0]), "variable-free")
    assert columns.inputs == inputs[::-1]
    assert columns.targets == ["run ( agent = Ava )", "run ( agent = Emma )"]
    assert columns.cases == ["", "mine"]


def test_the_card_says_what_differs(cogs):
    card = cogs.card()
    for word in ("gen-2020", "nonce", "structure_match", "variable-free", "Kim"):
        assert word in card
    assert set(cogs.compat) == {"gen-2020"}


def test_files_of_the_release(cogs):
    assert {name.removesuffix(".tsv") for name in cogs.release().files} == {"train", "train_100", "dev", "test", "gen"}
    assert all(cogs.role(name.removesuffix(".tsv")) for name in cogs.release().files)
