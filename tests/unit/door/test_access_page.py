"""Who logged on, was refused and acted, on a page: the floor's own record, and whether it verifies."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import PATIENCE_S
from door_floor import ELSEWHERE, DoorFloor, Person, at_door, error
from wall_clock import Computer

from controller.door.access_log import LOGGED_ON, REFUSED_LOG_ON
from controller.floor.pages.access import PAGE
from controller.floor.record import record_reader
from controller.floor.record.floor_record import FloorRecord
from controller.floor.record.record_reader import ChainState, RecordReader


async def page(floor: DoorFloor, person: Person, query: str = "") -> dict[str, Any]:
    answer = await floor.get(person, f"/access.json?{query}")
    assert answer.status == 200, answer.body
    document: dict[str, Any] = json.loads(answer.body)
    return document


def test_what_people_did_is_shown_newest_first_and_is_chosen_by_person_and_kind(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        eve, ben = floor.person("eve", "administer"), floor.person("ben", "acknowledge")
        await floor.log_on(eve)
        await floor.log_on(ben)
        await floor.post(ben, "/alerts/acknowledge", {"id": 1, "reason": "the lamp was changed"})
        await floor.log_on(ben, password="a guess of twelve")
        document = await page(floor, eve)
        kinds = [one["kind"] for one in document["entries"]]
        assert kinds == [REFUSED_LOG_ON, "alert-acknowledged", LOGGED_ON, LOGGED_ON]
        acknowledged = document["entries"][1]
        assert (acknowledged["person"], acknowledged["origin"]) == ("ben", ELSEWHERE)
        assert acknowledged["what"]["reason"] == "the lamp was changed"
        assert acknowledged["what"]["alert"] == "1"
        assert set(kinds) <= set(document["kinds"])
        chosen = await page(floor, eve, f"kind={LOGGED_ON}&person=BE")
        assert [one["person"] for one in chosen["entries"]] == ["ben"]
        assert (await page(floor, eve, "person=zoe"))["entries"] == []
        chain = document["chain"]
        assert (chain["total"], chain["verified"], chain["problem"]) == (4, 4, "")
        assert chain["whole_ms"] is not None

    at_door(tmp_path, exchange)


def test_many_entries_come_in_pages_none_twice_and_none_left_out(tmp_path: Path) -> None:
    async def exchange(floor: DoorFloor) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        for number in range(2 * PAGE):
            floor.record.write("exported", "ana", {"number": number})
        found: list[int] = []
        before, pages = 0, 0
        while pages == 0 or before:
            document = await page(floor, eve, f"before={before}")
            found += [one["seq"] for one in document["entries"]]
            before, pages = document["before"], pages + 1
        assert found == list(range(2 * PAGE + 1, 0, -1))
        assert pages == 3

    at_door(tmp_path, exchange)


def test_one_call_looks_at_so_many_entries_and_says_where_older_ones_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_reader, "MOST_LOOKED_AT", 10)

    async def exchange(floor: DoorFloor) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        for _ in range(25):
            floor.record.write("exported", "ana")
        seen, before = [], 0
        for _ in range(3):
            document = await page(floor, eve, f"person=eve&before={before}")
            before = document["before"]
            seen.append((len(document["entries"]), before))
        assert seen == [(0, 17), (0, 7), (1, 0)]

    at_door(tmp_path, exchange)


@pytest.mark.parametrize("role", ["look", "acknowledge"])
def test_only_who_administers_sees_what_others_did_and_an_attempt_is_on_record_once(
    tmp_path: Path, role: str
) -> None:
    async def exchange(floor: DoorFloor) -> None:
        ana = floor.person("ana", role)
        await floor.log_on(ana)
        for path in ("/access", "/access.json", "/access.json?kind=exported", "/access/1", "/access/2"):
            answer = await floor.get(ana, path)
            assert (answer.status, error(answer)) == (403, f"your role is {role}; this needs the role administer")
        assert (await floor.get(None, "/access.json")).status == 401
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        assert (await floor.get(eve, "/access")).status == 200

    assert at_door(tmp_path, exchange).kinds() == [LOGGED_ON, "access-refused", LOGGED_ON]


@pytest.mark.parametrize("before", ["-1", "x", "9" * 16, "1e3", "²"])
def test_what_is_no_number_of_an_entry_is_refused(tmp_path: Path, before: str) -> None:
    async def exchange(floor: DoorFloor) -> None:
        eve = floor.person("eve", "administer")
        await floor.log_on(eve)
        answer = await floor.get(eve, f"/access.json?before={before}")
        assert (answer.status, error(answer)) == (400, "'before' must be the number of an entry")

    at_door(tmp_path, exchange)


# -- whether the record verifies -----------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Iterator[FloorRecord]:
    made = FloorRecord(tmp_path / "floor.record", Computer("2027-03-01"))
    for number in range(12):
        made.write(LOGGED_ON, "ana", {"number": number})
    yield made
    made.close()


def forge(folder: Path, statement: str) -> None:
    """Change the record's file as somebody does who can write it."""
    with sqlite3.connect(folder / "floor.record") as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(statement)
    db.close()


def states(reader: RecordReader, calls: int, now_ms: int = 0) -> list[tuple[int, bool]]:
    found = []
    for _ in range(calls):
        state: ChainState = reader.verified(now_ms)
        found.append((state.verified, state.whole_ms is not None))
    return found


def test_a_long_record_is_verified_in_slices_and_goes_on_with_what_is_written(
    record: FloorRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_reader, "SLICE", 5)
    reader = RecordReader(record)
    assert states(reader, 3) == [(5, False), (10, False), (12, True)]
    record.write(LOGGED_ON, "ben")
    assert states(reader, 1) == [(13, True)]
    assert states(reader, 3, record_reader.AGAIN_MS) == [(5, True), (10, True), (13, True)], (
        "again from the first on"
    )


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE entries SET body = replace(body, 'ana', 'eve') WHERE seq = 3", "entry 3 .* does not fit"),
        ("DELETE FROM entries WHERE seq = 3", "entry 3 is missing"),
        ("DELETE FROM entries WHERE seq > 9", "the entries from 10 to 12 are missing"),
    ],
)
def test_a_record_that_was_changed_meanwhile_is_named(
    tmp_path: Path, record: FloorRecord, statement: str, words: str
) -> None:
    reader = RecordReader(record)
    assert reader.verified(0).problem == ""
    forge(tmp_path, statement)
    problem = reader.verified(record_reader.AGAIN_MS).problem
    assert re.search(words, problem), problem


def test_a_record_that_was_written_anew_with_all_its_hashes_is_named(tmp_path: Path, record: FloorRecord) -> None:
    other = FloorRecord(tmp_path / "other.record", Computer("2027-03-01"))
    for number in range(12):
        other.write(LOGGED_ON, "eve", {"number": number})
    rows = [tuple(entry) for entry in reversed(other.latest(20))]
    other.close()
    forge(tmp_path, "DELETE FROM entries")
    with sqlite3.connect(tmp_path / "floor.record") as db:
        db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    db.close()
    assert RecordReader(record).verified(0).problem == "entry 12 is not the one that this floor wrote"


def test_log_ons_do_not_wait_while_the_record_is_read(record: FloorRecord) -> None:
    """A page that is being made of a record on disk holds nothing that a log-on needs."""

    async def both() -> None:
        with record.reading() as journal:
            entries = journal.backwards()
            next(entries)
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.to_thread(record.write, LOGGED_ON, "ben")
            entries.close()

    asyncio.run(both())
    assert record.end()[0] == 13
