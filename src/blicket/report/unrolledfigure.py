"""Unrolled computations: an input call by call, with a network's own answers.

Compare Hupkes et al. (2020), figure 4.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from blicket.core.errors import Refusal
from blicket.core.predictions import read_predictions
from blicket.core.respondent import Answer
from blicket.probes.localism import Computation, Localism
from blicket.report.figure import Figure, as_csv, key
from blicket.report.marks import element, shape
from blicket.report.reading import Measured

__all__ = ["unrolled_figure"]

STEPS = range(3, 6)
"""How many calls an example has: enough to see something, and few enough to read."""


def unrolled_figure(runs: Sequence[Measured]) -> Figure | None:
    """For each run that was asked, an input that comes out the same in both ways, and one that does not."""
    parts, keys, records = [], [], []
    for i, run in enumerate(runs):
        probe = _localism(run)
        found = {} if probe is None else _answers(run)
        if probe is None or not found:
            continue
        seed, answers = next(iter(found.items()))
        examples = _examples(probe, answers)
        if examples:
            parts.append((f"{run.label}, seed {seed}", [_drawn(run, title, of) for title, of in examples.items()]))
            keys.append((key(shape(i, 13, 8, 4.2)), run.label + ("" if run.is_result else " (not a result)")))
            records += [_record(run, seed, title, of) for title, of in examples.items()]
    if not parts:
        return None
    caption = (
        "An input asked whole, and unrolled: the innermost calls first, each with the network's own answers to those "
        "before. What is crossed out is wrong for the call as it was asked; what is right stands behind it."
    )
    return Figure("unrolled", "Unrolled computations", caption, keys, parts, as_csv(records))


def _localism(run: Measured) -> Localism | None:
    probes = run.benchmark.probes(run.directory.dataset()) if any(_files(run).values()) else ()
    return next((probe for probe in probes if isinstance(probe, Localism)), None)


def _files(run: Measured) -> Mapping[int, bool]:
    return {seed: run.directory.predictions(seed, "probes").exists() for seed in run.curves}


def _answers(run: Measured) -> dict[int, dict[str, Answer]]:
    found = {}
    for seed, there in _files(run).items():
        if there:
            read = read_predictions(run.directory.predictions(seed, "probes"), run.benchmark.input_names)
            found[seed] = {p.id: Answer(p.output) for said in read.values() for p in said if p.id is not None}
    return found


def _examples(probe: Localism, answers: Mapping[str, Answer]) -> dict[str, Computation]:
    """The first input of each kind that has a readable number of calls."""
    found: dict[str, Computation] = {}
    for row in range(len(probe.agreement.split)):
        of = probe.computation(row, answers)
        if of is not None and len(of.steps) in STEPS:
            found.setdefault("The same in both ways" if of.consistent else "Not the same", of)
        if len(found) > 1:
            break
    return found


def _drawn(run: Measured, title: str, of: Computation) -> Markup:
    calls = [element("li", *_call(run, asked, said), class_="step") for asked, said in of.steps]
    whole = element("p", "Whole: ", *_call(run, of.whole, of.said), class_="whole")
    return element(
        "div", element("p", title, class_="kinds"), whole, element("ol", *calls), class_="unrolled", role="group"
    )


def _call(run: Measured, asked: str, said: str) -> list[Markup]:
    """What was asked and answered, and what would have been right."""
    try:
        right = run.benchmark.interpret((asked,), run.form)
    except Refusal:
        right = ""
    parts = [element("span", asked, class_="source"), Markup(" &rarr; ")]
    if said.split() == right.split():
        return [*parts, element("span", said, class_="answer")]
    return [*parts, element("del", said or "nothing"), Markup(" "), element("ins", right or "no input of the language")]


def _record(run: Measured, seed: int, title: str, of: Computation) -> dict[str, object]:
    about = {"run": run.label, "result": run.is_result, "seed": seed, "which": title}
    steps = " | ".join(f"{asked} -> {said}" for asked, said in of.steps)
    return {**about, "input": of.whole, "answer": of.said, "steps": steps}
