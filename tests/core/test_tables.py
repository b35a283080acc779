import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blicket.core.errors import InputError
from blicket.core.tables import read_headless_tsv, read_table

NO_LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"))


def test_only_the_wanted_columns_are_kept(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("a\tb\tc\n1\t2\t3\n4\t5\t6\n")
    table = read_table(path, ("c", "a", "z"))
    assert (table.columns, table.names, table.rows) == ({"a": ["1", "4"], "c": ["3", "6"]}, ("a", "b", "c"), 2)
    assert table.require("a") == ["1", "4"]
    with pytest.raises(InputError, match="there is no column 'z'; there is a, b, c"):
        table.require("z")


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(NO_LINES, NO_LINES), min_size=1))
def test_what_is_written_as_tsv_is_read(tmp_path, rows):
    path = tmp_path / "t.tsv"
    path.write_bytes(("a\tb\n" + "".join(f"{a}\t{b}\n" for a, b in rows)).encode())
    columns = read_table(path, ("a", "b")).columns
    assert list(zip(columns["a"], columns["b"], strict=True)) == rows
    headless = tmp_path / "h.tsv"
    headless.write_bytes("".join(f"x{a}\t{b}\n" for a, b in rows).encode())
    assert list(read_headless_tsv(headless, 2)) == [(f"x{a}", b) for a, b in rows]


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_any_text_comes_through_jsonl_csv_and_parquet(tmp_path, texts):
    jsonl, csv_, parquet = (tmp_path / f"t.{ending}" for ending in ("jsonl", "csv", "parquet"))
    jsonl.write_text("".join(json.dumps({"a": text}, ensure_ascii=False) + "\n" for text in texts), "utf-8", newline="")
    quoted = ['"' + text.replace('"', '""') + '"' for text in texts]
    csv_.write_text("a\r\n" + "\r\n".join(quoted) + "\r\n", "utf-8", newline="")
    pq.write_table(pa.table({"a": texts}), parquet)
    for path in (jsonl, csv_, parquet):
        assert read_table(path, ("a",)).columns == {"a": texts}


def test_rows_are_named_by_file_and_line(tmp_path):
    for name, text, line in (("t.tsv", "a\n1\n2\n", 3), ("t.jsonl", '{"a": "1"}\n{"a": "2"}\n', 2)):
        (tmp_path / name).write_text(text)
        assert read_table(tmp_path / name, ("a",)).where(1) == f"{tmp_path / name}, line {line}"


def test_strings_of_every_kind_are_read_from_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    for kind in (pa.string(), pa.large_string()):
        pq.write_table(pa.table({"a": pa.array(["x", "y"], kind)}), path)
        assert read_table(path, ("a",)).columns == {"a": ["x", "y"]}
    pq.write_table(pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode()}), path)  # as pandas has categories
    assert read_table(path, ("a",)).columns == {"a": ["x", "y", "x"]}


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint32(), None])
def test_integers_are_taken_as_text_where_they_may_stand(tmp_path, kind):
    path = tmp_path / "t.parquet"
    pq.write_table(
        pa.table({"a": ["x", "y"], "seed": pa.array([7, 11], kind) if kind else pa.array([7, 11]).dictionary_encode()}),
        path,
    )
    assert read_table(path, ("a", "seed"), integers=("seed",)).columns == {"a": ["x", "y"], "seed": ["7", "11"]}
    with pytest.raises(InputError, match=r"'seed' is a column of .*, expected strings"):
        read_table(path, ("a", "seed"))
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"a": "x", "seed": 7}\n{"a": "y", "seed": "11"}\n{"a": "z", "seed": -3}\n')
    assert read_table(lines, ("seed",), integers=("seed",)).columns == {"seed": ["7", "11", "-3"]}
    with pytest.raises(InputError, match="line 1: 'seed' is a number, expected a string"):
        read_table(lines, ("seed",))


def test_a_directory_says_nothing_about_a_parquet_file_in_it(tmp_path):
    path = tmp_path / "a=5" / "t.parquet"
    path.parent.mkdir()
    pq.write_table(pa.table({"a": ["x"]}), path)
    assert read_table(path, ("a",)).columns == {"a": ["x"]}


def test_headless_rows_are_as_wide_as_expected(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("a\tb\tc\na\tb\n")
    with pytest.raises(InputError, match=r"t\.tsv, line 2: 2 columns, expected 3"):
        list(read_headless_tsv(path, 3))


def test_a_column_is_read_wherever_it_first_stands(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": "1"}\n{"a": "2", "case": "x"}\n')
    with pytest.raises(InputError, match=r"line 1: 'case' is missing"):
        read_table(path, ("a", "case"))
