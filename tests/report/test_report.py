import importlib.util
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean

import pytest

from blicket.core import registry
from blicket.core.errors import InputError
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.scoring import score
from blicket.core.storage import write_dataset
from blicket.report import report_of, write_report

TOY = Path(__file__).parents[1] / "toy/wugs.py"
NAMES_OF_DATA = "COGS: English sentences to logical forms, with 21 systematic gaps"


class Page(HTMLParser):
    """What a browser would see: elements with attributes, and text."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def report(transformer, lstm, quick):
    return report_of([transformer, lstm, quick])


@pytest.fixture(scope="module")
def files(report):
    return {name: data.decode() for name, data in report.files().items()}


@pytest.fixture(scope="module")
def page(files):
    return Page(files["index.html"])


def test_same_runs_same_bytes(transformer, lstm, quick, report):
    assert report_of([transformer, lstm, quick]).files() == report.files()


def test_the_page_asks_for_nothing(page):
    loading = {"script", "link", "img", "iframe", "object", "embed", "video", "audio", "source", "base", "form"}
    found = [(tag, attributes) for tag, attributes in page.elements if tag in loading]
    assert found == [("link", {"rel": "icon", "href": "data:,"})]
    assert not [a for _, a in page.elements if any(name.startswith("on") for name in a)]
    assert not re.search(r"url\(|@import|https?://", "".join(page.words))


def test_every_link_leads_to_a_file_or_a_place_on_the_page(page, files):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert {link for link in links if not link.startswith("#")} == set(files) - {"index.html"}


def test_figures_and_tables_say_what_they_are(page):
    ids = {attributes.get("id") for _, attributes in page.elements}
    for tag, attributes in page.elements:
        if tag == "svg":
            assert attributes.get("aria-hidden") or set(attributes["aria-labelledby"].split()) <= ids
        if tag == "th":
            assert attributes["scope"] in ("col", "row", "rowgroup")


def test_what_has_to_be_known_stands_before_any_number(page, files):
    text = page.text[: page.text.rindex("Ours beside published")]
    for said in (
        "Not a result: cogs-quick (its recipe says so).",
        "cogs-transformer: training failed with seed 4",
        "NVIDIA H200",
        "table-2/transformer, table-7/transformer",
        NAMES_OF_DATA,
    ):
        assert said in text
    assert "(not a result)" in page.text
    assert "cogs-quick†" in files["summary.md"]
    assert "cogs-quick,False," in files["overview.csv"]


def test_a_limited_run_says_why_it_is_no_result(make_run):
    text = Page(page_of(make_run(limit=300))).text
    assert "Not a result: cogs-transformer (it learned from the first 300 rows alone)." in text


def page_of(*paths):
    return report_of(paths).files()["index.html"].decode()


def test_runs_on_different_data_are_told_apart(transformer, make_run):
    other = make_run(name="other", data_seed=2)
    assert "The runs learned from, or were judged on, different data" in page_of(transformer, other)
    assert "different data" not in page_of(transformer)


def test_what_comes_from_data_is_text(make_run, tmp_path):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    path = make_run(name="x", about=f"{evil} {{{{ 7*7 }}}}")
    about = json.loads((path / "run.json").read_text())
    about["recipe"]["name"] = f"../{evil}"
    about["recipe"]["network"][evil] = evil
    about["provenance"]["device"] = evil
    about["data"][evil] = evil
    (path / "run.json").write_text(json.dumps(about))
    report = report_of([path])
    page = Page(report.files()["index.html"].decode())
    assert "script" not in {tag for tag, _ in page.elements}
    assert "img" not in {tag for tag, _ in page.elements}
    assert "{{ 7*7 }}" in page.text
    assert "<script>document.title='broken" in page.text
    written = write_report(report, tmp_path / "report")
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", file.name) for file in written.parent.iterdir())
    assert [file.name for file in tmp_path.iterdir()] == ["report"]


def test_a_broken_character_does_not_stop_a_report(make_run, tmp_path):
    path = make_run(about="half a character: \\ud800")
    text = (path / "run.json").read_text().replace("\\\\ud800", "\\ud800")
    (path / "run.json").write_text(text)
    assert "half a character: ?" in write_report(report_of([path]), tmp_path).read_text("utf-8")


def test_the_csv_of_a_figure_has_what_the_table_says(report, files):
    import csv
    import io

    rows = list(csv.DictReader(io.StringIO(files["overview.csv"])))
    ours = [float(r["value"]) for r in rows if (r["run"], r["split"], r["kind"]) == ("cogs-lstm", "gen", "")]
    (row,) = (row for row in report.summary.rows if row[:2] == ["gen", "cogs-lstm"])
    assert row[2] == f"{fmean(ours):.3f}"
    assert row[-1] == " ".join(f"{value:.3f}" for value in ours)


def test_nothing_is_written_when_a_run_is_refused(transformer, tmp_path):
    with pytest.raises(InputError):
        report_of([transformer, tmp_path])
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_no_page(report, tmp_path):
    (tmp_path / "report/summary.md").mkdir(parents=True)
    with pytest.raises(InputError, match=r"summary\.md: cannot be written"):
        write_report(report, tmp_path / "report")
    names = [path.name for path in (tmp_path / "report").iterdir()]
    assert "index.html" not in names
    assert not [name for name in names if name.endswith(".partial")]


def test_the_output_has_to_be_a_directory(report, tmp_path):
    (tmp_path / "report").write_text("")
    with pytest.raises(InputError, match="is a file; a directory is wanted"):
        write_report(report, tmp_path / "report")


def test_seven_runs_side_by_side(make_run, transformer):
    more = [
        make_run(name=f"run {i}", seeds=(1,), options={"train": 5, "dev": 2, "test": 2, "gen": 1}) for i in range(6)
    ]
    page = Page(page_of(transformer, *more))
    assert "7 runs side by side" in page.text


@pytest.fixture
def wugs(monkeypatch):
    """The toy benchmark, known while a test goes on: no published numbers, no depths, two inputs, marks of its own."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    spec = importlib.util.spec_from_file_location("wugs", TOY)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return registry.benchmark("wugs")


