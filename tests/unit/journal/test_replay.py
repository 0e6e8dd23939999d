"""A round is replayed: a true record has no difference; a changed record, edge or tracker is reported.

What cannot be compared, because its edges are not kept, is named.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from replay_table import (
    TracedRig,
    assert_same,
    entry_of,
    forge,
    opened,
    play,
    replayed,
    rewrite,
    rounds_of,
    run_ball,
    settle,
    spin,
)
from roulette_table import confirm_the_rest, up_to_the_trial_spin
from tampering import change

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.capture import play_capture
from controller.commands.cli import main
from controller.configuration.shipped import load_table, table_path
from controller.events.event import Direction, Event, RevolutionCompleted, WheelRested
from controller.games.clapper_wheel.round import WheelRound
from controller.journal.errors import JournalDamagedError
from controller.journal.replay.trace import Traces, trace_file
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch
from hal.mock.motion import Bytes, Times

Shipped = Callable[[str], TableConfig]


# -- true records --------------------------------------------------------------------------------------------------


def test_rounds_of_roulette_replay_without_a_difference(shipped: Shipped, file: Path) -> None:
    """The inspection; a result; a ball that was thrown too weakly; a rotor that stands; a beam that breaks."""
    config = shipped("roulette")
    rig = opened(config, file)
    run_ball(rig)
    rig.press("done", "done", "clear")
    assert rig.machine.round == 2
    run_ball(rig, turns=3)
    rig.world.rotor.push_rotor(0, 1)
    rig.power_cut()
    rig.throw_ball(9)
    rig.power_cut()
    rig.world.fault("stuck-high", "ball_1")
    run_ball(rig)
    reasons = {effect.reason for record in rig.records() for effect in record.effects if effect.kind == "void"}
    assert reasons == {"fewer-than-four-revolutions", "sensor-fault", "rotor-not-turning"}
    rig.close()
    for number in (0, 1, 2):
        assert_same(replayed(config, file, number))


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("spin"), st.sampled_from([0.3, 2.5, 3.2]), st.sampled_from(list(Direction)), st.booleans()
        ),
        st.tuples(st.just("turn"), st.floats(-2.5, 2.5)),
        st.tuples(st.just("press"), st.sampled_from(["no-more-bets", "floor-key", "clear", "done"])),
        st.tuples(st.just("settle")),
        st.tuples(st.just("cut"), st.booleans()),
        st.tuples(st.just("repair")),
        st.tuples(st.just("break"), st.sampled_from(["stuck-low", "noise"]), st.sampled_from("AZC"), st.just(30)),
        st.just(("break", "overflow", "", 40)),
        st.just(("break", "slip", "", 0.05)),
    ),
    max_size=12,
)
NAMES = {"A": "encoder_a", "Z": "index", "C": "clapper", "": ""}


def act(rig: TracedRig, step: tuple[Any, ...]) -> None:
    """Do a step at a wheel."""
    match step:
        case ("spin", revolutions, direction, rest):
            rig.spin(revolutions, direction, rest=rest)
        case ("turn", revolutions):
            rig.turn(revolutions)
        case ("press", control):
            rig.press(control)
        case ("settle",):
            settle(rig)
        case ("cut", moves):
            rig.power_cut(1 if moves else 30)
        case ("repair",):
            rig.world.repair()
        case ("break", fault, line, amount):
            rig.world.fault(fault, NAMES[line], amount)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, rounds=st.sampled_from([1, 100]))
def test_no_true_record_is_reported_as_different(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Any, ...]], rounds: int
) -> None:
    """Power cuts, broken sensors, edges that the kernel lost, edges that are kept of one round only."""
    config = load_table(table_path("dreamcatcher")).config
    file = tmp_path_factory.mktemp("replay") / "t"
    rig = opened(config, file, rounds)
    for step in steps:
        act(rig, step)
    rig.close()
    for number in rounds_of(file):
        assert replayed(config, file, number).differences == []


# -- changed records -----------------------------------------------------------------------------------------------


def test_another_result_and_a_broken_chain_are_reported(three_rounds: TableConfig, file: Path) -> None:
    seq = entry_of(file, "wheel-rested", 2)

    def pays_more(body: dict[str, Any]) -> None:
        body["effects"][1]["wins"][0]["pays"] = "100 to 1"

    rewrite(file, {seq: pays_more})
    (difference,) = replayed(three_rounds, file, 2).differences
    assert (difference.seq, difference.what) == (seq, "effects")
    assert "1 pays 100 to 1" in difference.recorded
    assert "1 pays 1 to 1" in difference.replayed
    assert_same(replayed(three_rounds, file, 1))
    change(file, f"UPDATE entries SET hash = '{'f' * 64}' WHERE seq = {seq}")
    found = {(one.seq, one.what) for one in replayed(three_rounds, file, 2).differences}
    assert found == {(seq, "effects"), (seq, "hash"), (seq + 1, "hash")}


@pytest.mark.parametrize("rounds", [1, 100], ids=["edges of one round", "edges of all rounds"])
def test_a_consistent_forgery_is_found_by_the_edges(shipped: Shipped, file: Path, rounds: int) -> None:
    """The section, the travel and the position were changed, and all was decided anew."""
    config = shipped("dreamcatcher")
    rig = opened(config, file, rounds)
    play(rig, "10")
    spin(rig, stop_on="1")
    settle(rig)
    rig.close()
    seq = entry_of(file, "wheel-rested", 2)
    number = 0

    def changed(event: Event) -> Event:
        nonlocal number
        number += isinstance(event, WheelRested)
        return (
            replace(event, section=9, travel_counts=9999)
            if isinstance(event, WheelRested) and number == 3
            else event
        )

    forge(config, file, changed)
    round_replay = replayed(config, file, 2)
    found = {(one.seq, one.what, one.recorded) for one in round_replay.differences}
    assert found == {(seq, "section", "9"), (seq, "travel-counts", "9999")}


def test_a_removed_or_inserted_event_is_reported(three_rounds: TableConfig, file: Path) -> None:
    before = entry_of(file, "revolution-completed", 2)

    def left_out(event: Event) -> Event | None:
        if isinstance(event, RevolutionCompleted) and event.number == 2:
            return None
        return replace(event, at_ns=event.at_ns + 1) if isinstance(event, RevolutionCompleted) else event

    assert before
    forge(three_rounds, file, left_out)
    differences = replayed(three_rounds, file, 2).differences
    missing = [one for one in differences if one.recorded == "nothing"]
    invented = [one for one in differences if one.replayed == "nothing"]
    assert len(missing) == len(invented) + 1 > 3
    assert "revolution 2" in {one.replayed for one in missing}


# -- changed code --------------------------------------------------------------------------------------------------


def fails(*_: object) -> None:
    raise KeyError("score")


def test_a_machine_failure_that_does_not_recur_is_reported(
    shipped: Shipped, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after is compared from the recorded state on."""
    monkeypatch.setattr(WheelRound, "_rests", fails)
    rig = opened(shipped("dreamcatcher"), file)
    spin(rig, stop_on="1")
    rig.floor()
    rig.close()
    assert_same(replayed(rig.config, file, 1))
    monkeypatch.undo()
    differences = replayed(rig.config, file, 1).differences
    assert {one.kind for one in differences} == {"wheel-rested"}
    assert ("outcome", "failed", "accepted") in {(one.what, one.recorded, one.replayed) for one in differences}


