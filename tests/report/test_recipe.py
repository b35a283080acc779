import tomllib
from dataclasses import replace

from blicket.report.reading import read_runs
from blicket.report.recipe import recipe_text
from blicket.runs.recipe import read_recipe
from blicket.runs.tables import SequenceRecipe


def without_none(value):
    if isinstance(value, dict):
        return {key: without_none(inner) for key, inner in value.items() if inner is not None}
    return value


def test_a_recipe_is_toml_again(transformer):
    (run,) = read_runs([transformer])
    assert tomllib.loads(recipe_text(run)) == without_none({**run.recipe, "seeds": [1, 2, 3, 4]})


def test_it_can_be_run(transformer, tmp_path):
    (run,) = read_runs([transformer])
    (tmp_path / "again.toml").write_text(recipe_text(run))
    again = read_recipe(tmp_path / "again.toml")
    assert again == SequenceRecipe(**without_none({**run.recipe, "seeds": [1, 2, 3, 4]}))


def test_a_limit_is_told(make_run):
    (run,) = read_runs([make_run(limit=300)])
    assert recipe_text(run).startswith("# It was run with --limit 300.\nname = ")
    tomllib.loads(recipe_text(run))


def test_keys_and_strings_of_any_kind(transformer):
    (run,) = read_runs([transformer])
    odd = {"name": 'a "b" \\ \x7f\n', "a key.": {"x y": [1, 2.5, [True]], "inner": {"deep": {"z": "ü"}}}, "é": 1}
    changed = replace(run, about={**run.about, "recipe": odd})
    assert tomllib.loads(recipe_text(changed)) == {**odd, "seeds": [1, 2, 3, 4]}
