"""Recovery is replay: cut anywhere in any sequence of events, a recovered machine equals the first one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import (
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    DealerLoggedOn,
    Direction,
    Event,
    Fault,
    Health,
    KeyStuck,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsWithdrawn,
    MachineFailed,
    PanelFault,
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
    TimerElapsed,
    WheelDegraded,
    WheelRested,
    WheelThrown,
)
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.recovery import recover, recover_table_state
from controller.journal.text import record_line
from controller.runtime.devices import Devices
from controller.runtime.table import Table
from controller.statechart.registry import find_game, game_names
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockPanel, MockSounder, MockSwitches

CONTROLS = (*"0123456789", "no-more-bets", "done", "clear", "no-spin", "no-roll", "enter", "correct", "floor-key")
CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE
FAULT = Fault("encoder", Health.LOSSY, "slip")
RESTS = st.builds(
    WheelRested,
    at_ns=st.just(5),
    direction=st.sampled_from([None, *Direction]),
    travel_counts=st.sampled_from([10, 4319, 4320, 6000]),
    counts_per_turn=st.just(1440),
    located=st.just(True),
    section=st.sampled_from([0, 1, 9, 27, 31]),
    abrupt=st.sampled_from([False, False, False, True]),
)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(Press, at_ns=st.just(1), control=st.sampled_from(CONTROLS), utc_ns=st.just(7_000)),
    st.builds(
        Press, at_ns=st.just(1), control=st.sampled_from(["no-more-bets", "done", "clear", "floor-key", "enter"])
    ),
    RESTS,
    RESTS,
    st.just(WheelThrown(2, Direction.CLOCKWISE)),
    st.just(WheelThrown(2, Direction.CLOCKWISE)),
    st.just(RevolutionCompleted(3, 1, Direction.CLOCKWISE)),
    st.just(WheelRested(5, None, 6000, 1440, True, None, 4)),
    st.just(WheelRested(5, None, 6000, 1440, False, None, None, FAULT)),
    st.just(WheelRested(5, None, 6000, 1440, False)),
    st.sampled_from([BallThrown(4, CW), BallThrown(4, CW), RotorTurned(4, CW)]),
    st.sampled_from([BallRevolution(5, 2, CW, against) for against in (True, False, None)]),
    st.just(BallLeftTrack(7, 6, 5, CW, CCW)),
    st.sampled_from([BallLeftTrack(7, 6, 3, CW, CCW), BallLeftTrack(7, 6, 5, CW, CW, FAULT)]),
    st.sampled_from([PocketRead(8, pocket) for pocket in ("17", "1", "00", "x")]),
    st.just(ReaderFault(8, "garbage")),
    st.just(PanelFault(6, ("10",), ())),
    st.just(KeyStuck(6, "done")),
    st.just(SensorHealth(6, "encoder", Health.LOSSY, "x")),
    st.just(WheelDegraded(6, 3, "c", "losses", "It loses.", "Grease it.")),
    st.just(ShakerCycled(6)),
    st.just(ShakerFailed(6)),
    st.just(MachineFailed(6, "ArithmeticError: x")),
    st.sampled_from(["spin-limit", "reader-limit", "dice-warning", "dice-retired"]).map(
        lambda name: TimerElapsed(8, name)
    ),
    st.just(PowerRestored(9, 8_000, "1", "c")),
    st.builds(
        LimitsAnnounced,
        at_ns=st.just(6),
        utc_ns=st.just(7_000),
        minimum=st.sampled_from(["5", "10"]),
        maximum=st.just("500"),
        payout=st.sampled_from(["", "25000"]),
        from_utc_ns=st.just(9_000),
    ),
    st.just(LimitsWithdrawn(6, 7_000)),
    st.just(LimitsInEffect(6, 9_000, "10", "500", "")),
    st.sampled_from([DealerLoggedOn(6, 7_000, number) for number in ("31", "")]),
)


def bare_table(config: TableConfig, journal: Journal) -> Table:
    """A table without wheel or keys: events are handed to it directly."""
    clock = VirtualClock()
    devices = Devices(MockSwitches((), clock), MockPanel(config.devices.panel.lamps), MockSounder(), {})
    game = find_game(config.game)
    return Table(game.name, game.machine(config), journal, devices, clock)


def presses(*controls: str) -> list[Event]:
    return [Press(1, control, 7_000) for control in controls]


GOOD_SPIN = BallLeftTrack(7, 6, 5, CW, CCW)
OPENING: dict[str, list[Event]] = {
    "roulette": [
        *presses("floor-key", "1", "4", "enter", "floor-key", "floor-key"),
        GOOD_SPIN,
        *presses("floor-key", "floor-key"),
    ],
    "casino-war": presses("floor-key", "1", "enter"),
    "three-dice-football": presses("floor-key", "1", "enter"),
}
"""What opens a table, where random events would hardly ever do it."""


@pytest.mark.parametrize("game", sorted(game_names()))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(EVENTS, min_size=1, max_size=40))
def test_a_recovered_table_equals_an_uninterrupted_one_at_any_cut(
    shipped: Callable[[str], TableConfig], game: str, events: list[Event]
) -> None:
    config = shipped(game)
    journal = Journal(None)
    table = bare_table(config, journal)
    table.take([TableStarted(0, 0, "1", "c"), *OPENING.get(game, [])])
    recovered = find_game(game).machine(config)  # To build one takes longer than all else, so it recovers again.
    for event in (*events, None):
        if event is None:
            recovered = find_game(game).machine(config)
        else:
            table.take([event])
        assert recover(game, recovered, journal).replayed >= 0
        assert recovered.snapshot() == table.machine.snapshot()
        assert recovered.waiting_for() == table.machine.waiting_for()
        assert recover_table_state(journal) == (table.table_state, table.round_progress)
    restored = PowerRestored(10, 9_000, "1", "c")
    assert recovered.handle(restored) == table.machine.handle(restored)
    assert recovered.snapshot() == table.machine.snapshot()


def test_a_table_restarts_from_its_file(
    opened: Callable[..., Rig], shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    file = tmp_path / "table.journal"
    first = opened("dreamcatcher", file)
    first.press("no-more-bets")
    first.spin(stop_on="7x")
    first.journal.close()
    second = Rig(shipped("dreamcatcher"), file)
    assert second.machine.data.multiplier == 7
    assert second.last("power-restored").version
    second.turn(1.2)
    assert second.state.value == "bonus"
    assert second.journal.verify().problem == ""
    second.journal.close()


def test_a_journal_from_before_the_software_was_on_record_is_read_and_goes_on(
    opened: Callable[..., Rig], shipped: Callable[[str], TableConfig], tmp_path: Path
) -> None:
    today = opened("dreamcatcher")
    today.press("no-more-bets")
    today.spin(stop_on="7x")
    old = Journal(tmp_path / "old.journal")
    for entry in today.journal.entries():
        body = entry.body.replace(',"software":""', "")
        old.append(entry.round, entry.at_ns, 0, entry.kind, body, entry.checkpoint)
    first = next(old.entries())
    assert "software" not in first.body
    assert ", configuration 000000000000)" in record_line(of_entry(first))
    old.close()
    again = Rig(shipped("dreamcatcher"), tmp_path / "old.journal")
    assert again.machine.data.multiplier == 7
    assert again.last("power-restored").software == ""
    assert again.journal.verify().problem == ""
    again.journal.close()


def test_software_that_decides_differently_keeps_the_table_closed(
    opened: Callable[..., Rig],
    shipped: Callable[[str], TableConfig],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "table.journal"
    first = opened("dreamcatcher", file)
    first.press("no-more-bets")
    first.spin(stop_on="10")
    first.journal.close()
    monkeypatch.setattr("controller.games.clapper_wheel.rules.REVOLUTIONS", 9)
    with pytest.raises(JournalError, match=r"the record says 'result', this software comes to 'respin'"):
        Rig(shipped("dreamcatcher"), file)
