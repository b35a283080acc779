"""Runs of real, tiny networks: every stage leaves its files, what is done stays, what is missing is made again."""

import json
import math
import shutil
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
import torch

from blicket.core.errors import BlicketError, InputError
from blicket.core.learner import Learner
from blicket.core.predictions import read_predictions
from blicket.core.registry import benchmark
from blicket.core.respondent import Produce
from blicket.core.scoring import score
from blicket.learners.sequence import SequenceLearner
from blicket.runs import run as runs
from blicket.runs.run import Watcher

SPLITS = ("dev", "test", "gen")
OF_A_SEED = {"best.safetensors", "last.safetensors", "curve.json", "lock"} | {
    f"{split}.{kind}" for split in SPLITS for kind in ("parquet", "json")
}


@pytest.fixture(scope="session")
def finished(make_run, tmp_path_factory):
    """A run of two seeds, not to be changed."""
    run = make_run(tmp_path_factory.mktemp("finished"))
    assert run.go([1, 2], Watcher()) == [1, 2]
    return run


@pytest.fixture
def again(finished, make_run, tmp_path):
    """The same run in a copy, which may be changed."""
    copy = tmp_path / "runs"
    shutil.copytree(finished.directory.path.parent, copy)
    return make_run(copy)


def bytes_of(directory, *, but=()):
    """The content of every file under a directory, but for locks and what depends on the clock."""
    left_out = {"lock", "run.json", *but}
    files = [path for path in directory.rglob("*") if path.is_file() and path.name not in left_out]
    return {str(path.relative_to(directory)): timeless(path) for path in files}


def timeless(path):
    if path.name != "curve.json":
        return path.read_bytes()
    said = json.loads(path.read_text())
    return {**said, "curve": [{k: v for k, v in point.items() if k != "per_second"} for point in said["curve"]]}


def times(directory):
    return {path: path.stat().st_mtime_ns for path in directory.rglob("*")}


def no_training(monkeypatch):
    """From now on whoever trains or asks a network fails."""

    def asked(*about, **more):
        raise AssertionError("a network is asked for")

    monkeypatch.setattr(SequenceLearner, "fit", asked)
    monkeypatch.setattr(SequenceLearner, "revived", asked)


# What there is when a run is done


def test_every_stage_leaves_its_files(finished):
    directory = finished.directory
    assert {path.name for path in directory.path.iterdir()} == {"run.json", "data", "seed-1", "seed-2"}
    assert {path.name for path in directory.data.iterdir()} == {
        "dataset.json",
        *(f"{split}.parquet" for split in ("train", *SPLITS)),
    }
    for seed in (1, 2):
        assert {path.name for path in directory.of_seed(seed).iterdir()} == OF_A_SEED
    assert directory.seeds() == [1, 2]
    assert directory.splits() == list(SPLITS)


def test_the_directory_is_named_by_recipe_and_data(finished):
    data_hash = finished.dataset.content_hash("conjunctive")
    assert finished.directory.path.name == f"tiny-{finished.recipe.identity(data_hash, None)}"
    assert finished.directory.about()["data"]["hash"] == data_hash


def test_it_says_what_it_is_about(finished):
    about = finished.directory.about()
    assert about["recipe"] == json.loads(json.dumps(finished.recipe.model_dump(mode="json", exclude={"seeds"})))
    assert (about["data"]["benchmark"], about["data"]["limit"], about["data"]["gen"]) == ("cogs", None, 2)
    assert about["result"] is True
    provenance = about["provenance"]
    assert provenance["device"] == "cpu"
    began = datetime.fromisoformat(provenance["began"])
    assert timedelta() <= datetime.now(UTC) - began < timedelta(minutes=10)


def test_the_curve_tells_how_training_went(finished):
    for seed in (1, 2):
        said = finished.directory.read_curve(seed)
        assert (said["seed"], said["failed"], said["stopped"], said["together"]) == (seed, False, None, [seed])
        assert [point["update"] for point in said["curve"]] == [10, 20]
        losses = [point["dev_loss"] for point in said["curve"]]
        assert losses[-1] < losses[0] - 0.1
        assert said["best"] == 10 * (1 + losses.index(min(losses)))
        assert all(math.isfinite(point["train_loss"]) and point["per_second"] > 0 for point in said["curve"])
    assert finished.directory.read_curve(1)["curve"][0]["dev_loss"] != losses[0]


def test_the_data_that_is_kept_is_what_was_learned_and_judged_on(finished):
    kept = finished.directory.dataset()
    assert kept.content_hash("conjunctive") == finished.dataset.content_hash("conjunctive")
    assert {split.name: split.role for split in kept.splits.values()} == {
        split.name: split.role for split in finished.dataset.splits.values()
    }


