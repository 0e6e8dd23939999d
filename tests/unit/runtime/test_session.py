"""A table as it runs, on one medium or two, and what it does when its journal cannot be used."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import PATIENCE_S
from limits_table import new, next_round
from running_session import Runs
from tampering import change

from config.schema import TableConfig
from controller import __version__
from controller.commands.cli import main
from controller.events.event import SensorHealth, TableStarted
from controller.journal.chain import Entry
from controller.journal.errors import JournalInUseError, JournalUnwritableError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.set_aside import REPLACED, examine, noted
from controller.runtime import session as running
from controller.runtime import watches
from hal.clock import LoopClock
from hal.wall_time import SetBy

READY = "table dreamcatcher is ready"
DAMAGED = "the table is closed: the journal is damaged"
Start = Callable[..., Runs]
Shipped = Callable[[str], TableConfig]


@pytest.fixture
def mirror(file: Path) -> Path:
    return file.parents[1] / "stick" / "table.journal"


def begin_anew(table: Runs) -> str:
    """The floorperson decides; what the new record says of the old one."""
    table.decide("Begin a new journal, and keep the old one")
    table.until(lambda: table._log().rpartition("the table is closed")[2].count(READY) == 1)
    assert not noted(table.file, REPLACED), "it is on record"
    event = of_entry(table.entries()[0]).event
    assert isinstance(event, TableStarted)
    return str(event.replaces)


def recorded(file: Path) -> list[Entry]:
    with closing(Journal(file, read_only=True)) as journal:
        assert journal.verify().problem == ""
        return list(journal.entries())


def ran(table: Runs) -> list[Entry]:
    """The record of a table that was stopped once somebody had turned the key."""
    table.logs(READY)
    table.press("floor-key")
    table.logs("the floorperson's key turned")
    table.press("clear")
    assert table.end() == 0
    return recorded(table.file)


# -- a journal that cannot be used ---------------------------------------------------------------------------------


def test_a_journal_of_another_version_is_quarantined_under_that_name(runs: Start, file: Path) -> None:
    """Its checkpoint has a field that this version does not know; its chain fits."""
    start = ran(runs())[0]
    file.unlink()
    anchor_file(file).unlink()
    kept = json.loads(start.checkpoint or "")
    kept["round"]["data"]["weight"] = 9
    with closing(Journal(file)) as other:
        body = start.body.replace(f'"version":"{__version__}"', '"version":"0.0.9"')
        other.append(start.round, start.at_ns, 0, start.kind, body, json.dumps(kept))
    table = runs()
    table.logs("the table is closed: the journal is of another version")
    assert "data.weight: unknown; version 0.0.9" in table._log()
    assert "damaged" not in table._log()
    assert "data.weight: unknown; version 0.0.9" in begin_anew(table)
    assert len(list(file.parent.glob("table.of-another-version-*.journal"))) == 1


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_damaged_journal_keeps_the_table_closed_until_the_floorperson_decides(
    runs: Start, file: Path, mirror: Path, mirrored: bool
) -> None:
    both = mirror if mirrored else None
    ran(runs(mirror=both))
    change(file, "UPDATE entries SET at_ns = 1 WHERE kind = 'floor-key-turned'")
    damaged = file.read_bytes()
    table = runs(mirror=both)
    table.logs(DAMAGED)
    assert "(round 1, floor-key-turned) does not fit" in table._log()
    assert table.end() == 0, "a closed table can be stopped, and nothing is decided"
    assert len(list(file.parent.glob("*.journal"))) == 1
    table = runs(mirror=both)
    table.logs(DAMAGED)
    replaced = begin_anew(table)
    kept = [*file.parent.glob("table.damaged-*.journal"), *mirror.parent.glob("table.damaged-*.journal")]
    assert len(kept) == 1 + mirrored
    assert all(one.name in replaced for one in kept)
    assert examine(kept[0]).head in replaced
    assert kept[0].read_bytes() == damaged
    assert table.end() == 0
    assert not mirrored or recorded(file) == recorded(mirror)


def delete(file: Path) -> None:
    file.unlink()


def delete_log(file: Path) -> None:
    Path(f"{file}-wal").unlink()


def roll_back(file: Path) -> None:
    """Another record, anchor and all."""
    older = file.with_name("older.journal")
    with closing(Journal(older)) as shorter:
        shorter.append(0, 0, 0, "press", "{}", None)
    anchor_file(older).replace(anchor_file(file))
    older.replace(file)
    Path(f"{file}-wal").unlink()


@pytest.mark.parametrize("attack", [delete, delete_log, roll_back])
def test_a_journal_that_is_taken_away_closes_the_table_and_no_entry_is_lost(
    attack: Callable[[Path], None], runs: Start, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "LOOKS_NS", 1_000_000)
    table = runs()
    table.logs(READY)
    table.press("floor-key")
    table.logs("the floorperson's key turned")
    head = table.entries()[-1].hash
    attack(file)
    table.logs(DAMAGED)
    replaced = begin_anew(table)
    (rescued,) = file.parent.glob("table.rescued-*.journal")
    assert rescued.name in replaced
    assert head in replaced


def test_a_symbolic_link_does_not_open_a_record_twice(file: Path) -> None:
    other = file.with_name("other.journal")
    with closing(Journal(file)):
        other.symlink_to(file)
        with pytest.raises(JournalInUseError):
            Journal(other)


def disk(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Error]:
    """As long as an error is in the list, entries cannot be written, because of it."""
    connect, failing = sqlite3.connect, list[sqlite3.Error]()

    class Disk(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:  # type: ignore[override]
            if failing and statement.startswith("INSERT"):
                raise failing[0]
            return super().execute(statement, *values)

    opened_on = "controller.journal.journal.sqlite3.connect"
    monkeypatch.setattr(opened_on, lambda *names, **more: connect(*names, **more, factory=Disk))
    return failing


def test_a_disk_that_is_full_closes_the_table_until_it_is_not(
    runs: Start, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be recorded did not happen; what was recorded remains.

    On small blocks SQLite would write to memory that has no block, and the process would end by SIGBUS.
    """
    with monkeypatch.context() as patched:
        statvfs = os.statvfs_result((1024, 1024, 8192, 500, 100, 0, 0, 0, 0, 255))
        patched.setattr(os, "statvfs", lambda _: statvfs)
        with pytest.raises(JournalUnwritableError, match="the disk is full, 100 kB are left; free space on"):
            Journal(file)
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    failing = disk(monkeypatch)
    table = runs()
    table.logs(READY)
    failing.append(sqlite3.OperationalError("database or disk is full"))
    table.press("floor-key")
    table.logs("the table is closed: the journal cannot be written: database or disk is full; free space")
    assert table._log().count("the table is closed: the journal") == 1, "once, not at each trial"
    assert "the floorperson's key turned" not in table._log()
    failing.clear()
    table.until(lambda: table._log().count(READY) == 2)
    ran(table)


