"""Recovery is replay: cut anywhere in any sequence of events, a recovered table equals the first one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from on_record import recovered

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.events.event import (
    SUPPLY,
    Act,
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    CabinetHealth,
    ClockChecked,
    DealerLoggedOn,
    Direction,
    Event,
    Fault,
    Health,
    Identified,
    IdentityRefused,
    KeyStuck,
    Limits,
    LimitsNotice,
    LimitsWithdrawn,
    MachineFailed,
    PanelFault,
    PinPrompt,
    PocketRead,
    PowerRestored,
    Press,
    ReaderFault,
    RevolutionCompleted,
    RotorTurned,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
    TableStarted,
    Terms,
    TermsConfirmed,
    TermsInEffect,
    TimerElapsed,
    WheelRested,
    WheelThrown,
)
from controller.events.record import Decision
from controller.events.words import NOTHING, Text, text
from controller.journal.journal import Journal
from controller.journal.recovery import Running
from controller.journal.versions import Decider
from controller.limits.terms import file_terms, house_of
from controller.machine.registry import find_game, game_names
from controller.runtime.table import Setup, Table
from controller.table.inputs import Devices
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockPanel, MockSounder, MockSwitches

Shipped = Callable[[str], TableConfig]
CONTROLS = (*"0123456789", "no-more-bets", "done", "clear", "no-spin", "no-roll", "enter", "correct", "queen")
TIMERS = ("spin-limit", "reader-limit", "inspection-lamp", "warn-dice", "retire-dice", "retire-cards")
CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE
FAULT = Fault("encoder", Health.LOSSY, Text("off-peg"))
THIS = Decider("1", "s", "c")
LOCATED, FULL_SPIN = WheelRested(5, None, 0, 1440, True, 0), WheelRested(5, CW, 6000, 1440, True, 9)
RESTS = st.builds(
    WheelRested,
    at_ns=st.just(5),
    direction=st.sampled_from([None, *Direction]),
    travel_counts=st.sampled_from([10, 4319, 4320, 6000]),
    counts_per_turn=st.just(1440),
    located=st.just(True),
    section=st.sampled_from([0, 1, 9, 27, 31]),
    touched=st.sampled_from([NOTHING, NOTHING, NOTHING, Text("pushed-back")]),
)
PRESSES = st.builds(
    Press,
    at_ns=st.just(1),
    control=st.sampled_from(CONTROLS) | st.sampled_from(["no-more-bets", "done", "clear", "enter"]),
    utc_ns=st.just(7_000),
    again=st.sampled_from([False, False, False, True]),
)
SEEN = st.sampled_from(
    [
        WheelThrown(2, CW),
        WheelThrown(2, CW),
        RevolutionCompleted(3, 1, CW),
        WheelRested(5, None, 6000, 1440, True, None, 4),
        WheelRested(5, None, 6000, 1440, False, None, None, FAULT),
        WheelRested(5, None, 6000, 1440, False),
        BallThrown(4, CW),
        RotorTurned(4, CW),
        *(BallRevolution(5, 2, CW, against) for against in (True, False, None)),
        BallLeftTrack(7, 6, 5, CW, CCW),
        BallLeftTrack(7, 6, 3, CW, CCW),
        BallLeftTrack(7, 6, 5, CW, CW, FAULT),
        *(PocketRead(8, pocket) for pocket in ("17", "1", "00", "x")),
        ShakerCycled(6),
        ShakerFailed(6),
    ]
)
FAULTS = st.sampled_from(
    [
        ReaderFault(8, "garbage"),
        PanelFault(6, ("10",), ()),
        KeyStuck(6, "done"),
        SensorHealth(6, "encoder", Health.LOSSY, text("edges-lost", edges=3)),
        SensorHealth.of_device(6, "keypad", "unplugged"),
        MachineFailed(6, "ArithmeticError: x"),
        CabinetHealth(6, "door contact", Health.OPEN, text("opened-now", contact="door"), True),
        CabinetHealth(6, "door contact", Health.OK, text("contact-closed", contact="door")),
        CabinetHealth(6, SUPPLY, Health.DEGRADED, text("supply-low"), True),
        CabinetHealth(6, SUPPLY, Health.OK, text("supply-ok")),
        ClockChecked(6, 7_000, 500, 6_000),
        ClockChecked(6, 7_000, doubt=text("clock-unset")),
        PowerRestored(9, 8_000, "1", "c", "s"),
        PowerRestored(9, 8_000, "1", "c", "s", pause_ns=2 * 3600 * 10**9),
        *(TimerElapsed(8, timer) for timer in TIMERS),
    ]
)
DESK = st.sampled_from(
    [
        PinPrompt(6, "floorperson"),
        PinPrompt(6, "", "expired"),
        Identified(6, "1001"),
        IdentityRefused(6, "unknown", 2, 4_000),
        *(DealerLoggedOn(6, 7_000, number) for number in ("31", "")),
        TermsConfirmed(6, 7_000, Terms(Limits("10", "500", "25000")), from_utc_ns=9_000),
        LimitsNotice(6, 1_000),
        LimitsWithdrawn(6),
        TermsInEffect(6, 9_000, Terms(Limits("10", "500"))),
    ]
)
OTHERWISE = st.sampled_from(["odds", "rules", "rules anew", "the code fails"])
OFFERED = st.integers(0, 9)
"""An act that the table offers at that time."""


def bare_table(config: TableConfig, journal: Journal) -> Table:
    """A table without wheel or keys: events are handed to it directly."""
    clock = VirtualClock()
    devices = Devices(MockSwitches((), clock), MockPanel(config.devices.panel.lamps), MockSounder(), {})
    table = Table(Setup(config, THIS, machines(config)), journal, devices, clock)
    table.recorder.recover(Running(THIS))
    return table


def events_of(table: Table, config: TableConfig, what: Event | int | str) -> list[Event]:
    """What happens, where it depends on the table."""
    if isinstance(what, int):
        offers = table.machine.offers()
        offer = offers[what % len(offers)] if offers else None
        return [Act(1, offer.act, offer.argument, 7_000, "1001", what < 8)] if offer is not None else []
    if what == "the code fails":
        fail_once(table.machine)
        return [Press(6, "no-more-bets")]
    if isinstance(what, str):
        house = house_of(config)
        if what == "odds":
            wagers = find_game(config.game).wagers_under(config.rules)
            house = replace(house, odds={wager.area: "99 to 1" for wager in wagers})
        terms, anew = Terms(house=house), what == "rules anew"
        in_effect = TermsInEffect(6, 7_000, terms, (), anew, table.machine.round)
        return [TermsConfirmed(6, 7_000, terms, "1001"), in_effect]
    return [what]


def fail_once(machine: Any) -> None:
    """The machine's code raises at the next event."""
    handle = machine.handle

    def fails(event: Event) -> Decision:
        machine.handle = handle
        raise ArithmeticError("once")

    machine.handle = fails


@pytest.mark.parametrize("game", sorted(game_names()))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    happens=st.lists(
        st.one_of(PRESSES, PRESSES, PRESSES, OFFERED, OFFERED, RESTS, SEEN, SEEN, FAULTS, DESK, OTHERWISE),
        min_size=1,
        max_size=40,
    )
)
@example(happens=[LOCATED, "odds", Press(1, "no-more-bets"), WheelThrown(2, CW), FULL_SPIN, "rules anew"])
def test_a_recovered_table_equals_an_uninterrupted_one_at_any_cut(
    shipped: Shipped, game: str, happens: list[Event | int | str]
) -> None:
    config = shipped(game)
    journal = Journal(None)
    table = bare_table(config, journal)
    table.take([TableStarted(0, 0, "1", "c", "s", file_terms(config))])
    for what in happens:
        for event in events_of(table, config, what):
            table.take([event])
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
