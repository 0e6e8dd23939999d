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

from controller.floor.queries import export
from controller.floor.queries.export import COLUMNS, FIGURES, TooMuchError, as_csv, as_json_array
from controller.floor.queries.scope import scope_of


def read(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode("utf-8"), newline="")))


def rows(engine: Engine, **words: str) -> export.ExportedRows:
    with engine.connect() as connection:
        return export.exported_rounds(connection, scope_of(words, NOW_MS))


def test_rounds_come_in_order_with_every_column(engine: Engine) -> None:
    later = a_round("b", 1, NOW_MS - MINUTE_MS, results=["2x", "10"], voids=["sensor"], checked=False)
    insert(engine, {"rounds": [later, a_round("a", 4, NOW_MS - 2 * MINUTE_MS), a_round("a", 0, NOW_MS - 1)]})
    found = read(as_csv(COLUMNS, rows(engine)))
    assert [(one["table"], one["number"]) for one in found] == [("a", "4"), ("b", "1")], "0 is no round"
    assert list(found[0]) == list(COLUMNS)
    assert (found[1]["results"], found[1]["voids"], found[1]["checked"]) == ("2x; 10", "sensor", "no")
    assert found[0]["phases"] == "bets-open=30000; spinning=20000; result=10000"
    assert found[0]["closed"] == later["closed"].replace("59:00", "58:00")
    documents = json.loads(as_json_array(rows(engine)))
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


def test_an_export_is_whole_or_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MOST_ROUNDS", 3)
    insert(engine, {"rounds": [a_round("a", number, NOW_MS - number) for number in range(4)]})
    assert len(rows(engine)) == 3
    insert(engine, {"rounds": [a_round("a", 4, NOW_MS - 10)]})
    with pytest.raises(TooMuchError, match=r"4 rounds.*at most 3.*'from'"):
        rows(engine)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "\n=1"])
def test_no_cell_is_a_formula(engine: Engine, text: str) -> None:
    insert(engine, {"rounds": [a_round("t", 1, NOW_MS - 1, dealer=text, wheel=text, results=[text], voids=[text])]})
    (found,) = read(as_csv(COLUMNS, rows(engine)))
    for name in ("dealer", "wheel", "results", "voids"):
        assert found[name] == f"'{text}"
    (document,) = json.loads(as_json_array(rows(engine)))
    assert document["dealer"] == text, "a program gets what is stored"


@given(st.lists(st.text(max_size=12), min_size=2, max_size=2))
def test_any_cell_content_is_read_back(texts: list[str]) -> None:
    encodable = [text.encode("utf-8", "replace").decode() for text in texts]
    body = as_csv(("one", "two"), [dict(zip(("one", "two"), encodable, strict=True))])
    header, line = csv.reader(io.StringIO(body.decode(), newline=""))
    assert header == ["one", "two"]
    assert [cell.removeprefix("'") for cell in line] == [text.removeprefix("'") for text in encodable]
    assert not [cell for cell in line if cell[:1] in "=+-@\t\r\n" and cell]


def test_lines_end_and_cells_are_quoted_as_rfc_4180_has_it() -> None:
    assert as_csv(("a", "b"), [{"a": 'say "x", y', "b": None}]) == b'a,b\r\n"say ""x"", y",\r\n'


def test_statistics_name_their_first_column_after_what_they_are_by(engine: Engine) -> None:
    played: dict[str, Any] = {"dealer": "104", "voids": ["sensor"], "corrections": 2}
    insert(engine, {"rounds": [a_round("t", 1, NOW_MS - 1, **played), a_round("t", 2, NOW_MS - 2)]})
    with engine.connect() as connection:
        figures = export.exported_statistics(connection, scope_of({}, NOW_MS), "dealer")
    found = read(as_csv(export.columns_of_statistics("dealer"), figures))
    assert list(found[0]) == ["dealer", *FIGURES[1:]]
    assert [one["dealer"] for one in found] == ["", "104"]
    assert (found[1]["rounds"], found[1]["void_rate"], found[1]["voids"]) == ("1", "0.5", "sensor=1")
    assert (found[1]["corrections_per_1000"], found[0]["void_rate"]) == ("2000.0", "0.0")
