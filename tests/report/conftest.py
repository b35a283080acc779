"""Run directories as `blicket run` leaves them: real COGS data, gold forms corrupted plausibly, real scorecards."""

import json
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import blicket
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.scoring import score
from blicket.core.storage import write_dataset
from blicket.runs.data import benchmark_of, data_of
from blicket.runs.recipe import read_recipe
from blicket.runs.run import Watcher, prepared
from blicket.training.device import one_thread

OPTIONS = {"train": 60, "dev": 20, "test": 20, "gen": 20, "exposures": (1,)}
PROVENANCE = {
    "blicket": "0.1.0",
    "git": "0123abc",
    "python": "3.11.2",
    "libraries": {"numpy": "2.4.6", "torch": "2.13.0"},
    "system": "Linux x86_64",
    "processor": "Some processor",
    "cores": 16,
    "device": "NVIDIA H200",
}
CHROMIUM = "/usr/bin/chromium" if Path("/usr/bin/chromium").exists() else shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LEXICAL = {"transformer": 0.45, "lstm": 0.4}
SCRIPT = "<script>document.title='broken into'</script> & \"quoted\""


@dataclass(frozen=True)
class Plan:
    """What a run directory is to hold."""

    name: str
    kind: str = "transformer"
    seeds: tuple[int, ...] = (1, 2, 3)
    failed: tuple[int, ...] = ()
    answers: tuple[str, ...] = ()
    about: str = ""
    result: bool = True
    limit: int | None = None
    options: dict = field(default_factory=lambda: dict(OPTIONS))
    data_seed: int = 1


def made_run(directory, plan):
    """A run directory of COGS; every number in it follows from its seeds."""
    cogs = blicket.benchmark("cogs")
    dataset = cogs.build(plan.data_seed, cogs.options(plan.options))
    path = directory / f"{plan.name}-0123456789ab"
    path.mkdir(parents=True)
    write_dataset(dataset, path / "data", "parquet", "conjunctive")
    write_json(path / "run.json", about(plan, dataset))
    for seed in plan.seeds:
        of_seed = path / f"seed-{seed}"
        of_seed.mkdir()
        write_json(of_seed / "curve.json", curve(plan, seed))
        if seed in plan.failed:
            continue
        for split in ("dev", "test", "gen"):
            file = of_seed / f"{split}.parquet"
            write_predictions(file, [answers(plan, seed, dataset[split])])
            write_json(of_seed / f"{split}.json", score(cogs, [file], "conjunctive", dataset).as_dict())
    return path


def write_json(path, said):
    path.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", "utf-8")


def about(plan, dataset):
    network = {"kind": plan.kind, "layers": 2, "width": 512, "dropout": 0.1}
    data = {"benchmark": "cogs", "seed": 1, "train": "train", "dev": "dev", "evaluate": ["dev", "test", "gen"]}
    recipe = {"name": plan.name, "about": plan.about, "answers": list(plan.answers), "result": plan.result}
    recipe |= {"data": {**data, "form": None, "options": {"gen": 20}}, "network": network}
    recipe |= {"training": {"updates": 30000, "patience": 5, "betas": [0.9, 0.998], "headline": "best", "clip": None}}
    recipe |= {"decoding": {"beam": 5}}
    hashed = dataset.content_hash() + ("" if plan.limit is None else f"/{plan.limit}")
    data = {**dataset.options, "benchmark": "cogs", "hash": hashed, "limit": plan.limit}
    return {"recipe": recipe, "data": data, "result": plan.result and plan.limit is None, "provenance": PROVENANCE}


def curve(plan, seed):
    drawn = random.Random(f"{plan.name} {seed}")
    failed = seed in plan.failed
    stopped = 500 * drawn.randint(16, 26)
    points = []
    for update in range(500, (3000 if failed else stopped) + 1, 500):
        train = 3.2 * 2.7 ** (-update / 1800) + 0.004 + 0.002 * drawn.random()
        dev = 3.0 * 2.7 ** (-update / 1900) + 0.012 + 0.004 * drawn.random()
        right = max(0.0, 0.97 - 1.2 * 2.7 ** (-update / 2200)) * (0.97 + 0.03 * drawn.random())
        points.append(
            {"update": update, "train_loss": train, "dev_loss": dev, "dev_accuracy": right, "rate": 0.001, "seeds": 3}
        )
    if failed:
        points[-1] |= {"train_loss": float("nan"), "dev_loss": float("nan"), "dev_accuracy": 0.0}
    best = min((p for p in points if p["dev_loss"] == p["dev_loss"]), key=lambda point: point["dev_loss"])["update"]
    ended = points[-1]["update"] if failed else stopped
    return {
        "seed": seed,
        "failed": failed,
        "best": best,
        "stopped": ended,
        "together": list(plan.seeds),
        "curve": points,
    }


