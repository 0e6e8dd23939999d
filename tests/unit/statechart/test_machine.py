"""The machine under all games: invalid transitions are refused, and code that raises changes nothing."""

from dataclasses import dataclass, replace
from enum import Enum

import pytest
from pydantic import TypeAdapter

from controller.bench.rig import Rig
from controller.events.effect import Light
from controller.events.event import Event, Press
from controller.statechart.guards import then
from controller.statechart.machine import GameMachine, Outcome, Step, Transition
from controller.statechart.soundness import MachineDefinitionError


class State(Enum):
    OPEN = "open"
    SHUT = "shut"
    LOST = "lost"


@dataclass(frozen=True)
class Data:
    count: int = 0


def keep(data: Data, event: Event) -> Step[Data]:
    return Step(data)


def count(data: Data, event: Event) -> Step[Data]:
    return Step(replace(data, count=data.count + 1), (Light(("a",)),))


def fail(data: Data, event: Event) -> Step[Data]:
    raise ArithmeticError("broken")


class Door(GameMachine[State, Data]):
    def __init__(self, *rows: Transition[State, Data]) -> None:
        super().__init__(rows, State.OPEN, Data(), TypeAdapter(Data))

    def _waits_for(self) -> str:
        return "a hand"


SOUND = (
    Transition(State.OPEN, "press shut", State.SHUT, count),
    Transition(State.SHUT, "press open", State.OPEN, keep),
)


def press(name: str) -> Press:
    return Press(1, name)


def test_a_transition_changes_state_and_data() -> None:
    door = Door(*SOUND)
    decision = door.handle(press("shut"))
    assert (decision.outcome, decision.state, door.data.count, door.lit) == (Outcome.ACCEPTED, "shut", 1, ("a",))


def test_a_press_that_is_not_listed_is_refused_and_changes_nothing() -> None:
    door = Door(*SOUND)
    decision = door.handle(press("open"))
    assert decision.outcome is Outcome.REFUSED
    assert decision.effects[0].waiting_for == "a hand"  # type: ignore[union-attr]
    assert (door.state, door.data.count) == (State.OPEN, 0)


def test_a_transition_that_raises_changes_neither_state_nor_data() -> None:
    door = Door(*SOUND, Transition(State.OPEN, "press kick", State.SHUT, fail))
    with pytest.raises(ArithmeticError):
        door.handle(press("kick"))
    assert (door.state, door.data.count, door.lit) == (State.OPEN, 0, ())


def test_the_first_transition_whose_guard_holds_is_taken() -> None:
    rows = (
        Transition(State.OPEN, "press shut", State.SHUT, count, lambda data, event: data.count > 5),
        Transition(State.OPEN, "press shut", None, count),
        SOUND[1],
    )
    door = Door(*rows)
    for _ in range(6):
        assert door.handle(press("shut")).state == "open"
    assert door.handle(press("shut")).state == "shut"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ((SOUND[0],), "has no rows"),
        ((*SOUND, Transition(State.LOST, "press open", State.OPEN, keep)), "no way leads to State.LOST"),
        ((SOUND[0], Transition(State.SHUT, "press open", None, keep)), "no way leads out of State.SHUT"),
        ((*SOUND, SOUND[0]), "can never be taken"),
        ((*SOUND, Transition(State.OPEN, "press-shut", None, keep)), "the same trigger"),
        ((*SOUND, Transition(State.OPEN, "press wait", None, None)), "no function"),  # type: ignore[arg-type]
    ],
)
def test_invalid_transitions_are_refused(rows: tuple[Transition[State, Data], ...], words: str) -> None:
    with pytest.raises(MachineDefinitionError, match=words):
        Door(*rows)


def test_a_snapshot_restores_state_data_and_lamps() -> None:
    door, other = Door(*SOUND), Door(*SOUND)
    door.handle(press("shut"))
    other.restore(door.snapshot())
    assert (other.state, other.data, other.lit) == (door.state, door.data, door.lit)
    with pytest.raises(ValueError, match="nowhere"):
        other.restore({"state": "nowhere", "data": {}, "lit": []})


@pytest.mark.parametrize("spinning", [True, False])
def test_code_that_raises_locks_the_table_with_the_cause_on_record(
    dreamcatcher: Rig, monkeypatch: pytest.MonkeyPatch, spinning: bool
) -> None:
    table = dreamcatcher
    table.press("no-more-bets")

    def broken(*_: object) -> None:
        raise ArithmeticError("no such odds")

    monkeypatch.setattr(table.machine._steps, "_score", broken)
    table.spin(stop_on="10")
    assert table.state.value == "locked"
    assert table.lit() == set()
    assert "no such odds" in table.last("machine-failed").cause
    assert [record.outcome for record in table.records()].count("failed") == 1
    monkeypatch.undo()
    if spinning:
        table.power_cut()
        assert table.state.value == "locked"
    table.press("floor-key")
    table.turn(2.4, seconds=8)
    assert table.state.value == "respin"
    table.spin(stop_on="10")
    assert table.lit() == {"10"}


def test_a_tracker_that_raises_locks_the_table_and_locates_the_wheel_again(
    dreamcatcher: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = dreamcatcher
    table.press("no-more-bets")

    def broken(*_: object) -> None:
        raise IndexError("no such edge")

    monkeypatch.setattr(table.table.tracker, "feed", broken)
    table.spin(stop_on="10")
    assert table.state.value == "locked"
    assert "no such edge" in table.waiting_for
    assert table.lit() == set()
    table.press("floor-key")
    assert table.state.value == "locating"
    table.turn(1.2)
    assert table.state.value == "no-more-bets"
    table.spin(stop_on="10")
    assert table.lit() == {"10"}


def test_chained_actions_pass_on_their_data_and_combine_their_effects() -> None:
    both = then(count, count)(Data(5), Press(0, "enter"))
    assert both == Step(Data(7), (Light(("a",)), Light(("a",))))
