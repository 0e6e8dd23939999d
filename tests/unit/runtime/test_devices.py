"""Devices that fail, and what is watched beside the game; the scenario big-six-devices has the usual faults."""

from collections.abc import Callable

import pytest
from staff import FLOOR, identify, staff

from config.schema import TableConfig
from controller.bench.rig import NS_PER_S, HaltedTableError, Rig
from controller.bench.simulated_table import with_contacts
from controller.events.effect import Alert, Note
from controller.events.event import CabinetHealth, Health, PanelFault, Press
from controller.runtime.lamps import CHECK_NS, RETRY_NS, Lamps
from controller.runtime.watches import BATTERY_EVERY
from controller.table.keys import MOST, PER_S, KeyTracker
from hal.errors import HalError
from hal.events import SwitchEvent
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockDoors

Shipped = Callable[[str], TableConfig]


@pytest.fixture
def table(shipped: Shipped) -> Rig:
    """With a door and a cabinet, and people who identify."""
    return Rig(with_contacts(shipped("dreamcatcher")), staff=staff())


def cabinet(rig: Rig) -> list[CabinetHealth]:
    return [record.event for record in rig.records() if isinstance(record.event, CabinetHealth)]


def reported(rig: Rig) -> list[str]:
    effects = [effect for record in rig.records() for effect in record.effects]
    return [effect.text for effect in effects if isinstance(effect, Alert | Note)]


def pressed(rig: Rig) -> list[str]:
    return [record.event.control for record in rig.records() if record.event.kind == "press"]


# -- cabinet, supply, battery --------------------------------------------------------------------------------------


def test_an_opening_names_who_had_identified_at_the_table(table: Rig) -> None:
    table.world.doors.set("door", False)
    table.world.doors.set("door", True)
    identify(table)
    table.world.doors.set("door", False)
    table.wait(200)
    table.world.doors.set("door", True)
    assert [event.by for event in cabinet(table) if event.health is Health.OPEN] == ["", FLOOR]
    assert cabinet(table)[-1].by == "", "the session is over"