def test_a_page_that_cannot_be_written_is_damage(runs: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = disk(monkeypatch)
    table = runs()
    table.logs(READY)
    malformed = sqlite3.DatabaseError("database disk image is malformed")
    malformed.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    failing.append(malformed)
    table.press("floor-key")
    table.logs(DAMAGED)
    failing.clear()
    assert "malformed" in begin_anew(table)


def played(config: TableConfig, file: Path, mirror: Path | None) -> None:
    """A round, and another one with a result that is not cleared."""
    rig = new(config, file, mirror=mirror)
    next_round(rig)
    rig.press("no-more-bets")
    rig.spin(3.3, stop_on="40")
    rig.press("done", "done")
    rig.table.stop()
    rig.journal.close()


@pytest.mark.parametrize("of_mirror", [False, True])
def test_what_an_audit_finds_closes_the_table_after_the_round_or_leaves_the_mirror_out(
    runs: Start, shipped: Shipped, file: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch, of_mirror: bool
) -> None:
    monkeypatch.setattr("controller.journal.audit.EVERY_NS", 1_000_000)
    monkeypatch.setattr(running, "RETRY_S", PATIENCE_S)
    played(shipped("dreamcatcher"), file, mirror)
    change(mirror if of_mirror else file, "UPDATE entries SET at_ns = 1 WHERE seq = 2")
    table = runs(mirror=mirror)
    table.logs(READY)
    if of_mirror:
        table.logs("the mirror cannot be used")
        assert "after this round the table is closed" not in table._log()
        return
    table.logs("the journal is damaged: entry 2 (round 1, wheel-thrown) does not fit; after this round")
    assert DAMAGED not in table._log()
    table.press("clear")
    table.logs(DAMAGED)
    waits = table.manager.notified
    for _ in range(1000):
        table.run(lambda: None)
    assert table.manager.notified == waits <= 3, "it says that it waits, and waits"


# -- a mirror ------------------------------------------------------------------------------------------------------


def test_a_new_mirror_is_filled_and_a_journal_is_made_of_it_when_a_person_says_so(
    runs: Start, file: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.journal.journal._BATCH", 2)
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    before = ran(runs())
    table = runs(mirror=mirror)
    table.manager.MOST = 100
    after = ran(table)
    assert table.manager.notified >= len(before) // 2 - 1, "systemd hears that it is at work"
    assert recorded(mirror) == after
    (event,) = (of_entry(entry).event for entry in after if entry.kind == "sensor-health")
    assert isinstance(event, SensorHealth)
    assert (event.sensor, event.found.code) == ("mirror", "entries-copied")
    assert event.found.parameters["entries"] == len(before)
    file.unlink()
    anchor_file(file).unlink()
    table = runs(mirror=mirror)
    table.manager.MOST = 1000
    table.logs("a technician decides which one counts")
    assert table.end() == 0
    assert main(["journal", "recover", str(file), "--from", str(mirror)]) == 0
    for _ in "12":
        again = ran(runs(mirror=mirror))
        assert again[: len(after)] == after
        (found,) = (of_entry(entry).event for entry in again[len(after) :] if entry.kind == "sensor-health")
        assert isinstance(found, SensorHealth)
        assert (found.found.code, found.found.parameters["source"]) == ("journal-recovered", str(mirror)), "once"


def test_a_mirror_on_the_same_medium_is_none(runs: Start, file: Path, mirror: Path) -> None:
    """As where the stick is not mounted: its folder is then on the card."""
    ran(runs())
    table = runs(mirror=mirror, distinct=True)
    table.logs("it would be on the same medium as the journal (is its own medium mounted?)")
    ran(table)
    assert not mirror.exists()


# -- the clock -----------------------------------------------------------------------------------------------------


def test_a_wall_time_that_nobody_set_or_that_is_behind_the_record_is_on_record_until_it_is_set(
    runs: Start, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "LOOKS_NS", 0)
    table = runs(set_by=SetBy.NOBODY)
    table.logs("is ready")
    (alert,) = table.dealer()["alerts"]
    assert alert["text"] == "The clock may be wrong: not set since the computer was switched on."
    table.clock_set_by = SetBy.NETWORK
    table.logs("the clock was set: 0 s later")
    table.end()
    assert [entry.kind for entry in recorded(file)] == ["table-started", "clock-checked", "clock-checked"]
    true_ns = LoopClock.utc_ns
    monkeypatch.setattr(LoopClock, "utc_ns", lambda clock: true_ns(clock) - 9 * 86_400 * 10**9)
    table = runs()
    table.logs("and the record ends on")
    stamps = [entry.utc for entry in ran(table)]
    assert stamps == sorted(stamps)
