"""§ 617a.5(a): the rotor turns against the ball from before the throw until the ball has left, or it is no spin."""

import random
from collections.abc import Callable

import pytest
from roulette_wheel import Wheel

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.event import Direction

Shipped = Callable[[str], TableConfig]


def bets_open(config: TableConfig, **options: object) -> tuple[Rig, Dealer, Oracle]:
    witness = Oracle()
    table = Rig(config, options={"seed": 0, **options}, listeners=(witness,))
    dealer = Dealer(table, random.Random(0), witness)
    while table.state.value != "bets-open":
        dealer.act()
    return table, dealer, witness


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("way", list(Direction))
@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.3])
def test_a_rotor_that_is_set_turning_after_the_throw_makes_no_spin(
    shipped: Shipped, way: Direction, after_s: float
) -> None:
    """It turns a whole turn while the ball runs, which was thrown counterclockwise above a wheel that stood."""
    table, dealer, witness = bets_open(shipped("roulette"))
    table.turn_rotor(0.0)
    table.throw_ball(5, rest=False)
    table.wait(after_s)
    table.turn_rotor(0.5, way)
    table.ball_rest()
    assert table.state.value == "respin"
    assert table.last("void").reason == "rotor-not-turning"
    dealer.play(2)
    assert witness.tally.wrong == []


@pytest.mark.campaign
def test_a_rotor_that_stops_by_itself_before_the_ball_has_left_makes_no_result(shipped: Shipped) -> None:
    _, dealer, witness = bets_open(shipped("roulette"), rotor_slows_rev_s2=0.03)
    dealer.play(40)
    assert witness.tally.wrong == []
    assert witness.tally.voids["rotor-not-turning"] > 0
    assert witness.tally.results >= 40


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("after_s", [0.5, 2.0, 6.0])
def test_a_rotor_that_a_hand_stops_while_the_ball_runs_makes_no_spin(after_s: float) -> None:
    wheel = Wheel()
    wheel.head.push_rotor(0.4, -1)
    wheel.wait(5)
    wheel.head.throw_ball(9, 1)
    wheel.wait(after_s)
    wheel.head.push_rotor(0.0, -1)
    wheel.wait(0.8)
    wheel.head.push_rotor(0.4, -1)
    wheel.rest()
    assert (wheel.left.rotor, wheel.left.fault) == (None, None)
