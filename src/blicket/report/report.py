"""A report: everything that is to be shown of some runs, and the files it is written to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from blicket.core.storage import made_directory, written_whole
from blicket.report.comparison import Compared, compared, further_kinds, title_of_group
from blicket.report.dotfigures import cases_figure, errors_figure, overview_figure
from blicket.report.errors import CaseErrors, shown_errors
from blicket.report.figure import Figure, as_bytes, as_csv
from blicket.report.judged import Judged, judge_runs
from blicket.report.linefigures import curves_figure, depth_figure, length_figure
from blicket.report.page import rendered
from blicket.report.probes import probe_figures, probe_tables
from blicket.report.profilefigure import profiles_figure
from blicket.report.reading import Measured, read_runs
from blicket.report.recipe import recipe_text
from blicket.report.sizefigure import size_figure
from blicket.report.table import Table, latex, markdown
from blicket.report.tables import cases_table, groups_tables, summary_table
from blicket.report.unrolledfigure import unrolled_figure
from blicket.report.words import words_figure

__all__ = ["PAGE", "ErrorSection", "Report", "report_of", "write_report"]

PAGE = "index.html"

Progress = Callable[[str, int, int], None]


@final
@dataclass(frozen=True)
class ErrorSection:
    """The errors of a split to look at: for each case, by title, those of each run."""

    name: str
    title: str
    cases: Sequence[tuple[str, Sequence[CaseErrors]]]
    numbers: bytes

    @property
    def has_parses(self) -> bool:
        """Whether any of them has a picture of its parse."""
        return any(error.parse for _, ones in self.cases for of in ones for error in of.shown)


@final
@dataclass(frozen=True)
class Report:
    """What is shown; `tables` has those that belong to a figure, by its name."""

    of: Sequence[Compared]
    summary: Table
    figures: Sequence[Figure]
    tables: Mapping[str, Sequence[Table]]
    errors: Sequence[ErrorSection]

    @property
    def runs(self) -> list[Measured]:
        """The runs it is about."""
        return [one.run for one in self.of]

    def recipe_files(self) -> dict[str, str]:
        """The file of each run's recipe, by label."""
        stems = [_stem(run.label) for run in self.runs]
        unique = [stem if stems.count(stem) == 1 else f"{stem}-{i}" for i, stem in enumerate(stems, start=1)]
        return {run.label: f"{stem}.recipe.toml" for run, stem in zip(self.runs, unique, strict=True)}

    def files(self) -> dict[str, bytes]:
        """All files by name, the page last: what it links to is there before it is."""
        files = {figure.name + ".csv": figure.numbers for figure in self.figures}
        files |= {section.name + ".csv": section.numbers for section in self.errors}
        for table in (self.summary, *(table for of_figure in self.tables.values() for table in of_figure)):
            files |= {f"{table.name}.md": as_bytes(markdown(table)), f"{table.name}.tex": as_bytes(latex(table))}
        recipes = self.recipe_files()
        files |= {recipes[run.label]: as_bytes(recipe_text(run)) for run in self.runs}
        return {**files, PAGE: as_bytes(rendered(self))}


def report_of(paths: Sequence[Path], progress: Progress = lambda what, done, of: None) -> Report:
    """The report of the runs in some directories; raises InputError before anything is written."""
    runs = read_runs(paths)
    of = compared(runs)
    judged = judge_runs(runs, progress)
    series = {run.label: i for i, run in enumerate(runs)}
    splits = list(dict.fromkeys(split for run in runs for split in run.focus))
    size, sized = size_figure(of)
    figures: list[Figure | None] = [overview_figure(of), size, unrolled_figure(runs), profiles_figure(runs)]
    tables: dict[str, Sequence[Table]] = {}
    for split in splits:
        figures.append(cases_figure(of, split))
        tables[f"{split}-cases"] = [table for table in (cases_table(of, split),) if table is not None]
        for kind in further_kinds(runs, split):
            if kind not in sized:
                figures.append(depth_figure(of, split, kind))
    figures += [length_figure(judged, runs), curves_figure(runs)]
    # A choice among a few has no kinds of error, and nothing to lay beside gold token by token.
    judged = [one for one in judged if one.run.form not in one.run.benchmark.choices]
    figures += [errors_figure([one for one in judged if one.split == split], split, series) for split in splits]
    figures += [*probe_figures(runs), words_figure(runs)]
    kept = [figure for figure in figures if figure is not None]
    for split in splits:
        tables |= _placed(kept, split, groups_tables(of, split))
    tables |= probe_tables(runs)
    sections = [_section(split, ones) for split in splits if (ones := [one for one in judged if one.split == split])]
    return Report(of, summary_table(of), kept, tables, [section for section in sections if section.cases])


def _placed(figures: Sequence[Figure], split: str, tables: Sequence[Table]) -> dict[str, Sequence[Table]]:
    """Tables of groups stand under the figure that shows the most of them, or else under the first."""
    by_figure: dict[str, list[Table]] = {}
    names = [figure.name for figure in figures]
    for table in tables:
        kind = table.name.removeprefix(f"{split}-by-")
        stems = [name for name in names if name.startswith(f"{split}-") and name.removeprefix(f"{split}-") in kind]
        by_figure.setdefault((stems or names)[0], []).append(table)
    return dict(by_figure)


def _section(split: str, judged: Sequence[Judged]) -> ErrorSection:
    found: dict[str, list[CaseErrors]] = {}
    records = []
    for of in judged:
        for errors in shown_errors(of):
            found.setdefault(errors.case, []).append(errors)
            records += _records(of, errors)
    titled = [(title_of_group(judged[0].run.benchmark, "case", case), ones) for case, ones in found.items()]
    return ErrorSection(f"{split}-examples", f"Typical and worst errors, {split}", titled, as_csv(records))


def _records(of: Judged, errors: CaseErrors) -> list[dict[str, Any]]:
    about = {"run": errors.label, "result": of.run.is_result, "split": of.split, "case": errors.case}
    return [
        {
            **about,
            "which": error.which,
            "kinds": " ".join(error.kinds),
            "seed": error.seed,
            "id": error.id,
            "distance": error.distance,
            **dict(zip(of.run.benchmark.input_names, error.inputs, strict=True)),
            "gold": error.gold,
            "answer": error.said,
        }
        for error in errors.shown
    ]


def write_report(report: Report, directory: Path) -> Path:
    """Write every file whole, and last the page, whose path is the result."""
    files = report.files()
    made_directory(directory)
    for name, data in files.items():
        with written_whole(directory / name) as file:
            file.write(data)
    return directory / PAGE


def _stem(name: str) -> str:
    """A name that is fit for a file."""
    return "".join(c if (c.isalnum() and c.isascii()) or c in "-_" else "-" for c in name).strip("-") or "run"