def test_predictions_are_those_of_the_headline_network_read_back(finished):
    directory, learner = finished.directory, finished.learner
    parameters = {seed: runs.load_file(directory.network(seed, "best")) for seed in (1, 2)}
    cohort = learner.revived(finished.dataset["train"], finished.dataset["dev"], parameters)
    requests = [Produce(example.id, example.inputs, "conjunctive") for example in finished.dataset["gen"]]
    outputs = set()
    for seed, answers in zip((1, 2), cohort.answers(requests), strict=True):
        (said,) = read_predictions(directory.predictions(seed, "gen"), ("source",)).values()
        assert [prediction.id for prediction in said] == [example.id for example in finished.dataset["gen"]]
        assert [prediction.output for prediction in said] == [answer.output for answer in answers]
        outputs |= {prediction.output for prediction in said}
    assert len(outputs) > 5


def test_scorecards_are_those_of_the_predictions_by_the_data_that_is_kept(finished):
    directory, cogs = finished.directory, benchmark("cogs")
    for seed in (1, 2):
        for split in SPLITS:
            card = score(cogs, [directory.predictions(seed, split)], "conjunctive", directory.dataset()).as_dict()
            assert directory.read_scores(seed, split) == json.loads(json.dumps(card))


# Going on


def test_what_is_done_is_not_done_again(again, monkeypatch):
    before = times(again.directory.path)
    no_training(monkeypatch)
    said = []
    assert again.go([1, 2], Watcher(said.append)) == [1, 2]
    assert said == []
    assert times(again.directory.path) == before


def test_two_seeds_become_three_and_the_first_are_not_touched(again):
    before = times(again.directory.path)
    told = []
    assert again.go([3, 1, 2], Watcher(tell=told.append)) == [3, 1, 2]
    assert {progress.seeds for progress in told} == {(3,)}
    after = times(again.directory.path)
    assert {path for path in after if path not in before} == {
        again.directory.of_seed(3),
        *(again.directory.of_seed(3) / name for name in OF_A_SEED),
    }
    assert {path: at for path, at in before.items() if after[path] != at and path != again.directory.path} == {}


def test_some_seeds_can_be_asked_for_alone(again):
    assert again.go([2], Watcher()) == [2]
    assert again.go([5], Watcher()) == [5]
    assert again.directory.seeds() == [1, 2, 5]


def test_scorecards_are_made_again_without_the_networks(again, finished, monkeypatch):
    for path in [*again.directory.path.glob("*/*.safetensors"), *again.directory.path.glob("seed-*/*.json")]:
        if path.name != "curve.json":
            path.unlink()
    no_training(monkeypatch)
    assert again.go([1, 2], Watcher()) == [1, 2]
    for seed in (1, 2):
        for split in SPLITS:
            ours, theirs = (run.directory.read_scores(seed, split) for run in (again, finished))
            assert {**ours, "files": 0} == {**theirs, "files": 0}


def test_predictions_are_made_again_and_are_the_same(again, finished):
    again.directory.predictions(2, "gen").unlink()
    again.directory.predictions(1, "dev").unlink()
    before = times(again.directory.path)
    answered = []
    again.go([1, 2], Watcher(answered=lambda split, done, rows: answered.append((split, done, rows))))
    assert answered == [("dev", 20, 20), ("gen", 42, 42)]
    assert bytes_of(again.directory.path) == bytes_of(finished.directory.path)
    changed = {
        path.name for path, at in times(again.directory.path).items() if path.is_file() and before.get(path) != at
    }
    assert changed == {"gen.parquet", "dev.parquet"}


def test_a_network_that_is_gone_or_damaged_is_one_line(again):
    again.directory.predictions(1, "gen").unlink()
    again.directory.network(1, "best").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"seed-1/best\.safetensors: cannot be read .*; remove .*seed-1 to train"):
        again.go([1, 2], Watcher())
    again.directory.network(1, "best").unlink()
    with pytest.raises(InputError, match=r"seed-1/best\.safetensors: cannot be read"):
        again.go([1, 2], Watcher())
    shutil.rmtree(again.directory.of_seed(1))
    assert again.go([1, 2], Watcher()) == [1, 2]


def test_what_is_left_of_training_that_is_done_is_removed(again):
    for seeds in ([1], [1, 2], [1, 3]):
        again.directory.training(seeds).mkdir()
    again.go([1, 2], Watcher())
    assert [path.name for path in again.directory.path.glob("training-*")] == ["training-1-3"]


