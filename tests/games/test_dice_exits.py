"""No state of a game with keyed-in dice is a dead end: every one that people and faults lead to is explored.

Breadth first, with a bounded number of dice. From each: the floorperson ends the round in a few presses; the true
dice can be put on record within six; and no single press of the dealer's takes back what is on record.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import pytest

from config.schema import TableConfig
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Alert, Effect, Note, Refused, Result, Void, WagersReturned
from controller.events.event import (
    Event,
    Health,
    KeyStuck,
    PanelFault,
    PowerRestored,
    Press,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
    TableStarted,
    TimerElapsed,
)
from controller.statechart.machine import Outcome
from controller.statechart.registry import find_game

UTC_NS = 10**18
PRESSES = 6
"""An entry is four of them; a correction with the floorperson's key takes two more."""
TRUE = ("2", "3", "5", "enter")
"""Dice that are keyed nowhere else here."""
NO_ROUND = {"closed", "dice-due", "dice-offered", "bets-open"}
"""In these states no dice are in play."""
UNTHROWN = NO_ROUND | {"floor-menu", "inspection-entry", "inspection-lit", "inspection-shaker"}
UNTHROWN |= {"inspection-lamps", "inspection-key", "position", "extra-point-offered"}
SHAKERS = ("manual", "automated")
TABLES = [*(("sic-bo", shaker) for shaker in SHAKERS), ("three-dice-football", "")]
UNREACHED = {"manual": {"inspection-shaker", "toss-in-doubt"}}
"""States of an automated shaker."""
LAMP = "timer inspection-lamp"
MOST = 40_000
"""More states than these, told apart as below, are a mistake of the test."""


def press(control: str) -> Press:
    return Press(0, control, UTC_NS, by="4711" if control == "floor-key" else "")


Key = tuple[object, ...]


class Snapshot(NamedTuple):
    """A place: the machine's state and its data, which never change themselves."""

    state: str
    data: Any


def snapshot_of(machine: Any) -> Snapshot:
    return Snapshot(machine.state.value, machine.data)


def restore(machine: Any, snapshot: Snapshot) -> None:
    machine.data = snapshot.data
    machine._machine.set_state(type(machine.initial)(snapshot.state), machine._model)


@dataclass
class Explored:
    """All that was reached, with the way to it."""

    machine: Any
    places: dict[Key, tuple[Snapshot, tuple[str, ...]]] = field(default_factory=dict)
    taken: list[tuple[Key, str, Snapshot, tuple[Effect, ...]]] = field(default_factory=list)
    """Of each accepted press: the place before it, the control, the place after it, the effects."""


def config_of(game: str, shaker: str) -> TableConfig:
    config = load_table(table_path(game)).config
    if config.dice is None:
        return config
    return config.model_copy(update={"dice": config.dice.model_copy(update={"shaker": shaker})})


def happenings(machine: Any) -> Iterator[tuple[str, Event]]:
    """What people press and what may fail: one die, and the digits that answer a question."""
    for control in sorted(machine.controls() - {"4", "6", "7", "8", "9", "0"} | {"2"}):
        yield control, press(control)
    yield "shaker cycles", ShakerCycled(0)
    yield "shaker fails", ShakerFailed(0)
    yield "panel fails", PanelFault(0, ("big",), ())
    yield "key sticks", KeyStuck(0, "2")
    yield "keypad gone", SensorHealth(0, "keypad", Health.GONE, "its cable is unplugged")
    yield "power cut", PowerRestored(0, UTC_NS, "", "")
    for on in sorted({row.on for row in machine.transitions if row.on.startswith("timer ")}):
        yield on, TimerElapsed(0, on.removeprefix("timer "))


RETURNING = ("floor-menu", "no-roll", "voiding", "correcting")
"""States that lead back to the one from which they were reached."""


def key_of(snapshot: Snapshot) -> Key:
    """What tells two places apart: neither the number of the round nor which device failed first."""
    data, state = snapshot.data, snapshot.state
    kept = tuple(bool(getattr(data, name, False)) for name in _KEPT)
    back = data.back if state in RETURNING else None
    step = (data.inspected, data.cycles, data.cycled) if state.startswith("inspect") else ()
    drives = tuple(drive is not None and drive.play > 1 for drive in _drives(data))
    return (state, len(data.entry), len(getattr(data, "steps", ())), back, step, drives, kept)


def _drives(data: Any) -> tuple[Any, Any]:
    return getattr(data, "drive", None), getattr(data, "following", None)


_KEPT = (
    *("cause", "corrects", "number", "wins", "automated", "tossed", "doubt", "reason"),
    *("extra", "decided", "ending", "retired", "fitted_utc_ns"),
    *("failed_keys", "trying", "last", "position"),
)


@cache
def explored(game: str, shaker: str) -> Explored:
    machine: Any = find_game(game).machine(config_of(game, shaker))
    machine.handle(TableStarted(0, UTC_NS, "", ""))
    found = Explored(machine)
    first = snapshot_of(machine)
    found.places[key_of(first)] = (first, ())
    waiting, inputs = deque([key_of(first)]), list(happenings(machine))
    while waiting:
        here = waiting.popleft()
        snapshot, way = found.places[here]
        for name, event in inputs:
            restore(machine, snapshot)
            decision = machine.handle(event)
            while name == LAMP and machine.data.trying:  # All lamps of the inspection, one after the other.
                decision = machine.handle(event)
            if decision.outcome is not Outcome.ACCEPTED:
                continue
            after = snapshot_of(machine)
            if isinstance(event, Press):
                found.taken.append((here, name, after, decision.effects))
            key = key_of(after)
            if key not in found.places:
                found.places[key] = (after, (*way, name))
                waiting.append(key)
        assert len(found.places) < MOST
    return found


