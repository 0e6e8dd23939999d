"""The power of the machine is cut under the installed service, which comes back by itself.

Best the first of its run, so that what is cut was only just installed.
"""

import json
import time
from typing import Any

import pytest
from installed import InstalledTable, shown, wire_for_good
from machine import Machine
from tables import WheelTable


class CutTable(WheelTable):
    """The installed Dreamcatcher table. After a cut its GPIO chip is there before the service starts."""

    def __init__(self, guest: Machine, chip: str) -> None:
        # What is not synced is never written, however long ago it was: not the installer's files either.
        guest.run("echo 0 > /proc/sys/vm/dirty_writeback_centisecs")
        wire_for_good(guest)
        super().__init__(guest, chip, runs_as=InstalledTable)

    def power_cut(self) -> None:
        """Cut the power; the wheel comes to rest meanwhile. The service starts at once, by itself."""
        assert isinstance(self.live, InstalledTable)
        guest = self.live.guest
        unsynced = f"/var/lib/unsynced-{time.monotonic_ns()}"
        guest.run(f"echo written > {unsynced}")
        self.live.power_cut(self.wheel.rest_train())
        # The control: what was written and not synced is lost, or it was no cut.
        assert "written" not in guest.run(f"cat {unsynced}", fails=True).out
        assert (shown(guest, "ActiveState"), shown(guest, "NRestarts")) == ("active", "0")

    def recorded(self) -> list[dict[str, Any]]:
        """The journal's entries, every one of which fits the one before."""
        assert "entries verified" in self.live.command("journal", "verify").out
        return [json.loads(line) for line in self.live.command("journal", "export").out.splitlines()]


@pytest.fixture
def table(guest: Machine, installable: str) -> CutTable:
    return CutTable(guest, installable)


def test_after_a_power_cut_the_table_resumes_by_itself(guest: Machine, table: CutTable) -> None:
    """First while a result is lit, which stays; in the next round while the wheel turns, whose spin is void."""
    live = table.live
    table.open()
    table.press("no-more-bets", "no-more-bets")
    assert "RESULT 40: 40 pays 40 to 1; lit: 40" in table.throw(3.2, "40")
    waits_for = shown(guest, "StatusText")
    table.power_cut()
    assert shown(guest, "StatusText") == waits_for
    assert table.lit() == {"40"}
    for control, state in (("done", "losers-collected"), ("done", "winners-paid"), ("clear", "locating")):
        table.press(control, state)  # Located again: no sensor saw what the wheel did meanwhile.
    assert table.lit() == set()
    table.move(table.wheel.turn(1.4))
    live.wait_for("[bets-open]")
    table.press("no-more-bets", "no-more-bets")
    table.begin_spin(table.wheel.spin(3.2, "20"))
    live.wait_for("revolution 1")
    table.power_cut()
    assert "VOID power cut" in live.log()
    assert table.lit() == set()
    table.move(table.wheel.turn(1.4))
    live.wait_for("[respin]")
    record = [(entry["kind"], entry["state"]) for entry in table.recorded()]
    cuts = [number for number, (kind, _) in enumerate(record) if kind == "power-restored"]
    assert [record[number] for number in cuts] == [("power-restored", "result"), ("power-restored", "locating")]
    # The table's last line before each cut.
    before = [record[number - 1] for number in cuts]
    assert before == [("wheel-rested", "result"), ("revolution-completed", "spinning")]
