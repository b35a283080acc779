import re

from blicket.report.table import Column, Table, latex, markdown

TABLE = Table(
    "name",
    "Title",
    "50% of a_b",
    [Column("What", False), Column("Run", False), Column("Mean")],
    [["gen", "a", "0.1"], ["gen", "b|c", "−0.2"], ["dev", "a_1 & <b>", "0.3 ± 0.1"]],
)


def test_a_heading_goes_over_the_rows_it_is_of():
    assert TABLE.spans() == [[2], [0], [1]]
    assert [row[0] for row in TABLE.printed()] == ["gen", "", "dev"]


def test_markdown():
    lines = markdown(TABLE).splitlines()
    assert lines == [
        "**Title.** 50% of a\\_b",
        "",
        "| What | Run | Mean |",
        "| --- | --- | ---: |",
        "| gen | a | 0.1 |",
        "|  | b\\|c | −0.2 |",
        "| dev | a\\_1 &amp; &lt;b> | 0.3 ± 0.1 |",
    ]


def test_every_row_of_markdown_has_as_many_cells():
    for line in markdown(TABLE).splitlines()[2:]:
        assert len(re.findall(r"(?<!\\)\|", line)) == 4


def test_latex_is_escaped():
    text = latex(TABLE)
    assert r"\begin{tabular}{llr}" in text
    assert r"\caption{Title. 50\% of a\_b}" in text
    assert r"dev & a\_1 \& \textless{}b\textgreater{} & 0.3 $\pm$ 0.1 \\" in text
    assert " & b|c & $-$0.2 \\\\" in text
    assert text.isascii()
