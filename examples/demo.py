"""COGS in a minute: make the data, answer with the form of the nearest training sentence, score, and look."""

import sys
from pathlib import Path

import blicket

ROWS = 4200  # of gen's 21,000: some 200 a case

here = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
cogs = blicket.benchmark("cogs")
data = cogs.build(seed=1)
blicket.write_dataset(data, here / "data", "tsv", "conjunctive")

questions = [blicket.Produce(e.id, e.inputs, "conjunctive") for e in data["gen"][:ROWS]]
learner = blicket.NearestSentence(data["train"], "conjunctive")
answers = learner.answer(questions)
said = blicket.Predictions(learner.name, [q.example for q in questions], [a.output for a in answers])
blicket.write_predictions(here / "nearest.parquet", [said])
