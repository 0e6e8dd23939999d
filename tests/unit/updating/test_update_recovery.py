"""A table that is killed at any point of an update: nothing is installed twice, and the record says how it ended.

Every point at which the power or the process may go, with every state in which the folder may be found then.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from update_table import A_RUNS, B_RUNS, NEW, OTHER, STICK, FolderInMemory, Updated, open_table, progress

from config.schema import TableConfig
from controller.events.event import DealerLoggedOn, UpdateConfirmed, UpdateEnded
from controller.limits.table_state import ConfirmedUpdate
from controller.updating.folder import FolderState, InstallProgress, InstallState, RunningSlot
from controller.updating.outcome import UpdateStage, outcome_of

Shipped = Callable[[str], TableConfig]
CONFIRMED = ConfirmedUpdate("0.6.0", NEW)
INSTALLING = progress(InstallState.INSTALLING, 40)
RESTARTING = progress(InstallState.RESTARTING, 100)
FAILED = progress(InstallState.FAILED, why="no room in slot B")
OF_ANOTHER = progress(InstallState.FAILED, why="of another one", digest=OTHER)
A_WITHOUT_DIGEST = RunningSlot("0.5.0", "A", "")

RUNNING = [A_RUNS, A_WITHOUT_DIGEST, B_RUNS, None]
HANDED_OVER = [None, NEW, OTHER]
PROGRESS = [None, INSTALLING, RESTARTING, FAILED, OF_ANOTHER]


def stage(running: RunningSlot | None, handed_over: str | None, reported: InstallProgress | None) -> UpdateStage:
    """What is to be said, in the order in which a person would find it out."""
    if running == B_RUNS:
        return UpdateStage.INSTALLED
    if reported in (INSTALLING, RESTARTING):
        return UpdateStage.INSTALLING
    if reported == FAILED:
        return UpdateStage.NOT_INSTALLED
    if handed_over == NEW:
        return UpdateStage.PENDING
    return UpdateStage.UNKNOWN if running is None else UpdateStage.NOT_INSTALLED


MATRIX = [
    pytest.param(
        running,
        handed_over,
        reported,
        id=f"{running and running.slot}-{handed_over and handed_over[0]}-{reported and reported.state.value}",
    )
    for running in RUNNING
    for handed_over in HANDED_OVER
    for reported in PROGRESS
]


@pytest.mark.parametrize(("running", "handed_over", "reported"), MATRIX)
def test_what_became_of_a_confirmed_update(
    running: RunningSlot | None, handed_over: str | None, reported: InstallProgress | None
) -> None:
    folder = FolderState(STICK, handed_over, reported, running)
    assert outcome_of(CONFIRMED, folder).stage is stage(running, handed_over, reported)


class KilledError(BaseException):
    """The process is killed here."""


class Killing(FolderInMemory):
    """A folder at whose files the table is killed: before or after it has written one."""

    at = ""

    def confirm(self, version: str, digest: str, by: str) -> None:
        if self.at == "before it is handed over":
            raise KilledError
        super().confirm(version, digest, by)
        if self.at == "after it was handed over":
            raise KilledError

    def withdraw(self) -> None:
        if self.at == "before it is withdrawn":
            raise KilledError
        super().withdraw()
        if self.at == "after it was withdrawn":
            raise KilledError


KILLS = ("before the entry", "before it is handed over", "after it was handed over", "while it is installed")


Kill = Callable[[str], tuple[Updated, Killing]]


@pytest.fixture
def killed(shipped: Shipped, tmp_path: Path) -> Iterator[Kill]:
    """Makes a table whose process is killed at a point of a confirmation."""
    tables: list[Updated] = []

    def make(at: str) -> tuple[Updated, Killing]:
        folder = Killing()
        table = open_table(shipped("dreamcatcher"), tmp_path / "table.journal", folder)
        tables.append(table)
        table.offer(STICK)
        folder.at = at
        if at != "before the entry":
            with suppress(KilledError):
                table.rig.press("floor-key")
        folder.at = ""
        return table, folder

    yield make
    for table in tables:
        table.stop()


@pytest.mark.parametrize(("running", "handed_over", "reported"), MATRIX)
@pytest.mark.parametrize("at", KILLS)
def test_a_killed_table_installs_nothing_twice_and_says_what_became_of_it(
    killed: Kill,
    at: str,
    running: RunningSlot | None,
    handed_over: str | None,
    reported: InstallProgress | None,
) -> None:
    table, folder = killed(at)
    confirmations = len(folder.by)
    folder.running, folder.confirmed, folder.progress = running, handed_over, reported
    table.restart()
    expected = stage(running, handed_over, reported)
    ended = [event for event in table.events() if isinstance(event, UpdateEnded)]
    confirmed = [event for event in table.events() if isinstance(event, UpdateConfirmed)]
    assert len(folder.by) == confirmations, "only a turn of the key hands an update over"
    if at == "before the entry":
        assert (confirmed, ended) == ([], [])
        assert not table.rig.table.recorder.ended
        return
    assert len(confirmed) == 1
    closed = expected in (UpdateStage.PENDING, UpdateStage.INSTALLING)
    assert table.rig.table.recorder.ended is closed
    if closed or expected is UpdateStage.UNKNOWN:
        assert ended == [], "nobody knows it yet"
        assert table.rig.table.table_state.update == CONFIRMED
        assert folder.confirmed == handed_over
    else:
        (end,) = ended
        assert end.installed is (expected is UpdateStage.INSTALLED)
        assert table.rig.table.table_state.update is None
        assert folder.confirmed is None, "nothing is installed that nobody waits for"
        table.restart()
        assert [event for event in table.events() if isinstance(event, UpdateEnded)] == ended, "once"


@pytest.mark.parametrize("at", ["before it is withdrawn", "after it was withdrawn"])
def test_a_table_that_is_killed_while_it_says_how_an_update_ended_says_it_at_the_next_start(
    killed: Kill, at: str
) -> None:
    table, folder = killed("while it is installed")
    folder.progress, folder.at = FAILED, at
    with pytest.raises(KilledError):
        table.restart()
    assert "update-ended" not in table.kinds()
    folder.at = ""
    table.restart()
    end = table.events()[-1]
    assert isinstance(end, UpdateEnded)
    assert (end.installed, end.detail, folder.confirmed) == (False, "no room in slot B", None)


def test_after_a_failure_play_goes_on_and_it_does_not_ask_again_by_itself(killed: Kill) -> None:
    table, folder = killed("while it is installed")
    folder.progress = FAILED
    table.restart()
    assert table.asks() == ""
    assert table.kinds() == ["update-offered", "update-confirmed", "update-ended"]
    alert = table.rig.last("alert")
    assert alert.text == "update 0.6.0 was not installed: no room in slot B"
    table.rig.turn(1.2)
    table.rig.press("no-more-bets")
    assert table.rig.state.value == "no-more-bets"


def test_a_second_attempt_does_not_take_the_failure_of_the_first_for_its_own(killed: Kill) -> None:
    table, folder = killed("while it is installed")
    folder.progress = FAILED
    table.restart()
    table.rig.turn(1.2)
    assert table.rig.table.update.ask_again() == ""
    table.rig.press("floor-key")
    assert (folder.confirmed, folder.progress) == (NEW, None)
    table.restart()
    assert table.kinds()[-1] == "update-confirmed", "the system is about to begin"


def test_whatever_else_changes_only_the_key_hands_an_update_over(killed: Kill) -> None:
    """Nobody says what runs, so the confirmation stays on record; then a dealer logs on."""
    table, folder = killed("before it is handed over")
    folder.running = None
    table.restart()
    assert table.rig.table.table_state.update == CONFIRMED
    table.rig.table.take([DealerLoggedOn(table.rig.clock.now_ns(), 0, "12")])
    assert table.rig.table.table_state.dealer == "12"
    assert (folder.confirmed, folder.by) == (None, [])
    folder.running = A_RUNS
    table.rig.wait(3)
    end = table.events()[-1]
    assert isinstance(end, UpdateEnded)
    assert not end.installed, "it is on record as soon as somebody says what runs"
