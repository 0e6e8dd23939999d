"""A table as it runs, and what it does when its journal cannot be used."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from running_session import Runs
from tampering import change

from controller import __version__
from controller.bench.rig import Rig
from controller.events.event import TableStarted
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.quarantine import examine
from controller.journal.record import of_entry
from controller.runtime import session as running
from controller.runtime import watches
from hal.clock import LoopClock
from hal.wall_time import SetBy


@pytest.fixture
def runs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], Runs]]:
    made: list[Runs] = []

    def make(game: str = "dreamcatcher", set_by: SetBy = SetBy.NETWORK) -> Runs:
        caplog.clear()
        made.append(Runs(tmp_path / "table.journal", lambda: caplog.text, game, set_by))
        return made[-1]

    caplog.set_level(logging.INFO)
    yield make
    for one in made:
        if not one.task.done():
            one.end()
        one.close()


BEGIN = "Begin a new journal, and keep the old one"


def first(table: Runs) -> TableStarted:
    event = of_entry(table.entries()[0]).event
    assert isinstance(event, TableStarted)
    return event


def test_a_journal_of_another_version_is_quarantined_under_that_name(runs: Callable[[], Runs]) -> None:
    """Its checkpoint has a field that this version does not know; its chain fits."""
    before = runs()
    before.logs("is ready")
    before.end()
    written = Journal(before.file, read_only=True)
    (start,) = islice(written.entries(), 1)
    written.close()
    before.file.unlink()
    anchor_file(before.file).unlink()
    other = Journal(before.file)
    body = start.body.replace(f'"version":"{__version__}"', '"version":"0.0.9"')
    kept = json.loads(start.checkpoint or "")
    kept["round"]["data"]["weight"] = 9
    other.append(start.round, start.at_ns, 0, start.kind, body, json.dumps(kept))
    other.close()
    table = runs()
    table.logs("the table is closed: the journal is of another version")
    assert "data.weight: unknown; version 0.0.9" in table._log()
    assert "damaged" not in table._log()
    table.decide(BEGIN)
    table.logs("table dreamcatcher is ready")
    assert len(list(table.file.parent.glob("table.of-another-version-*.journal"))) == 1
    assert "data.weight: unknown; version 0.0.9" in str(first(table).replaces)


def test_a_damaged_journal_keeps_the_table_closed_until_the_floorperson_decides(runs: Callable[[], Runs]) -> None:
    before = runs()
    before.logs("is ready")
    before.press("floor-key")
    before.logs("the floorperson's key turned")
    before.end()
    change(before.file, "UPDATE entries SET at_ns = 1 WHERE seq = 2")
    table = runs()
    table.logs("the table is closed: the journal is damaged")
    assert "entry 2 (round 1, floor-key-turned) does not fit" in table._log()
    table.decide(BEGIN)
    table.logs("table dreamcatcher is ready")
    (quarantined,) = table.file.parent.glob("table.damaged-*.journal")
    found = examine(quarantined)
    assert found.entries == 1
    (replaced,) = first(table).replaces
    named = {name: replaced.parameters[name] for name in ("file", "entries", "head")}
    assert named == {"file": quarantined.name, "entries": 1, "head": found.head}
    assert str(replaced.parameters["problem"]).startswith("entry 2 ")
    assert table.end() == 0
    again = runs()
    again.logs("is ready")
    assert again.end() == 0


def test_a_closed_table_ends_when_it_is_stopped(runs: Callable[[], Runs], tmp_path: Path) -> None:
    (tmp_path / "table.journal").write_text("no database at all\n" * 50)
    table = runs()
    table.logs("the table is closed")
    assert table.end() == 0
    assert not list(tmp_path.glob("*.damaged*"))


def test_a_disk_that_is_full_closes_the_table_until_it_is_not(
    runs: Callable[[], Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be recorded did not happen; what was recorded remains."""
    monkeypatch.setattr(running, "RETRY_S", 0.01)
    execute = sqlite3.connect
    full = False

    class Disk(sqlite3.Connection):
        def execute(self, *statement: object) -> sqlite3.Cursor:  # type: ignore[override]
            if full and str(statement[0]).startswith("INSERT"):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(*statement)  # type: ignore[arg-type]

    monkeypatch.setattr(
        "controller.journal.journal.sqlite3.connect", lambda *names, **more: execute(*names, **more, factory=Disk)
    )
    table = runs()
    table.logs("is ready")
    full = True
    table.press("floor-key")
    table.logs(
        "the table is closed: the journal cannot be written: database or disk is full; free space on the disk, "
        "or repair it"
    )
    assert table._log().count("the table is closed: the journal") == 1, "once, not at each trial"
    assert "the floorperson's key turned" not in table._log()
    full = False
    table.until(lambda: table._log().count("is ready") == 2)
    table.press("floor-key")
    table.logs("the floorperson's key turned")
    assert table.end() == 0


def test_what_an_audit_finds_closes_the_table_after_the_round(
    runs: Callable[[str], Runs],
    opened: Callable[[str, Path], Rig],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.journal.audit.EVERY_NS", 1_000_000)
    monkeypatch.setattr(running, "RETRY_S", PATIENCE_S)
    played = opened("dreamcatcher", tmp_path / "table.journal")
    for keys in (("done", "done", "clear"), ("done", "done")):
        played.press("no-more-bets")
        played.spin(3.3, stop_on="40")
        played.press(*keys)
    played.table.stop()
    played.journal.close()
    change(tmp_path / "table.journal", "UPDATE entries SET at_ns = 1 WHERE seq = 2")
    table = runs("dreamcatcher")
    table.logs("the journal is damaged: entry 2 (round 1, wheel-thrown) does not fit; after this round")
    assert "the table is closed: the journal is damaged" not in table._log()
    table.press("clear")
    table.logs("the table is closed: the journal is damaged")
    waits = table.manager.notified
    for _ in range(1000):
        table.run(lambda: None)
    assert table.manager.notified == waits <= 2, "it says that it waits, and waits"


def kinds(file: Path) -> list[str]:
    journal = Journal(file, read_only=True)
    found = [entry.kind for entry in journal.entries()]
    journal.close()
    return found


def test_a_wall_time_that_nobody_set_is_on_record_and_on_the_dealers_screen_until_it_is_set(
    runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "LOOKS_NS", 0)
    table = runs(set_by=SetBy.NOBODY)
    table.logs("is ready")
    assert "the clock is in doubt" in table._log()
    (alert,) = table.dealer()["alerts"]
    assert alert["text"] == "The clock may be wrong: not set since the computer was switched on."
    table.clock_set_by = SetBy.NETWORK
    table.logs("the clock was set: 0 s later")
    table.press("floor-key")
    table.logs("the floorperson's key turned")
    table.end()
    assert kinds(table.file) == ["table-started", "clock-checked", "clock-checked", "floor-key-turned"]


def test_a_table_whose_clock_was_set_back_over_a_restart_stamps_nothing_before_its_record(
    runs: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = runs()
    before.logs("is ready")
    before.end()
    true_ns = LoopClock.utc_ns
    monkeypatch.setattr(LoopClock, "utc_ns", lambda clock: true_ns(clock) - 9 * 86_400 * 10**9)
    table = runs(set_by=SetBy.NETWORK)
    table.logs("is ready")
    assert "and the record ends on" in table._log()
    table.end()
    journal = Journal(table.file, read_only=True)
    stamps = [entry.utc for entry in journal.entries()]
    journal.close()
    assert len(stamps) == 3
    assert stamps == sorted(stamps)
