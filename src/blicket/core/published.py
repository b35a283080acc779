"""Published results: the tables of the papers as records, to stand beside what was measured.

The papers' numbers are kept as TOML, one block a table. A block's keys are the defaults of its `results`; a row has a
`value`, or `values` that go with the table's `columns`, whose meaning `across` names.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

__all__ = ["Published", "published_results"]


@final
@dataclass(frozen=True, slots=True)
class Published:
    """A number from a paper: what was measured, its spread over `n` runs where that is printed, and where it stands.

    `about` holds everything else: model, split, case, depth, training, how it was aggregated, remarks.
    """

    table: str
    measure: str
    value: float
    sd: float | None
    n: int | None
    where: str
    about: Mapping[str, Any]


def published_results(text: str) -> Iterator[Published]:
    """The records of a document."""
    for table in tomllib.loads(text)["table"]:
        shared = {key: value for key, value in table.items() if key not in ("id", "results", "across", "columns")}
        for row in table["results"]:
            values = row.get("values")
            if values is None:
                yield _record(table["id"], {**shared, **row}, row["value"])
                continue
            for column, value in zip(table["columns"], values, strict=True):
                yield _record(table["id"], {**shared, **row, table["across"]: column}, value)


def _record(table: str, about: dict[str, Any], value: Any) -> Published:
    number, sd = value if isinstance(value, list) else (value, about.get("sd"))
    taken = ("measure", "value", "values", "sd", "n", "where")
    rest = {key: value for key, value in about.items() if key not in taken}
    return Published(table, about["measure"], number, sd, about.get("n"), about.get("where", ""), rest)
