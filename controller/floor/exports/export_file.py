"""Writes an export as a file, in any of its formats: complete under its name, or not there at all.

``floor --export`` writes files of any size; the pages write into memory, of limited size.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from sqlalchemy import Connection

from controller import __version__
from controller.floor.exports.export_rows import check_complete, row_batches
from controller.floor.exports.export_tables import Cells, ExportTable
from controller.floor.exports.text_formats import csv_text, json_text
from controller.floor.queries.scope import Scope

FORMATS = ("csv", "json", "parquet")


class ExportFileError(Exception):
    """The file cannot be written; the message says why and what to do. Nothing is left of it."""


def write_export(
    sink: IO[bytes],
    connection: Connection,
    table: ExportTable,
    scope: Scope,
    format_: str,
    advance: Callable[[int], None] = lambda _: None,
) -> int:
    """Write all rows of a scope; returns how many.

    Args:
        connection: in a transaction that sees one state of the store.
        format_: one of :data:`FORMATS`.
        advance: is called with the number of the store's rows that were read since the last call.

    Raises:
        ExportError: the store does not have all rows of the scope; nothing is written.
        SQLAlchemyError: the store cannot be read on.
        OSError: the sink takes no more.
    """
    check_complete(connection, table, scope)
    written = 0

    def counted() -> Iterator[list[Cells]]:
        nonlocal written
        for read, rows in row_batches(connection, table, scope):
            written += len(rows)
            yield rows
            advance(read)

    _encode(sink, table, counted(), format_, _about(table, scope))
    return written


def _encode(
    sink: IO[bytes], table: ExportTable, batches: Iterable[list[Cells]], format_: str, about: dict[str, str]
) -> None:
    if format_ == "parquet":
        from controller.floor.exports.parquet_format import write_parquet  # Only who asks for it loads Arrow.

        write_parquet(sink, table, batches, about)
        return
    encode = csv_text if format_ == "csv" else json_text
    for piece in encode([one.name for one in table.columns], batches):
        sink.write(piece)


def _about(table: ExportTable, scope: Scope) -> dict[str, str]:
    chosen = {name: getattr(scope, name) for name in table.parameters if getattr(scope, name, "")}
    about = {"export": table.name, "from": scope.since, "to": scope.until, **chosen}
    return {**about, "software": f"table-controller {__version__}"}


def format_of(file: Path) -> str:
    """The format that a file's name ends with.

    Raises:
        ExportFileError: it is none.
    """
    format_ = file.suffix.removeprefix(".").lower()
    if format_ not in FORMATS:
        raise ExportFileError(f"{file}: let the name end in .{', .'.join(FORMATS[:-1])} or .{FORMATS[-1]}")
    return format_


@contextmanager
def new_file(file: Path, overwrite: bool) -> Iterator[IO[bytes]]:
    """A file to be written, which takes its name once it is complete and on the disk. Its owner alone may read it.

    Raises:
        ExportFileError: there is one already and it is not to be replaced, or it cannot be written.
    """
    _refuse_existing(file, overwrite)
    try:
        beside = NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", suffix=".part", delete=False)  # noqa: SIM115
    except OSError as error:
        raise _unwritable(file, error) from error
    try:
        with beside:
            yield beside.file
            beside.flush()
            os.fsync(beside.fileno())
        _refuse_existing(file, overwrite)
        os.replace(beside.name, file)
    except OSError as error:
        raise _unwritable(file, error) from error
    finally:
        Path(beside.name).unlink(missing_ok=True)


def _refuse_existing(file: Path, overwrite: bool) -> None:
    if file.is_dir():
        raise ExportFileError(f"{file}: is a folder; name a file in it")
    if file.exists() and not overwrite:
        raise ExportFileError(f"{file}: exists already; name another file, or add --overwrite")


def _unwritable(file: Path, error: OSError) -> ExportFileError:
    return ExportFileError(f"{file}: cannot be written: {error.strerror or error}; check the folder and the disk")
