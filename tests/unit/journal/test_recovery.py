"""Recovery is replay: cut anywhere in any sequence of events, a recovered table equals the first one."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from golden.journals import GAMES, entries_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from on_record import recovered

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.events.event import Act, Event, PowerRestored, Press, TableStarted
from controller.events.record import Decision
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.recovery import Running
from controller.limits.terms import file_terms
from controller.runtime.table import Setup, Table
from controller.table.inputs import Devices
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockPanel, MockSounder, MockSwitches

THIS = Decider("1", "s", "c")


@cache
def events(game: str) -> list[list[Event]]:
    """What people and faults once brought about at the game's table, by kind: all of it may come in any order."""
    by_kind: dict[str, list[Event]] = {}
    for entry in entries_of(game):
        if entry.kind not in ("table-started", "rules-changed"):
            by_kind.setdefault(entry.kind, []).append(of_entry(entry).event)
    return list(by_kind.values())


def bare_table(config: TableConfig, journal: Journal) -> Table:
    """A table without wheel or keys: events are handed to it directly."""
    clock = VirtualClock()
    devices = Devices(MockSwitches((), clock), MockPanel(config.devices.panel.lamps), MockSounder(), {})
    table = Table(Setup(config, THIS, machines(config)), journal, devices, clock)
    table.recorder.recover(Running(THIS))
    return table


def offered(table: Table, number: int) -> list[Event]:
    """An act that the table offers at that time."""
    offers = table.machine.offers()
    offer = offers[number % len(offers)] if offers else None
    return [Act(1, offer.act, offer.argument, 7_000, "1001", number < 8)] if offer is not None else []


def fail_once(machine: Any) -> list[Event]:
    """The machine's code raises at the next event."""
    handle = machine.handle

    def fails(event: Event) -> Decision:
        machine.handle = handle
        raise ArithmeticError("once")

    machine.handle = fails
    return [Press(6, "no-more-bets")]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_recovered_table_equals_an_uninterrupted_one_at_any_cut(
    shipped: Callable[[str], TableConfig], game: str, data: st.DataObject
) -> None:
    happens = st.sampled_from(events(game)).flatmap(st.sampled_from) | st.integers(0, 9) | st.just("the code fails")
    config = shipped(game)
    journal = Journal(None)
    table = bare_table(config, journal)
    table.take([TableStarted(0, 0, "1", "c", software="s", terms=file_terms(config))])
    for what in data.draw(st.lists(happens, min_size=1, max_size=40)):
        if isinstance(what, int):
            table.take(offered(table, what))
        else:
            table.take(fail_once(table.machine) if isinstance(what, str) else [what])
        found = recovered(config, journal)
        assert found.replayed >= 0
        assert found.interrupted is None
        assert found.machine.snapshot() == table.machine.snapshot()
        assert found.machine.waiting_for() == table.machine.waiting_for()
        assert (found.table_state, found.round_progress) == (table.table_state, table.recorder.round_progress)
    restored = PowerRestored(10, 9_000, "1", "c", "s")
    assert found.machine.handle(restored) == table.machine.handle(restored)
    assert found.machine.snapshot() == table.machine.snapshot()


def test_a_table_restarts_from_its_file(opened: Callable[..., Rig], tmp_path: Path) -> None:
    table = opened("dreamcatcher", tmp_path / "table.journal")
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    table.power_cut()
    assert table.machine.data.multiplier == 7
    assert table.last("power-restored").version
    table.turn(1.2)
    assert table.state.value == "bonus"
    assert table.journal.verify().problem == ""
