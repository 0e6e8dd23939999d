"""Tamper contacts and the supply at every game: alerted, and where the file says so, the table stays shut."""

import random
from collections.abc import Callable

import pytest
from any_game import OPEN, back_to_open, shipped_table

from controller.bench.dealer import HOPELESS, Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.simulated_table import with_contacts
from controller.events.effect import Alert, Note, Result, RoundOpened
from controller.events.event import Act, CabinetHealth, Health, OnRecord, RulesChanged
from controller.events.words import text
from controller.machine.registry import game_names

SHUT = ("locked", "closed")
OPENED = CabinetHealth(5, "cabinet contact", Health.OPEN, text("opened-now", contact="cabinet"), True)
CLOSED = CabinetHealth(9, "cabinet contact", Health.OK, text("contact-closed", contact="cabinet"))


@pytest.fixture(params=game_names())
def rig(request: pytest.FixtureRequest) -> Rig:
    """A table of each game, open for wagers: its door alerts, its cabinet and its supply lock."""
    config = with_contacts(shipped_table(request.param))
    computer = config.computer.model_copy(update={"supply": "lock"})
    rig = Rig(config.model_copy(update={"computer": computer}))
    back_to_open(rig, Oracle(), random.Random(1))
    return rig


def happened(rig: Rig) -> list[tuple[str, object]]:
    """What happened to which contact."""
    events = (record.event for record in rig.records() if isinstance(record.event, CabinetHealth))
    return [(one.found.code, contact) for one in events if (contact := one.found.parameters.get("contact"))]


def turn_key(rig: Rig) -> None:
    """Twice: the floorperson chooses what the table waits for, and confirms it."""
    rig.press("floor-key", "floor-key")
    if rig.prompt.text.code:  # Nothing could be chosen.
        rig.press("clear")


def act_until(rig: Rig, reached: Callable[[], bool]) -> None:
    """People do what the table asks."""
    dealer = Dealer(rig, random.Random(2), Oracle(), careless=0)
    for _ in range(HOPELESS):
        if reached():
            return
        dealer.act()
    raise AssertionError(f"{rig.state.value}: {rig.waiting_for}")


def test_an_opened_door_is_alerted_and_play_goes_on(rig: Rig) -> None:
    lit = rig.world.panel.lit()
    rig.world.doors.set("door", False)
    assert (rig.records()[-1].state, rig.last("alert").text) == (OPEN, "opened-now")
    assert rig.world.panel.lit() == lit
    rig.world.doors.set("door", True)
    assert happened(rig) == [("opened-now", "door"), ("contact-closed", "door")]
    assert rig.records()[-1].effects == (Note("contact-closed", {"contact": "door"}),)


@pytest.mark.parametrize("how", ["now", "while the power was off", "at two starts", "low supply"])
def test_what_locks_keeps_the_table_shut_until_it_is_in_order_and_the_key_is_turned(rig: Rig, how: str) -> None:
    doors = rig.world.doors
    if how == "low supply":
        rig.world.computer.weaken()
        rig.wait(6)
    else:
        if how != "now":
            rig.power_off()
        doors.set("cabinet", False)
        if how == "while the power was off":
            doors.set("cabinet", True)
        if how != "now":
            rig.power_on()
        if how == "at two starts":
            rig.power_cut()
        noticed = [code for code, _ in happened(rig) if code.startswith("opened")]
        expected = {"now": ["opened-now"], "at two starts": ["opened-at-start"] * 2}
        assert noticed == expected.get(how, ["opened-power-off"])
    assert str(rig.state.value) in SHUT
    if how != "while the power was off":
        if how != "low supply":
            assert rig.machine.instruction() == text("locked-shut", contacts="cabinet")
        turn_key(rig)
        assert str(rig.state.value) in SHUT
        doors.set("cabinet", True)
        rig.world.computer.repair()
        rig.wait(6)
        assert str(rig.state.value) in SHUT, "repaired, it does not open by itself"
    turn_key(rig)
    act_until(rig, lambda: str(rig.state.value) == OPEN)
    before = len(happened(rig))
    rig.power_cut()
    assert len(happened(rig)) == before, "the latch was reset: it is not said again"


def test_a_round_in_progress_is_finished_and_no_new_one_opens(rig: Rig) -> None:
    act_until(rig, lambda: any(isinstance(one, Result) for one in rig.records()[-1].effects))
    results = rig.machine.lit
    rig.world.doors.set("cabinet", False)
    assert rig.machine.lit == results, "the result stays lit"
    before = len(rig.records())
    act_until(rig, lambda: str(rig.state.value) in SHUT)
    rounds = [one for record in rig.records()[before:] for one in record.effects if isinstance(one, RoundOpened)]
    assert len(rounds) <= 1, "at most the round that the lock keeps from being played"
    for _ in range(5):
        turn_key(rig)
        rig.press("no-more-bets", "clear", "done")
    assert str(rig.state.value) in SHUT


def test_a_table_made_ready_anew_stays_shut_while_the_cabinet_is_open(rig: Rig) -> None:
    """Other rules end a round and make the table ready anew: that is no way around the lock."""
    machine = rig.machine
    decision = machine.handle(OPENED)
    assert any(isinstance(effect, Alert) for effect in decision.effects)
    changed = RulesChanged(7, "0.9", "0" * 64, "c", "0.8", "", "", 3, "other-effects", 3, OnRecord.NOTHING, ())
    assert machine.handle(changed).state in SHUT

    def opening(at_ns: int) -> str:
        (offer,) = (offer for offer in machine.offers() if offer.expected)
        return str(machine.handle(Act(at_ns, offer.act, offer.argument)).outcome.value)

    assert opening(8) == "refused"
    machine.handle(CLOSED)
    assert opening(11) == "accepted"
