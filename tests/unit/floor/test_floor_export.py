"""What leaves the floor as a file: whole, read back as it is stored, and harmless in a spreadsheet."""

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine
from stored_floor import MINUTE_MS, NOW_MS, a_round, insert

from controller.floor.exports import export_rows
from controller.floor.exports.export_file import write_export
from controller.floor.exports.export_rows import ExportError, TooMuchError, check_size
from controller.floor.exports.export_tables import EXPORTS, ROUNDS
from controller.floor.exports.text_formats import csv_text
from controller.floor.exports.whole_hours import hours_within
from controller.floor.queries import export
from controller.floor.queries.export import FIGURES
from controller.floor.queries.scope import Scope, scope_of
from controller.floor.store.hour_sums import begin_sums

COLUMNS = [one.name for one in ROUNDS.columns]


def read(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8"), newline="")))


def encoded(engine: Engine, format_: str, what: str = "rounds", **words: str) -> bytes:
    body = io.BytesIO()
    with engine.connect() as connection:
        write_export(body, connection, EXPORTS[what], scope_of(words, NOW_MS), format_)
    return body.getvalue()


def rows(engine: Engine, **words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(encoded(engine, "json", **words))
    return found


def test_rounds_come_in_order_with_every_column(engine: Engine) -> None:
    later = a_round("b", 1, NOW_MS - MINUTE_MS, results=["2x", "10"], voids=["sensor"], checked=False)
    insert(engine, {"rounds": [later, a_round("a", 4, NOW_MS - 2 * MINUTE_MS), a_round("a", 0, NOW_MS - 1)]})
    found = read(encoded(engine, "csv"))
    assert [(one["table"], one["number"]) for one in found] == [("a", "4"), ("b", "1")], "0 is no round"
    assert list(found[0]) == COLUMNS
    assert (found[1]["results"], found[1]["voids"], found[1]["checked"]) == ("2x; 10", "sensor", "no")
    assert found[0]["phases"] == "bets-open=30000; spinning=20000; result=10000"
    assert found[0]["closed"] == later["closed"].replace("59:00", "58:00")
    documents = rows(engine)
    assert documents[1]["results"] == ["2x", "10"]
    assert documents[1]["phases"] == later["phases"]
    assert documents[1]["hash"] == later["hash"]


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


@pytest.mark.parametrize("format_", ["csv", "json"])
def test_rows_are_the_same_however_many_are_read_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    insert(engine, {"rounds": [a_round("a", number, NOW_MS - number) for number in range(8)]})
    whole = encoded(engine, format_)
    for at_once in (1, 3, 7):
        monkeypatch.setattr(export_rows, "BATCH", at_once)
        assert encoded(engine, format_) == whole


def test_sums_are_of_whole_hours_alone() -> None:
    half_past = Scope("2026-11-21T08:30:00.000Z", "2026-11-21T12:59:59.999Z")
    assert hours_within(half_past) == ("2026-11-21T09", "2026-11-21T12")
    assert hours_within(Scope("2026-11-21T08:00:00.000Z", "2026-11-21T12:00:00.000Z")) == (
        "2026-11-21T08",
        "2026-11-21T12",
    )


def test_sums_that_are_not_complete_are_refused(engine: Engine) -> None:
    with pytest.raises(ExportError, match="not complete yet"):
        encoded(engine, "csv", "sums")
    insert(engine, {"rounds": [a_round("a", 1, NOW_MS - 1)]})
    with engine.begin() as db:
        begin_sums(db)
    with pytest.raises(ExportError, match="not complete yet"):
        encoded(engine, "csv", "sums")


def test_alerts_are_chosen_by_table_and_time_alone(engine: Engine) -> None:
    assert encoded(engine, "csv", "alerts").startswith(b"id,table,kind,at,")
    with pytest.raises(ValueError, match=r"'wheel'; known are table, house, from, to"):
        scope_of({"wheel": "x"}, NOW_MS, known=EXPORTS["alerts"].parameters)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "\n=1"])
def test_no_cell_is_a_formula(engine: Engine, text: str) -> None:
    insert(engine, {"rounds": [a_round("t", 1, NOW_MS - 1, dealer=text, wheel=text, results=[text], voids=[text])]})
    (found,) = read(encoded(engine, "csv"))
    for name in ("dealer", "wheel", "results", "voids"):
        assert found[name] == f"'{text}"
    (document,) = rows(engine)
    assert document["dealer"] == text, "a program gets what is stored"


@given(st.lists(st.text(max_size=12), min_size=2, max_size=2))
def test_any_cell_content_is_read_back(texts: list[str]) -> None:
    encodable = [text.encode("utf-8", "replace").decode() for text in texts]
    body = b"".join(csv_text(("one", "two"), [[encodable]]))
    header, line = csv.reader(io.StringIO(body.decode(), newline=""))
    assert header == ["one", "two"]
    assert [cell.removeprefix("'") for cell in line] == encodable
    assert not [cell for cell in line if cell[:1] in "=+-@\t\r\n" and cell]


def test_lines_end_and_cells_are_quoted_as_rfc_4180_has_it() -> None:
    assert b"".join(csv_text(("a", "b"), [[('say "x", y', None)]])) == b'a,b\r\n"say ""x"", y",\r\n'


def test_statistics_name_their_first_column_after_what_they_are_by(engine: Engine) -> None:
    played: dict[str, Any] = {"dealer": "104", "voids": ["sensor"], "corrections": 2}
    insert(engine, {"rounds": [a_round("t", 1, NOW_MS - 1, **played), a_round("t", 2, NOW_MS - 2)]})
    with engine.connect() as connection:
        figures = export.exported_statistics(connection, scope_of({}, NOW_MS), "dealer")
    found = read(b"".join(csv_text(export.columns_of_statistics("dealer"), [figures])))
    assert list(found[0]) == ["dealer", *FIGURES[1:]]
    assert [one["dealer"] for one in found] == ["", "104"]
    assert (found[1]["rounds"], found[1]["void_rate"], found[1]["voids"]) == ("1", "0.5", "sensor=1")
    assert (found[1]["corrections_per_1000"], found[0]["void_rate"]) == ("2000.0", "0.0")