def test_a_tracker_failure_that_does_not_recur_is_reported(
    shipped: Shipped, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After it a new tracker began, at an edge that is not known."""
    rig = opened(shipped("dreamcatcher"), file)
    with monkeypatch.context() as patch:
        patch.setattr(WheelTracker, "feed", fails)
        spin(rig, rest=False)
        rig.wait(2)
    rig.rest()
    rig.close()
    again = replayed(rig.config, file, 1)
    assert [(one.kind, one.replayed) for one in again.differences] == [("machine-failed", "nothing")]
    assert again.edge_replay is not None
    assert all("begun anew" in one.why for one in again.edge_replay.open)


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
    rig.close()
    round_replay = replayed(config, file, 1)
    assert round_replay.edge_replay is not None
    assert round_replay.edge_replay.same > 10
    assert round_replay.edge_replay.differences == []


def test_after_a_reboot_monotonic_time_starts_again(shipped: Shipped, file: Path) -> None:
    config = shipped("dreamcatcher")
    first = opened(config, file)
    play(first, "10")
    first.press("no-more-bets")
    first.turn(0.2)
    first.close()
    again = TracedRig(config, file)
    again.turn(1.3)
    again.spin(stop_on="20")
    again.close()
    assert_same(replayed(config, file, 2))


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


@pytest.mark.parametrize(("game", "edges", "numbered"), [("dreamcatcher", 1, False), ("big-six", 3, True)])
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
    rig.close()
    with closing(Traces(trace_file(file), 0)) as traces:
        kept = {number: [*traces.of(number)] for number in traces.rounds()}
    ((number, reading),) = [(of, one.reading) for of, some in kept.items() for one in some if one.reading]
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
            forged.add(of, replace(one, levels=one.levels_before, reading=None))
    forged.close()
    assert replayed(config, file, 2).differences, "without what was read it is not what the table decided"


# -- the file ------------------------------------------------------------------------------------------------------


def test_a_rounds_edges_as_vcd_give_the_rounds_decisions(
    shipped: Shipped, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a round with a restart, the last part is written."""
    rig = opened(shipped("big-six"), file)
    play(rig, "20")
    play(rig, "joker")
    rig.press("no-more-bets")
    rig.power_cut()
    rig.turn(1.2)
    rig.spin(stop_on="10")
    rig.close()
    captured, out = file.with_suffix(".vcd"), StringIO()
    assert main(["journal", "export", str(file), "--trace", "1"]) == exits.OK
    captured.write_text(capsys.readouterr().out)
    play_capture(captured, shipped("big-six"), out)
    assert '"label": "20"' in out.getvalue()
    assert '"label": "joker"' not in out.getvalue()
    assert main(["journal", "export", str(file), "--trace", "3"]) == exits.OK
    output = capsys.readouterr()
    assert "only what came after the last start" in output.err
    assert "no_more_bets" not in output.out
    assert "encoder_index" in output.out
    assert main(["journal", "export", str(file), "--trace", "7"]) == exits.FAILED
    assert "no edges of round 7 are kept, only those of rounds 1 to 3" in capsys.readouterr().err


def test_edges_that_are_damaged_are_read_as_such_or_not_at_all(three_rounds: TableConfig, file: Path) -> None:
    whole, damaged = trace_file(file).read_bytes(), 0
    for place in range(0, len(whole), 131):
        trace_file(file).write_bytes(whole[:place] + bytes([whole[place] ^ 9]) + whole[place + 1 :])
        try:
            with closing(Traces(trace_file(file), 0)) as traces:
                for number in traces.rounds():
                    list(traces.of(number))
        except JournalDamagedError:
            damaged += 1
    assert damaged
    assert main(["journal", "export", str(file), "--trace", "2"]) in (exits.OK, exits.FAILED)


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
    rig.close()
    assert [record.message for record in caplog.records] == [
        "edges are no longer stored: database or disk is full; free space on the disk, then restart the table"
    ]
