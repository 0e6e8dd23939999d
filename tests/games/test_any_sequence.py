"""Dreamcatcher after any sequence of events: no multiplier is lost, and no lamp is false."""

import random
from collections.abc import Callable
from math import prod
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.effect import Bonus, Result, Void
from controller.events.event import Act, Direction
from controller.games.dreamcatcher.game import MULTIPLIERS

LINES = ("encoder_a", "encoder_b", "index", "clapper")
SECTIONS = st.one_of(st.integers(0, 53), st.sampled_from([0, 27]))
"""0 and 27 multiply."""
ACTIONS = st.one_of(
    st.tuples(st.just("press"), st.sampled_from(("no-more-bets", "done", "clear", "floor-key", "1", "enter"))),
    st.tuples(st.just("spin"), st.floats(0.3, 5), st.sampled_from(Direction)),
    st.tuples(st.just("stop_on"), SECTIONS, st.sampled_from(Direction)),
    st.tuples(st.just("turn"), st.floats(-2.5, 2.5)),
    st.tuples(st.just("wait"), st.floats(0.01, 20)),
    st.tuples(st.just("fault"), st.sampled_from(["stuck-high", "open"]), st.sampled_from(LINES)),
    st.tuples(st.sampled_from(["repair", "power", "on", "on"])),
)


def act(dealer: Dealer, kind: str, *how: Any) -> None:
    table = dealer.rig
    if kind == "press":
        table.press(*how)
    elif kind == "spin":
        table.spin(*how)
    elif kind == "stop_on":
        table.spin(3.1, how[1], stop_on=how[0])
    elif kind == "turn":
        table.turn(how[0] or 0.1)
    elif kind == "wait":
        table.wait(*how)
    elif kind == "fault":
        table.world.fault(*how)
    elif kind == "repair":
        table.world.repair()
    elif kind == "power":
        table.power_cut()
    elif table.state.value == "locked" and not table.table.desk.is_open:
        table.floor()
    else:
        dealer.act()


def check(table: Rig) -> None:
    """The record of the present round against the machine and the lamps."""
    multipliers, results, state = list[int](), list[Result](), ""
    for record in table.records():
        if isinstance(record.event, Act) and record.event.act == "void" and state == "bonus":
            multipliers.pop()
        for effect in record.effects:
            if effect.kind == "round-opened":
                multipliers, results = [], []
            elif isinstance(effect, Bonus):
                multipliers.append(MULTIPLIERS[effect.label])
            elif isinstance(effect, Result):
                results.append(effect)
            elif isinstance(effect, Void) and effect.reason != "thrown-before-clear":  # It leaves the result.
                results = []
        state = record.state
    product = prod(multipliers)
    assert table.machine.data.multiplier == product, "a multiplier was lost"
    assert len(results) <= 1
    for result in results:
        assert [win.pays for win in result.wins] == [f"{int(result.label) * product} to 1"]
    assert table.lit() <= {win.area for result in results for win in result.wins}, "a false light"


@pytest.mark.clause("689a.2(c)", "689a.3(b)")
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=3, max_size=25))
def test_no_sequence_of_events_loses_a_multiplier(
    shipped: Callable[[str], TableConfig], actions: list[tuple[Any, ...]]
) -> None:
    oracle = Oracle()
    table = Rig(shipped("dreamcatcher"), listeners=(oracle,))
    dealer = Dealer(table, random.Random(1), oracle)
    table.turn(1.2)
    table.press("no-more-bets")
    table.spin(stop_on=27)
    assert table.state.value == "bonus"
    for action in actions:
        act(dealer, *action)
        check(table)
    table.world.repair()
    table.wait(15)
    rounds = oracle.tally.rounds
    dealer.play(2)
    assert oracle.tally.rounds == rounds + 2
