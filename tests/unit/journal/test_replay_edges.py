"""A replay says what cannot be compared: edges that are not kept, other rounds and journals."""

from collections.abc import Callable
from pathlib import Path

import pytest
from replay_table import TracedRig, opened, play, replayed, run_ball, spin
from replayed import assert_same
from roulette_table import confirm_the_rest, up_to_the_trial_spin

from config.schema import TableConfig
from controller.events.words import text

Shipped = Callable[[str], TableConfig]


# -- edges that are not kept ---------------------------------------------------------------------------------------


def test_an_inspection_learns_anew_in_the_replay_too(shipped: Shipped, file: Path) -> None:
    """Wires that lay crossed were put right, and the table was inspected again."""
    config = shipped("roulette")
    rig = opened(config, file)
    rig.floor("close")
    rig.world.fault("swapped")
    for wires_are_right in (False, True):
        up_to_the_trial_spin(rig)
        for _ in range(2):
            rig.turn_rotor()
            rig.throw_ball()
        if not wires_are_right:
            rig.floor("refuse")
            rig.world.repair()
    confirm_the_rest(rig)
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
    rig.floor()
    rig.turn(2.3)
    rig.floor()
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
    assert rig.last("wheel-rested").fault.found == text("edges-lost", edges=40)
    rig.finish()
    round_replay = replayed(config, file, 1)
    assert_same(round_replay)
    assert round_replay.edge_replay is not None
    assert round_replay.edge_replay.lost == 40


# -- other rounds and journals -------------------------------------------------------------------------------------
