"""A round is replayed: a true record has no difference; a changed record, edge or tracker is reported."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
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

from config.schema import TableConfig
from controller.configuration.shipped import load_table, table_path
from controller.events.event import (
    Direction,
    Event,
    Fault,
    MachineFailed,
    RevolutionCompleted,
    WheelRested,
)
from controller.games.clapper_wheel.round import WheelRound
from controller.journal.replay.replay import ReplayedRound
from controller.tracking.clapper_wheel.passage import Passage
from controller.tracking.clapper_wheel.wheel import WheelTracker

Shipped = Callable[[str], TableConfig]


def differing_fields(replayed: ReplayedRound) -> set[str]:
    return {difference.what for difference in replayed.differences}


# -- true records --------------------------------------------------------------------------------------------------


def test_rounds_of_dreamcatcher_replay_without_a_difference(shipped: Shipped, file: Path) -> None:
    """A result; a bonus; too few revolutions; between two sections; a sensor that fails; a nudge meanwhile."""
    config = shipped("dreamcatcher")
    rig = opened(config, file)
    play(rig, "10")
    spin(rig, stop_on="2x")
    rig.spin(stop_on="1", direction=Direction.CLOCKWISE)
    settle(rig)
    spin(rig, revolutions=2.2)
    rig.spin(stop_between=7)
    rig.spin(stop_on="40")
    settle(rig)
    rig.turn(0.3)
    spin(rig, rest=False)
    rig.wait(3)
    rig.world.fault("unplugged")
    rig.rest()
    rig.wait(3)
    reasons = {effect.reason for record in rig.records() for effect in record.effects if effect.kind == "void"}
    assert reasons == {"fewer-than-three-revolutions", "between-sections", "sensor-fault"}
    rig.finish()
    for number in rounds_of(file):
        assert_same(replayed(config, file, number))


def test_rounds_of_roulette_replay_without_a_difference(shipped: Shipped, file: Path) -> None:
    """The inspection; a result; a ball that was thrown too weakly; a beam that breaks."""
    config = shipped("roulette")
    rig = opened(config, file)
    run_ball(rig)
    rig.press("done", "done", "clear")
    assert rig.machine.round == 2
    run_ball(rig, turns=3)
    rig.world.fault("stuck-high", "ball_1")
    run_ball(rig)
    reasons = {effect.reason for record in rig.records() for effect in record.effects if effect.kind == "void"}
    assert reasons == {"fewer-than-four-revolutions", "sensor-fault"}
    rig.finish()
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
    rig.finish()
    for number in rounds_of(file):
        assert replayed(config, file, number).differences == []


# -- changed records -----------------------------------------------------------------------------------------------


def test_another_result_on_record_is_reported(three_rounds: TableConfig, file: Path) -> None:
    seq = entry_of(file, "wheel-rested", 2)

    def pays_more(body: dict[str, Any]) -> None:
        body["effects"][1]["wins"][0]["pays"] = "100 to 1"

    rewrite(file, {seq: pays_more})
    (difference,) = replayed(three_rounds, file, 2).differences
    assert (difference.seq, difference.what) == (seq, "effects")
    assert "1 pays 100 to 1" in difference.recorded
    assert "1 pays 1 to 1" in difference.replayed
    assert_same(replayed(three_rounds, file, 1))
    assert_same(replayed(three_rounds, file, 3))


def test_an_entry_that_breaks_its_chain_is_reported(three_rounds: TableConfig, file: Path) -> None:
    seq = entry_of(file, "wheel-rested", 2)
    db = sqlite3.connect(file)
    db.executescript("DROP TRIGGER no_update")
    db.execute("UPDATE entries SET hash = ? WHERE seq = ?", ("f" * 64, seq))
    db.commit()
    db.close()
    assert {(one.seq, one.what) for one in replayed(three_rounds, file, 2).differences} == {
        (seq, "hash"),
        (seq + 1, "hash"),
    }


@pytest.mark.parametrize("rounds", [1, 100], ids=["edges of one round", "edges of all rounds"])
def test_a_consistent_forgery_is_found_by_the_edges(shipped: Shipped, file: Path, rounds: int) -> None:
    """The section, the travel and the position were changed, and all was decided anew."""
    config = shipped("dreamcatcher")
    rig = opened(config, file, rounds)
    play(rig, "10")
    spin(rig, stop_on="1")
    settle(rig)
    rig.finish()
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
    assert {(one.seq, one.what) for one in round_replay.differences} == {(seq, "section"), (seq, "travel-counts")}
    assert {one.recorded for one in round_replay.differences} == {"9", "9999"}


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


def test_a_tracker_that_names_another_section_is_reported(
    three_rounds: TableConfig, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Passage.rest_position

    def wrong(passage: Passage, at: int, bent: bool) -> tuple[int | None, int | None, Fault | None]:
        section, boundary, fault = right(passage, at, bent)
        return None if section is None else (section + 1) % 54, boundary, fault

    monkeypatch.setattr(Passage, "rest_position", wrong)
    for number in (1, 2, 3):
        assert differing_fields(replayed(three_rounds, file, number)) == {"section"}


def test_a_machine_failure_that_does_not_recur_is_reported(
    shipped: Shipped, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after is compared from the recorded state on."""
    config = shipped("dreamcatcher")
    rig = opened(config, file)

    def fails(*_: object) -> None:
        raise KeyError("score")

    monkeypatch.setattr(WheelRound, "_rests", fails)
    broken = opened(config, file.with_name("broken"))
    spin(broken, stop_on="1")
    broken.floor()
    broken.finish()
    assert_same(replayed(config, file.with_name("broken"), 1))
    monkeypatch.undo()
    differences = replayed(config, file.with_name("broken"), 1).differences
    assert {one.kind for one in differences} == {"wheel-rested"}
    assert ("outcome", "failed", "accepted") in {(one.what, one.recorded, one.replayed) for one in differences}
    rig.finish()


def test_a_tracker_failure_that_does_not_recur_is_reported(
    shipped: Shipped, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = shipped("dreamcatcher")
    rig = opened(config, file)
    play(rig, "1")

    def fails(*_: object) -> None:
        raise KeyError("edge")

    with monkeypatch.context() as patch:
        patch.setattr(WheelTracker, "feed", fails)
        spin(rig, rest=False)
        rig.wait(2)
    rig.rest()
    assert isinstance(rig.last("machine-failed"), MachineFailed)
    rig.finish()
    round_replay = replayed(config, file, 2)
    assert [(one.kind, one.replayed) for one in round_replay.differences] == [("machine-failed", "nothing")]
    assert round_replay.edge_replay is not None
    assert all("begun anew" in one.why for one in round_replay.edge_replay.open)
