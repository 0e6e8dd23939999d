"""What leaves the floor as CSV: whole, read back as it is stored, and harmless in a spreadsheet."""

import csv
import io
from typing import Any

import pytest
from exported_floor import exported, fill_awkwardly, stored
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine
from stored_floor import NOW_MS, a_round, insert

from controller.floor.exports.csv_export import csv_text, export_csv
from controller.floor.exports.export_rows import ExportError, TooMuchError, check_size
from controller.floor.exports.export_tables import EXPORTS, ROUNDS
from controller.floor.queries.scope import scope_of
from controller.floor.store.hour_sums import begin_sums


def read(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8"), newline="")))


def encoded(engine: Engine, what: str = "rounds", **words: str) -> bytes:
    with engine.connect() as connection:
        return b"".join(export_csv(connection, EXPORTS[what], scope_of(words, NOW_MS)))


def rows(engine: Engine, **words: str) -> list[dict[str, str]]:
    return read(encoded(engine, **words))


def as_in_csv(value: Any) -> str:
    """What a cell says, without the apostrophe that keeps it from being a formula."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}={amount}" for name, amount in value.items())
    if isinstance(value, list):
        return "; ".join(value)
    return "" if value is None else str(value)


@pytest.mark.parametrize("what", EXPORTS)
def test_every_row_is_exported_as_the_store_has_it(engine: Engine, what: str) -> None:
    fill_awkwardly(engine)
    found, expected = read(exported(engine, what)), stored(engine, what)
    assert len(found) == len(expected) > 0
    for row, true in zip(found, expected, strict=True):
        assert list(row) == list(true)
        for name, value in true.items():
            guarded = not isinstance(value, int)  # A number is never touched.
            assert row[name] == as_in_csv(value) or (guarded and row[name] == f"'{as_in_csv(value)}"), name


@pytest.mark.parametrize("column", ["table", "wheel", "dealer", "game"])
def test_rounds_are_chosen_by_name(engine: Engine, column: str) -> None:
    names = ("it", "another", "It")
    insert(
        engine,
        {
            "rounds": [
                a_round("t", 1 + at, NOW_MS - 1000, record=str(at)) | {column: name}
                for at, name in enumerate(names)
            ]
        },
    )
    assert [one[column] for one in rows(engine, **{column: "it"})] == ["it"]
    assert rows(engine, **{column: "it' or '1'='1"}) == []


def test_an_export_in_memory_is_whole_or_refused(engine: Engine) -> None:
    insert(engine, {"rounds": [a_round("a", number, NOW_MS - number) for number in range(4)]})
    with engine.connect() as connection:
        check_size(connection, ROUNDS, scope_of({}, NOW_MS), 3)
        with pytest.raises(TooMuchError, match=r"3 rounds.*at most 2.*'from'"):
            check_size(connection, ROUNDS, scope_of({}, NOW_MS), 2)


def test_sums_that_are_not_complete_are_refused(engine: Engine) -> None:
    with pytest.raises(ExportError, match="not complete yet"):
        encoded(engine, "sums")
    insert(engine, {"rounds": [a_round("a", 1, NOW_MS - 1)]})
    with engine.begin() as db:
        begin_sums(db)
    with pytest.raises(ExportError, match="not complete yet"):
        encoded(engine, "sums")


@given(st.lists(st.text(max_size=12), min_size=2, max_size=2))
def test_any_cell_content_is_read_back(texts: list[str]) -> None:
    encodable = [text.encode("utf-8", "replace").decode() for text in texts]
    body = b"".join(csv_text(("one", "two"), [[encodable]]))
    header, line = csv.reader(io.StringIO(body.decode(), newline=""))
    assert header == ["one", "two"]
    assert [cell.removeprefix("'") for cell in line] == encodable
    assert not [cell for cell in line if cell[:1] in "=+-@\t\r\n" and cell]
