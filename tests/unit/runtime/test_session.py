"""A table as it runs, and what it does when its journal cannot be used."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from limits_table import new, next_round
from running_session import Runs
from tampering import change

from config.schema import TableConfig
from controller import __version__
from controller.events.event import TableStarted
from controller.journal.chain import Entry
from controller.journal.errors import JournalInUseError, JournalUnwritableError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.set_aside import examine
from controller.runtime import session as running
from controller.runtime import watches
from hal.clock import LoopClock
from hal.wall_time import SetBy

BEGIN = "Begin a new journal, and keep the old one"


def first(table: Runs) -> TableStarted:
    event = of_entry(table.entries()[0]).event
    assert isinstance(event, TableStarted)
    return event


def recorded(file: Path) -> list[Entry]:
    with closing(Journal(file, read_only=True)) as journal:
        return list(journal.entries())


def ran(table: Runs) -> list[Entry]:
    """The record of a table that was stopped once it was ready."""
    table.logs("is ready")
    assert table.end() == 0
    return recorded(table.file)


# -- a journal that cannot be used ---------------------------------------------------------------------------------


def test_a_journal_of_another_version_is_quarantined_under_that_name(runs: Callable[..., Runs], file: Path) -> None:
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
    table.decide(BEGIN)
    table.logs("table dreamcatcher is ready")
    assert len(list(file.parent.glob("table.of-another-version-*.journal"))) == 1
    assert "data.weight: unknown; version 0.0.9" in str(first(table).replaces)


def test_a_damaged_journal_keeps_the_table_closed_until_the_floorperson_decides(
    runs: Callable[..., Runs], file: Path
) -> None:
    before = runs()
    before.logs("is ready")
    before.press("floor-key")
    before.logs("the floorperson's key turned")
    before.end()
    change(file, "UPDATE entries SET at_ns = 1 WHERE seq = 2")
    table = runs()
    table.logs("the table is closed: the journal is damaged")
    assert "entry 2 (round 1, floor-key-turned) does not fit" in table._log()
    assert table.end() == 0, "a closed table can be stopped, and nothing is decided"
    assert len(list(file.parent.glob("*.journal"))) == 1
    table = runs()
    table.logs("the table is closed: the journal is damaged")
    table.decide(BEGIN)
    table.logs("table dreamcatcher is ready")
    (quarantined,) = file.parent.glob("table.damaged-*.journal")
    found = examine(quarantined)
    (replaced,) = first(table).replaces
    named = [replaced.parameters[name] for name in ("file", "entries", "head")]
    assert named == [quarantined.name, 1, found.head]
    assert str(replaced.parameters["problem"]).startswith("entry 2 ")
    assert table.end() == 0
    ran(runs())


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
    attack: Callable[[Path], None], runs: Callable[..., Runs], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "LOOKS_NS", 1_000_000)
    table = runs()
    table.logs("table dreamcatcher is ready")
    table.press("floor-key")
    table.logs("the floorperson's key turned")
    head = table.entries()[-1].hash
    attack(file)
    table.logs("the table is closed: the journal is damaged")
    table.decide(BEGIN)
    table.until(lambda: table._log().count("is ready") == 2)
    (rescued,) = file.parent.glob("table.rescued-*.journal")
    replaced = str(first(table).replaces)
    assert rescued.name in replaced
    assert head in replaced


def test_a_symbolic_link_does_not_open_a_record_twice(file: Path) -> None:
    other = file.with_name("other.journal")
    with closing(Journal(file)):
        other.symlink_to(file)
        with pytest.raises(JournalInUseError):
            Journal(other)


def test_a_disk_that_is_full_closes_the_table_until_it_is_not(
    runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be recorded did not happen; what was recorded remains."""
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    connect, full = sqlite3.connect, False

    class Disk(sqlite3.Connection):
        def execute(self, *statement: object) -> sqlite3.Cursor:  # type: ignore[override]
            if full and str(statement[0]).startswith("INSERT"):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(*statement)  # type: ignore[arg-type]

    opened_on = "controller.journal.journal.sqlite3.connect"
    monkeypatch.setattr(opened_on, lambda *names, **more: connect(*names, **more, factory=Disk))
    table = runs()
    table.logs("is ready")
    full = True
    table.press("floor-key")
    table.logs(
        "the table is closed: the journal cannot be written: database or disk is full; free space on the disk"
    )
    assert table._log().count("the table is closed: the journal") == 1, "once, not at each trial"
    assert "the floorperson's key turned" not in table._log()
    full = False
    table.until(lambda: table._log().count("is ready") == 2)
    table.press("floor-key")
    table.logs("the floorperson's key turned")


def test_a_full_disk_is_refused_before_a_journal_is_opened_on_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On small blocks SQLite would write to memory that has no block, and the process would end by SIGBUS."""
    full = os.statvfs_result((1024, 1024, 8192, 500, 100, 0, 0, 0, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    with pytest.raises(JournalUnwritableError, match="the disk is full, 100 kB are left; free space on the disk"):
        Journal(file)


def test_what_an_audit_finds_closes_the_table_after_the_round(
    runs: Callable[..., Runs],
    shipped: Callable[[str], TableConfig],
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.journal.audit.EVERY_NS", 1_000_000)
    monkeypatch.setattr(running, "RETRY_S", PATIENCE_S)
    played = new(shipped("dreamcatcher"), file)
    next_round(played)
    played.press("no-more-bets")
    played.spin(3.3, stop_on="40")
    played.press("done", "done")
    played.table.stop()
    played.journal.close()
    change(file, "UPDATE entries SET at_ns = 1 WHERE seq = 2")
    table = runs()
    table.logs("the journal is damaged: entry 2 (round 1, wheel-thrown) does not fit; after this round")
    assert "the table is closed: the journal is damaged" not in table._log()
    table.press("clear")
    table.logs("the table is closed: the journal is damaged")
    waits = table.manager.notified
    for _ in range(1000):
        table.run(lambda: None)
    assert table.manager.notified == waits <= 2, "it says that it waits, and waits"


# -- the clock -----------------------------------------------------------------------------------------------------


def test_a_wall_time_that_nobody_set_is_on_record_and_on_the_dealers_screen_until_it_is_set(
    runs: Callable[..., Runs], file: Path, monkeypatch: pytest.MonkeyPatch
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


def test_a_table_whose_clock_was_set_back_over_a_restart_stamps_nothing_before_its_record(
    runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(runs())
    true_ns = LoopClock.utc_ns
    monkeypatch.setattr(LoopClock, "utc_ns", lambda clock: true_ns(clock) - 9 * 86_400 * 10**9)
    table = runs()
    stamps = [entry.utc for entry in ran(table)]
    assert "and the record ends on" in table._log()
    assert len(stamps) == 3
    assert stamps == sorted(stamps)
