"""Rows as text: CSV (RFC 4180) for spreadsheets, JSON for programs.

A cell that a spreadsheet would read as a formula (it begins with = + - @, a tab or a line break) gets an apostrophe
before it (OWASP, CSV injection), and so does one that begins with an apostrophe. A program that removes one leading
apostrophe from each text gets what is stored. JSON and Parquet have it as it is.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

_GUARDED = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def csv_text(columns: Sequence[str], batches: Iterable[Iterable[Sequence[Any]]]) -> Iterator[bytes]:
    """A header line and a line for each row, UTF-8; lists and parts within a cell are separated by ``; ``."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for rows in batches:
        writer.writerows(map(_cells, rows))
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def json_text(columns: Sequence[str], batches: Iterable[Iterable[Sequence[Any]]]) -> Iterator[bytes]:
    """An array with an object for each row, UTF-8."""
    before = "["
    for rows in batches:
        lines = [
            json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False, allow_nan=False) for row in rows
        ]
        if lines:
            yield (before + ", ".join(lines)).encode()
            before = ", "
    yield b"[]\n" if before == "[" else b"]\n"


def _cells(row: Sequence[Any]) -> list[object]:
    return [_cell(value) for value in row]


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        return _guarded(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return _guarded("; ".join(f"{name}={part}" for name, part in value.items()))
    if isinstance(value, list | tuple):
        return _guarded("; ".join(map(str, value)))
    return _guarded(str(value))


def _guarded(text: str) -> str:
    return f"'{text}" if text.startswith(_GUARDED) else text