def answers(plan, seed, split):
    """Right as often as a network of the kind, case by case, and wrong in its ways."""
    drawn = random.Random(f"{plan.name} {seed} {split.name}")
    by_case = {}
    outputs = []
    for example in split:
        share = by_case.setdefault(example.case, likely(plan, example.case, drawn))
        gold = example.targets["conjunctive"]
        outputs.append(gold if drawn.random() < share else corrupted(gold, example, drawn))
    if split.name == "gen":
        outputs[0] = " ".join([SCRIPT] * 60)
    return Predictions(str(seed), [f"{split.name}/{row}" for row in range(len(outputs))], outputs)


def likely(plan, case, drawn):
    if case in ("cp_recursion", "pp_recursion", "obj_pp_to_subj_pp"):
        return 0.02 if plan.kind == "lstm" else 0.0
    if case == "in_distribution":
        return 0.97
    return min(1.0, max(0.0, drawn.gauss(LEXICAL[plan.kind], 0.3)))


def corrupted(gold, example, drawn):
    tokens = gold.split()
    if example.case in ("cp_recursion", "pp_recursion") and drawn.random() < 0.8:
        return " ".join(tokens[: drawn.randint(len(tokens) // 3, len(tokens) - 2)])
    way = drawn.random()
    if way < 0.4:
        old = drawn.choice([t for t in tokens if t.isalpha() and len(t) > 3] or tokens)
        return " ".join("cake" if token == old else token for token in tokens)
    if way < 0.55:
        return " ".join(str((int(token) + 1) % 9) if token.isdigit() else token for token in tokens)
    if way < 0.7:
        return " ".join(tokens[: drawn.randint(0, len(tokens) - 1)])
    if way < 0.8:
        at = drawn.randrange(len(tokens))
        return " ".join(tokens[:at] + [tokens[at]] * drawn.choice((2, 3, 40)) + tokens[at:])
    if way < 0.9:
        return " AND ".join(reversed(gold.split(" AND ")))
    return " ".join(token for token in tokens if drawn.random() < 0.85)


TRANSFORMER = Plan(
    "cogs-transformer",
    seeds=(1, 2, 3, 4),
    failed=(4,),
    answers=("table-2/transformer", "table-7/transformer"),
    about="COGS Transformer as published",
)
LSTM = Plan("cogs-lstm", "lstm", answers=("table-2/lstm", "table-7/lstm"), about="COGS LSTM as published")
QUICK = Plan("cogs-quick", seeds=(1,), result=False, about="A quick twin")


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no chromium at /usr/bin/chromium or on the path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def make_run(tmp_path_factory):
    """Makes the directory of a run somewhere new."""

    def make(plan=TRANSFORMER, **changes):
        changed = Plan(**{**plan.__dict__, **changes})
        return made_run(tmp_path_factory.mktemp("runs"), changed)

    return make


@pytest.fixture(scope="session")
def transformer(make_run):
    """Three finished seeds and a failed one, which answer to published rows; not to be changed."""
    return make_run()


@pytest.fixture(scope="session")
def lstm(make_run):
    """Three seeds; not to be changed."""
    return make_run(LSTM)


@pytest.fixture(scope="session")
def quick(make_run):
    """One seed, and not a result; not to be changed."""
    return make_run(QUICK)


# Runs with probes


PAIRS = Path(__file__).parents[1] / "runs/pairs.toml"


def trained_and_probed(runs, *changes):
    recipe = read_recipe(PAIRS, changes)
    of = benchmark_of(PAIRS, recipe)
    run = prepared(recipe, of, data_of(recipe, of), runs, None)
    with one_thread():
        run.go([1, 2], Watcher())
    return run.directory.path


@pytest.fixture(scope="session")
def probed_runs(tmp_path_factory):
    """Two runs of real, tiny networks, the first of which answers to published rows; not to be changed."""
    directory = tmp_path_factory.mktemp("probed")
    answers = 'answers=["table-3/bgru/condition=small", "table-4/bgru", "table-6/bgru"]'
    other = ("name=other", "network.kind=infersent", "training.epochs=3")
    return [trained_and_probed(directory, answers), trained_and_probed(directory, *other)]