def test_another_checkpoint_answers_into_files_of_its_own(again, finished):
    """Made different first: the best checkpoint happens to be the last."""
    shutil.copy(again.directory.network(1, "best"), again.directory.network(2, "last"))
    assert again.go([1, 2], Watcher(), "last") == [1, 2]
    new = {path.name for path in again.directory.of_seed(2).iterdir()} - OF_A_SEED
    assert new == {f"{split}-last.{kind}" for split in SPLITS for kind in ("parquet", "json")}
    kept = bytes_of(finished.directory.path)
    assert {name: content for name, content in bytes_of(again.directory.path).items() if name in kept} == {
        **kept,
        "seed-2/last.safetensors": kept["seed-1/best.safetensors"],
    }

    def said(seed, checkpoint):
        return read_predictions(again.directory.predictions(seed, "gen", checkpoint), ("source",)).popitem()[1]

    assert said(2, "last") == said(1, None) != said(2, None)


# Limits and results


def test_a_limit_has_a_directory_of_its_own_keeps_the_rows_and_is_no_result(make_run, finished, tmp_path):
    run = make_run(tmp_path, limit=30)
    assert run.directory.path.name != finished.directory.path.name
    about = run.directory.about()
    assert (about["result"], about["data"]["limit"]) == (False, 30)
    kept = run.directory.dataset()
    assert [example.inputs for example in kept["train"]] == [example.inputs for example in finished.dataset["train"]][
        :30
    ]
    assert len(kept["gen"]) == 42
    assert make_run(tmp_path, limit=31).directory.path != run.directory.path


def test_a_recipe_can_say_that_it_is_no_result(make_run, finished, tmp_path):
    run = make_run(tmp_path, "result=false", "about=quick")
    assert run.directory.about()["result"] is False
    assert run.directory.path.name == finished.directory.path.name


# Seeds that fail


@pytest.fixture
def poisoned(monkeypatch):
    """Seeds that begin with networks that are no numbers."""
    import blicket.learners.sequence as sequence

    of_seeds = set()
    initialise = sequence.initialised

    def initialised(network, how, seed):
        initialise(network, how, seed)
        if seed in of_seeds:
            with torch.no_grad():
                next(iter(network.parameters())).fill_(math.nan)

    monkeypatch.setattr(sequence, "initialised", initialised)
    return of_seeds


def test_a_seed_that_fails_is_named_and_harms_no_other(make_run, finished, poisoned, tmp_path):
    poisoned.add(7)
    said = []
    run = make_run(tmp_path)
    assert run.go([7, 1], Watcher(said.append)) == [1]
    assert said == ["training seed 7", "seed 7 failed: its loss was no number at update 10", "training seed 1"]
    assert {path.name for path in run.directory.of_seed(7).iterdir()} == {"curve.json", "lock"}
    assert run.directory.read_curve(7)["failed"] is True
    ours, theirs = (bytes_of(r.directory.of_seed(1), but=[f"{s}.json" for s in SPLITS]) for r in (run, finished))
    assert ours == theirs
    said.clear()
    assert run.go([1, 7], Watcher(said.append)) == [1]
    assert said == ["seed 7 failed: its loss was no number at update 10"]


def test_a_rate_that_is_far_too_high_fails_every_seed(make_run, tmp_path):
    said = []
    assert make_run(tmp_path, "training.rate=1e30").go([1, 2], Watcher(said.append)) == []
    assert [line.partition(":")[0] for line in said if "failed" in line] == ["seed 1 failed", "seed 2 failed"]


# Several seeds at once, and memory that is too small for them


@dataclass(frozen=True)
class Hungry(Learner):
    """A real learner that needs too much memory for more than so many seeds."""

    learner: SequenceLearner
    room: int
    together: bool = True
    asked: list = field(default_factory=list)

    @property
    def headline(self):
        return self.learner.headline

    def fit(self, train, dev, seeds, **how):
        self._ask("fit", seeds)
        return self.learner.fit(train, dev, seeds, **how)

    def revived(self, train, dev, parameters):
        self._ask("answer", parameters)
        return self.learner.revived(train, dev, parameters)

    def _ask(self, what, seeds):
        self.asked.append((what, tuple(seeds)))
        if len(seeds) > self.room:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")


def hungry(run, room, monkeypatch, **more):
    return replace(run, learner=Hungry(run.learner, room, **more))


SMALL = ("data.evaluate=['gen']", "training.updates=4", "training.validate_every=4")


