"""A table's cabinet and its computer: what the watches put on record, and what people see of it."""

from collections.abc import Callable

import pytest
from staff import FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.simulated_table import with_contacts
from controller.events.effect import Alert
from controller.events.event import CabinetHealth, Event, Health, SensorHealth
from controller.runtime.watches import BATTERY_EVERY
from controller.viewmodel.health import DeviceList
from hal.errors import HalError
from hal.mock.devices import MockDoors

Shipped = Callable[[str], TableConfig]


@pytest.fixture
def table(shipped: Shipped) -> Rig:
    return Rig(with_contacts(shipped("dreamcatcher")))


def of(rig: Rig, *kinds: type[Event]) -> list[Event]:
    return [record.event for record in rig.records() if isinstance(record.event, kinds)]


def guarded(rig: Rig) -> list[CabinetHealth]:
    return [record.event for record in rig.records() if isinstance(record.event, CabinetHealth)]


def faults(rig: Rig) -> dict[str, str]:
    """What the dealer's screen lists."""
    devices = DeviceList(rig.config)
    for record in rig.records():
        devices.take(record.event)
    return {line["device"]: line["detail"] for line in devices.listed() if line["state"] != Health.OK.value}


def test_an_opening_names_who_had_identified_at_the_table(shipped: Shipped) -> None:
    rig = Rig(with_contacts(shipped("dreamcatcher")), staff=staff())
    rig.world.doors.open("door")
    rig.world.doors.shut("door")
    identify(rig)
    rig.world.doors.open("door")
    rig.wait(200)
    rig.world.doors.shut("door")
    opened = [event.by for event in guarded(rig) if event.health is Health.OPEN]
    assert opened == ["", FLOOR]
    assert getattr(rig.records()[-1].event, "by", None) == "", "the session is over"


def test_a_device_that_fails_is_named_and_an_unreadable_latch_stops_nothing(
    table: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(doors: MockDoors) -> None:
        raise HalError("tamper: the latch of 'cabinet' on pin 4: input/output error; check the wire")

    monkeypatch.setattr(MockDoors, "remembered", fails)
    monkeypatch.setattr(MockDoors, "forget", fails)
    table.power_cut()
    [event] = of(table, SensorHealth)
    assert isinstance(event, SensorHealth)
    assert (event.sensor, event.health) == ("tamper", Health.GONE)
    [alert] = [effect for record in table.records() for effect in record.effects if isinstance(effect, Alert)]
    assert alert.text == "tamper-unknown"
    assert not table.table.halted


def test_what_happened_to_the_supply_before_the_start_is_said_at_the_start(table: Rig) -> None:
    table.world.computer.weaken()
    table.world.computer.repair()
    assert guarded(table) == []
    table.table.stop()  # The process starts again, and not the computer.
    table.table = table._start()
    [event] = guarded(table)
    assert (event.found.code, event.locks) == ("supply-was-low", False)
    assert any(isinstance(effect, Alert) for effect in table.records()[-1].effects)


def test_a_low_battery_of_the_clock_is_alerted_at_the_start_and_within_an_hour(table: Rig) -> None:
    table.world.computer.empty()
    table.wait(5 * BATTERY_EVERY + 1)
    table.power_cut()
    assert [event.found.code for event in guarded(table)] == ["battery-low", "battery-low"]
    assert faults(table) == {"clock battery": "The clock's battery is low: 2.10 V."}
