"""A display that is unplugged: the table plays on, and its record, its log and its other screens say so."""

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import find_table
from controller.events.effect import Alert
from controller.events.event import Health, SensorHealth
from controller.events.health import DISPLAY
from controller.runtime.display_watch import LOOKS_NS, PATIENT_LOOKS, DisplayWatch
from controller.viewmodel.health import DeviceList


class Plug:
    """A display's plug."""

    def __init__(self) -> None:
        self.outputs: tuple[str, ...] = ("HDMI-A-1",)

    def connected(self) -> tuple[str, ...]:
        return self.outputs


def looks(rig: Rig, count: int) -> None:
    rig.wait(count * LOOKS_NS / 1e9 + 0.1)


@pytest.fixture
def config() -> TableConfig:
    return find_table("sic-bo").config


def test_an_unplugged_display_is_on_record_and_the_table_plays_on(
    config: TableConfig, caplog: pytest.LogCaptureFixture
) -> None:
    rig, plug = Rig(config), Plug()
    watch = DisplayWatch(plug, "dealer", rig.clock, rig.table.take)
    watch.start()
    looks(rig, 3)
    plug.outputs = ()
    looks(rig, 1)
    state = rig.table.machine.state
    assert not [record for record in rig.records() if isinstance(record.event, SensorHealth)]
    looks(rig, PATIENT_LOOKS + 3)
    found = [record for record in rig.records() if isinstance(record.event, SensorHealth)]
    assert [record.event.health for record in found if isinstance(record.event, SensorHealth)] == [Health.GONE]
    (alert,) = [effect for effect in found[0].effects if isinstance(effect, Alert)]
    assert "dealer's screen is not shown" in alert.text
    assert "no display is connected to this computer" in caplog.text
    assert rig.table.machine.state == state
    devices = DeviceList(config)
    devices.take(found[0].event)
    assert devices.faults[DISPLAY].state is Health.GONE
    plug.outputs = ("HDMI-A-1",)
    looks(rig, 2)
    for record in rig.records():
        devices.take(record.event)
    assert DISPLAY not in devices.faults
    watch.close()


def test_a_display_that_was_never_there_is_said_once(config: TableConfig) -> None:
    rig, plug = Rig(config), Plug()
    plug.outputs = ()
    watch = DisplayWatch(plug, "board", rig.clock, rig.table.take)
    watch.start()
    looks(rig, 20)
    found = [record.event for record in rig.records() if isinstance(record.event, SensorHealth)]
    assert [event.detail for event in found] == [
        "no display is connected to this computer: the players' board is not shown"
    ]
    watch.close()
