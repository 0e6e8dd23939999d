"""A replay says what cannot be compared: edges that are not kept, other rounds and journals."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from replay_table import TracedRig, forge, opened, play, replayed, run_ball, spin
from replayed import assert_same

from config.schema import TableConfig
from controller.events.event import Event, RevolutionCompleted
from controller.journal.errors import JournalError
from controller.journal.replay.trace import Traces, trace_file
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

Shipped = Callable[[str], TableConfig]


# -- edges that are not kept ---------------------------------------------------------------------------------------


def test_a_spin_whose_edges_the_power_cut_lost_cannot_be_compared(shipped: Shipped, file: Path) -> None:
    config = shipped("dreamcatcher")
    rig = opened(config, file)
    play(rig, "10")
    spin(rig, rest=False)
    rig.wait(6)
    rig.power_cut(30)
    rig.turn(1.3)
    rig.spin(stop_on="1")
    rig.finish()
    round_replay = replayed(config, file, 2)
    assert round_replay.differences == []
    assert round_replay.edge_replay is not None
    assert {one.kind for one in round_replay.edge_replay.open} == {"wheel-thrown", "revolution-completed"}
    assert round_replay.edge_replay.same >= 7


def test_an_inspection_learns_anew_in_the_replay_too(shipped: Shipped, file: Path) -> None:
    """Wires that lay crossed were put right, and the table was inspected again."""
    config = shipped("roulette")
    rig = opened(config, file)
    rig.press("floor-key", "5")
    rig.world.fault("swapped")
    for wires_are_right in (False, True):
        rig.press("floor-key", "1", "floor-key", "floor-key", "floor-key")
        for _ in range(2):
            rig.turn_rotor()
            rig.throw_ball()
        if not wires_are_right:
            rig.press("clear")
            rig.world.repair()
    rig.press("floor-key", "floor-key")
    assert rig.state.value == "bets-open"
    run_ball(rig)
    rig.finish()
    round_replay = replayed(config, file, 1)
    assert round_replay.edge_replay is not None
    assert round_replay.edge_replay.same > 10
    assert round_replay.edge_replay.differences == []


def until(rig: TracedRig, kind: str) -> None:
    """Wait for one more event of a kind, a minute at most."""
    before = sum(record.event.kind == kind for record in rig.records())
    for _ in range(600):
        rig.wait(0.1)
        if sum(record.event.kind == kind for record in rig.records()) > before:
            return
    raise AssertionError(f"no {kind}")


def test_a_beam_that_broke_before_the_power_cut_cannot_be_compared(shipped: Shipped, file: Path) -> None:
    """Its only edge was not yet written, and it was reported seconds later."""
    config = shipped("roulette")
    rig = opened(config, file)
    rig.turn_rotor()
    rig.throw_ball(into="17", rest=False)
    rig.press("no-more-bets")
    until(rig, "ball-left-track")
    rig.world.fault("stuck-high", "ball_1")
    until(rig, "sensor-health")
    rig.power_cut()
    rig.finish()
    round_replay = replayed(config, file, 1)
    assert round_replay.differences == []
    assert round_replay.edge_replay is not None
    assert [(one.kind, "not kept" in one.why) for one in round_replay.edge_replay.open] == [("sensor-health", True)]


def test_after_a_reboot_monotonic_time_starts_again(shipped: Shipped, file: Path) -> None:
    config = shipped("dreamcatcher")
    first = opened(config, file)
    play(first, "10")
    first.press("no-more-bets")
    first.turn(0.2)
    first.finish()
    again = TracedRig(config, file)
    again.turn(1.3)
    again.spin(stop_on="20")
    again.finish()
    assert_same(replayed(config, file, 2))


def test_without_edges_the_events_alone_are_replayed(shipped: Shipped, file: Path) -> None:
    config = shipped("dreamcatcher")
    rig = opened(config, file, rounds=2)
    for _ in range(4):
        play(rig, "1")
    rig.finish()
    assert replayed(config, file, 1).edge_replay is None
    assert replayed(config, file, 1).differences == []
    assert_same(replayed(config, file, 4))


@pytest.mark.parametrize("rounds", [1, 100], ids=["edges of one round", "edges of all rounds"])
def test_a_sensor_fault_before_the_position_is_known_is_not_judged(
    shipped: Shipped, file: Path, rounds: int
) -> None:
    """The encoder slips in the first part of the first turn: older edges show the wheel's position."""
    config = shipped("dreamcatcher")
    rig = opened(config, file, rounds)
    play(rig, "1")
    rig.press("no-more-bets")
    rig.world.fault("slip", amount=0.05)
    rig.spin()
    assert rig.last("wheel-rested").fault is not None
    rig.world.repair()
    rig.press("floor-key")
    rig.turn(2.3)
    rig.press("floor-key")
    assert rig.state.value == "respin", rig.waiting_for
    rig.finish()
    round_replay = replayed(config, file, 2)
    if rounds > 1:
        assert_same(round_replay)
        return
    assert round_replay.differences == []
    assert round_replay.edge_replay is not None
    assert {one.kind for one in round_replay.edge_replay.open} & {"sensor-health", "wheel-rested"}
    assert all("older edges are not kept" in one.why for one in round_replay.edge_replay.open)


