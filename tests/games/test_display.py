"""The display of a table's kiosk: play needs none, in whatever state it is unplugged."""

import json
import random

import pytest
from any_game import shipped_table

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.ways import states
from controller.events.effect import Alert, Note
from controller.events.event import Health, SensorHealth
from controller.events.health import DISPLAY
from controller.statechart.any_machine import AnyMachine
from controller.statechart.registry import game_names

ACTS = 120


def unplug(machine: AnyMachine) -> None:
    """Unplug the display, and connect it again: one is alerted, the other noted, and nothing else is changed."""
    before = json.dumps(machine.snapshot())
    gone = machine.handle(SensorHealth(5, DISPLAY, Health.GONE, "no display is connected"))
    assert [type(effect) for effect in gone.effects] == [Alert], machine.state
    back = machine.handle(SensorHealth(6, DISPLAY, Health.OK))
    assert [type(effect) for effect in back.effects] == [Note], machine.state
    assert json.dumps(machine.snapshot()) == before, machine.state


@pytest.mark.parametrize("name", game_names())
def test_an_unplugged_display_is_alerted_in_every_state_and_changes_none(name: str) -> None:
    machine = Rig(shipped_table(name)).machine
    plain = machine.snapshot()
    for state in states(name):
        try:
            machine.restore({**plain, "state": state})
        except ValueError:  # A state with data of its own: the next test comes by it in play.
            continue
        unplug(machine)


@pytest.mark.parametrize("name", game_names())
def test_an_unplugged_display_stops_no_round(name: str) -> None:
    rig = Rig(shipped_table(name), options={"seed": 2})
    dealer, met = Dealer(rig, random.Random(2), Oracle(), no_rolls=0.1), set()
    for _ in range(ACTS):
        dealer.act()
        met.add(str(rig.state.value))
        unplug(rig.machine)
    assert len(met) > 3
