import pytest

from blicket.core.published import Published
from blicket.report.comparison import compared
from blicket.report.reading import read_runs
from blicket.report.tables import cases_table, findings, groups_tables, number, printed, sources, summary_table


@pytest.fixture(scope="module")
def of(transformer, lstm, quick):
    return compared(read_runs([transformer, lstm, quick]))


def rows(table, what):
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, row, strict=True)) for row in table.rows if row[0] == what]


def test_a_mean_never_stands_alone(of):
    transformer, lstm, quick = rows(summary_table(of), "gen")
    assert (transformer["Run"], lstm["Run"], quick["Run"]) == ("cogs-transformer", "cogs-lstm", "cogs-quick†")
    assert len(transformer["Each seed"].split()) == 3 == int(transformer["n"])
    assert transformer["sd"]
    assert " – " in transformer["95% interval"]
    assert (quick["n"], quick["sd"], quick["95% interval"]) == ("1", "", "")
    assert "†\u00a0not a result" in summary_table(of).caption


def test_published_values_stand_beside_ours(of):
    transformer, _, quick = rows(summary_table(of), "gen")
    assert transformer["Published"] == "0.35 (sd 0.06, n 5)"
    difference = float(transformer["Mean"]) - 0.35
    assert float(transformer["Difference"].replace("−", "-")) == pytest.approx(difference, abs=0.001)
    assert transformer["Published value lies"] in ("inside", "above", "below")
    assert quick["Published"] == ""
    assert rows(summary_table(of), "dev")[0]["Published"] == "0.96 (sd ≤ 0.01, n 5)"


def test_cases_stand_under_their_kinds(of):
    table = cases_table(of, "gen")
    order = list(dict.fromkeys(row[0] for row in table.rows))
    assert order[-3:] == ["Object to subject modification", "Depth: sentential complements", "Depth: PP modifiers"]
    assert len(order) == 21
    assert cases_table(of, "test") is None


def test_where_no_run_answers_to_anything_other_models_stand_at_the_end(of):
    (quick,) = (one for one in of if one.run.label == "cogs-quick")
    (row,) = rows(cases_table([quick], "gen"), "Active to passive")
    published = {title: value for title, value in row.items() if title.startswith("Published")}
    assert published == {"Published: Transf.": "0.99", "Published: BiLSTM": "0.45", "Published: LSTM": "0.48"}


def test_there_is_a_table_for_every_other_kind_of_group(of):
    assert [table.name for table in groups_tables(of, "gen")] == [
        "gen-by-depth",
        "gen-by-case_depth",
        "gen-by-depth_band",
    ]


def test_an_interval_of_shares_ends_where_shares_end(of):
    for table in (cases_table(of, "gen"), summary_table(of)):
        for row in table.rows:
            ends = [float(end) for end in row[5].split(" – ") if end]
            assert all(0 <= end <= 1 for end in ends)


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (0.12345, "0.123"), (-0.5, "−0.500"), (-0.0001, "0.000"), (42.25, "42.2")]
)
def test_numbers(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "sd", "n", "about", "text"),
    [
        (0.3, None, None, {}, "0.3"),
        (0.3, None, 5, {"decimals": 2}, "0.30 (n 5)"),
        (0.0, None, 15, {"decimals": 1, "relation": "about"}, "≈ 0.0 (n 15)"),
        (0.9, 0.01, 5, {"decimals": 2, "relation": "above", "sd_at_most": 0.5}, "> 0.90 (sd 0.01, n 5)"),
    ],
)
def test_published_values_are_printed_as_they_were(value, sd, n, about, text):
    assert printed(Published("t", "exact", value, sd, n, "", about)) == text


def test_where_published_values_stand_is_told_with_what_has_to_be_known(of):
    said = dict(sources(of))
    assert list(said) == ["table-2", "table-7"]
    assert said["table-2"].startswith(
        "kim-linzen-2020. Table 2, section 5.2. Average accuracy of tested models. Its twin"
    )
    assert "'distinct contexts' holds of the other exposed items only" in said["table-7"]
    assert sources(of[2:]) == []


def test_findings_say_in_words_where_published_values_lie(of):
    said = findings(of[0])
    assert len(said) == 4
    assert said[2].startswith("gen: ours 0.")
    assert "published 0.35 (sd 0.06, n 5); the published value lies " in said[2]
    assert said[3].startswith("gen, by case: of 21 published values ")
    assert findings(of[2]) == []
