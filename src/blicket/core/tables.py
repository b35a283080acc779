"""Tables from outside: TSV, CSV, JSONL and Parquet read row by row, with errors that say file, line and remedy."""

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from blicket.core.errors import InputError, did_you_mean

__all__ = ["Table", "read_headless_tsv", "read_lines", "read_table"]

STANDARD_INPUT = (Path("-"), Path("/dev/stdin"))
TAB = "\t"


@final
@dataclass(frozen=True)
class Table:
    """A file's columns: the names of all, and the values of those that were asked for and are there."""

    path: Path
    names: tuple[str, ...]
    columns: dict[str, list[str]]
    rows: int
    first_line: int = 1

    def require(self, name: str) -> list[str]:
        """A column that has to be there."""
        if name not in self.columns:
            raise InputError(f"{self.path}: there is no column {name!r}{did_you_mean(name, self.names)}")
        return self.columns[name]

    def where(self, row: int) -> str:
        """How to name a row in a message."""
        return f"{self.path}, line {self.first_line + row}"


def read_table(path: Path, wanted: Sequence[str], *, integers: Sequence[str] = (), may_be_empty: bool = False) -> Table:
    """The wanted columns of a table, told by its ending, or on standard input (`-`) by its first character.

    Columns hold strings; in those named by `integers`, whole numbers stand for their digits.
    """
    if path in STANDARD_INPUT:
        path = Path("standard input")
        text = _decoded(path, sys.stdin.buffer.read())
        lines_of_json = text.lstrip().startswith("{")
        table = _jsonl(path, text, wanted, integers) if lines_of_json else _separated(path, text, wanted, TAB)
        return _with_rows(table)
    if path.is_dir():
        raise InputError(f"{path}: is a directory; a file is wanted")
    match path.suffix:
        case ".tsv":
            table = _separated(path, _text(path), wanted, TAB)
        case ".csv":
            table = _separated(path, _text(path), wanted, ",")
        case ".jsonl":
            table = _jsonl(path, _text(path), wanted, integers)
        case ".parquet":
            table = _parquet(path, wanted, integers)
        case ending:
            found = ending or "a file without an ending"
            raise InputError(f"{path}: cannot read {found}; expected .tsv, .csv, .jsonl or .parquet")
    return table if may_be_empty else _with_rows(table)


def _with_rows(table: Table) -> Table:
    if table.rows == 0:
        expected = "is empty; expected one JSON object a line" if not table.names else "has a header and no rows"
        raise InputError(f"{table.path}: {expected}")
    return table


def read_headless_tsv(path: Path, width: int) -> Iterator[tuple[str, ...]]:
    """The rows of a release's TSV, which has no header."""
    for number, line in enumerate(_lines(_text(path)), start=1):
        row = tuple(line.split(TAB))
        if len(row) != width:
            raise InputError(f"{path}, line {number}: {_columns(len(row))}, expected {width}")
        yield row


def read_lines(path: Path) -> list[str]:
    """The lines of a file that holds one text each."""
    return _lines(_text(path))


def _text(path: Path) -> str:
    try:
        return _decoded(path, path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8 (byte 0x{data[error.start]:02x})") from error


def _lines(text: str) -> list[str]:
    """Lines end in a line feed alone; other characters that Unicode calls line breaks belong to the text."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _columns(n: int) -> str:
    return "1 column" if n == 1 else f"{n} columns"


def _separated(path: Path, text: str, wanted: Sequence[str], separator: str) -> Table:
    """TSV is split at tabs and quotes nothing; CSV follows RFC 4180."""
    rows = _tsv_rows(text) if separator == TAB else _csv_rows(path, text)
    kept: list[list[str]] = []
    _, header = next(rows, (1, []))
    _check_header(path, header)
    for number, row in rows:
        if len(row) != len(header):
            expected = f"expected {len(header)} as in the header"
            raise InputError(f"{path}, line {number}: {_columns(len(row))}, {expected}")
        kept.append(row)
    columns = {name: [row[i] for row in kept] for i, name in enumerate(header) if name in wanted}
    return Table(path, tuple(header), columns, len(kept), first_line=2)


def _tsv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    return ((number, line.split(TAB)) for number, line in enumerate(_lines(text), start=1))


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the number of the line on which each ends; a quoted text may go over several."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error})") from error


def _check_header(path: Path, header: list[str]) -> None:
    if header in ([], [""]):
        raise InputError(f"{path}: is empty; expected a header and rows")
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise InputError(f"{path}, line 1: the header names {min(repeated)!r} twice")


def _jsonl(path: Path, text: str, wanted: Sequence[str], integers: Sequence[str]) -> Table:
    records = [_record(path, number, line) for number, line in enumerate(_lines(text), start=1)]
    names = tuple(dict.fromkeys(name for record in records for name in record))
    columns: dict[str, list[str]] = {}
    for name in (name for name in names if name in wanted):
        values = [_string(path, number, name, record, integers) for number, record in enumerate(records, start=1)]
        columns[name] = values
    return Table(path, names, columns, len(records))


def _string(path: Path, number: int, name: str, record: dict[str, Any], integers: Sequence[str]) -> str:
    value = record.get(name)
    if name in integers and type(value) is int:
        return str(value)
    if not isinstance(value, str):
        found = f"is {_kind(value)}" if name in record else "is missing"
        expected = "an integer or a string" if name in integers else "a string"
        raise InputError(f"{path}, line {number}: {name!r} {found}, expected {expected}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{path}, line {number}: {name!r} holds half a character") from error
    return value


def _record(path: Path, number: int, line: str) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise InputError(f"{path}, line {number}: {min(repeated)!r} stands twice")
        return dict(pairs)

    try:
        record = json.loads(line, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {number}: not JSON ({error.msg})") from error
    except RecursionError as error:
        raise InputError(f"{path}, line {number}: not JSON (too deeply nested)") from error
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{path}, line {number}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise InputError(f"{path}, line {number}: {_kind(record)}, expected a JSON object")
    return record


def _kind(value: Any) -> str:
    kinds = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return kinds.get(type(value), "null")


def _parquet(path: Path, wanted: Sequence[str], integers: Sequence[str]) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(path).names
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise InputError(f"{path}: names {min(repeated)!r} twice")
        table = pq.read_table(path, columns=[name for name in names if name in wanted])
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or "it is damaged or no Parquet"
        raise InputError(f"{path}: cannot be read ({reason})") from error
    columns = {name: _strings(path, name, table.column(name), name in integers) for name in table.column_names}
    return Table(path, tuple(names), columns, table.num_rows)


def _strings(path: Path, name: str, column: Any, integers: bool) -> list[str]:
    """A column of Parquet as strings, however it keeps them."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    texts = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    if not texts and not (integers and pa.types.is_integer(kind)):
        expected = "integers or strings" if integers else "strings"
        raise InputError(f"{path}: {name!r} is a column of {column.type}, expected {expected}")
    if column.null_count:
        row = column.is_null().to_pylist().index(True) + 1
        raise InputError(f"{path}, line {row}: {name!r} is null, expected a string")
    try:
        return [str(value) for value in column.to_pylist()]
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {name!r} is not UTF-8") from error
