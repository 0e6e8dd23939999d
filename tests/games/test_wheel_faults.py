"""A round on a wheel whose sensors, lamps or keys fail: named, void where it must be, and locked."""

import math
from collections.abc import Callable

import pytest
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import Health, PanelFault, SensorHealth
from controller.events.words import text


def test_a_wheel_that_never_rests_locks_the_table(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    for _ in range(40):
        table.spin(revolutions=4, rest=False)
        table.wait(4)
        if table.state.value == "locked":
            break
    assert table.state.value == "locked"
    assert table.last("void").reason == "not-at-rest"


@pytest.mark.clause("689a.1(e)")
@pytest.mark.parametrize(
    ("fault", "target", "amount", "sensor"),
    [
        ("dead-clapper", "", 0, "clapper"),
        ("missing-index", "", 0, "index"),
        ("stuck-high", "encoder_a", 0, "encoder_a"),
        ("stuck-low", "encoder_b", 0, "encoder_b"),
        ("stuck-high", "clapper", 0, "off-peg"),
        ("slip", "", 0.05, "encoder"),
        ("swapped", "", 0, "encoder"),
        ("lost-edges", "", 0.05, "encoder"),
        ("unplugged", "", 0, "encoder"),
    ],
)
def test_a_sensor_fault_voids_the_spin_locks_and_is_named(
    dreamcatcher: Rig, fault: str, target: str, amount: float, sensor: str
) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(revolutions=4.5, rest=False)
    table.wait(2)
    table.world.fault(fault, target, amount)
    table.rest()
    assert table.state.value == "locked"
    assert table.last("void").reason == "sensor-fault"
    assert sensor in str(table.last("lock").parameters) + str(table.last("sensor-health"))
    assert table.lit() == set()
    table.world.repair()
    table.floor()
    assert table.state.value == "locating"
    x = table.world.wheel.x
    table.turn((math.floor(x) + 130.7 - x) / 54, seconds=8)  # Twice around, and clear of the pegs.
    assert table.state.value == "confirming"
    section, _ = table.world.wheel.true_stand()
    assert table.machine.data.section == section
    assert table.machine.instruction().parameters["number"] == section + 1
    table.floor()
    assert table.state.value == "respin"
    table.spin(stop_on="10")
    assert table.lit() == {"10"}


@pytest.mark.parametrize("missed_s", [1.0, 2.5])
def test_an_index_pulse_that_is_missed_in_the_spin_is_settled_by_later_ones(
    dreamcatcher: Rig, missed_s: float
) -> None:
    """A valid spin is not void because one pulse was not seen."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="10", revolutions=6.5, rest=False)
    table.wait(1)
    table.world.fault("missing-index")
    table.wait(missed_s)
    table.world.repair()
    table.rest()
    seen = [(event.sensor, event.health.value) for event in _events(table) if event.kind == "sensor-health"]
    assert (table.state.value, table.lit()) == ("result", {"10"}), seen
    assert ("index", "silent") in seen or missed_s < 2


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
def test_after_a_power_cut_a_position_that_was_to_be_confirmed_is_found_anew(
    shipped: Callable[[str], TableConfig], game: str
) -> None:
    """The wheel may have been turned meanwhile: the key confirms nothing until it was around once more."""
    table = Rig(shipped(game))
    table.world.fault("missing-index")
    table.turn(2.2)
    table.world.repair()
    table.floor()
    table.turn(2.2)
    assert table.state.value == "confirming"
    table.power_cut()
    assert table.state.value == "locating"
    table.turn(2.2)
    assert table.state.value == "confirming"
    table.floor()
    assert table.state.value == "bets-open"


def test_a_dead_lamp_is_found_settled_by_the_screen_and_locks_afterwards(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.world.fault("dead-lamp", "10")
    table.press("no-more-bets")
    table.spin(stop_on="10")
    assert table.last("panel-fault").dark == ("10",)
    assert table.state.value == "result"
    table.press("done", "done", "clear")
    assert table.state.value == "locked"
    assert table.machine.causes == (text("lamps-dark", dark="10"),)
    table.world.repair()
    table.floor()
    assert table.state.value == "bets-open"


def test_a_lamp_that_burns_falsely_locks_the_table(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="10")
    table.world.fault("burning-lamp", "40")
    table.press("done", "done", "clear")
    assert table.state.value == "locked"
    assert table.machine.causes == (text("lamps-lit", lit="40"),)
    table.floor()
    assert table.state.value == "locked"
    table.world.repair()
    table.floor()
    assert table.state.value == "bets-open"


def _events(table: Rig) -> list[object]:
    return [record.event for record in table.records()]


@pytest.mark.parametrize("hertz", [100, 200, 1000])
def test_noise_on_the_clapper_is_called_by_its_name(dreamcatcher: Rig, hertz: float) -> None:
    """Strikes come too fast for the pegs while the encoder counts on: the encoder is not what is broken."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(3.3, stop_on=20, rest=False)
    table.wait(6)
    table.world.fault("noise", "clapper", hertz)
    table.wait(2)
    found = [event for event in (record.event for record in table.records()) if isinstance(event, SensorHealth)]
    assert (found[-1].sensor, found[-1].health) == ("clapper", Health.NOISY)
    table.world.repair()
    table.rest()
    assert table.last("void").reason == "sensor-fault"
    assert table.state.value == "locked"
    assert table.lit() == set()


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
@pytest.mark.parametrize("state", ["locating", "confirming", "locked"])
def test_noise_on_the_clapper_of_a_wheel_at_rest_is_reported(
    shipped: Callable[[str], TableConfig], game: str, state: str
) -> None:
    """Such a wheel is never seen at rest, so no rest can lock the table and say why."""
    table = Rig(shipped(game))
    if state != "locating":
        table.world.fault("missing-index")
        table.turn(2.2)
        table.world.repair()
    if state == "confirming":
        table.floor()
        table.turn(2.2)
    assert table.state.value == state
    table.world.fault("noise", "clapper", 50)
    table.wait(5)
    assert table.state.value == state
    assert table.last("alert").text == "sensor-failed"
    assert table.last("alert").parameters["found"] == "not-counting"


# -- a wheel that turns while nobody can take its spin -------------------------------------------------------------


def voids(table: Rig) -> list[str]:
    """The reason of every void on record."""
    effects = [effect for record in table.records() for effect in record.effects]
    return [effect.reason for effect in effects if effect.kind == "void"]


def test_a_wheel_that_races_after_a_power_cut_is_waited_for(dreamcatcher: Rig) -> None:
    """Nobody is asked to turn a wheel that turns, and its spin is void once."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(revolutions=8, rest=False)
    table.wait(3)
    table.power_cut(seconds=2)
    assert table.state.value == "locating"
    screens = screens_of(table)
    for _ in range(3):
        table.wait(1)
        assert screens.dealer()["task"]["act"] == "let the wheel stand"
    table.rest()
    assert table.state.value == "respin"
    assert voids(table) == ["power-cut"]


def test_a_full_spin_before_the_position_is_known_is_void_and_says_so(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.power_cut()
    assert table.state.value == "locating"
    table.spin(stop_on="40")
    assert voids(table) == ["position-unknown"]
    assert table.state.value == "respin"
    assert table.machine.instruction().parameters == {"void": "position-unknown", "multiplier": 7}
    table.spin(stop_on="40")
    assert table.last("result").wins[0].pays == "280 to 1"


def test_a_full_spin_while_the_table_is_locked_is_void_and_says_so(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.table.take([PanelFault(table.clock.now_ns(), (), ("1",))])
    assert table.state.value == "locked"
    table.spin(stop_on="40")
    assert voids(table) == ["table-locked"]
    table.floor()
    assert table.state.value == "respin"


def test_a_spin_that_ends_after_the_lock_was_opened_is_void_too(dreamcatcher: Rig) -> None:
    table = dreamcatcher
    table.press("no-more-bets")
    table.table.take([PanelFault(table.clock.now_ns(), (), ("1",))])
    table.spin(stop_on="40", rest=False)
    table.wait(2)
    table.floor()
    assert table.state.value == "no-more-bets"
    table.rest()
    assert (table.state.value, voids(table)) == ("respin", ["table-locked"])


@pytest.mark.clause("689a.2(c)", "619a.2(c)")
@pytest.mark.parametrize("call", [False, True])
def test_a_void_spin_locks_a_table_whose_panel_failed_in_it(dreamcatcher: Rig, call: bool) -> None:
    """Its lamps could not show where the next spin ends."""
    table = dreamcatcher
    table.press("no-more-bets")
    table.spin(revolutions=2.2, rest=False)
    while table.state.value != "spinning":
        table.wait(0.1)
    table.table.take([PanelFault(table.clock.now_ns(), ("10",), ())])
    if call:
        table.floor("void", "wheel-hindered")
    table.rest()
    assert len(voids(table)) == 1
    assert table.state.value == "locked"
    assert table.machine.causes[0].code == "lamps-dark"
    table.floor()
    assert table.state.value == "respin"