def presses_to(found: Explored, done: Callable[[Snapshot], bool]) -> dict[Key, int]:
    """The fewest presses from every place to one that is sought."""
    before: dict[Key, set[Key]] = {}
    for here, _, after, _ in found.taken:
        before.setdefault(key_of(after), set()).add(here)
    left = {key: 0 for key, (snapshot, _) in found.places.items() if done(snapshot)}
    waiting = deque(left)
    while waiting:
        here = waiting.popleft()
        for key in before.get(here, ()):
            if key not in left:
                left[key] = left[here] + 1
                waiting.append(key)
    return left


def in_round(snapshot: Snapshot) -> bool:
    """Wagers lie that a throw of this round, or its end, has still to decide."""
    mid_game = hasattr(snapshot.data, "drive") and snapshot.data.drive.play > 1
    return snapshot.state not in NO_ROUND or (snapshot.state == "bets-open" and mid_game)


def keyed(machine: Any, snapshot: Snapshot) -> tuple[str, ...] | None:
    """How the true dice are put on record; None if they cannot be, in so few presses."""
    ways: list[tuple[str, ...]] = [(), *((c,) for c in _LEADS), *((c, d) for c in _LEADS for d in _LEADS)]
    for lead in ways:
        restore(machine, snapshot)
        effects = [e for control in (*lead, *TRUE) for e in machine.handle(press(control)).effects]
        named = [e for e in effects if isinstance(e, Result) and e.label.replace(" red ", "-").startswith("2-3-5")]
        if named:
            return (*lead, *TRUE)
    return None


_LEADS = ("clear", "correct", "floor-key", "enter")


@pytest.mark.parametrize(("game", "shaker"), TABLES)
@pytest.mark.campaign
def test_every_state_is_explored(game: str, shaker: str) -> None:
    found = explored(game, shaker)
    reached = {snapshot.state for snapshot, _ in found.places.values()}
    assert reached == {state.value for state in found.machine.states} - UNREACHED.get(shaker, set())


@pytest.mark.parametrize(("game", "shaker"), TABLES)
def test_the_floorperson_can_end_the_round_from_every_state(game: str, shaker: str) -> None:
    found = explored(game, shaker)
    left = presses_to(found, lambda snapshot: not in_round(snapshot))
    stuck = [(snapshot.state, way) for key, (snapshot, way) in found.places.items() if left.get(key, 99) > PRESSES]
    assert not stuck, f"{len(stuck)} places, the nearest: {min(stuck, key=lambda one: len(one[1]))}"


@pytest.mark.parametrize(("game", "shaker"), TABLES)
def test_the_true_dice_can_be_put_on_record_in_six_presses(game: str, shaker: str) -> None:
    found, stuck = explored(game, shaker), []
    for snapshot, way in found.places.values():
        data = snapshot.data
        thrown = snapshot.state not in UNTHROWN
        if shaker == "automated":  # Before its toss no dice lie there.
            thrown = thrown and bool(data.tossed or data.entry or data.corrects)
        if game == "three-dice-football":  # In mid-game the dice of the last throw can still be corrected.
            thrown = thrown or (snapshot.state == "bets-open" and data.drive.play > 1)
            # After the answer that nobody wagered on an extra point it takes eight: the answer is taken back first.
            thrown = thrown and not (data.decided and not data.extra)
        if thrown and keyed(found.machine, snapshot) is None:
            stuck.append((snapshot.state, way))
    assert not stuck, f"{len(stuck)} places, the nearest: {min(stuck, key=lambda one: len(one[1]))}"


@pytest.mark.parametrize(("game", "shaker"), TABLES)
def test_no_single_press_of_the_dealers_undoes_a_result_or_a_throw(game: str, shaker: str) -> None:
    """A round is void only after a reason was asked for, and after a result only by the floorperson's key."""
    found = explored(game, shaker)
    for before, control, after, effects in found.taken:
        if control == "floor-key":
            continue
        snapshot, way = found.places[before]
        where = (snapshot.state, *way, control)
        if any(isinstance(effect, Void | WagersReturned) for effect in effects):
            assert snapshot.state in ("no-roll", "floor-menu"), where
            assert snapshot.state == "floor-menu" or not (snapshot.data.wins), where
        if snapshot.data.wins and not after.data.wins:
            over = snapshot.state in ("losers-collected", "winners-paid", "settled", "settling")
            answered = snapshot.state == "extra-point-offered"
            assert over or answered or snapshot.state == "floor-menu", where


@pytest.mark.parametrize(("game", "shaker"), TABLES)
def test_every_refusal_says_what_the_table_waits_for_and_every_state_has_a_prompt(game: str, shaker: str) -> None:
    found = explored(game, shaker)
    for snapshot, _ in found.places.values():
        restore(found.machine, snapshot)
        (refused,) = found.machine.handle(press("log-on")).effects
        assert isinstance(refused, Refused)
        assert refused.waiting_for


@pytest.mark.parametrize(("game", "shaker"), TABLES)
def test_every_reason_on_record_was_given_by_somebody_or_seen(game: str, shaker: str) -> None:
    """A result that is taken back is named by a note, and a void has a text."""
    found = explored(game, shaker)
    for before, control, after, effects in found.taken:
        snapshot, way = found.places[before]
        for effect in effects:
            assert not isinstance(effect, Void) or effect.detail
            assert not isinstance(effect, Alert) or effect.remedy
        if control == "floor-key" and snapshot.state == "correcting":
            assert any(isinstance(effect, Note | Alert) for effect in effects), (way, after.state)
