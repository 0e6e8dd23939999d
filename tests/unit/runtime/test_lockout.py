"""A table whose journal is damaged: the panel is dark, and only the floorperson may begin a new journal."""

from collections.abc import Callable
from pathlib import Path

import pytest
from staff import FLOOR, staff

from config.schema import TableConfig
from controller.bench.rig import NS_PER_S, Rig
from controller.bench.simulated_table import on_simulated_hardware
from controller.journal.set_aside import REPLACED, noted, quarantine
from controller.runtime.lockout import LockedOutTable
from hal.mock.clock import VirtualClock
from hal.mock.world import World

WRONG = ("floor-key", *FLOOR, "enter", *"10011002", "enter")
RIGHT = ("floor-key", *FLOOR, "enter", *2 * FLOOR, "enter")
Shipped = Callable[[str], TableConfig]


class Closed:
    """A closed table and the people at it."""

    def __init__(self, config: TableConfig, journal: Path, asks: bool = True) -> None:
        self.clock = VirtualClock()
        self.shown: list[str] = []
        """What the floorperson is asked for, each time that it changes with a press."""
        mock, people = on_simulated_hardware(config), staff() if asks else None
        self.table = LockedOutTable(mock, self.clock, "damaged", journal, self._pressed, people)

    def _pressed(self) -> None:
        if hasattr(self, "table"):
            self.shown.append(self.table.prompt())

    def press(self, *controls: str, wait_s: float = 0.5) -> str | None:
        for control in controls:
            World.of(self.clock).press(control)
            self.clock.advance_to(self.clock.now_ns() + round(wait_s * NS_PER_S))
        return self.table.decided


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def test_two_turns_of_the_key_decide_after_the_credential_that_the_table_asks_for(
    shipped: Shipped, journal: Path
) -> None:
    closed = Closed(shipped("dreamcatcher"), journal, asks=False)
    assert closed.press("clear", "done", "no-more-bets", "enter", "1", "floor-key") is None
    assert "KEY Begin a new journal, and keep the old one, CLEAR leave" in closed.table.prompt()
    assert closed.press("floor-key") == ""
    closed = Closed(shipped("dreamcatcher"), journal)
    assert closed.press("floor-key", "floor-key", "clear", *WRONG, "floor-key", "clear") is None
    closed.press("clear", wait_s=3)
    assert closed.press(*RIGHT, "floor-key") == FLOOR


def here(config: TableConfig, journal: Path) -> None:
    """Three wrong PINs at the closed table, which is switched off and on after each."""
    for number in range(3):
        closed = Closed(config, journal)
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
    closed = Closed(shipped("dreamcatcher"), journal)
    closed.press(*RIGHT, wait_s=0.1)
    assert closed.shown[-1].startswith("That was too early after a wrong PIN. Wait ")
    closed.press("done", wait_s=8)
    assert closed.press(*RIGHT, "floor-key") == FLOOR
    journal.touch()
    quarantine(journal, "damaged", 0)
    assert noted(journal, REPLACED).parameters["wrong_pins"] == named
