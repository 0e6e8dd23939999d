"""A table whose journal is damaged: the panel is dark, and only the floorperson may begin a new journal."""

from collections.abc import Callable
from pathlib import Path

import pytest
from staff import FLOOR, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.simulated_table import on_simulated_hardware
from controller.journal.notes import REPLACED, noted
from controller.journal.quarantine import quarantine
from controller.runtime.assembly import open_devices
from controller.runtime.lockout import DAMAGED, LockedOutTable
from controller.table.desk import Staff
from hal.mock.clock import VirtualClock
from hal.mock.world import World

NS_PER_S = 1_000_000_000
WRONG = ("floor-key", *FLOOR, "enter", *"10011002", "enter")
RIGHT = ("floor-key", *FLOOR, "enter", *2 * FLOOR, "enter")
Shipped = Callable[[str], TableConfig]


class Closed:
    """A closed table and the people at it."""

    def __init__(self, config: TableConfig, people: Staff | None, journal: Path) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        devices = open_devices(on_simulated_hardware(config), self.clock)
        devices.panel.show(frozenset(list(self.world.panel.areas)[:1]))
        self.shown: list[str] = [""]
        """What the floorperson is asked for, each time that it changes with a press."""
        self.table = LockedOutTable(devices, self.clock, people, DAMAGED, journal, self._pressed)
        self.table.start()

    @property
    def decided(self) -> str | None:
        return self.table.decided

    def _pressed(self) -> None:
        if (prompt := self.table.prompt()) != self.shown[-1]:
            self.shown.append(prompt)

    def press(self, *controls: str, wait_s: float = 0.5) -> None:
        for control in controls:
            self.world.press(control)
            self.clock.advance_to(self.clock.now_ns() + round(wait_s * NS_PER_S))


@pytest.fixture
def closed(shipped: Shipped, tmp_path: Path) -> Closed:
    """A table that asks for the key alone."""
    return Closed(shipped("dreamcatcher"), None, tmp_path / "table.journal")


def test_it_is_dark_and_two_turns_of_the_key_decide(closed: Closed) -> None:
    assert closed.world.panel.lit() == set()
    closed.press("clear", "done", "no-more-bets", "enter", "1")
    assert closed.decided is None
    closed.press("floor-key")
    assert "KEY Begin a new journal, and keep the old one, CLEAR leave" in closed.table.prompt()
    closed.press("floor-key")
    assert closed.decided == ""


def test_where_the_table_asks_for_a_credential_it_is_required_here_too(shipped: Shipped, tmp_path: Path) -> None:
    closed = Closed(shipped("dreamcatcher"), staff(), tmp_path / "table.journal")
    closed.press("floor-key", "floor-key", "clear", *WRONG, "floor-key", "clear")
    assert closed.decided is None
    closed.press("clear", wait_s=3)
    closed.press(*RIGHT, "floor-key")
    assert closed.decided == FLOOR


def test_wrong_pins_are_kept_over_a_restart(shipped: Shipped, tmp_path: Path) -> None:
    """Whoever cuts the power waits as before, and longer each time; the next journal names how many there were."""
    journal = tmp_path / "table.journal"
    for number in range(3):
        closed = Closed(shipped("dreamcatcher"), staff(), journal)
        closed.press("done", wait_s=2.0**number)
        closed.press(*WRONG, "clear")
    closed = Closed(shipped("dreamcatcher"), staff(), journal)
    for key in RIGHT:
        closed.press(key, wait_s=0.1)
    assert closed.shown[-1].startswith("That was too early after a wrong PIN. Wait 7 s. Then turn the key again.")
    closed.press("done", wait_s=8)
    closed.press(*RIGHT, "floor-key")
    assert closed.decided == FLOOR
    journal.touch()
    quarantine(journal, "damaged", 0)
    assert noted(journal, REPLACED).parameters["wrong_pins"] == 3


def test_wrong_pins_before_the_journal_was_damaged_count_too(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "table.journal"
    table = Rig(shipped("dreamcatcher"), file, staff=staff())
    for wait_s in (3, 5, 9):
        table.press(*WRONG)
        table.wait(wait_s)
    table.table.stop()
    table.journal.close()
    closed = Closed(shipped("dreamcatcher"), staff(), file)
    closed.press(*RIGHT, wait_s=0.1)
    assert "too early" in closed.shown[-1], "after three wrong ones the wait is eight seconds"
    closed.press("done", wait_s=8)
    closed.press(*RIGHT, "floor-key")
    assert closed.decided == FLOOR
