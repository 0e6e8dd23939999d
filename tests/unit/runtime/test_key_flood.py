"""A device that sends hundreds of presses a second is named, and takes the table from nobody else."""

import pytest

from controller.bench.rig import Rig
from controller.events.effect import Alert, Note
from controller.events.event import Health, SensorHealth
from controller.tracking.keys import MOST, PER_S
from controller.viewmodel.health import DeviceList


def flood(table: Rig, presses: int, per_s: float) -> None:
    """A keypad sends all its keys, one after the other."""
    controls = table.world.keys[0].controls
    for number in range(presses):
        table.world.press(controls[number % len(controls)])
        table.wait(1 / per_s)


def of_keys(table: Rig) -> list[SensorHealth]:
    names = {"keypad", "keyboard", "buttons"}
    events = [record.event for record in table.records()]
    return [event for event in events if isinstance(event, SensorHealth) and event.sensor in names]


def test_five_hundred_keys_a_second_are_named_once_and_not_recorded(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.wait(60)
    before = len(table.records())
    flood(table, 5000, 500)
    (noisy,) = of_keys(table)
    assert noisy.health is Health.NOISY
    # Each that is taken has its own entry, and some cause another.
    assert len(table.records()) - before <= 3 * (MOST + PER_S)
    alerts = [effect.text for record in table.records() for effect in record.effects if isinstance(effect, Alert)]
    assert alerts == ["keys-noisy"]
    devices = DeviceList(table.config)
    for record in table.records():
        devices.take(record.event)
    assert devices.faults[noisy.sensor].state is Health.NOISY


def test_it_counts_again_once_it_was_silent(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    flood(table, 1000, 500)
    table.wait(3)
    _, calm = of_keys(table)
    assert calm.health is Health.OK
    (note,) = [effect for effect in table.records()[-1].effects if isinstance(effect, Note)]
    assert (note.text, note.parameters["sensor"]) == ("sensor-ok", calm.sensor)
    before = len(table.records())
    table.press("clear")
    assert [record.event.kind for record in table.records()[before:]] == ["press"]


@pytest.mark.parametrize("per_s", [3.0, 10.0, PER_S - 1.0])
def test_hands_are_never_too_fast(per_s: float, dreamcatcher: Rig) -> None:
    table = dreamcatcher
    before = len(table.records())
    flood(table, 200, per_s)
    assert of_keys(table) == []
    assert len(table.records()) - before >= 200
