"""COGS in half a minute: make the data, answer with the form of the nearest training sentence, keep the answers."""

import sys
from pathlib import Path

import blicket

here = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
form = "conjunctive"

print("making COGS with seed 1 ...")
data = blicket.benchmark("cogs").build(seed=1)
blicket.write_dataset(data, here / "data", "tsv", form)

print(f"answering {len(data['gen']):,} sentences with the form of the nearest of {len(data['train']):,} ...")
questions = [blicket.Produce(example.id, example.inputs, form) for example in data["gen"]]
learner = blicket.NearestSentence(data["train"], form)
answers = learner.answer(questions)

said = blicket.Predictions(learner.name, [q.example for q in questions], [a.output for a in answers])
blicket.write_predictions(here / "nearest.parquet", [said])
print(f"wrote {here / 'nearest.parquet'}\n")
