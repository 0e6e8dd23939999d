"""Recovery is replay: cut anywhere in any sequence of events, a recovered table equals the first one.

A checkpoint is read as it was written: no field may be missing, unknown or of another type, at any depth.
"""

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import closing
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
from controller.events.event import Act, Event, House, Limits, PowerRestored, Press, TableStarted
from controller.events.record import Decision
from controller.events.words import text
from controller.journal.chain import GENESIS, Entry
from controller.journal.deciders import Decider
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.recovery import Running, checkpoint, checkpoint_in
from controller.limits.table_state import AnnouncedLimits, TableState
from controller.limits.terms import file_terms
from controller.machine.offers import Device
from controller.runtime.table import Setup, Table
from controller.table.data import Fault, TableData
from controller.table.inputs import Devices
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockPanel, MockSounder, MockSwitches

THIS = Decider("1", "s", "c")
Place = tuple[str | int, ...]
HOUSE = House({}, {}, {}, {}, {})
LIMITS = Limits("5", "500", "9", "$")
TABLE_STATE = TableState(
    LIMITS,
    AnnouncedLimits(LIMITS, 7, 8, 9),
    HOUSE,
    HOUSE,
    LIMITS,
    "31",
)
TABLE = TableData(causes=(text("x"),), waiting=(Fault(Device.LAMPS, text("y")),), shut=("door",), retired=("dice",))
OTHERS: tuple[object, ...] = ("1", "", 1, 1.5, True, [], {}, None)


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
    table = Table(Setup(config, THIS), journal, clock, devices)
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


# -- checkpoints ---------------------------------------------------------------------------------------------------


class Kept:
    """A game's machine, and a checkpoint in which no list of the table layer is empty."""

    def __init__(self, config: TableConfig) -> None:
        self.game, self.machine = config.game, machines(config)(TABLE_STATE)
        self.machine.table = TABLE
        self.machine.lit = ("an-area",)
        self.whole: dict[str, Any] = json.loads(checkpoint(self.game, self.machine, TABLE_STATE))

    def refusal(self, kept: object) -> str:
        """The error with which a checkpoint is refused; the machine is unchanged."""
        entry = Entry(1, 0, 0, "", "table-started", "{}", json.dumps(kept), GENESIS)
        before = self.machine.snapshot()
        with pytest.raises(JournalDamagedError, match=r"^entry 1: its checkpoint makes no sense: ") as refused:
            checkpoint_in(self.game, entry).machine_under(lambda terms: self.machine, TABLE_STATE)
        assert self.machine.snapshot() == before
        return str(refused.value)

    def changed(self, path: Place) -> tuple[dict[str, Any], Any]:
        """A copy, and in it what has the field of a path."""
        whole: dict[str, Any] = copy.deepcopy(self.whole)
        inner: Any = whole
        for key in path[:-1]:
            inner = inner[key]
        return whole, inner


@pytest.fixture(params=GAMES)
def kept(request: pytest.FixtureRequest, shipped: Callable[[str], TableConfig]) -> Kept:
    return Kept(shipped(request.param))


def fields(value: object, path: Place = ()) -> Iterator[Place]:
    """Every field, at any depth."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(value, dict):
            yield (*path, key)
        yield from fields(inner, (*path, key))


def test_a_field_that_is_missing_unknown_or_of_another_type_is_named(kept: Kept) -> None:
    def refusal(path: Place, change: Callable[[Any], None]) -> str:
        whole, inner = kept.changed(path)
        change(inner)
        return kept.refusal(whole)

    for path in fields(kept.whole):
        *outer, last = path
        named = ".".join(map(str, path))
        assert f"{named}: missing" in refusal(path, lambda inner, last=last: inner.pop(last))
        unknown = ".".join(map(str, (*outer, "further")))
        assert f"{unknown}: unknown" in refusal(path, lambda inner: inner.update(further=""))
        value = kept.changed(path)[1][last]
        for other in OTHERS:
            if value is not None and other is not None and type(value) is not type(other):
                said = refusal(path, lambda inner, last=last, other=other: inner.update({last: other}))
                assert named in said, (path, other)
                assert "type" in said, (path, other)


def test_a_checkpoint_is_read_as_it_was_written_and_of_another_game_is_not_damage(
    shipped: Callable[[str], TableConfig],
) -> None:
    config = shipped("dreamcatcher")
    kept, journal = Kept(config), Journal(None)
    body = '{"event":{"at_ns":0,"utc_ns":0,"version":"1","configuration":"c","software":"","terms":null,'
    body += '"wheel":"","replaces":[],"table":"","kind":"table-started"},"outcome":"accepted","state":"locating",'
    body += '"effects":[]}'
    journal.append(0, 0, 0, "table-started", body, json.dumps(kept.whole))
    found = recovered(config, journal)
    assert json.loads(checkpoint(config.game, found.machine, found.table_state)) == kept.whole
    with pytest.raises(JournalError, match="of the game 'dreamcatcher', not of 'big-six'") as refused:
        recovered(shipped("big-six"), journal)
    assert not isinstance(refused.value, JournalDamagedError)
    journal.append(0, 0, 0, "table-started", body, json.dumps(kept.whole | {"weight": 9}))
    with pytest.raises(JournalDamagedError, match=r"weight: unknown$"):
        recovered(config, journal)


def test_a_journal_of_another_table_of_the_same_game_is_not_continued(
    shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    """A card or stick in the wrong table would light that other table's lamps."""
    config, file = shipped("dreamcatcher"), tmp_path / "table.journal"
    Rig(config, file).close()
    with pytest.raises(JournalError, match=f"of the table '{config.table}', not of 'other'"):
        Rig(config.model_copy(update={"table": "other"}), file)
    with closing(Journal(file)) as journal:
        assert len(journal) == 1
