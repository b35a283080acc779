import pytest

from blicket import benchmark
from blicket.core.published import published_results

TEXT = """
[[table]]
id = "table-1"
where = "p. 9"
measure = "exact"
n = 10
across = "model"
columns = ["lstm", "transformer"]
results = [
    { case = "a", values = [0.1, [0.2, 0.05]] },
    { case = "b", model = "bilstm", value = 0.3, n = 5, sd = 0.01 },
]
"""


def test_a_row_yields_a_record_a_column():
    lstm, transformer, bilstm = published_results(TEXT)
    assert (lstm.table, lstm.measure, lstm.where, lstm.n) == ("table-1", "exact", "p. 9", 10)
    assert (lstm.value, lstm.sd, lstm.about) == (0.1, None, {"case": "a", "model": "lstm"})
    assert (transformer.value, transformer.sd, transformer.about["model"]) == (0.2, 0.05, "transformer")
    assert (bilstm.value, bilstm.sd, bilstm.n) == (0.3, 0.01, 5)


def test_as_many_values_as_columns():
    with pytest.raises(ValueError, match="zip"):
        list(published_results(TEXT.replace("[0.1, [0.2, 0.05]]", "[0.1]")))


def test_the_numbers_of_cogs_are_about_what_there_is():
    cogs = benchmark("cogs")
    records = cogs.published()
    assert len({record.table for record in records}) > 5
    for record in records:
        if record.about.get("unit") == "share":
            assert 0 <= record.value <= 1
        if "case" in record.about:
            assert record.about["case"] in cogs.cases
        if "split" in record.about:
            cogs.role(record.about["split"])


def test_every_case_of_cogs_has_published_numbers_beside_it():
    cogs = benchmark("cogs")
    for case in cogs.cases:
        assert set(cogs.beside("case", case)) == {"Transf.", "BiLSTM", "LSTM"}
    assert cogs.beside("split", "gen") == {"Transf.": 0.35, "BiLSTM": 0.16, "LSTM": 0.32}
    assert cogs.beside("case", "no such case") == {}
