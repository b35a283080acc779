import tomllib
from pathlib import Path

import pytest

from blicket.core.errors import InputError
from blicket.report.published import Quantity, answered
from blicket.report.reading import read_runs

RECIPES = Path(__file__).parents[2] / "recipes"


@pytest.fixture
def answers(make_run, transformer, tmp_path):
    """What a run answers to that has these answers in its recipe."""
    import json
    import shutil

    def found(*answers, train="train"):
        path = tmp_path / "run"
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(transformer, path)
        about = json.loads((path / "run.json").read_text())
        about["recipe"]["answers"] = list(answers)
        about["recipe"]["data"]["train"] = train
        (path / "run.json").write_text(json.dumps(about))
        return answered(read_runs([path])[0])

    return found


def values(found):
    return {quantity: row.value for quantity, row in found.items()}


def test_the_rows_of_a_table_stand_beside_the_splits(answers):
    found = answers("table-2/transformer")
    assert values(found) == {
        Quantity("dev", "exact"): 0.96,
        Quantity("test", "exact"): 0.96,
        Quantity("gen", "exact"): 0.35,
    }
    row = found[Quantity("gen", "exact")]
    assert (row.sd, row.n, row.where) == (0.06, 5, "Table 2, section 5.2")


def test_the_rows_of_cases_stand_beside_the_cases(answers):
    found = values(answers("table-7/lstm"))
    assert len(found) == 21
    assert found[Quantity("gen", "exact", "case", "active_to_passive")] == 0.48


def test_rows_that_differ_in_a_number_are_told_apart_by_the_train_split(answers):
    assert values(answers("table-6/lstm"))[Quantity("gen", "exact")] == 0.32
    assert values(answers("table-6/lstm", train="train_100"))[Quantity("gen", "exact")] == 0.54


def test_or_by_a_condition(answers):
    assert values(answers("table-6/lstm/exposures=100"))[Quantity("gen", "exact")] == 0.54
    with pytest.raises(InputError, match="no row has 'exposures=7'; there is exposures=1, exposures=100"):
        answers("table-6/lstm/exposures=7")


def test_rows_that_nothing_tells_apart_are_refused(answers):
    with pytest.raises(InputError, match=r"several rows; add one of /exposures=1, exposures=100"):
        answers("table-6/lstm", train="train_7")
    with pytest.raises(InputError, match=r"which are several rows; add one of /auxiliary=none, auxiliary=ccg"):
        answers("figure-5-2/lstm-56m")
    assert values(answers("figure-5-2/lstm-56m/auxiliary=none"))[Quantity("gen", "exact")] == 0.21


def test_bands_of_depth_are_found_by_the_beginning_of_their_name(answers):
    assert values(answers("table-4/lstm")) == {
        Quantity("gen", "exact", "depth_band", "3-5"): 0.03,
        Quantity("gen", "exact", "depth_band", "6-12"): 0.0,
    }


def test_groups_of_any_kind_are_found_by_their_name(answers):
    assert values(answers("dissertation-4.5.2/lstm")) == {Quantity("gen", "exact", "kind", "structural"): 0.01}


def test_a_measure_over_errors_stands_beside_ours_and_a_share_among_errors_does_not(answers):
    assert values(answers("appendix-g/lstm")) == {Quantity("gen", "edit_distance"): 14}
    assert answers("appendix-g/lstms") == {}


def test_numbers_of_single_runs_are_left_out(answers):
    assert answers("appendix-e.1/transformer") == {}
    assert answers("dissertation-5.3.3/t5-small") == {}


def test_the_first_answer_that_has_a_number_counts(answers):
    found = answers("table-2/transformer", "table-6/transformer")
    assert found[Quantity("gen", "exact")].table == "table-2"


@pytest.mark.parametrize(
    ("answer", "nearest"),
    [("table-2/tranformer", "table-2/transformer"), ("tabel-7/lstm", "table-7/lstm"), ("table-2", "table-2/lstm")],
)
def test_unknown_answers_are_refused_with_a_suggestion(answers, answer, nearest):
    with pytest.raises(InputError) as refusal:
        answers(answer)
    assert f"answers to {answer!r}, and no published table has such a row; did you mean {nearest!r}?" in str(
        refusal.value
    )


@pytest.mark.parametrize("recipe", sorted(RECIPES.glob("cogs-*.toml")), ids=lambda path: path.stem)
def test_what_our_recipes_answer_to_is_there(answers, recipe):
    said = tomllib.loads(recipe.read_text()).get("answers", ())
    for answer in said:
        assert answers(answer)