def test_a_latch_that_cannot_be_read_is_named_and_stops_nothing(
    table: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(doors: MockDoors) -> None:
        raise HalError("tamper: the latch of 'cabinet' on pin 4: input/output error; check the wire")

    monkeypatch.setattr(MockDoors, "remembered", fails)
    monkeypatch.setattr(MockDoors, "forget", fails)
    table.power_cut()
    assert (reported(table), table.table.halted) == (["tamper-unknown"], "")


def test_what_was_low_before_a_start_is_named_at_the_start_and_the_battery_hourly(table: Rig) -> None:
    table.world.computer.weaken()
    table.world.computer.repair()
    assert cabinet(table) == []
    table.table.stop()  # The process starts again, and not the computer.
    table.table = table._start()
    assert [(event.found.code, event.locks) for event in cabinet(table)] == [("supply-was-low", False)]
    table.world.computer.empty()
    table.wait(5 * BATTERY_EVERY + 1)
    table.power_cut()
    assert [event.found.code for event in cabinet(table)][1:] == ["battery-low"] * 2


# -- keys and switches that are down -------------------------------------------------------------------------------


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
    assert (("key-stuck" in reported(table)), pressed(table)) == (named, [])
    table.press("done")
    assert pressed(table) == ["done"]


def test_each_of_two_keys_that_stick_is_named_at_its_time(dreamcatcher: Rig) -> None:
    keys = dreamcatcher.world.keys[0]
    keys.set("done", True)
    dreamcatcher.wait(5)
    keys.set("clear", True)
    for seconds, stuck in ((4, 0), (2, 1), (5, 2)):
        dreamcatcher.wait(seconds)
        assert reported(dreamcatcher).count("key-stuck") == stuck


def test_a_switch_that_is_closed_as_the_power_comes_is_named_and_is_no_turn(dreamcatcher: Rig) -> None:
    table, switches = dreamcatcher, dreamcatcher.world.switches
    table.power_off()
    switches.set("floor-key", True)
    table.power_on()
    state = table.state
    table.wait(9)
    assert "switch-stuck" not in reported(table)
    table.wait(2)
    assert (reported(table)[-1], table.state) == ("switch-stuck", state)
    switches.set("floor-key", False)
    assert (reported(table)[-1], table.table.desk.entries) == ("sensor-ok", ()), "no menu opens for it"
    table.press("floor-key")
    assert table.table.desk.entries


def test_a_switch_is_named_when_its_time_has_come_and_its_opening_may_be_unseen() -> None:
    """At a table that starts long after its computer: a stamp is no age."""
    start_ns, ten_s = 10**15, 10 * NS_PER_S
    for closes_again in (False, True):
        keys = KeyTracker()
        assert keys.switch(SwitchEvent("floor-key", True, start_ns, held=True), 0) == []
        assert keys.tick(start_ns + ten_s - 1) == []
        if closes_again:
            assert keys.switch(SwitchEvent("floor-key", True, start_ns + 5), 7) == [
                Press(start_ns + 5, "floor-key", 7)
            ]
        named = [event.kind for seconds in (10, 20) for event in keys.tick(start_ns + seconds * NS_PER_S)]
        assert named == ([] if closes_again else ["sensor-health"]), "once"


@pytest.mark.parametrize(("per_s", "count"), [(500, 2500), (3.0, 200), (PER_S - 1.0, 200)])
def test_a_flood_of_keys_is_named_once_until_it_was_silent_and_hands_are_never_too_fast(
    dreamcatcher: Rig, per_s: float, count: int
) -> None:
    table, controls = dreamcatcher, dreamcatcher.world.keys[0].controls
    before = len(table.records())
    for number in range(count):
        table.world.press(controls[number % len(controls)])
        table.wait(1 / per_s)
    by_hand = per_s < PER_S
    assert reported(table).count("keys-noisy") == (not by_hand)
    recorded = len(table.records()) - before
    assert recorded >= count if by_hand else recorded <= 3 * (MOST + PER_S), "each taken one may cause another"
    table.wait(3)
    assert by_hand or reported(table)[-1] == "sensor-ok"
    table.press("clear")
    assert table.records()[-1].event.kind == "press"


# -- lamps ---------------------------------------------------------------------------------------------------------


class Panel:
    """Lamps whose supply can be cut."""

    burning: frozenset[str] = frozenset()
    answers, polls = True, 0

    def show(self, areas: frozenset[str]) -> None:
        self.read_back()
        self.burning = areas

    def read_back(self) -> frozenset[str] | None:
        self.polls += 1
        if not self.answers:
            raise HalError("panel: no answer")
        return self.burning

    def close(self) -> None:
        pass


def test_a_panel_that_does_not_answer_is_polled_less_often_and_lit_when_it_returns() -> None:
    panel, clock, faults, lit = Panel(), VirtualClock(), list[PanelFault](), frozenset({"small", "big"})
    lamps = Lamps(panel, clock, faults.append)
    lamps.show(lit)
    panel.answers = False
    clock.advance_to(CHECK_NS)
    assert [(fault.dark, fault.detail) for fault in faults] == [(("big", "small"), "panel: no answer")]
    polls = panel.polls
    clock.advance_to(CHECK_NS + RETRY_NS - 1)
    assert panel.polls == polls, "each question may take long"
    panel.answers, panel.burning = True, frozenset()
    clock.advance_to(3 * RETRY_NS)
    assert (panel.burning, len(faults)) == (lit, 2), "that its lamps had gone out is reported, too"
    lamps.show(lit)
    for seconds in range(1, 60):  # A loose contact does not fill the journal.
        panel.burning = frozenset({"big"})
        clock.advance_to(3 * RETRY_NS + seconds * CHECK_NS)
    assert len(faults) == 3


# -- the sensor head -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tenth", [0, 3, 9, 21, 39])
def test_a_spin_whose_head_goes_away_has_no_result(opened: Callable[..., Rig], tenth: int) -> None:
    """Even while the wheel creeps over its last peg, when a stop would be accepted as a result."""
    table = opened("dreamcatcher")
    table.press("no-more-bets")
    table.spin(3.3, stop_on="40", rest=False)
    table.clock.advance_to(table.world.wheel.at_rest_ns - tenth * NS_PER_S // 10)
    table.world.sensors.lose()
    assert table.table.halted == "the simulated GPIO chip is gone; plug it in"
    assert table.last("void").reason == "controller-failed"
    with pytest.raises(HaltedTableError, match="chip is gone"):
        table.wait(60)
    assert not any(effect.kind == "result" for record in table.records() for effect in record.effects)
    assert table.lit() == set()
    table.power_cut()
    assert table.table.machine.causes[0].parameters["error"] == "the simulated GPIO chip is gone; plug it in"
    table.floor()
    table.turn(2.3)
    if table.state.value == "confirming":
        table.floor()
    assert table.state.value == "respin", "the round is kept, and the wheel found anew"
