"""The base of every game's rounds: rows in order, nothing changed by code that raises, machines that are sound."""

from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.machine.registry import find_game, game_names
from controller.machine.round_machine import always

Shipped = Callable[[str], TableConfig]


@pytest.mark.parametrize("game", sorted(game_names()))
def test_every_state_of_a_game_is_reached_and_left_and_every_row_can_be_taken(shipped: Shipped, game: str) -> None:
    machine = find_game(game).machine(shipped(game))
    sources = {state for row in machine.rows for state in row.sources}
    assert {row.to for row in machine.rows if row.to is not None} <= sources
    left = {state for row in machine.rows for state in row.sources if row.to not in (None, state)}
    assert left == sources, "no way leads out of the others"
    reached = {machine.initial}
    while grown := {row.to for row in machine.rows if row.to and reached & set(row.sources)} - reached:
        reached |= grown
    assert reached == sources, "no way leads to the others"
    shadowed = set()
    for row in machine.rows:
        places = {(source, on) for source in row.sources for on in row.events}
        assert not places <= shadowed, row
        shadowed |= places if row.when is always else set()


@pytest.mark.parametrize("restarts", [False, True])
def test_code_that_raises_locks_the_table_with_the_cause_on_record(
    dreamcatcher: Rig, monkeypatch: pytest.MonkeyPatch, restarts: bool
) -> None:
    table = dreamcatcher
    table.press("no-more-bets")

    def broken(*_: object) -> None:
        raise ArithmeticError("no such odds")

    monkeypatch.setattr(table.machine.rounds, "_score", broken)
    table.spin(stop_on="10")
    assert (table.state.value, table.lit()) == ("locked", set())
    assert "no such odds" in table.last("machine-failed").cause
    assert [record.outcome for record in table.records()].count("failed") == 1
    monkeypatch.undo()
    if restarts:
        table.power_cut()
        assert table.state.value == "locked"
    table.floor()
    table.turn(2.4, seconds=8)
    assert table.state.value == "respin"
    table.spin(stop_on="10")
    assert table.lit() == {"10"}
