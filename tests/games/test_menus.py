"""Every menu is a list that agrees with the machine: what it offers is taken, what it greys is refused.

Each state of a game is reached at a table; from there, and with every state to which its side paths may return, the
menu is compared with what the machine answers to each of the table's controls.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from enum import Enum
from functools import cache, partial
from typing import Any

import pytest
from any_game import shipped_table
from screen_table import arrive

from controller.bench.rig import Rig
from controller.bench.ways import states
from controller.events.effect import Refused
from controller.events.event import Press
from controller.statechart.machine import GameMachine, Outcome
from controller.statechart.registry import find_game, game_names

GAMES = game_names()
Snapshot = Mapping[str, Any]
Machine = GameMachine[Any, Any]
DIGITS = frozenset("0123456789")
UTC_NS = 1_800_000_000_000_000_000


@cache
def machine_of(game: str) -> Machine:
    """The machine of the shipped table."""
    machine = find_game(game).machine(shipped_table(game))
    assert isinstance(machine, GameMachine)
    return machine


@cache
def reached(game: str) -> tuple[Snapshot, ...]:
    """The machine at a table, once in each of its states."""
    found = []
    for state in states(game):
        rig = arrive(shipped_table(game), state).rig
        assert rig is not None
        found.append(rig.machine.snapshot())
        rig.table.stop()
    return tuple(found)


@cache
def open_menus(game: str) -> tuple[Snapshot, ...]:
    """Every menu at a table: in each state, and one press away from it."""
    machine, found = machine_of(game), []
    for snapshot in reached(game):
        for control in (None, *sorted(machine.controls())):
            machine.restore(snapshot)
            if control is not None and machine.handle(Press(1, control, UTC_NS)).outcome is not Outcome.ACCEPTED:
                continue
            if machine.menu():
                found.append(machine.snapshot())
    return tuple(found)


def varied(machine: Machine, snapshot: Snapshot) -> Iterator[Callable[[], None]]:
    """Each brings the machine to the same menu, or to one that was left for another state, that was opened after a
    fault, or where one of the things that are so or not is the other way round."""
    machine.restore(snapshot)
    data = machine.data
    changes: list[dict[str, object]] = [{}]
    for field in fields(data):
        value = getattr(data, field.name)
        if isinstance(value, bool):
            changes.append({field.name: not value})
        elif isinstance(value, Enum):
            states = origins(machine, machine.state) if field.name == "back" else machine.states
            changes += [{field.name: state} for state in states if type(state) is type(value)]
    if hasattr(data, "cause"):
        changes += [{"cause": "a fault"}, {"cause": ""}]
    for change in changes:
        yield partial(_brought, machine, snapshot, replace(data, **change))


def origins(machine: Machine, menu: Enum, seen: frozenset[Enum] = frozenset()) -> tuple[Enum, ...]:
    """The states from which a menu is opened, also through another menu."""
    found: list[Enum] = []
    seen |= {menu}
    for source in {row.source: None for row in machine.transitions if row.to is menu and row.source not in seen}:
        found += origins(machine, source, seen) if _is_menu(machine, source) else (source,)
    return tuple(dict.fromkeys(found))


def _is_menu(machine: Machine, state: Enum) -> bool:
    """Whether a state has a menu, whatever its data."""
    before = machine.snapshot()
    machine.place(state, machine.data)
    listed = machine.menu()
    machine.restore(before)
    return bool(listed)


def _brought(machine: Machine, snapshot: Snapshot, data: object) -> None:
    machine.restore(snapshot)
    machine.data = data


def refused(machine: Machine, control: str) -> str | None:
    """Why the machine refuses a press; None if it does not."""
    decision = machine.handle(Press(1, control, UTC_NS))
    if decision.outcome is Outcome.ACCEPTED:
        return None
    return next(effect.waiting_for for effect in decision.effects if isinstance(effect, Refused))


@pytest.mark.parametrize("game", GAMES)
def test_what_a_menu_offers_is_taken_and_what_it_greys_is_refused_for_that_reason(game: str) -> None:
    machine = machine_of(game)
    for bring in (one for found in open_menus(game) for one in varied(machine, found)):
        bring()
        for entry in machine.menu():
            bring()
            why, place = refused(machine, entry.control), (machine.state, machine.data, entry)
            assert (why is None) == (not entry.unavailable), place
            assert why is None or why.startswith(f"{entry.unavailable}; "), (place, why)


@pytest.mark.parametrize("game", GAMES)
def test_no_digit_that_is_taken_is_missing_from_a_menu(game: str) -> None:
    machine = machine_of(game)
    for bring in (one for found in open_menus(game) for one in varied(machine, found)):
        bring()
        listed = [entry.control for entry in machine.menu()]
        assert len(listed) == len(set(listed)), machine.state
        for control in DIGITS & machine.controls() - set(listed):
            bring()
            assert refused(machine, control) is not None, (machine.state, control)


# -- what the lists say ------------------------------------------------------------------------------------------


def listed(table: Rig) -> dict[str, str]:
    """The present menu: why each entry cannot be chosen, by its key."""
    return {entry.control: entry.unavailable for entry in table.machine.menu()}
