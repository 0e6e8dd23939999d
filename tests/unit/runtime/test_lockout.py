"""A table whose journal is damaged: the panel is dark, and only the floorperson may begin a new journal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig
from controller.configuration.shipped import shipped_tables
from controller.journal.quarantine import quarantine, replaced_journal
from controller.runtime.assembly import on_simulated_hardware, open_devices
from controller.runtime.lockout import LockedOutTable
from hal.mock.clock import VirtualClock
from hal.mock.world import World

NS_PER_S = 1_000_000_000


class Closed:
    """A closed table and the people at it."""

    def __init__(self, config: TableConfig, authority: Authentication, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        devices = open_devices(on_simulated_hardware(config), self.clock)
        devices.panel.show(frozenset(list(self.world.panel.areas)[:1]))
        self.decided: list[str] = []
        self.shown: list[str] = [""]
        """What the floorperson is asked for, each time that it changes with a press."""
        self.table = LockedOutTable(
            devices, self.clock, authority, self.decided.append, journal=journal, pressed=self._pressed
        )
        self.table.start()

    def _pressed(self) -> None:
        if (prompt := self.table.prompt()) != self.shown[-1]:
            self.shown.append(prompt)

    def press(self, *controls: str, wait_s: float = 0.5) -> None:
        for control in controls:
            self.world.press(control)
            self.clock.advance_to(self.clock.now_ns() + round(wait_s * NS_PER_S))


class OneFloorperson:
    def knows(self, number: str) -> bool:
        return number == "12"

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == ("12", "830261")


@pytest.fixture(params=sorted(shipped_tables()))
def closed(request: pytest.FixtureRequest, shipped: Callable[[str], TableConfig]) -> Closed:
    return Closed(shipped(request.param), Authentication(None))


def test_it_is_dark_and_the_key_and_clear_decide(closed: Closed) -> None:
    assert closed.world.panel.lit() == set()
    closed.press("clear", "done", "no-more-bets")
    assert closed.decided == []
    closed.press("floor-key", "clear")
    assert closed.decided == [""]


def test_the_key_is_forgotten_after_half_a_minute(closed: Closed) -> None:
    closed.press("floor-key", wait_s=31)
    closed.press("clear")
    assert closed.decided == []


def test_where_the_table_asks_for_a_credential_it_is_required_here_too(
    shipped: Callable[[str], TableConfig],
) -> None:
    closed = Closed(shipped("sic-bo"), Authentication(OneFloorperson()))
    closed.press("floor-key", "clear", "floor-key", *"12", "enter", *"830262", "enter", "clear")
    assert closed.decided == []
    closed.press("clear", wait_s=3)
    closed.press("floor-key", *"12", "enter", *"830261", "enter", "clear")
    assert closed.decided == ["12"]


WRONG = ("floor-key", *"12", "enter", *"830262", "enter")
RIGHT = ("floor-key", *"12", "enter", *"830261", "enter")


def test_wrong_pins_are_kept_over_a_restart(shipped: Callable[[str], TableConfig], tmp_path: Path) -> None:
    """Whoever cuts the power waits as before, and longer each time; the next journal names how many there were."""
    journal = tmp_path / "table.journal"
    for number in range(1, 4):
        closed = Closed(shipped("sic-bo"), Authentication(OneFloorperson()), journal)
        closed.press(*RIGHT, "clear")
        assert (closed.decided == ["12"]) == (number == 1), "the power cut ends no wait"
        closed.press("done", wait_s=2.0**number)
        closed.press(*WRONG)
    closed = Closed(shipped("sic-bo"), Authentication(OneFloorperson()), journal)
    closed.press("done", wait_s=8)
    closed.press(*RIGHT, "clear")
    assert closed.decided == ["12"]
    journal.touch()
    quarantine(journal, "damaged", 0)
    assert "3 wrong PINs while the table was closed" in replaced_journal(journal)


def test_wrong_pins_before_the_journal_was_damaged_count_too(
    shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    file = tmp_path / "table.journal"
    table = Rig(shipped("sic-bo"), file, authority=lambda: Authentication(OneFloorperson()))
    for wait_s in (3, 5, 9):
        table.press(*WRONG)
        table.wait(wait_s)
    table.table.stop()
    table.journal.close()
    closed = Closed(shipped("sic-bo"), Authentication(OneFloorperson()), file)
    closed.press(*RIGHT, "clear")
    assert closed.decided == [], "after three wrong ones the wait is eight seconds"
    closed.press("done", wait_s=8)
    closed.press(*RIGHT, "clear")
    assert closed.decided == ["12"]


def test_a_refusal_says_how_long_to_wait_and_what_to_do(shipped: Callable[[str], TableConfig]) -> None:
    closed = Closed(shipped("sic-bo"), Authentication(OneFloorperson()))
    closed.press(*WRONG)
    assert closed.shown[-1] == "number or PIN is wrong: wait 2 s, then turn the floorperson's key"
    closed.press("floor-key")
    assert closed.shown[-1].startswith("too early: wait 1 s, then turn")
    closed.clock.advance_to(closed.clock.now_ns() + 6 * NS_PER_S)
    assert closed.table.prompt() == ""
    closed.press("floor-key")
    assert closed.shown[-1] == "floorperson: key your credential number, then enter: "
