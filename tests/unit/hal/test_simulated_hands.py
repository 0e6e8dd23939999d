"""Hands on the simulated wheel: a throw that takes its time, and what hands do to a wheel that turns or stands."""

from collections.abc import Callable

import pytest

from hal.errors import UnknownLineError
from hal.mock.clock import VirtualClock
from hal.mock.edges import MockHead
from hal.mock.hands import Hands
from hal.mock.settings import WheelSettings
from hal.mock.world import World

SECTIONS = 54
DEG = 360 / SECTIONS


class Table:
    """A simulated wheel and somebody beside it."""

    def __init__(self, **options: object) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        chosen = {"sections": SECTIONS, **options}
        self.head: MockHead = self.world.fit_wheel(WheelSettings.model_validate(chosen))
        self.hands = self.world.hands

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + round(seconds * 1e9))

    def rest(self) -> float:
        """Wait until the wheel stands; seconds from now."""
        began_ns = self.clock.now_ns()
        while self.head.moving:
            self.clock.advance_to(self.head.at_rest_ns + 10_000_000)
        return (self.head.at_rest_ns - began_ns) / 1e9

    @property
    def speed_deg_s(self) -> float:
        """Of the wheel now, counterclockwise positive."""
        now = self.head.motion
        return now.direction * now.speed * DEG


def turns(act: Callable[[Hands], object]) -> float:
    """The turns of a spin in which somebody does something after three seconds."""
    table = Table()
    table.hands.throw(200.0)
    table.wait(3.0)
    act(table.hands)
    table.rest()
    return (table.head.x - 0.5) / SECTIONS


@pytest.mark.parametrize("direction", [1, -1])
def test_a_throw_speeds_the_wheel_up_while_the_hand_pushes_and_no_longer(direction: int) -> None:
    table = Table()
    table.hands.throw(direction * 220.0, seconds=0.8)
    speeds = []
    for _ in range(16):
        table.wait(0.1)
        speeds.append(table.speed_deg_s * direction)
    assert speeds[:7] == pytest.approx([220 * tenths / 8 for tenths in range(1, 8)], rel=0.01)
    assert speeds[8:] == sorted(speeds[8:], reverse=True)
    assert 200 < speeds[8] < 220
    assert 8 < table.rest() < 25


def test_a_throw_for_five_turns_makes_about_five_from_where_it_is_let_go() -> None:
    table = Table()
    table.hands.throw_about(-5.0, seconds=0.5)
    table.wait(0.5)
    let_go = table.head.x
    table.rest()
    assert (let_go - table.head.x) / SECTIONS == pytest.approx(5.0, abs=0.3)


def test_a_push_in_mid_spin_adds_speed_and_a_push_against_it_takes_some_or_turns_the_wheel_round() -> None:
    table = Table()
    table.hands.throw(200.0)
    table.wait(3.0)
    before = table.speed_deg_s
    table.hands.push(50.0, 0.2)
    table.wait(0.21)
    assert table.speed_deg_s == pytest.approx(before + 50, abs=3)
    table.hands.push(-80.0, 0.2)
    table.wait(0.21)
    assert table.speed_deg_s == pytest.approx(before - 30, abs=5)
    table.hands.push(-before - 70.0, 0.4)
    table.wait(0.41)
    assert table.speed_deg_s == pytest.approx(-100, abs=5)


def test_a_push_of_some_joules_adds_them() -> None:
    table = Table(inertia_kg_m2=8.0)
    table.hands.throw(200.0)
    table.wait(2.0)

    def joules() -> float:
        return 4.0 * (table.speed_deg_s * 3.14159 / 180) ** 2

    before = joules()
    table.hands.push_joules(5.0, 0.1)
    table.wait(0.1)
    assert joules() == pytest.approx(before + 5.0, abs=0.3)


def test_a_brake_shortens_the_spin_the_more_the_harder_and_the_longer() -> None:
    alone = turns(lambda hands: None)
    light = turns(lambda hands: hands.brake(3.0, 1.0))
    assert alone - 0.3 > light > turns(lambda hands: hands.brake(9.0, 1.0)) + 0.3
    assert light > turns(lambda hands: hands.brake(3.0, 2.5)) + 0.3


def test_a_brake_goes_on_until_the_hand_lets_go() -> None:
    table = Table()
    table.hands.throw(200.0)
    table.wait(2.0)
    table.hands.brake(8.0)
    table.hands.after(0.5, Hands.let_go)
    falls = []
    for _ in range(2):
        before = table.speed_deg_s
        table.wait(0.5)
        falls.append(before - table.speed_deg_s)
    assert falls[0] > 28 > 14 > falls[1]  # 8 Nm on 8.7 kg m² are 53 degrees/s².


def test_a_held_wheel_stands_within_the_time_and_stays_until_it_is_let_go() -> None:
    table = Table(restitution=0.5)
    table.world.throw(3.5, 1)
    table.wait(3.0)
    table.hands.hold(0.2)
    table.wait(0.2)
    stands = table.head.x
    table.wait(5.0)
    assert not table.head.moving
    assert table.head.x == stands
    # Laid against a peg and held: the leather pushes it back only when it is let go.
    touch = table.head.physics.leather.touch(int(stands) + 5, 1)
    table.hands.turn(touch - stands - 0.3, 2.0)
    table.wait(2.0)
    table.hands.push(40.0, 0.1)
    while not (lean := table.head.motion.lean) or table.head.physics.leather.bend(table.head.x, lean) < 0.2:
        table.wait(0.01)
    table.hands.hold(0.01)
    table.wait(3.0)
    held = table.head.x
    assert table.head.true_stand()[1]
    table.hands.let_go()
    table.rest()
    assert table.head.x < held - 0.1


def test_a_nudge_moves_a_wheel_at_rest_a_little() -> None:
    table = Table()
    table.hands.nudge(-2.5)
    table.rest()
    assert -0.6 < table.head.x - 0.5 < -0.05


@pytest.mark.parametrize("section", [0, 17, 53])
def test_a_wheel_is_laid_on_a_section_by_hand_after_any_turns(section: int) -> None:
    table = Table()
    for whole in (0, 2, -1):
        table.hands.lay_on(section, whole, seconds=5.0)
        table.rest()
        assert table.head.true_stand() == (section, False)


def test_hands_act_while_the_clock_runs_at_the_moment_that_was_set() -> None:
    table = Table()
    table.hands.throw(180.0)
    table.hands.after(4.0, lambda hands: hands.push(60.0))
    table.hands.after(8.0, lambda hands: hands.hold())
    table.wait(3.9)
    before = table.speed_deg_s
    table.wait(0.5)
    assert table.speed_deg_s > before + 40
    table.wait(4.0)
    assert table.speed_deg_s == 0


def test_a_roulette_wheel_has_no_such_hands() -> None:
    with pytest.raises(UnknownLineError, match="no wheel with a clapper"):
        _ = World.of(VirtualClock()).hands
