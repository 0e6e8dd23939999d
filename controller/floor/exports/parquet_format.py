"""Rows as Parquet, one row group at a time. Whoever imports this module loads Arrow: some 60 MB."""

from collections.abc import Iterable, Sequence
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from controller.floor.exports.export_tables import Cells, ColumnKind, ExportColumn, ExportTable

ROW_GROUP = 20_000
"""How many rows are in a row group, at least: that many are in memory."""
_TIME = pa.timestamp("ms", tz="UTC")
_AMOUNTS = pa.map_(pa.string(), pa.int64())
_NAME = pa.dictionary(pa.int32(), pa.string())
_TYPES = {
    ColumnKind.TEXT: pa.string(),
    ColumnKind.NAME: _NAME,
    ColumnKind.WHOLE: pa.int64(),
    ColumnKind.YES_NO: pa.bool_(),
    ColumnKind.TIME: _TIME,
    ColumnKind.TEXTS: pa.list_(pa.field("element", pa.string(), nullable=False)),
    ColumnKind.AMOUNTS: _AMOUNTS,
}


def arrow_schema(table: ExportTable, about: dict[str, str]) -> pa.Schema:
    """The schema of an export.

    Args:
        about: what the file is of; it is kept as the file's key-value metadata.
    """
    fields = [pa.field(one.name, _TYPES[one.kind], nullable=one.nullable) for one in table.columns]
    return pa.schema(fields, metadata=about)


def write_parquet(
    sink: IO[bytes], table: ExportTable, batches: Iterable[list[Cells]], about: dict[str, str]
) -> None:
    """Write a whole file.

    Raises:
        OSError: it cannot be written.
        ArrowInvalid: a time of the store is none.
    """
    schema = arrow_schema(table, about)
    group: list[Cells] = []
    with pq.ParquetWriter(sink, schema, compression="zstd", version="2.6") as writer:
        for rows in batches:
            group += rows
            if len(group) >= ROW_GROUP:
                writer.write_batch(_record_batch(table.columns, schema, group))
                group = []
        if group:
            writer.write_batch(_record_batch(table.columns, schema, group))


def _record_batch(columns: Sequence[ExportColumn], schema: pa.Schema, rows: list[Cells]) -> pa.RecordBatch:
    arrays = [_array(one.kind, values) for one, values in zip(columns, zip(*rows, strict=True), strict=True)]
    return pa.record_batch(arrays, schema=schema)


def _array(kind: ColumnKind, values: Sequence[object]) -> pa.Array:
    if kind is ColumnKind.TIME:
        return pa.array(values, pa.string()).cast(_TIME)
    if kind is ColumnKind.NAME:
        return pa.array(values, pa.string()).dictionary_encode()
    return pa.array(values, _TYPES[kind])
