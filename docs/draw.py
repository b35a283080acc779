"""Draw the parses that the pages of docs/ show, into docs/pictures: `python docs/draw.py`."""

from pathlib import Path

import blicket
from blicket.report.parsepicture import parse_picture
from blicket.report.parses import Parse, roles_by_tag

HERE = Path(__file__).parent / "pictures"
SENTENCES = {
    "embedded": "Emma said that the cake on the table burned .",
    "dative": "A hedgehog gave the cat beside Liam a cookie .",
    "pp-chain": "Emma saw the cat on the table in the house beside a tree .",
}


def pictures() -> dict[str, str]:
    """The pictures by the name of their file, with the roles that heads have anywhere in a thousand sentences."""
    cogs = blicket.benchmark("cogs")
    form = cogs.forms[0]
    notation = cogs.notations[form]
    options = cogs.options({"train": 1000, "dev": 10, "test": 10, "gen": 1, "exposures": (1,)})
    train = cogs.build(1, options)["train"]
    roles = roles_by_tag(notation.read(row.inputs[0].split(), row.targets[form]) for row in train)
    drawn = {}
    for name, sentence in SENTENCES.items():
        tokens = sentence.split()
        graph = notation.read(tokens, cogs.interpret((sentence,), form))
        picture = parse_picture(Parse(tokens, graph, roles=roles), name=f"parse-{name}", alone=True)
        drawn[f"{name}.svg"] = f"{picture}\n"
    return drawn


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (HERE / name).write_text(picture, "utf-8")
        print(f"wrote {Path('docs', 'pictures', name)}")
