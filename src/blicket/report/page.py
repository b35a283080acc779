"""The page: one HTML file with its style in it, which asks for nothing from anywhere."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any

from blicket.core.provenance import package_version
from blicket.report.figure import key
from blicket.report.marks import shape
from blicket.report.parsepicture import parse_picture
from blicket.report.parses import Parse
from blicket.report.reading import Measured
from blicket.report.recipe import recipe_text
from blicket.report.tables import findings, sources

if TYPE_CHECKING:
    from blicket.report.report import Report

__all__ = ["notes", "rendered"]

STYLES = ("colours.css", "page.css", "parses.css")


def rendered(report: "Report") -> str:
    """The page as HTML; everything that comes from data is escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    here = files(__package__)
    environment = Environment(
        loader=FunctionLoader(lambda name: here.joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    runs = report.runs
    recipes = report.recipe_files()
    said = [(of.run.label, findings(of)) for of in report.of]
    return environment.get_template("page.html.jinja").render(
        css=Markup("").join(Markup(here.joinpath(name).read_text("utf-8")) for name in STYLES),  # noqa: S704
        title=" and ".join(dict.fromkeys(run.benchmark.title for run in runs)),
        lead=_lead(runs),
        notes=notes(runs),
        models=[_model(series, run, recipes[run.label]) for series, run in enumerate(runs)],
        findings=[(label, sentences) for label, sentences in said if sentences],
        summary=report.summary,
        sources=sources(report.of),
        figures=report.figures,
        dotted=[figure.name for figure in report.figures if 'class="wide"' in "".join(figure.parts[0][1])],
        tables=report.tables,
        errors=report.errors,
        picture=_numbered_pictures(),
        made_with=f"Made by blicket {package_version()}. {' '.join(_cited(runs))}",
    )


def _numbered_pictures() -> Callable[[Parse], str]:
    numbers = count(1)
    return lambda parse: parse_picture(parse, name=f"parse-{next(numbers)}")


def _cited(runs: Sequence[Measured]) -> dict[str, None]:
    return dict.fromkeys(f"{run.benchmark.citation.rstrip('.')}." for run in runs)


def _lead(runs: Sequence[Measured]) -> str:
    seeds = sum(len(run.finished) for run in runs)
    models = "One run" if len(runs) == 1 else f"{len(runs)} runs side by side"
    return f"{models}, {seeds} finished seed{'s' if seeds != 1 else ''}."


def notes(runs: Sequence[Measured]) -> list[str]:
    """What has to be known before any number is read."""
    return [*_of_results(runs), *_of_seeds(runs), *_of_data(runs)]


def _of_results(runs: Sequence[Measured]) -> Iterator[str]:
    for run in runs:
        if not run.is_result:
            limit = run.about["data"].get("limit")
            why = f"it learned from the first {limit:,} rows alone" if isinstance(limit, int) else "its recipe says so"
            yield f"Not a result: {run.label} ({why}). Its numbers say nothing about the model."


def _of_seeds(runs: Sequence[Measured]) -> Iterator[str]:
    for run in runs:
        if run.failed:
            yield f"{run.label}: training failed with {_seeds(run.failed)}, of which no number below knows."
        if run.unfinished:
            yield f"{run.label}: {_seeds(run.unfinished)} not scored on every split yet; where it is, it counts."


def _of_data(runs: Sequence[Measured]) -> Iterator[str]:
    if len({run.benchmark.name for run in runs}) > 1:
        listed = ", ".join(f"{run.label} is about {run.benchmark.name}" for run in runs)
        yield f"The runs are about different benchmarks, and their numbers cannot be compared: {listed}."
    elif len({run.data_hash for run in runs}) > 1:
        listed = ", ".join(f"{run.label} has {run.data_hash[:12]}" for run in runs)
        yield f"The runs learned from, or were judged on, different data; by hash: {listed}."


def _seeds(seeds: Sequence[int]) -> str:
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"


def _model(series: int, run: Measured, recipe_file: str) -> dict[str, Any]:
    marks = [] if run.is_result else ["not a result"]
    marks += [f"{_seeds(run.failed)} failed"] if run.failed else []
    return {
        "key": key(shape(series, 13, 8, 4.6)),
        "label": run.label,
        "about": run.recipe.get("about") or "",
        "marks": marks,
        "facts": list(_facts(run)),
        "machine": list(_machine(run)),
        "data_hash": run.data_hash,
        "recipe": recipe_text(run),
        "recipe_file": recipe_file,
    }


def _facts(run: Measured) -> Iterator[tuple[str, str]]:
    """What a number was made with."""
    yield "Benchmark", f"{run.benchmark.name} {run.benchmark.version}, targets as {run.form}"
    yield "Seeds", ", ".join(str(seed) for seed in run.finished) or "none is finished"
    if run.recipe.get("answers"):
        yield "Answers to", ", ".join(str(answer) for answer in run.recipe["answers"])
    yield "Headline", f"the {dict(run.recipe.get('training') or {}).get('headline', 'best')} checkpoint"
    data = {k: v for k, v in run.about["data"].items() if k not in ("hash", "benchmark") and v not in (None, [], ())}
    yield "Data", ", ".join(f"{key} {_plain(value)}" for key, value in data.items())
    device = _provenance(run).get("device")
    if device is not None:
        yield "Trained on", str(device)
    yield "Directory", run.directory.path.resolve().name


def _machine(run: Measured) -> Iterator[tuple[str, str]]:
    for name, value in _provenance(run).items():
        if value is not None:
            yield name.capitalize(), _plain(value)


def _provenance(run: Measured) -> Mapping[str, Any]:
    provenance = run.about.get("provenance")
    return provenance if isinstance(provenance, Mapping) else {}


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return "–".join(map(str, value)) if len(value) == 2 else " ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
