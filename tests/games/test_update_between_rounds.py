"""An update is confirmed between two rounds and at no other time, in every state of every game.

What is between two rounds is found here in another way than the table finds it: the machine's data are those with
which the round opened, or the table is closed.
"""

import json
import random
from typing import Any

import pytest
from any_game import OPEN, shipped_table
from screen_table import arrive
from update_table import STICK, FolderInMemory, Updated

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.ways import states
from controller.events.effect import RoundOpened
from controller.journal.record import RecordedDecision, of_entry
from controller.statechart.registry import game_names
from controller.updating.prompt import between_rounds

PLACES = [(name, state) for name in game_names() for state in states(name)]
CLOSED = "closed"
OF_THE_WHEEL = ("located", "section")
"""Where a wheel with a clapper hangs, whatever is played."""


def data_at_opening(rig: Rig) -> Any:
    """The machine's data when the present round opened; None if none has."""
    for entry in rig.journal.backwards():
        if any(isinstance(effect, RoundOpened) for effect in of_entry(entry).effects):
            return json.loads(entry.checkpoint or "")["data"]
    return None


def nothing_is_played(rig: Rig) -> bool:
    machine = rig.machine
    if machine.state.value == CLOSED:
        return not machine.held
    opened, now = data_at_opening(rig), machine.snapshot()["data"]
    if opened is None or machine.state.value != OPEN:
        return False
    return bool({**opened, **dict.fromkeys(OF_THE_WHEEL)} == {**now, **dict.fromkeys(OF_THE_WHEEL)})


@pytest.mark.parametrize(("name", "state"), PLACES)
def test_in_every_state_the_key_confirms_an_update_or_is_the_games(name: str, state: str) -> None:
    rig = arrive(shipped_table(name), state, stop=True).rig
    assert rig is not None
    table = Updated(rig, FolderInMemory())
    table.offer(STICK)
    still, asks = nothing_is_played(rig), table.asks()
    rig.press("floor-key")
    confirmed = "update-confirmed" in table.kinds()
    assert confirmed is (table.folder.confirmed is not None)
    assert confirmed is ("turn the floorperson's key to install it, which closes" in asks)
    assert still or not confirmed, "a round is being played"
    if state == CLOSED:
        assert confirmed, "nothing keeps a closed table from being updated"
    table.stop()


@pytest.mark.parametrize("name", game_names())
def test_all_through_play_a_table_is_between_rounds_only_while_nothing_is_played(name: str) -> None:
    oracle, seen = Oracle(), dict[bool, int]()

    def look(recorded: RecordedDecision) -> None:
        between = between_rounds(rig.table.recorder)
        seen[between] = seen.get(between, 0) + 1
        assert not between or nothing_is_played(rig), recorded.record
        if any(isinstance(effect, RoundOpened) for effect in recorded.record.effects):
            assert between == (rig.state.value == OPEN), "as soon as a round has opened"

    config = shipped_table(name)
    rig = Rig(config, options={"seed": 3} if config.wheel or config.rotor else None, listeners=(oracle,))
    dealer = Dealer(rig, random.Random(3), oracle)
    for _ in range(3):
        rig.table.listeners.append(look)
        dealer.play(6)
        rig.power_cut()
    assert min(seen.values()) > 5
    rig.table.stop()
    rig.journal.close()
