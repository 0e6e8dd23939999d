"""What the watches of cabinet, supply and clock battery record, in any game; for locks see tests/games."""

from collections.abc import Callable

import pytest
from staff import FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.simulated_table import with_contacts
from controller.events.effect import Alert
from controller.events.event import CabinetHealth, Health, SensorHealth
from controller.runtime.watches import BATTERY_EVERY
from hal.errors import HalError
from hal.mock.devices import MockDoors


@pytest.fixture
def table(shipped: Callable[[str], TableConfig]) -> Rig:
    return Rig(with_contacts(shipped("dreamcatcher")), staff=staff())


def guarded(rig: Rig) -> list[CabinetHealth]:
    return [record.event for record in rig.records() if isinstance(record.event, CabinetHealth)]


def alerts(rig: Rig) -> list[str]:
    return [effect.text for record in rig.records() for effect in record.effects if isinstance(effect, Alert)]


def test_an_opening_names_who_had_identified_at_the_table(table: Rig) -> None:
    table.world.doors.set("door", False)
    table.world.doors.set("door", True)
    identify(table)
    table.world.doors.set("door", False)
    table.wait(200)
    table.world.doors.set("door", True)
    assert [event.by for event in guarded(table) if event.health is Health.OPEN] == ["", FLOOR]
    assert guarded(table)[-1].by == "", "the session is over"


def test_a_latch_that_cannot_be_read_is_named_and_stops_nothing(
    table: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(doors: MockDoors) -> None:
        raise HalError("tamper: the latch of 'cabinet' on pin 4: input/output error; check the wire")

    monkeypatch.setattr(MockDoors, "remembered", fails)
    monkeypatch.setattr(MockDoors, "forget", fails)
    table.power_cut()
    [event] = [record.event for record in table.records() if isinstance(record.event, SensorHealth)]
    assert (event.sensor, event.health) == ("tamper", Health.GONE)
    assert alerts(table) == ["tamper-unknown"]
    assert not table.table.halted


def test_a_supply_that_was_low_before_the_start_is_named_at_the_start(table: Rig) -> None:
    table.world.computer.weaken()
    table.world.computer.repair()
    assert guarded(table) == []
    table.table.stop()  # The process starts again, and not the computer.
    table.table = table._start()
    [event] = guarded(table)
    assert (event.found.code, event.locks) == ("supply-was-low", False)
    assert alerts(table) == ["supply-was-low"]


def test_a_low_battery_of_the_clock_is_alerted_within_an_hour_and_at_each_start(table: Rig) -> None:
    table.world.computer.empty()
    table.wait(5 * BATTERY_EVERY + 1)
    table.power_cut()
    assert [event.found.code for event in guarded(table)] == alerts(table) == ["battery-low"] * 2
