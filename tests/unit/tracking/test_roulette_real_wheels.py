"""Roulette wheels as they are built: encoders as they are sold, balls that leap, wheels that are not level."""

import math
import random

import pytest
from roulette_physics import Hand, Index, Leap, Spin, Throw

from controller.events.event import BallLeftTrack, BallThrown, Direction, Event, Health, SensorHealth
from controller.games.roulette.rules import void_reason

THROWN_S = 12.0
INDEXES = {
    "ungated, in the middle of A": Index(),
    "ungated, two counts": Index(0.8, 2.1),
    "ungated, on an edge": Index(1.0, 1.4),
    "ungated, narrow": Index(1.2, 0.6),
    "ungated, wide": Index(3.3, 3.7),
    "gated with A": Index(gated="A", slack_us=3),
    "gated with A and B": Index(gated="A and B", slack_us=3),
}


def doubts(events: list[Event]) -> list[SensorHealth]:
    return [event for event in events if isinstance(event, SensorHealth) and event.health is not Health.OK]


def run_of(events: list[Event]) -> BallLeftTrack:
    (left,) = [event for event in events if isinstance(event, BallLeftTrack)]
    return left


# -- encoders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [False, True], ids=["high", "low"])
@pytest.mark.parametrize("way", [1, -1], ids=["counterclockwise", "clockwise"])
@pytest.mark.parametrize("kind", list(INDEXES))
@pytest.mark.campaign
def test_no_encoder_as_it_is_sold_is_in_doubt(kind: str, way: int, low: bool) -> None:
    mark = INDEXES[kind]
    index = Index(mark.begins, mark.wide, mark.gated, low, mark.slack_us)
    for seed, counts in enumerate((40, 400, 1000)):
        hands = [Hand(1, -0.4 * way), Hand(5, 0.45 * way, 0.4)]
        spin = Spin(hands, Throw(THROWN_S, 1.7, -way), counts=counts, at=seed / 3, skew=0.1, index=index)
        events = spin.events()
        assert not doubts(events), counts
        assert void_reason(run_of(events), True) == ""
        assert run_of(events).rotor is (Direction.COUNTERCLOCKWISE if way > 0 else Direction.CLOCKWISE)
        assert events == spin.events(1)


@pytest.mark.parametrize("kind", list(INDEXES))
def test_crossed_wires_show_in_the_direction_that_the_trial_spin_names(kind: str) -> None:
    spin = Spin([Hand(1, 0.4)], Throw(THROWN_S, 1.7, -1), index=INDEXES[kind])
    crossed = [
        (at_s, {"A": "B", "B": "A", "a": "b", "b": "a"}.get(letter, letter)) for at_s, letter in spin.edges()
    ]
    events = spin.events_of(crossed)
    assert not doubts(events)
    assert run_of(events).rotor is Direction.CLOCKWISE
    assert void_reason(run_of(events), True) == "same-direction"


# -- balls -----------------------------------------------------------------------------------------------------


def drawn_leaps(rng: random.Random) -> tuple[Leap, ...]:
    """Once or twice, across either beam, within two seconds after it left the track, for any time."""
    leaps: list[Leap] = []
    for beam in (0, 1):
        at_s = 0.05
        for _ in range(rng.choice([0, 1, 1, 2])):
            at_s += rng.uniform(0, 0.9)
            leaps.append(Leap(at_s, beam, stays_s := math.exp(rng.uniform(math.log(1e-3), math.log(0.6)))))
            at_s += stays_s + 0.01
    return tuple(leaps)


def drawn_ball(seed: int, leaps: bool = True) -> Spin:
    rng = random.Random(seed)
    way = rng.choice([1, -1])
    throw = Throw(
        THROWN_S,
        rng.uniform(1.2, 2.2),
        way,
        rng.uniform(0.5, 0.8),
        rng.uniform(0.02, 0.05),
        rng.uniform(0.02, 0.09),
        rng.random(),
        rng.uniform(0, 0.06),
    )
    return Spin(
        [Hand(1, -way * rng.uniform(0.3, 0.6))],
        throw,
        rng.uniform(0.002, 0.006),
        rng.choice([40, 400]),
        2,
        rng.choice([60.0, 90.0, 90.0, 135.0, 250.0]),
        rng.uniform(-0.2, 0.2),
        rng.random(),
        str(seed),
        leaps=drawn_leaps(rng) if leaps else (),
    )


def judge(spin: Spin) -> None:
    events = spin.events()
    assert not doubts(events), spin.name
    left = run_of(events)
    assert left.fault is None
    assert void_reason(left, True) == ("" if spin.revolutions >= 4 else "fewer-than-four-revolutions"), spin.name
    assert spin.revolutions - 1 <= left.revolutions <= spin.revolutions + 1
    assert len([event for event in events if isinstance(event, BallThrown)]) == 1


@pytest.mark.parametrize("part", range(4))
def test_a_ball_that_leaps_across_the_beams_as_it_comes_down_makes_a_spin(part: int) -> None:
    for seed in range(part * 25, part * 25 + 25):
        judge(drawn_ball(seed))
