"""A table's session while an update is offered, confirmed and installed: what screens, lamps and systemd see."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from running_session import Runs
from update_table import B_RUNS, NEW, STICK, FolderInMemory, progress

from controller.journal.journal import Journal
from controller.runtime import session, update_watch
from controller.updating.folder import InstallState
from hal.wall_time import SetBy

NS_PER_S = 1_000_000_000


@pytest.fixture
def folder() -> FolderInMemory:
    return FolderInMemory()


@pytest.fixture
def runs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, folder: FolderInMemory
) -> Iterator[Callable[[], Runs]]:
    monkeypatch.setattr(update_watch, "LOOKS_S", 0)
    monkeypatch.setattr(session, "RETRY_S", 0.01)
    monkeypatch.setattr("running_session.Listening.MOST", 10_000)
    made: list[Runs] = []

    def make() -> Runs:
        caplog.clear()
        file = tmp_path / "table.journal"
        made.append(Runs(file, lambda: caplog.text, "sic-bo", SetBy.NETWORK, updates=folder))
        return made[-1]

    caplog.set_level(logging.INFO)
    yield make
    for one in made:
        if not one.task.done():
            one.end()
        one.close()


def kinds(file: Path) -> list[str]:
    journal = Journal(file, read_only=True)
    found = [entry.kind for entry in journal.entries()]
    journal.close()
    return found


def shown(table: Runs) -> str:
    assert table.screens is not None
    return table.screens._dealer()["dealer"]["next"]


def asks(table: Runs) -> str:
    assert table.screens is not None
    return table.screens._dealer()["dealer"]["limits"]["asks"]


def confirmed(table: Runs, folder: FolderInMemory) -> None:
    """The stick is put in at a closed table, and the key turned."""
    table.logs("is ready")
    folder.offer = STICK
    table.until(lambda: asks(table).startswith("update 0.6.0 (USB stick): turn the floorperson's key"))
    table.press("floor-key")
    table.logs("the table is closed for update 0.6.0")


def test_a_table_closes_while_an_update_is_installed(runs: Callable[[], Runs], folder: FolderInMemory) -> None:
    table = runs()
    confirmed(table, folder)
    assert folder.confirmed == NEW
    table.until(lambda: shown(table) == "closed: update 0.6.0 is about to be installed")
    folder.progress = progress(InstallState.INSTALLING, 40)
    table.until(lambda: shown(table) == "closed: update 0.6.0 is being installed, 40 %")
    assert table.world.panel.lit() == set()
    notified = table.manager.notified
    table.until(lambda: table.manager.notified > notified + 2)
    folder.progress = progress(InstallState.RESTARTING, 100)
    table.until(lambda: shown(table).endswith("is installed, and the computer is started anew with it"))
    assert table.end() == 0
    assert kinds(table.file) == ["table-started", "update-offered", "update-confirmed"]
    folder.confirmed, folder.progress, folder.running, folder.offer = None, None, B_RUNS, None
    again = runs()
    again.logs("update 0.6.0 is installed: version 0.6.0 runs in slot B")
    assert again.end() == 0
    assert kinds(table.file)[3:] == ["power-restored", "update-ended"]


def test_after_a_failure_it_plays_on_by_itself_and_says_why(
    runs: Callable[[], Runs], folder: FolderInMemory
) -> None:
    table = runs()
    confirmed(table, folder)
    folder.progress = progress(InstallState.FAILED, why="no room in slot B")
    table.until(lambda: table._log().count("is ready") == 2)
    assert table.screens is not None
    alerts = table.screens._dealer()["dealer"]["alerts"]
    assert [alert["text"] for alert in alerts] == ["update 0.6.0 was not installed: no room in slot B"]
    assert folder.confirmed is None
    table.press("floor-key")
    table.logs("[floor-menu]")
    assert table.end() == 0


def test_a_table_that_is_started_while_an_update_is_installed_stays_closed(
    runs: Callable[[], Runs], folder: FolderInMemory
) -> None:
    before = runs()
    confirmed(before, folder)
    folder.progress = progress(InstallState.INSTALLING, 60)
    assert before.end() == 0
    table = runs()
    table.until(lambda: shown(table) == "closed: update 0.6.0 is being installed, 60 %")
    assert "is ready" not in table._log()
    assert table.end() == 0


def test_a_system_that_does_not_begin_is_not_waited_for(
    runs: Callable[[], Runs], folder: FolderInMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_watch, "BEGINS_WITHIN_S", 0)
    table = runs()
    confirmed(table, folder)
    table.until(lambda: table._log().count("is ready") == 2)
    assert "the system has not begun to install it" in table._log()
    assert folder.confirmed is None
    assert kinds(table.file)[-1] == "update-ended"
    assert table.end() == 0


def test_an_installation_that_does_not_move_calls_the_technician(
    runs: Callable[[], Runs], folder: FolderInMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_watch, "STALLED_S", 0)
    table = runs()
    confirmed(table, folder)
    folder.progress = progress(InstallState.INSTALLING, 60)
    table.until(lambda: "nothing has moved: call the technician" in shown(table))
    assert table.end() == 0


def test_a_failure_without_a_reason_is_on_record_all_the_same(
    runs: Callable[[], Runs], folder: FolderInMemory
) -> None:
    table = runs()
    confirmed(table, folder)
    entries = len(kinds(table.file))
    folder.progress = progress(InstallState.FAILED)
    table.until(lambda: table._log().count("is ready") == 2)
    assert kinds(table.file)[entries:] == ["power-restored", "update-ended"]
    table.logs("the system gives no reason")
    assert table.end() == 0
