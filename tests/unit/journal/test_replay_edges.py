"""The edges of a round are kept and replayed; a replay says what of them cannot be compared."""

import sqlite3
from array import array
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_table import TracedRig, assert_same, opened, play, replayed, run_ball, spin
from roulette_table import confirm_the_rest, up_to_the_trial_spin

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.capture import play_capture
from controller.commands.cli import main
from controller.events.words import text
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from hal.events import EdgeBatch
from hal.mock.motion import Bytes, Times

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


def test_a_doubt_older_than_the_kept_edges_is_not_judged(shipped: Shipped, file: Path) -> None:
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
    run_ball(rig)
    rig.finish()
    round_replay = replayed(config, file, 2)
    assert round_replay.differences == []
    assert round_replay.edge_replay is not None
    assert {one.kind for one in round_replay.edge_replay.open} == {"sensor-health"}
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


# -- levels that were read -----------------------------------------------------------------------------------------


def lose_last(rig: TracedRig, edges: int = 1, numbered: bool = False) -> None:
    """The kernel never sees the last edges of the movements that follow.

    Args:
        numbered: it has counted them, so that the next edge shows a gap.
    """
    assert rig.world.head is not None
    head, lines = rig.world.head, rig.world.head.lines
    carry = lines.carry

    def without_last(letters: Bytes, times: Times, from_ns: int, to_ns: int) -> EdgeBatch | None:
        batch = carry(letters, times, from_ns, to_ns)
        if batch is None or head.at_rest_ns > to_ns:
            return batch
        left = len(batch) - edges
        if not numbered:
            lines.seqno -= edges
        return EdgeBatch(batch.edges[:left], batch.timestamps_ns[:left], batch.seqnos[:left])

    lines.carry = without_last  # type: ignore[method-assign]


@pytest.mark.parametrize("game", ["dreamcatcher", "big-six"])
@pytest.mark.parametrize(("edges", "numbered"), [(1, False), (1, True), (3, False), (2, True)])
def test_a_spin_that_the_levels_at_rest_made_void_is_replayed_as_it_was_decided(
    shipped: Shipped, file: Path, game: str, edges: int, numbered: bool
) -> None:
    """The wheel's last edge is lost; the levels of its lines tell, and are kept with the edges."""
    config = shipped(game)
    rig = opened(config, file)
    play(rig, config.wheel.order[3] if config.wheel and config.wheel.order else "10")
    lose_last(rig, edges, numbered)
    spin(rig, revolutions=4.3)
    assert rig.world.head is not None
    del rig.world.head.lines.carry
    assert rig.state.value == "locked"
    rig.press("floor-key")
    rig.turn(1.3)
    spin(rig, revolutions=4.4)
    rig.finish()
    with closing(Traces(trace_file(file), 0)) as traces:
        kept = {number: [*traces.of(number)] for number in traces.rounds()}
    ((number, reading),) = [(of, read) for of, some in kept.items() for one in some for read in one.readings]
    assert number == 2
    assert reading.unseen
    round_replay = replayed(config, file, 2)
    assert_same(round_replay)
    assert round_replay.edge_replay is not None
    assert round_replay.edge_replay.readings == [reading]
    trace_file(file).unlink()
    forged = Traces(trace_file(file), 1000)
    for of, some in kept.items():
        for one in some:
            forged.add(of, replace(one, readings=()))
    forged.close()
    assert replayed(config, file, 2).differences, "without what was read it is not what the table decided"


# -- the file ------------------------------------------------------------------------------------------------------


def test_a_rounds_edges_as_vcd_give_the_rounds_decisions(
    shipped: Shipped, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = opened(shipped("big-six"), file)
    play(rig, "20")
    play(rig, "joker")
    rig.finish()
    assert main(["journal", "export", str(file), "--trace", "1"]) == exits.OK
    captured, out = file.with_suffix(".vcd"), StringIO()
    captured.write_text(capsys.readouterr().out)
    assert play_capture(captured, shipped("big-six"), out) == exits.OK
    assert '"label": "20"' in out.getvalue()
    assert '"label": "joker"' not in out.getvalue()
    assert main(["journal", "export", str(file), "--trace", "7"]) == exits.FAILED
    assert "no edges of round 7 are kept; rounds 1 to 2 are there" in capsys.readouterr().err


def test_after_a_restart_within_the_round_the_last_part_is_written(
    shipped: Shipped, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = opened(shipped("big-six"), file)
    rig.press("no-more-bets")
    rig.power_cut()
    rig.turn(1.2)
    rig.spin(stop_on="10")
    rig.finish()
    assert main(["journal", "export", str(file), "--trace", "1"]) == exits.OK
    output = capsys.readouterr()
    assert "only what came after the last start" in output.err
    assert "no_more_bets" not in output.out
    assert "encoder_index" in output.out


def test_a_table_whose_traces_cannot_be_written_keeps_playing(
    shipped: Shipped, file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    rig = opened(shipped("big-six"), file)
    monkeypatch.setattr(Traces, "add", full)
    play(rig, "20")
    play(rig, "20")
    assert rig.machine.round == 3
    rig.finish()
    assert [record.message for record in caplog.records] == [
        "edges are no longer stored: database or disk is full; free space on the disk, then restart the table"
    ]


@given(
    steps=st.lists(st.integers(0, 10**12), min_size=1, max_size=200),
    letters=st.lists(st.sampled_from(b"AaBbZzCc"), min_size=1, max_size=200),
)
def test_the_kept_edges_are_those_received(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int], letters: list[int]
) -> None:
    count = min(len(steps), len(letters))
    stamps = array("q", (sum(steps[: n + 1]) for n in range(count)))
    traces = Traces(tmp_path_factory.mktemp("traces") / "t", 10)
    stretch = EdgeStretch({"A": True, "B": False}, bytes(letters[:count]), stamps)
    traces.add(3, stretch)
    assert list(traces.of(3)) == [stretch]
    assert list(traces.of(4)) == []
    traces.close()