def test_once_the_position_is_known_every_event_is_judged(shipped: Shipped, file: Path) -> None:
    """Edges of two rounds are kept; the first of the two gives the tracker the wheel's position for the second."""
    config = shipped("dreamcatcher")
    rig = opened(config, file, rounds=2)
    for section in ("10", "1", "5"):
        play(rig, section)
    rig.finish()
    assert_same(replayed(config, file, 3))

    def left_out(event: Event) -> Event | None:
        return None if isinstance(event, RevolutionCompleted) and event.number == 2 else event

    forge(config, file, left_out)
    (difference,) = replayed(config, file, 3).differences
    assert (difference.recorded, difference.replayed) == ("nothing", "revolution 2")


@pytest.mark.parametrize("again", [False, True], ids=["once", "and again"])
def test_a_doubt_older_than_the_kept_edges_is_not_judged(shipped: Shipped, file: Path, again: bool) -> None:
    """A beam is disturbed: that is reported in one round, and its end in the next one."""
    config = shipped("roulette")
    rig = opened(config, file, rounds=1)
    run_ball(rig)
    rig.world.fault("noise", "ball_1", 50)
    rig.wait(2)
    rig.world.repair()
    rig.press("done", "done", "clear")
    assert rig.machine.round == 2
    rig.turn_rotor(wait_s=8)
    if again:
        rig.world.fault("noise", "ball_1", 50)
        rig.wait(2)
        rig.world.repair()
    run_ball(rig)
    rig.finish()
    round_replay = replayed(config, file, 2)
    assert round_replay.differences == []
    assert round_replay.edge_replay is not None
    assert {one.kind for one in round_replay.edge_replay.open} == (set() if again else {"sensor-health"})
    assert round_replay.edge_replay.same > 8


@pytest.mark.parametrize("after_s", [0, 2], ids=["of the spin's first edges", "within the spin"])
def test_edges_that_the_kernel_lost_are_lost_again(shipped: Shipped, file: Path, after_s: float) -> None:
    config = shipped("big-six")
    rig = opened(config, file)
    if not after_s:
        rig.world.fault("overflow", amount=40)
    spin(rig, rest=False)
    rig.wait(2)
    if after_s:
        rig.world.fault("overflow", amount=40)
    rig.rest()
    rig.wait(1)
    assert "40 edges lost" in str(rig.last("wheel-rested").fault)
    rig.finish()
    round_replay = replayed(config, file, 1)
    assert_same(round_replay)
    assert round_replay.edge_replay is not None
    assert round_replay.edge_replay.lost == 40


def test_time_stamps_that_run_backwards_are_replayed(shipped: Shipped, file: Path) -> None:
    config = shipped("big-six")
    rig = opened(config, file)
    rig.press("no-more-bets")
    now_ns = rig.clock.now_ns()
    assert isinstance(rig.table.tracker, WheelTracker)
    seqno = rig.table.tracker._numbers.next_seqno or 0
    for number, at_ns in enumerate((now_ns, now_ns - 5_000_000)):
        numbers = range(seqno + 2 * number, seqno + 2 * number + 2)
        rig.table.head._on_edges(EdgeBatch(b"Cc", (at_ns, at_ns + 1_000), numbers))
    rig.wait(5)
    assert "time stamps run backwards" in str(rig.last("sensor-health"))
    rig.finish()
    assert_same(replayed(config, file, 1))


def test_traces_of_a_version_without_losses_are_read_and_continued(shipped: Shipped, file: Path) -> None:
    config = shipped("big-six")
    rig = opened(config, file)
    rig.finish()
    db = sqlite3.connect(trace_file(file))
    db.execute("ALTER TABLE traces DROP COLUMN lost")
    db.close()
    assert_same(replayed(config, file, 1))
    kept = Traces(trace_file(file), 5)
    (stretch,) = kept.of(1)
    kept.add(1, replace(stretch, lost={3: 4}))
    assert [one.lost for one in kept.of(1)] == [{}, {3: 4}]
    kept.close()


# -- other rounds and journals -------------------------------------------------------------------------------------


def test_a_round_that_does_not_exist(three_rounds: TableConfig, file: Path) -> None:
    with pytest.raises(JournalError, match="no entries of round 99; the journal's last round is 3"):
        replayed(three_rounds, file, 99)


@pytest.mark.parametrize("number", [1, 2])
def test_a_journal_of_another_game(shipped: Shipped, three_rounds: TableConfig, file: Path, number: int) -> None:
    with pytest.raises(JournalError, match="the journal is of the game 'dreamcatcher', not of 'big-six'"):
        replayed(shipped("big-six"), file, number)


def test_a_replay_changes_nothing(three_rounds: TableConfig, file: Path) -> None:
    files = (file, trace_file(file))
    bytes_before = [one.read_bytes() for one in files]
    replayed(three_rounds, file, 2)
    assert [one.read_bytes() for one in files] == bytes_before
