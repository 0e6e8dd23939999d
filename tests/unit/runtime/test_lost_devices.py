"""Keys and switches that are disconnected or stuck: the screen says which, and work goes on once they are repaired,
without a restart."""

from controller.bench.rig import Rig
from controller.events.effect import Alert, Note
from controller.events.words import Parameters


def reported(table: Rig) -> list[tuple[str, Parameters]]:
    return [
        (effect.text, effect.parameters)
        for record in table.records()
        for effect in record.effects
        if isinstance(effect, Alert | Note)
    ]


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


def test_a_key_that_is_down_as_the_power_comes_is_named_and_presses_nothing(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    keys = table.world.keys[0]
    table.power_off()
    keys.stick("done")
    table.power_on()
    table.wait(11)
    assert ("key-stuck", {"key": "done"}) in reported(table)
    keys.repair()
    table.wait(1)
    assert presses(table) == []
    table.press("done")
    assert presses(table) == ["done"]


def test_a_hand_on_a_key_as_the_power_comes_is_no_fault(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    keys = table.world.keys[0]
    table.power_off()
    keys.stick("done")
    table.power_on()
    table.wait(3)
    keys.repair()
    table.wait(60)
    assert not [record for record in table.records() if record.event.kind in ("press", "key-stuck")]


def test_a_switch_that_is_closed_as_the_power_comes_is_named_and_is_no_turn(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    switches = table.world.switches
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
