"""Whole rounds at tables that run under systemd on the lines of a real kernel's GPIO chip."""

from collections.abc import Iterator

import pytest
from machine import Machine
from tables import DiceTable, WheelTable

from controller.machine.registry import find_game


@pytest.fixture
def sic_bo(guest: Machine, chip: str) -> Iterator[DiceTable]:
    table = DiceTable(guest, chip)
    yield table
    table.close()


def test_a_whole_round_of_dreamcatcher(wheel_table: WheelTable) -> None:
    """From the encoder's edges to the lit lamp, button by button."""
    table, live = wheel_table, wheel_table.live
    table.open()
    assert table.lit() == set()
    table.press("no-more-bets", "no-more-bets")
    assert "RESULT 40: 40 pays 40 to 1; lit: 40" in table.throw(3.5, "40")
    assert table.lit() == {"40"}
    table.press("done", "losers-collected")
    table.press("done", "winners-paid")
    assert table.lit() == {"40"}
    table.press("clear", "bets-open")
    assert table.lit() == set()
    live.stop()
    assert "entries verified" in live.command("journal", "verify").out


def test_a_whole_round_of_sic_bo(sic_bo: DiceTable) -> None:
    """From the keypad's wires to the coils of the lamps, the opening inspection included (§ 539.5)."""
    table, live = sic_bo, sic_bo.live
    live.start()
    table.floor("2")  # New dice.
    assert "[inspection-entry]" in table.floor()
    for roll, lights in (("123", "total-6"), ("444", "three-of-a-kind-4"), ("566", "two-dice-5-6")):
        assert "[inspection-lit]" in table.press(*roll, "enter")
        assert lights in table.lit()
        table.floor()
    for _ in find_game("sic-bo").areas:
        line = live.wait_for("[inspection-lamps]")
    assert table.lit() == set(), line
    assert "[bets-open]" in table.floor()
    assert table.lit() == set()
    assert "RESULT" in table.press("no-more-bets", "2", "5", "5", "enter")
    won = {"total-12", "big", "two-of-a-kind-5", "two-dice-2-5", "one-of-a-kind-2", "one-of-a-kind-5"}
    assert table.lit() == won
    for control, state in (("done", "losers-collected"), ("done", "winners-paid"), ("clear", "bets-open")):
        assert f"[{state}]" in table.press(control)
    assert table.lit() == set()
    live.stop()
    assert "entries verified" in live.command("journal", "verify").out