@pytest.fixture
def wug_run(wugs, tmp_path):
    """A run of the toy, with one seed that is right and one that says neutral."""

    def make(say=lambda target, seed: target if seed == 1 else "neutral"):
        dataset = wugs.build(1)
        path = tmp_path / "wugs-1"
        write_dataset(dataset, path / "data", "parquet", "label")
        about = {
            "recipe": {"name": "wugs", "data": {"benchmark": "wugs", "train": "train", "evaluate": ["gen"]}},
            "data": {"hash": dataset.content_hash()},
            "result": True,
        }
        (path / "run.json").write_text(json.dumps(about))
        for seed in (1, 2):
            of_seed = path / f"seed-{seed}"
            of_seed.mkdir()
            (of_seed / "curve.json").write_text('{"failed": false, "curve": []}')
            said = [say(example.targets["label"], seed) for example in dataset["gen"]]
            write_predictions(
                of_seed / "gen.parquet", [Predictions(str(seed), [f"gen/{row}" for row in range(len(said))], said)]
            )
            scores = score(wugs, [of_seed / "gen.parquet"], "label", dataset)
            (of_seed / "gen.json").write_text(json.dumps(scores.as_dict()))
        return path

    return make


def test_any_benchmark_has_a_report(wug_run):
    files = report_of([wug_run()]).files()
    page = Page(files["index.html"].decode())
    assert "Wugs: what follows from a sentence about wugs" in page.text
    assert "Premise and hypothesis about different verbs" in page.text
    assert "gen-errors.csv" in files
    assert not {"curves.csv", "length.csv", "gen-depth.csv"} & set(files)
    assert b"premise,hypothesis,gold,answer" in files["gen-examples.csv"]
    assert "Published" not in files["summary.md"].decode()


def pictures(page):
    return [attributes for tag, attributes in page.elements if tag == "svg" and attributes.get("class") == "parse"]


def test_parses_are_drawn_beside_gold_a_few_a_case(page, report):
    drawn = pictures(page)
    assert 20 < len(drawn) <= 2 * 21 * len(report.runs)
    assert len({attributes["aria-labelledby"] for attributes in drawn}) == len(drawn)
    assert page.text.count("Parse beside gold: ") == len(drawn)
    assert "both parses are in one picture" in page.text


def test_without_a_notation_no_parse_is_drawn(wug_run, transformer, monkeypatch):
    page = Page(report_of([wug_run()]).files()["index.html"].decode())
    assert not pictures(page)
    assert "Parse beside gold" not in page.text
    assert "both parses" not in page.text
    with_pictures = report_of([transformer])
    monkeypatch.setattr(type(registry.benchmark("cogs")), "notations", {})
    without = report_of([transformer])
    assert not pictures(Page(page_of(transformer)))
    other = {name for name, data in with_pictures.files().items() if without.files()[name] != data}
    assert other == {"index.html"}


def test_where_all_is_right_no_errors_are_shown(wug_run):
    files = report_of([wug_run(lambda target, seed: target)]).files()
    assert not {"gen-errors.csv", "gen-examples.csv"} & set(files)
    assert "Typical and worst errors" not in files["index.html"].decode()


def test_empty_answers_are_shown_as_nothing(wug_run):
    files = report_of([wug_run(lambda target, seed: "")]).files()
    assert "∅" in files["index.html"].decode()


def test_runs_of_different_benchmarks_are_told_apart(wug_run, transformer):
    text = Page(page_of(transformer, wug_run())).text
    assert "about different benchmarks, and their numbers cannot be compared: cogs-transformer is about cogs" in text


def test_the_recipes_of_runs_with_like_names_have_files_of_their_own(report):
    runs = [
        replace(of, run=replace(of.run, label=name)) for of, name in zip(report.of, ("a b", "a/b", "c"), strict=True)
    ]
    assert list(replace(report, of=runs).recipe_files().values()) == [
        "a-b-1.recipe.toml",
        "a-b-2.recipe.toml",
        "c.recipe.toml",
    ]
