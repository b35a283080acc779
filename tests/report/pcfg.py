"""Run directories of PCFG SET: real data, answers that get worse with size, exceptions that are learned in the end."""

import random

import blicket
from blicket.core.predictions import Predictions, write_predictions
from blicket.core.scoring import score
from blicket.core.storage import write_dataset
from blicket.probes import asked

from .conftest import PROVENANCE, curve, write_json

FORM = "symbols"
EPOCHS = 8
OPTIONS = {"train": 3000, "dev": 50, "test": 800, "ratios": [200], "tests": ["productivity", "localism"]}
WATCHED = "overgeneralisation_exceptions_200"


class Plan:
    """What `curve` wants to know."""

    def __init__(self, name, seeds):
        self.name, self.seeds, self.failed = name, seeds, ()


def made_run(directory, name, train, evaluate, *, watch=(), seeds=(1, 2, 3), skill=0.94, probes=False):
    """A run; `skill` is the share of functions that are applied rightly."""
    pcfg_set = blicket.benchmark("pcfg-set")
    dataset = pcfg_set.build(1, pcfg_set.options({**OPTIONS, "tests": [*OPTIONS["tests"], "overgeneralisation"]}))
    splits = {n: dataset[n] for n in dict.fromkeys((train, "dev", *evaluate, *watch))}
    dataset = type(dataset)(dataset.benchmark, dataset.version, splits, dataset.input_names, dataset.options)
    path = directory / f"{name}-0123456789ab"
    write_dataset(dataset, made(path) / "data", "parquet", FORM)
    data = {"benchmark": "pcfg-set", "train": train, "dev": "dev", "evaluate": list(evaluate), "watch": list(watch)}
    recipe = {"name": name, "about": "", "answers": [], "result": True, "data": {**data, "form": None, "options": {}}}
    recipe |= {"network": {"kind": "transformer"}, "training": {"headline": "best", "validate_each_epoch": True}}
    told = {**dataset.options, "benchmark": "pcfg-set", "hash": dataset.content_hash(), "limit": None}
    write_json(path / "run.json", {"recipe": recipe, "data": told, "result": True, "provenance": PROVENANCE})
    for seed in seeds:
        of_seed = made(path / f"seed-{seed}")
        write_json(of_seed / "curve.json", curve(Plan(name, seeds), seed))
        for split in evaluate:
            keep(pcfg_set, dataset, of_seed / f"{split}.parquet", [answers(name, seed, dataset[split], skill)])
        if probes:
            rounds = list(asked(pcfg_set.probes(dataset), Clumsy(pcfg_set, seed, skill)))
            keep(pcfg_set, dataset, of_seed / "probes.parquet", rounds)
        for split in watch:
            points = [point(pcfg_set, dataset, of_seed / "watched", split, seed, epoch) for epoch in range(EPOCHS)]
            write_json(of_seed / "watched" / f"{split}.json", {"points": points})
    return path


def made(path):
    path.mkdir(parents=True, exist_ok=True)
    return path


def keep(pcfg_set, dataset, file, predictions):
    write_predictions(file, predictions)
    write_json(file.with_suffix(".json"), score(pcfg_set, [file], FORM, dataset).as_dict())


def answers(name, seed, split, skill):
    drawn = random.Random(f"{name} {seed} {split.name}")
    outputs = []
    for example in split:
        gold = example.targets[FORM]
        right = drawn.random() < skill ** int(example.tags["functions"])
        outputs.append(gold if right else " ".join(gold.split()[:-1]))
    return Predictions(str(seed), [example.id for example in split], outputs)


class Clumsy(blicket.Respondent):
    """Applies each function rightly as often as its skill is, and drops a symbol otherwise."""

    def __init__(self, pcfg_set, seed, skill):
        self.name, self.skill = str(seed), skill
        self.pcfg_set, self.drawn = pcfg_set, random.Random(seed)

    def answer(self, requests):
        said = []
        for request in requests:
            functions = sum(word[0].islower() for word in request.inputs[0].split())
            gold = self.pcfg_set.interpret(request.inputs, FORM).split()
            right = self.drawn.random() < self.skill**functions
            said.append(blicket.Answer(" ".join(gold if right or len(gold) < 2 else gold[:-1])))
        return said


def point(pcfg_set, dataset, directory, split, seed, epoch):
    """First by no rule, then by the rule, then memorised."""
    drawn = random.Random(f"{seed} {epoch}")
    memorised, by_rule = max(0, epoch - 3) / EPOCHS, min(epoch / 4, 1 - max(0, epoch - 3) / 5)
    outputs = []
    for example in dataset[split]:
        way = drawn.random()
        rule = str(example.tags["rule"])
        outputs.append(example.targets[FORM] if way < memorised else rule if way < memorised + by_rule else "A1")
    file = made(directory) / f"{split}-{epoch}.parquet"
    write_predictions(file, [Predictions(str(seed), [example.id for example in dataset[split]], outputs)])
    return {"update": 100 * (epoch + 1), **score(pcfg_set, [file], FORM, dataset).card.as_dict()}
