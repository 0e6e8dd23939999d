"""What people do to a roulette wheel while something else is broken does what its name says."""

import random

import pytest
from roulette_table import GAME, Shipped, called, opened

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.bench.slips import slips_of

THROWN, CAUGHT, PUSHED = "the ball is thrown", "the ball is caught", "the rotor is pushed"


def act(rig: Rig, *slips: str) -> None:
    """These, three seconds apart."""
    dealer = Dealer(rig, random.Random(1), Oracle())
    for slip in slips:
        slips_of(rig.game).acts[slip](dealer)
        rig.wait(3)


def seen(rig: Rig, *slips: str) -> list[str]:
    """What the table has seen of a ball that is thrown while wagers are open, until it lies in its pocket."""
    before = len(rig.records())
    act(rig, *slips)
    rig.wait(20)
    return [record.event.kind for record in rig.records()[before:]]


@pytest.fixture
def table(shipped: Shipped) -> Rig:
    """A table that is open for wagers, and whose rotor turns."""
    return opened(shipped(GAME))


def test_a_ball_that_is_thrown_runs_and_leaves_its_track(table: Rig) -> None:
    kinds = seen(table, THROWN)
    assert kinds[0] == "ball-thrown"
    assert kinds.count("ball-revolution") == 8
    assert "ball-left-track" in kinds


def test_a_ball_that_is_caught_as_it_runs_is_lost(table: Rig) -> None:
    assert seen(table, THROWN, CAUGHT).count("ball-revolution") == 2
    assert table.last("void").reason == "ball-lost"


def test_a_ball_that_lies_in_its_pocket_is_not_caught(table: Rig) -> None:
    ball = table.world.rotor.ball
    assert "ball-left-track" not in seen(table, CAUGHT)
    assert table.world.rotor.ball is ball


def test_a_rotor_that_stands_is_pushed_before_the_ball_is_thrown(shipped: Shipped) -> None:
    table = Rig(shipped(GAME))
    assert table.world.rotor.rotor_direction == 0
    act(table, THROWN)
    assert table.world.rotor.rotor_direction != 0
    assert table.world.rotor.ball is not None


def test_a_rotor_that_turns_goes_on_as_it_did(table: Rig) -> None:
    before = table.world.rotor.rotor_direction
    act(table, THROWN)
    assert table.world.rotor.rotor_direction == before


def test_nobody_throws_the_ball_while_its_number_is_corrected(keypad: Rig) -> None:
    """From the dealer's key on, through the floorperson's, until the other number is keyed."""
    called(keypad, "12")
    keypad.press("1", "3", "enter", "done")
    ball = keypad.world.rotor.ball
    for key in ("correct", "floor-key"):
        keypad.press(key)
        act(keypad, THROWN)
        assert keypad.world.rotor.ball is ball, keypad.waiting_for
    keypad.press("1", "2", "enter", "done", "done", "clear")
    act(keypad, THROWN)
    assert keypad.world.rotor.ball is not ball
