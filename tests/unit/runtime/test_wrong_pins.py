"""The count of wrong PINs is the record's: no number of presses and no restart makes it less."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig
from controller.events.event import IdentityRefused

WRONG = ("floor-key", *"12", "enter", *"830262", "enter")
RIGHT = ("floor-key", *"12", "enter", *"830261", "enter")


class OneFloorperson:
    def knows(self, number: str) -> bool:
        return number == "12"

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == ("12", "830261")


def table(shipped: Callable[[str], TableConfig], file: Path) -> Rig:
    return Rig(shipped("sic-bo"), file, authority=lambda: Authentication(OneFloorperson()))


def failures(rig: Rig) -> list[int]:
    return [record.event.failures for record in rig.records() if isinstance(record.event, IdentityRefused)]


@pytest.mark.parametrize("presses", [0, 336])
@pytest.mark.campaign
def test_presses_and_a_restart_leave_the_count_as_it_is(
    presses: int, shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    rig = table(shipped, tmp_path / "journal")
    for wait_s in (3, 5, 9):
        rig.press(*WRONG)
        rig.wait(wait_s)
    assert failures(rig) == [1, 2, 3]
    rig.press(*("done",) * presses)
    for _ in range(2):
        rig.table.stop()
        rig.journal.close()
        rig = table(shipped, tmp_path / "journal")
    rig.press(*RIGHT)
    assert set(failures(rig)[3:]) == {3}, "after three wrong ones the wait is eight seconds, from the start on"
    rig.wait(9)
    rig.press(*WRONG)
    assert failures(rig)[-1] == 4, "the next wrong one is the fourth"
    rig.table.stop()
    rig.journal.close()
