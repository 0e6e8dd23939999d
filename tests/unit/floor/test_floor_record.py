"""What people do at the floor stays on its own record, and nobody changes it unseen."""

import json
import sqlite3
import threading
from pathlib import Path

import pytest
from wall_clock import Computer

from controller.floor.record.floor_record import FloorRecord
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal


def test_what_a_person_did_is_on_record_with_who_and_when(tmp_path: Path) -> None:
    file = tmp_path / "floor.record"
    record = FloorRecord(file, Computer("2027-03-01"))
    record.write("fork-settled", "m.diaz", {"what": "stored", "reason": "seen at the table"})
    record.write("quota-reached", what={"table": "big-six-1"})
    record.close()
    again = FloorRecord(file, Computer("2027-03-01"))
    last, first = again.latest(2)
    assert (first.kind, json.loads(first.body)["person"]) == ("fork-settled", "m.diaz")
    assert json.loads(first.body)["reason"] == "seen at the table"
    assert json.loads(last.body) == {"person": "", "table": "big-six-1"}
    assert again.latest(1) == [last]
    again.close()


def test_threads_write_one_chain(tmp_path: Path) -> None:
    file = tmp_path / "floor.record"
    record = FloorRecord(file, Computer("2027-03-01"))
    threads = [
        threading.Thread(target=lambda: [record.write("gap-settled", "a") for _ in range(20)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record.close()
    journal = Journal(file, read_only=True)
    assert (len(journal), journal.verify().problem) == (80, "")
    journal.close()


def test_entries_missing_at_its_end_and_changed_ones_are_named(tmp_path: Path) -> None:
    file = tmp_path / "floor.record"
    record = FloorRecord(file, Computer("2027-03-01"))
    for _ in range(3):
        record.write("gap-settled", "a")
    record.close()
    with sqlite3.connect(file) as db:
        db.execute("DROP TRIGGER no_delete")
        db.execute("DELETE FROM entries WHERE seq = 3")
    db.close()
    with pytest.raises(JournalDamagedError, match="entry 3 is missing at its end"):
        FloorRecord(file, Computer("2027-03-01"))


def test_of_two_floors_on_one_record_the_second_is_refused(tmp_path: Path) -> None:
    record = FloorRecord(tmp_path / "floor.record", Computer("2027-03-01"))
    with pytest.raises(JournalError):
        FloorRecord(tmp_path / "floor.record", Computer("2027-03-01"))
    record.close()
