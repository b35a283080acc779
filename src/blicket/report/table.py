"""Tables: rows of text with headings, for the page and as Markdown and LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

__all__ = ["Column", "Table", "latex", "markdown"]


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and whether numbers stand below it."""

    title: str
    numbers: bool = True


@final
@dataclass(frozen=True)
class Table:
    """A table; `name` is the stem of its files. The first columns, `headings` of them, say what a row is about."""

    name: str
    title: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    headings: int = 1

    def spans(self) -> list[list[int]]:
        """For each row and heading over how many rows it goes: 0 where one above goes on."""
        return [[self._span(row, column) for column in range(self.headings)] for row in range(len(self.rows))]

    def _span(self, row: int, column: int) -> int:
        if row and self.rows[row][: column + 1] == self.rows[row - 1][: column + 1]:
            return 0
        same = 1
        while row + same < len(self.rows) and self.rows[row + same][: column + 1] == self.rows[row][: column + 1]:
            same += 1
        return same

    def printed(self) -> Iterator[list[str]]:
        """The rows, with nothing where a heading would say what the row above says."""
        for row, spans in zip(self.rows, self.spans(), strict=True):
            yield [cell if i >= self.headings or spans[i] else "" for i, cell in enumerate(row)]


MARKDOWN = str.maketrans(
    {"\\": "\\\\", "|": "\\|", "*": "\\*", "_": "\\_", "`": "\\`", "<": "&lt;", "&": "&amp;", "[": "\\[", "\n": " "}
)
LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "<": "\\textless{}",
        ">": "\\textgreater{}",
        "−": "$-$",
        "±": "$\\pm$",
        "≤": "$\\le$",
        "≈": "$\\approx$",
        "†": "\\dag{}",
        "–": "--",
        "“": "``",
        "”": "''",
        "\u00a0": "~",
        "\n": " ",
    }
)


def markdown(table: Table) -> str:
    """The table in GitHub's Markdown."""
    head = [column.title.translate(MARKDOWN) for column in table.columns]
    rule = ["---:" if column.numbers else "---" for column in table.columns]
    rows = [[cell.translate(MARKDOWN) for cell in row] for row in table.printed()]
    lines = [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
    return "\n".join([f"**{table.title.translate(MARKDOWN)}.** {table.caption.translate(MARKDOWN)}", "", *lines, ""])


def latex(table: Table) -> str:
    """A table environment that needs no package."""
    shape = "".join("r" if column.numbers else "l" for column in table.columns)
    head = " & ".join(column.title.translate(LATEX) for column in table.columns)
    rows = [" & ".join(cell.translate(LATEX) for cell in row) + r" \\" for row in table.printed()]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{table.title.translate(LATEX)}. {table.caption.translate(LATEX)}}}",
            rf"\begin{{tabular}}{{{shape}}}",
            r"\hline",
            rf"{head} \\",
            r"\hline",
            *rows,
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
