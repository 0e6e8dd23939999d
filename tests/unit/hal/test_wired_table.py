"""A whole table on the drivers of real devices whose cables are pulled while a round is played."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from modbus_time import LineTime
from wired_table import WiredTable

WON = {"total-12", "big", "two-of-a-kind-5", "two-dice-2-5", "one-of-a-kind-2", "one-of-a-kind-5"}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WiredTable]:
    LineTime(monkeypatch)
    made = WiredTable(tmp_path)
    yield made
    made.close()


def test_a_round(table: WiredTable) -> None:
    table.open()
    table.press("no-more-bets", *"255", "enter")
    assert table.state == "result"
    assert table.lit() == WON
    table.press("done", "done", "clear")
    assert (table.state, table.lit()) == ("bets-open", set())


def test_the_keypads_cable_is_pulled_in_the_middle_of_an_entry(table: WiredTable) -> None:
    """§ 539.7(b): a malfunction at once. The digits are kept, and the entry goes on once it is plugged in."""
    table.open()
    table.press("no-more-bets", "2", "5")
    before = len(table.log_lines)
    table.keypad.pull()
    table.until(lambda: len(table.log_lines) > before)
    assert "ALERT The keyboard does not respond" in table.log_lines[-1]
    assert table.state == "malfunction"
    table.keypad.plug_in()
    table.until(lambda: "in order" in table.log_lines[-1])
    table.keypad.send(b"\r\n")
    table.press("5", "enter")
    assert table.lit() == WON
    table.floor()
    assert table.state == "closed"


def test_the_panels_cable_is_pulled_before_the_result(table: WiredTable) -> None:
    """The result is on record, no lamp is wrong; after the repair the table is inspected and plays on."""
    table.open()
    table.press("no-more-bets", *"255")
    table.lamps.pull()
    table.send("enter")
    table.until(lambda: table.state == "malfunction")
    assert "RESULT 2-5-5" in table.log_lines[-2]
    assert "ALERT The lamp panel failed" in table.log_lines[-1]
    assert f"the port {table.lamps.port} is gone; check the adapter and its cable" in table.log_lines[-1]
    assert table.lit() == set()
    table.floor()
    assert table.state == "closed"
    table.lamps.plug()
    table.inspect()
    table.press("no-more-bets", *"255", "enter")
    assert table.lit() == WON


def test_a_module_that_loses_its_power_while_its_lamps_are_lit(table: WiredTable) -> None:
    """It is not polled then; at the next change of the lamps it is named, and the table is closed."""
    table.open()
    table.press("no-more-bets", *"255", "enter", "done", "done")
    table.lamps.cut_power(2)
    table.send("clear")
    table.until(lambda: any("module 2" in line and "ALERT" in line for line in table.log_lines))
    assert table.state in ("malfunction", "closed")
