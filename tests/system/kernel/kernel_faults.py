"""Faults of a wheel whose sensors are lines of a real kernel's GPIO chip: named, void, locked, and repaired."""

import random
import re

from tables import WheelTable
from wheel_trains import Break, Move


def silent(letter: str) -> Break:
    """A line whose sensor is dead from the middle of the spin on."""
    return lambda moves: [move for move in moves if move[1] != letter or move[0] < moves[-1][0] // 2]


def pulled(moves: list[Move]) -> list[Move]:
    """The head's cable comes out in the middle of the spin: all lines float up, and nothing moves them any more."""
    at_us = moves[-1][0] // 2
    return [*(move for move in moves if move[0] < at_us), *((at_us, letter, True) for letter in "ABZC")]


def upside_down(letter: str) -> Break:
    """A sensor of the wrong kind, or wired to the wrong level: what should be high is low."""
    return lambda moves: [(at_us, line, high is not (line == letter)) for at_us, line, high in moves]


def noisy(letter: str) -> Break:
    """A line that is open picks up noise from the middle of the spin on."""

    def breaks(moves: list[Move]) -> list[Move]:
        rng, end_us = random.Random(1), moves[-1][0]
        noise = [(at_us, letter, rng.random() < 0.5) for at_us in range(end_us // 2, end_us, 5000)]
        return sorted([*(move for move in moves if move[1] != letter or move[0] < end_us // 2), *noise])

    return breaks


FAULTS: dict[str, tuple[Break, str]] = {
    "the clapper's contact is dead": (silent("C"), "clapper"),
    "the index is dead": (silent("Z"), "index silent"),
    "channel B of the encoder is stuck": (silent("B"), "encoder"),
    "the head's cable is pulled": (pulled, "encoder"),
    "the clapper's level is upside down": (upside_down("C"), ""),
    "the clapper's wire is open and picks up noise": (noisy("C"), "clapper"),
}
"""What breaks, and what the table must call it."""


def test_sensors_that_break_while_the_wheel_turns(wheel_table: WheelTable) -> None:
    """Each is named, voids its spin and locks; repaired, the table goes on in the same round and process."""
    table, live = wheel_table, wheel_table.live
    table.open()
    table.press("no-more-bets", "no-more-bets")
    for fault, (breaks, named) in FAULTS.items():
        table.move(table.wheel.spin(3.2, "40", breaks))
        locked_line = live.wait_for("[locked]")
        assert "VOID sensor fault" in locked_line, fault
        assert f"LOCKED: The sensors disagree: {named}" in locked_line, fault
        assert table.lit() == set(), fault
        repair(table)
    assert "RESULT 40: 40 pays 40 to 1; lit: 40" in table.throw(3.2, "40")
    assert table.lit() == {"40"}


def test_edges_that_the_buffer_could_not_hold_void_the_spin(wheel_table: WheelTable) -> None:
    """The controller is held up for seconds while the wheel turns, and the kernel's buffer overflows."""
    table, live = wheel_table, wheel_table.live
    table.open()
    table.press("no-more-bets", "no-more-bets")
    table.begin_spin(table.wheel.spin(3.5, "40"))
    live.wait_for("revolution 1")
    live.signal("STOP")
    live.guest.run("sleep 4")
    live.signal("CONT")
    locked_line = live.wait_for("[locked]")
    assert re.search(
        r"VOID sensor fault: The sensors disagree: encoder lossy: \d+ edges lost in the kernel's buffer",
        locked_line,
    )
    assert "RESULT" not in live.log()
    assert table.lit() == set()
    live.end()
    repair(table)


def repair(table: WheelTable) -> None:
    """After a repair the floorperson opens the lock, and confirms the position after two turns by hand."""
    table.move(table.wheel.rest_train())
    assert "[locating]" in table.floor()
    table.move(table.wheel.turn(2.3))
    table.live.wait_for("[confirming]")
    assert "[respin]" in table.floor()
