"""The figures of PCFG SET: accuracy by size, an unrolled computation, and profiles of overgeneralisation."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from blicket.report import report_of, write_report
from blicket.report.published import answered
from blicket.report.reading import read_runs
from blicket.runs.recipe import read_recipe

from .pcfg import EPOCHS, WATCHED, made_run
from .test_page_in_browser import OVERLAPPING

RECIPES = Path(__file__).parents[2] / "recipes"


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    return made_run(tmp_path_factory.mktemp("task"), "task", "train", ["dev", "test", "localism_test"], probes=True)


@pytest.fixture(scope="module")
def productivity(tmp_path_factory):
    directory = tmp_path_factory.mktemp("productivity")
    return made_run(directory, "long", "productivity_train", ["productivity_test"], skill=0.8)


@pytest.fixture(scope="module")
def exceptions(tmp_path_factory):
    evaluated = ["overgeneralisation_dev", WATCHED]
    return made_run(tmp_path_factory.mktemp("over"), "over", "overgeneralisation_train_200", evaluated, watch=[WATCHED])


@pytest.fixture(scope="module")
def report(task, productivity, exceptions):
    return report_of([task, productivity, exceptions])


def figure(report, name):
    return next(figure for figure in report.figures if figure.name == name)


def records(figure):
    return list(csv.DictReader(io.StringIO(figure.numbers.decode())))


def test_size_has_a_panel_for_functions_depth_and_length(report, task):
    size = figure(report, "size")
    assert len(size.parts[0][1]) == 3
    assert [label for _, label in size.keys] == ["task, test", "long, productivity_test"]
    rows = records(size)
    scores = json.loads((task / "seed-2" / "test.json").read_text())["by"]
    for kind in ("functions", "depth", "length"):
        ours = {
            row["size"]: float(row["exact"])
            for row in rows
            if (row["run"], row["kind"], row["seed"]) == ("task", kind, "2")
        }
        assert ours == pytest.approx({group: tally["exact"] for group, tally in scores[kind].items()})
    assert {row["split"] for row in rows} == {"test", "productivity_test"}
    assert min(int(row["size"]) for row in rows if (row["run"], row["kind"]) == ("long", "functions")) == 9


def test_sizes_are_binned_where_they_are_many_and_few_rows_left_out(report):
    by_length = figure(report, "size").parts[0][1][2]
    assert 10 < by_length.count("seed 1: ") <= 2 * 13


def test_what_is_shown_by_size_is_not_shown_twice(report):
    names = {figure.name for figure in report.figures}
    assert not {name for name in names if name.endswith(("-functions", "-length", "-depth"))}


def test_a_probe_without_blocks_of_words_has_shares_and_no_deviations(report):
    localism = figure(report, "probe-localism")
    assert [heading for heading, _ in localism.parts] == [""]
    assert "block" not in localism.caption


def test_an_unrolled_computation_stands_for_each_kind_of_outcome(report, task):
    unrolled = figure(report, "unrolled")
    ((heading, drawn),) = unrolled.parts
    assert heading == "task, seed 1"
    assert [row["which"] for row in records(unrolled)] == ["The same in both ways", "Not the same"]
    same, other = records(unrolled)
    assert same["steps"].split(" | ")[-1].split(" -> ")[1] == same["answer"]
    assert other["steps"].split(" | ")[-1].split(" -> ")[1] != other["answer"]
    assert 3 <= same["steps"].count(" -> ") <= 5
    assert "<del>" in drawn[1]


def test_profiles_add_up_and_name_their_highest(report):
    profiles = figure(report, "profiles")
    ((heading, drawn),) = profiles.parts
    assert heading.startswith(f"over, {WATCHED}: highest share by the rule 0.")
    assert "of exactly two functions" in heading
    assert len(drawn) == 2 + 4
    whole = [row for row in records(profiles) if not row["kind"]]
    assert len(whole) == 3 * EPOCHS
    for row in whole:
        assert sum(float(row[share]) for share in ("memorised", "by_rule", "neither")) == pytest.approx(1)
    assert float(whole[0]["neither"]) == 1
    assert [row["update"] for row in whole[:EPOCHS]] == [str(100 * epoch) for epoch in range(1, EPOCHS + 1)]


def test_runs_without_any_of_that_have_none_of_these_figures(transformer):
    names = {figure.name for figure in report_of([transformer]).figures}
    assert not names & {"size", "unrolled", "profiles"}


TRAINED = {"task": "test", "systematicity": "systematicity_test", "productivity": "productivity_test"}


@pytest.mark.parametrize("recipe", sorted(RECIPES.glob("pcfg-*.toml")), ids=lambda path: path.stem)
def test_what_our_recipes_answer_to_is_there(task, recipe):
    """Accuracy of table 1 stands beside the splits; consistency and overgeneralisation are told by probes."""
    said = read_recipe(recipe)
    (run,) = read_runs([task])
    scores = {**run.scores, **dict.fromkeys(said.data.evaluate, run.scores["test"])}
    run = replace(run, scores=scores, about={"recipe": {**run.recipe, "answers": said.answers}})
    wanted = [TRAINED[test] for test in TRAINED if any(answer.endswith(f"test={test}") for answer in said.answers)]
    assert [quantity.split for quantity in answered(run)] == wanted


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_window(report, browser, tmp_path, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(write_report(report, tmp_path).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OVERLAPPING) == []
    for name in ("size", "unrolled", "profiles"):
        section = page.locator(f"section[aria-labelledby='{name}']")
        assert section.is_visible()
        for drawing in section.locator("svg.panel, .unrolled").all():
            box = drawing.bounding_box()
            assert box["width"] > 200
            assert box["x"] + box["width"] <= width
    page.close()
