"""Keys and switches that are disconnected, stuck or flooding: the screen names the device, and work goes on once it
is repaired, without a restart."""

import pytest

from controller.bench.rig import Rig
from controller.events.effect import Alert, Note
from controller.events.words import Parameters
from controller.tracking.keys import MOST, PER_S
from controller.viewmodel.health import DeviceList


def reported(table: Rig) -> list[tuple[str, Parameters]]:
    effects = [effect for record in table.records() for effect in record.effects]
    return [(effect.text, effect.parameters) for effect in effects if isinstance(effect, Alert | Note)]


def presses(table: Rig) -> list[str]:
    return [record.event.control for record in table.records() if record.event.kind == "press"]


def test_unplugged_keys_are_named_and_work_again_without_a_restart(dreamcatcher: Rig) -> None:
    table, state = dreamcatcher, dreamcatcher.state
    table.world.fault("keys-unplugged", "done")
    gone = {"sensor": "buttons", "health": "gone", "found": "device-gone", "detail": "its cable is unplugged"}
    assert reported(table)[-1] == ("keys-gone", gone)
    assert table.world.sounder.beeps
    before = len(table.records())
    table.press("done")
    assert len(table.records()) == before, "it makes no event"
    assert table.state is state
    table.world.repair()
    assert reported(table)[-1][0] == "sensor-ok"
    table.press("done")
    assert presses(table) == ["done"]


@pytest.mark.parametrize(("seconds", "named"), [(3, False), (11, True)])
def test_a_key_that_is_down_as_the_power_comes_presses_nothing_and_is_named_if_it_stays_so(
    dreamcatcher: Rig, seconds: float, named: bool
) -> None:
    """A hand may be on it at the start."""
    table, keys = dreamcatcher, dreamcatcher.world.keys[0]
    table.power_off()
    keys.set("done", True)
    table.power_on()
    table.wait(seconds)
    keys.repair()
    table.wait(60)
    assert (("key-stuck", {"key": "done"}) in reported(table)) == named
    assert presses(table) == []
    table.press("done")
    assert presses(table) == ["done"]


def test_a_switch_that_is_closed_as_the_power_comes_is_named_and_is_no_turn(dreamcatcher: Rig) -> None:
    table, switches = dreamcatcher, dreamcatcher.world.switches
    table.power_off()
    switches.set("floor-key", True)
    table.power_on()
    state = table.state
    table.wait(9)
    assert "switch-stuck" not in [code for code, _ in reported(table)]
    table.wait(2)
    code, found = reported(table)[-1]
    assert (code, found["found"], found["switches"]) == ("switch-stuck", "closed-since-start", "floor-key")
    assert table.state is state
    switches.set("floor-key", False)
    assert reported(table)[-1][0] == "sensor-ok"
    assert not table.table.desk.entries, "no menu opens for it"
    table.press("floor-key")
    assert table.table.desk.entries


# -- floods --------------------------------------------------------------------------------------------------------


def flood(table: Rig, count: int, per_s: float) -> None:
    """A keypad sends all its keys, one after the other."""
    controls = table.world.keys[0].controls
    for number in range(count):
        table.world.press(controls[number % len(controls)])
        table.wait(1 / per_s)


def test_a_flood_of_keys_is_named_once_and_not_recorded_until_it_was_silent(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.wait(60)
    before = len(table.records())
    flood(table, 2500, 500)
    [found] = [parameters for code, parameters in reported(table) if code == "keys-noisy"]
    # Each that is taken has its own entry, and some cause another.
    assert len(table.records()) - before <= 3 * (MOST + PER_S)
    devices = DeviceList(table.config)
    for record in table.records():
        devices.take(record.event)
    assert devices.faults[str(found["sensor"])].state.value == "noisy"
    table.wait(3)
    code, calm = reported(table)[-1]
    assert (code, calm["sensor"]) == ("sensor-ok", found["sensor"])
    before = len(table.records())
    table.press("clear")
    assert [record.event.kind for record in table.records()[before:]] == ["press"]


@pytest.mark.parametrize("per_s", [3.0, PER_S - 1.0])
def test_hands_are_never_too_fast(per_s: float, dreamcatcher: Rig) -> None:
    before = len(dreamcatcher.records())
    flood(dreamcatcher, 200, per_s)
    assert "keys-noisy" not in [code for code, _ in reported(dreamcatcher)]
    assert len(dreamcatcher.records()) - before >= 200
