"""Devices that are disconnected: in every game and at any time the screen says which, and work goes on once
they are repaired, without a restart."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import shipped_tables
from controller.events.effect import Alert, Note

GAMES = sorted(shipped_tables())


def reported(table: Rig) -> list[Alert | Note]:
    return [effect for record in table.records() for effect in record.effects if isinstance(effect, Alert | Note)]


@pytest.mark.parametrize("game", GAMES)
def test_unplugged_keys_are_named_and_work_again_without_a_restart(
    shipped: Callable[[str], TableConfig], game: str
) -> None:
    config = shipped(game)
    table = Rig(config)
    state, section = table.state, "buttons" if config.devices.buttons else "keypad"
    control = table.world.keys[0].controls[0]
    table.world.fault("keys-unplugged", control)
    expected = Alert(
        f"{section} gone: its cable is unplugged", "nothing that is keyed there is heard until it is mended"
    )
    assert reported(table)[-1] == expected
    assert table.world.sounder.beeps
    before = len(table.records())
    table.press(control)
    assert len(table.records()) == before, "it makes no event"
    assert table.state is state
    table.world.repair()
    assert reported(table)[-1] == Note(f"{section} is in order")
    table.press(control)
    assert table.records()[-1].event.kind == "press"


@pytest.mark.parametrize("game", GAMES)
def test_a_key_that_is_down_as_the_power_comes_is_named_and_presses_nothing(
    shipped: Callable[[str], TableConfig], game: str, tmp_path: Path
) -> None:
    table = Rig(shipped(game), tmp_path / "journal.db")
    keys = table.world.keys[0]
    control = keys.controls[-1]
    table.power_off()
    keys.stick(control)
    table.power_on()
    table.wait(11)
    assert any(isinstance(effect, Alert) and f"key {control} is stuck" in effect.text for effect in reported(table))
    keys.repair()
    table.wait(1)
    assert not [record for record in table.records() if record.event.kind == "press"]
    table.press(control)
    assert table.records()[-1].event.kind == "press"
    table.journal.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_on_a_key_as_the_power_comes_is_no_fault(
    shipped: Callable[[str], TableConfig], game: str, tmp_path: Path
) -> None:
    table = Rig(shipped(game), tmp_path / "journal.db")
    keys = table.world.keys[0]
    table.power_off()
    keys.stick(keys.controls[-1])
    table.power_on()
    table.wait(3)
    keys.repair()
    table.wait(60)
    assert not [record for record in table.records() if record.event.kind in ("press", "key-stuck")]
    table.journal.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_switch_that_is_closed_as_the_power_comes_is_named_and_is_no_turn(
    shipped: Callable[[str], TableConfig], game: str, tmp_path: Path
) -> None:
    table = Rig(shipped(game), tmp_path / "journal.db")
    switches = table.world.switches
    table.power_off()
    switches.set("floor-key", True)
    table.power_on()
    state = table.state
    table.wait(9)
    assert not any(isinstance(one, Alert) for one in reported(table))
    table.wait(2)
    named = [one for one in reported(table) if isinstance(one, Alert)]
    assert [one.text for one in named] == ["switches stuck: closed since the table started: 'floor-key'"]
    assert table.state is state, "no round ends for it, and no table closes"
    switches.set("floor-key", False)
    assert reported(table)[-1] == Note("switches is in order")
    assert not [record for record in table.records() if record.event.kind == "press"]
    table.press("floor-key")
    assert table.records()[-1].event.kind == "press"
    table.journal.close()


@pytest.mark.parametrize("game", GAMES)
def test_keys_that_are_unplugged_as_the_power_comes_are_named(
    shipped: Callable[[str], TableConfig], game: str, tmp_path: Path
) -> None:
    config = shipped(game)
    table = Rig(config, tmp_path / "journal.db")
    section = "buttons" if config.devices.buttons else "keypad"
    table.power_off()
    table.world.keys[0].unplug()
    table.power_on()
    table.wait(1)
    assert any(isinstance(one, Alert) and one.text.startswith(f"{section} gone") for one in reported(table))
    table.world.repair()
    assert reported(table)[-1] == Note(f"{section} is in order")
    table.journal.close()