def test_where_memory_runs_out_fewer_seeds_are_trained_at_a_time(make_run, monkeypatch, tmp_path):
    said = []
    run = hungry(make_run(tmp_path, *SMALL), 2, monkeypatch)
    assert run.go([1, 2, 3, 4, 5], Watcher(said.append)) == [1, 2, 3, 4, 5]
    fitted, answered = ([seeds for what, seeds in run.learner.asked if what == kind] for kind in ("fit", "answer"))
    assert fitted == answered == [(1, 2, 3, 4, 5), (1, 2, 3), (1, 2), (3, 4), (5,)]
    assert said == [
        "training seeds 1, 2, 3, 4, 5",
        "the GPU's memory ran out; going on with 3 at a time",
        "training seeds 1, 2, 3",
        "the GPU's memory ran out; going on with 2 at a time",
        "training seeds 1, 2",
        "training seeds 3, 4",
        "training seed 5",
        "the GPU's memory ran out; going on with 3 at a time",
        "the GPU's memory ran out; going on with 2 at a time",
    ]
    assert run.directory.read_curve(4)["together"] == [3, 4]
    assert list(run.directory.path.glob("training-*")) == []


def test_seeds_that_fit_are_trained_as_one(make_run, monkeypatch, tmp_path):
    run = hungry(make_run(tmp_path, *SMALL), 9, monkeypatch)
    run.go([1, 2, 3], Watcher())
    assert run.learner.asked == [("fit", (1, 2, 3)), ("answer", (1, 2, 3))]
    alone = make_run(tmp_path / "alone", *SMALL)
    monkeypatch.undo()
    alone.go([2], Watcher())
    together, by_itself = (r.directory.read_curve(2)["curve"][0]["dev_loss"] for r in (run, alone))
    assert together == pytest.approx(by_itself, abs=1e-4)


def test_a_learner_that_does_not_stack_has_its_seeds_one_by_one(make_run, monkeypatch, tmp_path):
    run = hungry(make_run(tmp_path, *SMALL), 9, monkeypatch, together=False)
    run.go([1, 2], Watcher())
    assert run.learner.asked == [("fit", (1,)), ("fit", (2,)), ("answer", (1,)), ("answer", (2,))]


def test_a_network_that_memory_does_not_hold_is_one_line(make_run, monkeypatch, tmp_path):
    run = hungry(make_run(tmp_path, *SMALL), 0, monkeypatch)
    with pytest.raises(BlicketError, match="the GPU's memory does not hold one network; a smaller batch may help"):
        run.go([1, 2], Watcher())
    assert run.directory.seeds() == []


def test_work_that_fails_otherwise_is_not_tried_again(make_run, monkeypatch, tmp_path):
    run = make_run(tmp_path, *SMALL)

    def broken(*about, **more):
        raise RuntimeError("something else")

    monkeypatch.setattr(SequenceLearner, "fit", broken)
    with pytest.raises(RuntimeError, match="something else"):
        run.go([1, 2], Watcher())


# What is watched while a network learns


@pytest.fixture(scope="session")
def watched(make_run, tmp_path_factory):
    run = make_run(tmp_path_factory.mktemp("watched"), 'data.watch=["gen"]')
    run.go([1, 2], Watcher())
    return run


def test_watched_splits_are_answered_at_every_validation(watched):
    for seed in (1, 2):
        names = {path.name for path in (watched.directory.of_seed(seed) / "watched").iterdir()}
        assert names == {"gen.json", "gen-10.parquet", "gen-20.parquet"}
        points = watched.directory.read_profile(seed, "gen")["points"]
        assert [point["update"] for point in points] == [10, 20]
        assert {point["n"] for point in points} == {len(watched.dataset["gen"])}


def test_what_was_watched_last_is_what_the_last_network_answers(watched, make_run):
    run = make_run(watched.directory.path.parent, 'data.watch=["gen"]')
    run.go([1], Watcher(), "last")
    (said,) = read_predictions(run.directory.watched(1, "gen", 20), ("source",)).values()
    (wanted,) = read_predictions(run.directory.predictions(1, "gen", "last"), ("source",)).values()
    assert [p.output for p in said] == [p.output for p in wanted]
    point = watched.directory.read_profile(1, "gen")["points"][-1]
    assert point["exact"] == run.directory.read_scores(1, "gen-last")["exact"]


def test_watching_changes_nothing_of_what_is_learned(watched, finished):
    for seed in (1, 2):
        for name in ("best", "last"):
            ours, theirs = (run.directory.network(seed, name).read_bytes() for run in (watched, finished))
            assert ours == theirs


def test_a_profile_that_is_gone_is_made_again_without_the_network(watched, monkeypatch):
    file = watched.directory.profile(1, "gen")
    before = file.read_bytes()
    file.unlink()
    no_training(monkeypatch)
    watched.go([1, 2], Watcher())
    assert file.read_bytes() == before
