"""Draw the parses that the pages of docs/ show, into docs/pictures: `python docs/draw.py`."""

from pathlib import Path

import blicket
from blicket.report.parsepicture import parse_picture
from blicket.report.parses import Parse, roles_by_tag

PICTURES = {
    "embedded": "Emma said that the cake on the table burned .",
    "dative": "A hedgehog gave the cat beside Liam a cookie .",
    "pp-chain": "Emma saw the cat on the table in the house beside a tree .",
}

cogs = blicket.benchmark("cogs")
form = cogs.forms[0]
notation = cogs.notations[form]
train = cogs.build(1, cogs.options({"train": 1000, "dev": 10, "test": 10, "gen": 1, "exposures": (1,)}))["train"]
roles = roles_by_tag(notation.read(row.inputs[0].split(), row.targets[form]) for row in train)

directory = Path(__file__).parent / "pictures"
directory.mkdir(exist_ok=True)
for name, sentence in PICTURES.items():
    tokens = sentence.split()
    graph = notation.read(tokens, cogs.interpret((sentence,), form))
    picture = parse_picture(Parse(tokens, graph, roles=roles), name=f"parse-{name}", alone=True)
    (directory / f"{name}.svg").write_text(f"{picture}\n", "utf-8")
    print(f"docs/pictures/{name}.svg")
