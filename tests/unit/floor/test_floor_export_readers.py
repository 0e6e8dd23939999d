"""pandas and DuckDB read what the floor exports, and have what the store has: every row, value, time and null."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from exported_floor import AWKWARD, exported, fill_awkwardly, stored
from project import ROOT
from sqlalchemy import Engine

from controller.floor.exports import parquet_format
from controller.floor.exports.export_tables import EXPORTS, ColumnKind, ExportTable
from controller.floor.queries.scope import Scope

Rows = list[dict[str, Any]]


@pytest.fixture
def filled(engine: Engine) -> Engine:
    fill_awkwardly(engine)
    return engine


def from_pandas(file: Path, table: ExportTable) -> Rows:
    """As a person reads it: the two lines that docs/exports.md has."""
    if file.suffix == ".parquet":
        frame = pd.read_parquet(file)
    else:
        times = [one.name for one in table.columns if one.kind is ColumnKind.TIME]
        texts = {one.name: str for one in table.columns if one.kind not in (ColumnKind.WHOLE, ColumnKind.TIME)}
        frame = pd.read_csv(file, dtype=texts, parse_dates=times, keep_default_na=False, na_values={})
        for name in times:
            frame[name] = pd.to_datetime(frame[name], utc=True, format="ISO8601")
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def from_duckdb(file: Path, _: ExportTable) -> Rows:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        result = connection.execute(f"SELECT * FROM '{file}'")
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def plain(value: Any, kind: ColumnKind) -> Any:
    """A reader's value as Python's own."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if kind is ColumnKind.TIME:
        at: datetime = value.to_pydatetime() if isinstance(value, pd.Timestamp) else value
        return at.astimezone(UTC)
    if kind is ColumnKind.AMOUNTS:
        return {name: int(amount) for name, amount in (value.items() if isinstance(value, Mapping) else value)}
    if kind is ColumnKind.TEXTS:
        return [str(one) for one in value]
    return int(value) if kind is ColumnKind.WHOLE else value


def as_in_csv(value: Any, kind: ColumnKind) -> str:
    """What a cell of a CSV file says, without the apostrophe that keeps it from being a formula."""
    if value is None:
        return ""
    if kind is ColumnKind.AMOUNTS:
        return "; ".join(f"{name}={amount}" for name, amount in value.items())
    if kind is ColumnKind.TEXTS:
        return "; ".join(value)
    if kind is ColumnKind.YES_NO:
        return "yes" if value else "no"
    return str(value)


@pytest.mark.parametrize("read", [from_pandas, from_duckdb])
@pytest.mark.parametrize("what", EXPORTS)
def test_parquet_has_every_row_with_its_types(filled: Engine, tmp_path: Path, what: str, read: Any) -> None:
    found = read(exported(filled, what, tmp_path / f"{what}.parquet"), EXPORTS[what])
    kinds = {one.name: one.kind for one in EXPORTS[what].columns}
    assert found, "an empty file proves nothing"
    assert [{name: plain(value, kinds[name]) for name, value in row.items()} for row in found] == stored(
        filled, what
    )


@pytest.mark.parametrize("what", EXPORTS)
def test_pandas_reads_the_same_from_csv(filled: Engine, tmp_path: Path, what: str) -> None:
    table = EXPORTS[what]
    found = from_pandas(exported(filled, what, tmp_path / f"{what}.csv"), table)
    assert_same_csv(found, stored(filled, what), table)


@pytest.mark.parametrize("what", EXPORTS)
def test_duckdb_reads_the_same_from_csv(filled: Engine, tmp_path: Path, what: str) -> None:
    table = EXPORTS[what]
    file = exported(filled, what, tmp_path / f"{what}.csv")
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        types = {ColumnKind.WHOLE: "BIGINT", ColumnKind.TIME: "TIMESTAMPTZ"}
        named = {one.name: types.get(one.kind, "VARCHAR") for one in table.columns}
        result = connection.execute(f"SELECT * FROM read_csv('{file}', header = true, columns = {named})")
        found = [dict(zip(named, row, strict=True)) for row in result.fetchall()]
    assert_same_csv(found, stored(filled, what), table)


def assert_same_csv(found: Rows, expected: Rows, table: ExportTable) -> None:
    assert len(found) == len(expected) > 0
    for row, true in zip(found, expected, strict=True):
        for one in table.columns:
            value, should_be = (
                plain(
                    row[one.name], one.kind if one.kind in (ColumnKind.TIME, ColumnKind.WHOLE) else ColumnKind.TEXT
                ),
                true[one.name],
            )
            if one.kind in (ColumnKind.TIME, ColumnKind.WHOLE):
                assert value == should_be, one.name
            else:
                text = value or ""
                assert not text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")), one.name
                assert text.removeprefix("'") == as_in_csv(should_be, one.kind), one.name


def test_a_parquet_file_says_what_its_columns_are(filled: Engine, tmp_path: Path) -> None:
    file = pq.ParquetFile(exported(filled, "rounds", tmp_path / "rounds.parquet"))
    types = {field.name: str(field.type) for field in file.schema_arrow}
    assert types["closed"] == "timestamp[ms, tz=UTC]"
    assert types["dealer"] == "dictionary<values=string, indices=int32, ordered=0>"
    assert types["results"] == "list<element: string not null>"
    assert types["phases"].startswith("map<string, int64")
    assert file.schema_arrow.metadata[b"from"] == b"2026-11-19T18:00:00.000Z"
    assert file.schema_arrow.metadata[b"export"] == b"rounds"


def test_row_groups_are_of_limited_size(filled: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_format, "ROW_GROUP", 40)
    monkeypatch.setattr("controller.floor.exports.export_rows.BATCH", 16)
    file = exported(filled, "rounds", tmp_path / "rounds.parquet")
    groups = pq.ParquetFile(file).metadata
    sizes: Sequence[int] = [groups.row_group(at).num_rows for at in range(groups.num_row_groups)]
    assert sizes == [48, 48, 48, 27]
    assert sum(sizes) == len(stored(filled, "rounds")) == 160 + len(AWKWARD)
    assert from_duckdb(file, EXPORTS["rounds"])[-1]["table"] == stored(filled, "rounds")[-1]["table"]


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_without_rows_is_a_file_with_its_columns(engine: Engine, tmp_path: Path, what: str) -> None:
    fill_awkwardly(engine)
    nothing = Scope("2020-01-01T00:00:00.000Z", "2020-01-02T00:00:00.000Z")
    names = [one.name for one in EXPORTS[what].columns]
    assert list(pd.read_parquet(exported(engine, what, tmp_path / "a.parquet", nothing)).columns) == names
    assert list(pd.read_csv(exported(engine, what, tmp_path / "a.csv", nothing)).columns) == names
    assert exported(engine, what, tmp_path / "a.json", nothing).read_text() == "[]\n"


def test_the_queries_of_the_page_are_answered(filled: Engine, tmp_path: Path) -> None:
    page = (ROOT / "docs/exports.md").read_text()
    exported(filled, "rounds", tmp_path / "november.parquet")
    queries = page.partition("```sql\n")[2].partition("```")[0].strip().splitlines()
    assert len(queries) == 2
    with duckdb.connect() as connection:
        for query in queries:
            assert connection.execute(query.replace("november.parquet", f"{tmp_path}/november.parquet")).fetchall()
