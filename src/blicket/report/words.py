"""The vectors of trained and of novel words in two dimensions; compare Goodwin et al. (2020), figure 1."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from blicket.report.figure import Figure, as_csv, key
from blicket.report.marks import Linear, drawing, element, line, shape, words
from blicket.report.reading import Measured
from blicket.report.tables import number

__all__ = ["words_figure"]

TRAINED, NOVEL = 4, 0
"""The shapes and colours: a cross, a dot."""
WIDTH, HEIGHT, TOP, EDGE = 360, 316, 44, 10
FAINTEST = 0.15


def words_figure(runs: Sequence[Measured]) -> Figure | None:
    """A panel a run, of its first seed: the fainter a word, the fewer pairs that hold it were right."""
    found = [(run, seed, run.directory.read_words(seed)) for run in runs for seed in _first(run)]
    if not found:
        return None
    drawings = [_panel(i, run, seed, said) for i, (run, seed, said) in enumerate(found)]
    caption = (
        "The first two principal components of the vectors of open-class words, of the first seed. The fainter a word, "
        "the fewer of the pairs that hold it were right: in each panel the faintest has the lowest share and the "
        "fullest the highest. p is that of a permutation test of the mean length of trained and of novel vectors; the "
        "cosines are those of all pairs of a trained and a novel vector."
    )
    keys = [(key(shape(TRAINED, 13, 8, 4.2)), "trained word"), (key(shape(NOVEL, 13, 8, 4.2)), "novel word")]
    records = [
        {"run": run.label, "result": run.is_result, "seed": seed, **word}
        for run, seed, said in found
        for word in said["words"]
    ]
    return Figure("words", "Vectors of words", caption, keys, [("", drawings)], as_csv(records))


def _first(run: Measured) -> list[int]:
    return [seed for seed in run.curves if run.directory.words(seed).exists()][:1]


def _panel(number_: int, run: Measured, seed: int, said: Mapping[str, Any]) -> Markup:
    listed = said["words"]
    x, y = (_scale([word[axis] for word in listed], *ends) for axis, ends in AXES.items())
    shares = [word["right"] for word in listed]
    strength = Linear(min(shares), max(shares), FAINTEST, 1.0)
    inside = [words(0, 14, f"{run.label}, seed {seed}", "heading"), words(0, 32, _apart(said), "tick")]
    inside += [line(EDGE, at, WIDTH - EDGE, at, "grid") for at in (TOP, HEIGHT - EDGE)]
    for word, share in zip(listed, shares, strict=True):
        kind = TRAINED if word["trained"] else NOVEL
        mark = shape(kind, x(word["x"]), y(word["y"]), 3.2, f"{word['word']}: {share:.3f} of {word['n']:,} pairs right")
        inside.append(element("g", mark, opacity=f"{strength(share):.2f}"))
    says = f"{len(listed)} words; {_apart(said)}"
    return drawing(f"words-{number_}", f"{run.label}, seed {seed}", says, WIDTH, HEIGHT, inside, "panel")


AXES = {"x": (EDGE + 4, WIDTH - EDGE - 4), "y": (HEIGHT - EDGE - 6, TOP + 6)}


def _scale(values: Sequence[float], start: float, stop: float) -> Linear:
    return Linear(min(values), max(values), start, stop)


def _apart(said: Mapping[str, Any]) -> str:
    if "lengths" not in said:
        return ""
    lengths, found = said["lengths"], said["cosines"]
    apart = f"lengths differ by {number(lengths['difference'])}, p {number(lengths['p'])}"
    return f"{apart}; cosines {number(found['mean'])}, sd {number(found['sd'])}"
