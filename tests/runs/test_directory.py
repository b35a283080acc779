"""Run directories: what is where, and files that are not what they should be."""

import json

import pytest

from blicket.core.errors import InputError
from blicket.runs.directory import RunDirectory


def test_a_directory_without_a_run_is_none(tmp_path):
    with pytest.raises(InputError, match=r"is no run; expected a directory with run\.json"):
        RunDirectory.existing(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    assert RunDirectory.existing(tmp_path).path == tmp_path


@pytest.mark.parametrize(
    "text", ["[1]", json.dumps(["x\n"] * 999), "3", "null", '"x"', "", "{", "[" * 100_000, "\udcff"]
)
def test_what_is_no_object_is_refused_in_one_line(tmp_path, text):
    run = RunDirectory(tmp_path)
    run.of_seed(1).mkdir()
    for path in (run.about_file, run.curve(1), run.scores(1, "gen")):
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    for read in (run.about, lambda: run.read_curve(1), lambda: run.read_scores(1, "gen")):
        with pytest.raises(InputError) as error:
            read()
        assert str(error.value).startswith(str(tmp_path))
        assert "cannot be read as JSON" in str(error.value) or "expected an object" in str(error.value)
        assert len(str(error.value).splitlines()) == 1
        assert len(str(error.value)) < len(str(tmp_path)) + 100
    with pytest.raises(InputError, match=r"test\.json: cannot be read \(No such file"):
        run.read_scores(1, "test")


def test_seeds_and_splits_are_those_that_are_done(tmp_path):
    run = RunDirectory(tmp_path)
    run.about_file.write_text(json.dumps({"recipe": {"data": {"evaluate": ["dev", "test", "gen"]}}}))
    for seed in (10, 2, 3):
        run.of_seed(seed).mkdir()
        if seed != 3:
            run.curve(seed).write_text("{}")
    (tmp_path / "seed-x").mkdir()
    (tmp_path / "seed-x/curve.json").write_text("{}")
    run.scores(10, "gen").write_text("{}")
    run.scores(2, "dev").write_text("{}")
    run.scores(2, "test", "best").write_text("{}")
    assert run.seeds() == [2, 10]
    assert run.splits() == ["dev", "gen"]
    assert run.scored("gen") == [10]


def test_another_checkpoint_has_files_of_its_own(tmp_path):
    run = RunDirectory(tmp_path)
    names = [path(1, "gen", kept).name for path in (run.predictions, run.scores) for kept in (None, "best")]
    assert names == ["gen.parquet", "gen-best.parquet", "gen.json", "gen-best.json"]


def test_checkpoints_of_seeds_that_are_all_done_are_told_from_others(tmp_path):
    run = RunDirectory(tmp_path)
    for seeds in ([1], [1, 2], [1, 2, 3], [12]):
        run.training(seeds).mkdir()
    assert sorted(run.trainings([1, 2])) == [run.training([1]), run.training([1, 2])]
    assert run.trainings([]) == []
