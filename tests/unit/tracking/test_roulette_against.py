"""§ 617a.5(a): the rotor turns against the ball from before the throw until the ball has left, or it is no spin."""

import random
from collections.abc import Callable

import pytest
from roulette_physics import Hand, Spin, Throw

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.games.roulette.rules import void_reason

Shipped = Callable[[str], TableConfig]
THROWN_S = 24.0


# -- at the table ----------------------------------------------------------------------------------------------


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


# -- spins one by one ------------------------------------------------------------------------------------------

BALL = Throw(THROWN_S, 1.6, 1)


def result(spin: Spin) -> bool:
    return void_reason(spin.left, True) == ""


def test_an_edge_that_is_lost_leaves_the_direction_unsure_for_that_spin() -> None:
    """Clean turns end the doubt before the ball is down; what the rotor did at the lost edge nobody saw."""
    spin = Spin([Hand(8, -0.6)], Throw(THROWN_S, 2.2, 1, 0.5))
    edges = spin.edges()
    lost = next(i for i, (at_s, letter) in enumerate(edges) if at_s > THROWN_S + 1 and letter == "a")
    left = spin.left_of(edges[:lost] + edges[lost + 1 :])
    assert left.fault is None
    assert left.rotor is None
    assert spin.left_of(edges).rotor is Direction.CLOCKWISE


# -- wheels drawn at random ------------------------------------------------------------------------------------


def steady(rng: random.Random, way: int) -> list[Hand]:
    """Turned around or not, and pushed on now and then: before, in and after the throw."""
    pushes = [Hand(THROWN_S - rng.uniform(0.6, 12), way * rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.4))]
    for _ in range(rng.choice([0, 0, 1, 2])):
        at_s = rng.choice([rng.uniform(-0.3, 0.1), rng.uniform(-3, 14)])
        pushes.append(Hand(THROWN_S + at_s, way * rng.uniform(0.3, 0.6), rng.uniform(0.05, 0.4)))
    return pushes


def at_rest(rng: random.Random, way: int) -> list[Hand]:
    return [Hand(THROWN_S - rng.uniform(0.2, 6), 0.0, rng.uniform(0.02, 0.3), 60)]


def pushed_late(rng: random.Random, way: int) -> list[Hand]:
    """It rests, and is pushed about the time of the throw or later, either way."""
    rests = Hand(THROWN_S - 5, 0.0, 0.1, 2.0)
    push = Hand(THROWN_S + rng.uniform(-2, 4), rng.choice([way, way, -way]) * rng.uniform(0.2, 0.7), 0.15)
    return [rests, Hand(push.at_s - 0.5, 0.0, 0.0, 0.5), push]


def turned_back(rng: random.Random, way: int) -> list[Hand]:
    """It is turned around before, in or after the throw, to where it should turn or from there."""
    first = rng.choice([1, -1])
    at_s = THROWN_S + rng.choice([rng.uniform(-3, 0.2), rng.uniform(-0.2, 14)])
    hands = [Hand(THROWN_S - rng.uniform(4, 11), first * way * rng.uniform(0.25, 0.6))]
    hands.append(Hand(at_s, -first * way * rng.uniform(0.2, 0.6), rng.uniform(0.05, 0.4)))
    if rng.random() < 0.3:
        hands.append(Hand(at_s + rng.uniform(0.5, 2), first * way * 0.4, 0.2))
    return hands


def held(rng: random.Random, way: int) -> list[Hand]:
    """It is held for a while, and pushed on."""
    at_s = THROWN_S + rng.uniform(-1, 12)
    hold = Hand(at_s, 0.0, rng.uniform(0.02, 0.3), rng.uniform(0.25, 3))
    push = Hand(at_s + hold.within_s + hold.holds_s, way * rng.uniform(0.25, 0.6), 0.15)
    return [Hand(THROWN_S - rng.uniform(3, 9), way * rng.uniform(0.25, 0.6)), hold, push]


KINDS = (steady, at_rest, pushed_late, turned_back, held)


def drawn(seed: int, hard: bool = False) -> Spin:
    """A spin of a wheel; ``hard``: its rotor slows down so fast that it may stop before the ball is down."""
    rng = random.Random(seed)
    ball = rng.choice([1, -1])
    kind = rng.choice((steady,) if hard else KINDS)
    throw = Throw(
        THROWN_S,
        rng.uniform(1.2, 2.2),
        ball,
        rng.uniform(0.5, 0.75),
        rng.uniform(0.03, 0.05),
        rng.uniform(0.03, 0.08),
        rng.random(),
        rng.choice([0, 0, rng.uniform(0, 0.04)]),
    )
    return Spin(
        [Hand(1, rng.choice([1, -1]) * rng.uniform(0.35, 0.6)), *kind(rng, -ball)],
        throw,
        0.03 if hard else rng.uniform(0.002, 0.02),
        rng.choice([100, 400, 400, 1000]),
        2,
        rng.choice([60.0, 90.0, 90.0, 135.0, 270.0]),
        rng.uniform(-0.3, 0.3),
        rng.random(),
        kind.__name__,
    )


@pytest.mark.clause("617a.5(a)")
@pytest.mark.parametrize("part", range(4))
def test_a_spin_is_a_result_only_if_the_rotor_turned_against_the_ball_all_the_while(part: int) -> None:
    """And whatever was plain to see is one."""
    plain = valid = 0
    for seed in range(part * 40, part * 40 + 40):
        spin = drawn(seed)
        believed = result(spin)
        plain, valid = plain + spin.plain, valid + spin.valid
        assert spin.valid or not believed, f"{seed}: {spin.name}"
        assert believed or not spin.plain, f"{seed}: {spin.name}"
    assert 5 < plain <= valid < 35


def test_a_rotor_that_slows_down_hard_makes_no_result_if_it_stopped() -> None:
    spins = [drawn(seed, hard=True) for seed in range(40)]
    results = [spin for spin in spins if result(spin)]
    assert all(spin.valid for spin in results)
    assert len(results) > 12


@pytest.mark.parametrize("kind", KINDS)
def test_with_one_beam_nobody_asks_which_way_the_rotor_turned(kind: Callable[..., list[Hand]]) -> None:
    left = Spin(kind(random.Random(1), -1), BALL, beams=1).left
    assert left.direction is None
    assert void_reason(left, False) == ""
