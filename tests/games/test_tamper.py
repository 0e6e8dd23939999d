"""A door or the cabinet is opened at a table of any game: on record, alerted, and locked as configured."""

import json
import random
from collections.abc import Callable

import pytest
from any_game import OPEN, back_to_open, shipped_table

from config.schema import TableConfig
from controller.bench.dealer import HOPELESS, Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulated_table import with_contacts
from controller.events.effect import Alert, Note, Result, RoundOpened
from controller.events.event import (
    SUPPLY,
    Act,
    CabinetHealth,
    Event,
    Health,
    OnRecord,
    RulesChanged,
)
from controller.events.record import Decision
from controller.events.words import text
from controller.machine.registry import game_names
from controller.table.machine import TableMachine

GAMES = game_names()
OPENED = CabinetHealth(5, "cabinet contact", Health.OPEN, text("opened-now", contact="cabinet"), True)
CLOSED = CabinetHealth(9, "cabinet contact", Health.OK, text("contact-closed", contact="cabinet"))
LOW = CabinetHealth(5, SUPPLY, Health.DEGRADED, text("supply-low"), True)
PLACES = [(name, str(state.value)) for name in GAMES for state in Rig(shipped_table(name)).machine.rounds.states]

SHUT = ("locked", "closed")


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each of the games in turn."""
    return str(request.param)


def opened(config: TableConfig) -> Rig:
    """A table that is open for wagers, with a door that alerts and a cabinet that locks."""
    rig = Rig(with_contacts(config))
    back_to_open(rig, Oracle(), random.Random(1))
    return rig


def happened(rig: Rig) -> list[tuple[str, str]]:
    """What happened to which contact."""
    events = (record.event for record in rig.records() if isinstance(record.event, CabinetHealth))
    return [(event.found.code, str(event.found.parameters["contact"])) for event in events]


def alerts(rig: Rig) -> list[str]:
    return [effect.text for effect in rig.records()[-1].effects if isinstance(effect, Alert)]


def turn_key(rig: Rig) -> None:
    """Twice: the floorperson chooses what the table waits for, and confirms it."""
    rig.press("floor-key", "floor-key")
    if rig.prompt.text.code:  # Nothing could be chosen.
        rig.press("clear")


def act_until(rig: Rig, reached: Callable[[], bool]) -> None:
    """People do what the table asks."""
    dealer = Dealer(rig, random.Random(2), Oracle(), no_rolls=0.0)
    for _ in range(HOPELESS):
        if reached():
            return
        dealer.act()
    raise AssertionError(f"{rig.state.value}: {rig.waiting_for}")


def test_an_opened_door_is_alerted_and_play_goes_on(name: str) -> None:
    rig = opened(shipped_table(name))
    lit = rig.world.panel.lit()
    rig.world.doors.open("door")
    assert (rig.records()[-1].state, alerts(rig)) == (OPEN, ["opened-now"])
    assert rig.world.panel.lit() == lit
    rig.world.doors.shut("door")
    assert happened(rig) == [("opened-now", "door"), ("contact-closed", "door")]
    assert rig.records()[-1].effects == (Note("contact-closed", {"contact": "door"}),)


def test_an_opened_cabinet_shuts_the_table_until_it_is_closed_and_the_key_is_turned(name: str) -> None:
    rig = opened(shipped_table(name))
    rig.world.doors.open("cabinet")
    shut = str(rig.state.value)
    assert shut in SHUT
    assert "opened-now" in alerts(rig)
    assert rig.machine.instruction() == text("locked-shut", contacts="cabinet")
    turn_key(rig)
    assert rig.state.value == shut
    rig.world.doors.shut("cabinet")
    assert rig.state.value == shut, "closing it does not open the table"
    turn_key(rig)
    assert rig.state.value != shut
    act_until(rig, lambda: str(rig.state.value) == OPEN)


def test_a_round_in_progress_is_finished_and_no_new_one_opens(name: str) -> None:
    rig = opened(shipped_table(name))
    act_until(rig, lambda: any(isinstance(one, Result) for one in rig.records()[-1].effects))
    results = rig.machine.lit
    rig.world.doors.open("cabinet")
    assert rig.machine.lit == results, "the result stays lit"
    before = len(rig.records())
    act_until(rig, lambda: str(rig.state.value) in SHUT)
    rounds = [one for record in rig.records()[before:] for one in record.effects if isinstance(one, RoundOpened)]
    assert len(rounds) <= 1, "at most the round that the lock keeps from being played"
    for _ in range(5):
        turn_key(rig)
        rig.press("no-more-bets", "clear", "done")
    assert str(rig.state.value) in SHUT


def test_an_opening_while_the_power_was_off_is_named_once(name: str) -> None:
    rig = opened(shipped_table(name))
    rig.power_off()
    rig.world.doors.open("cabinet")
    rig.world.doors.shut("cabinet")
    rig.power_on()
    assert happened(rig) == [("opened-power-off", "cabinet"), ("contact-closed", "cabinet")]
    assert str(rig.state.value) in SHUT
    turn_key(rig)
    act_until(rig, lambda: str(rig.state.value) == OPEN)
    rig.power_cut()
    assert len(happened(rig)) == 2, "the latch was reset: it is not said again"


def test_a_cabinet_that_is_open_as_the_table_starts_is_named_at_each_start_and_keeps_it_shut(name: str) -> None:
    rig = opened(shipped_table(name))
    rig.power_off()
    rig.world.doors.open("cabinet")
    for starts in (1, 2):
        rig.power_on()
        assert happened(rig) == [("opened-at-start", "cabinet")] * starts
        turn_key(rig)
        assert str(rig.state.value) in SHUT
        rig.power_off()
    rig.world.doors.shut("cabinet")
    rig.power_on()
    turn_key(rig)
    act_until(rig, lambda: str(rig.state.value) == OPEN)


@pytest.mark.parametrize(("name", "state"), PLACES)
@pytest.mark.parametrize("locks", [OPENED, LOW], ids=["cabinet", "supply"])
def test_every_state_takes_what_locks_and_reads_it_back_from_a_checkpoint(
    name: str, state: str, locks: Event
) -> None:
    """Whatever the round was about: nothing fails, something is alerted, and a shut table stays so."""
    machine = Rig(with_contacts(shipped_table(name))).machine
    snapshot = machine.snapshot()
    machine.restore({**snapshot, "round": {**snapshot["round"], "state": state}})
    decision = machine.handle(locks)
    assert any(isinstance(effect, Alert) for effect in decision.effects)
    snapshot = json.loads(json.dumps(machine.snapshot()))
    machine.restore(snapshot)
    assert machine.snapshot() == snapshot
    assert machine.table.shut
    if decision.state in SHUT:
        assert opening(machine, 7).outcome.value == "refused"


def opening(machine: TableMachine, at_ns: int) -> Decision:
    """What the machine decides on the floorperson's act that opens the table."""
    (offer,) = (offer for offer in machine.offers() if offer.expected)
    return machine.handle(Act(at_ns, offer.act, offer.argument))


def test_a_table_made_ready_anew_stays_shut_while_the_cabinet_is_open(name: str) -> None:
    """Other rules end a round and make the table ready anew: that is no way around the lock."""
    machine = Rig(with_contacts(shipped_table(name))).machine
    machine.handle(OPENED)
    changed = RulesChanged(7, "0.9", "0" * 64, "c", "0.8", "", "", 3, "other-effects", 3, OnRecord.NOTHING, ())
    assert machine.handle(changed).state in SHUT
    assert opening(machine, 8).outcome.value == "refused"
    machine.handle(CLOSED)
    assert opening(machine, 11).outcome.value == "accepted"


def test_a_low_supply_locks_if_the_file_says_so_and_the_key_opens_once_it_is_in_order(name: str) -> None:
    config = shipped_table(name)
    computer = config.computer.model_copy(update={"supply": "lock"})
    rig = opened(config.model_copy(update={"computer": computer}))
    rig.world.computer.weaken()
    rig.wait(6)
    assert str(rig.state.value) in SHUT
    turn_key(rig)
    assert str(rig.state.value) in SHUT
    rig.world.computer.repair()
    rig.wait(6)
    turn_key(rig)
    act_until(rig, lambda: str(rig.state.value) == OPEN)
