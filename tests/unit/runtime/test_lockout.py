"""A table whose journal is damaged: the panel is dark, and only the floorperson may begin a new journal."""

from collections.abc import Callable
from pathlib import Path

import pytest
from staff import FLOOR, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.simulated_table import on_simulated_hardware
from controller.journal.set_aside import REPLACED, noted, quarantine
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
def journal(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def test_it_is_dark_and_two_turns_of_the_key_decide(shipped: Shipped, journal: Path) -> None:
    """Where the table asks for the key alone."""
    closed = Closed(shipped("dreamcatcher"), None, journal)
    assert closed.world.panel.lit() == set()
    closed.press("clear", "done", "no-more-bets", "enter", "1")
    assert closed.decided is None
    closed.press("floor-key")
    assert "KEY Begin a new journal, and keep the old one, CLEAR leave" in closed.table.prompt()
    closed.press("floor-key")
    assert closed.decided == ""


def test_where_the_table_asks_for_a_credential_it_is_required_here_too(shipped: Shipped, journal: Path) -> None:
    closed = Closed(shipped("dreamcatcher"), staff(), journal)
    closed.press("floor-key", "floor-key", "clear", *WRONG, "floor-key", "clear")
    assert closed.decided is None
    closed.press("clear", wait_s=3)
    closed.press(*RIGHT, "floor-key")
    assert closed.decided == FLOOR


def here(config: TableConfig, journal: Path) -> None:
    """Three wrong PINs at the closed table, which is switched off and on after each."""
    for number in range(3):
        closed = Closed(config, staff(), journal)
        closed.press("done", wait_s=2.0**number)
        closed.press(*WRONG, "clear")


def before_the_damage(config: TableConfig, journal: Path) -> None:
    table = Rig(config, journal, staff=staff())
    for wait_s in (3, 5, 9):
        table.press(*WRONG)
        table.wait(wait_s)
    table.table.stop()
    table.journal.close()


@pytest.mark.parametrize(("wrong", "named"), [(here, 3), (before_the_damage, 0)])
def test_wrong_pins_delay_through_restarts_and_are_named_by_the_next_journal(
    wrong: Callable[[TableConfig, Path], None], named: int, shipped: Shipped, journal: Path
) -> None:
    """Those from before are on record in the old one."""
    wrong(shipped("dreamcatcher"), journal)
    closed = Closed(shipped("dreamcatcher"), staff(), journal)
    closed.press(*RIGHT, wait_s=0.1)
    assert closed.shown[-1].startswith("That was too early after a wrong PIN. Wait ")
    closed.press("done", wait_s=8)
    closed.press(*RIGHT, "floor-key")
    assert closed.decided == FLOOR
    journal.touch()
    quarantine(journal, "damaged", 0)
    assert noted(journal, REPLACED).parameters["wrong_pins"] == named
