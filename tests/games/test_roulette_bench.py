"""The keys of a roulette table's bench: the rotor and the ball. On virtual time; no server."""

from collections.abc import Callable, Iterator

import pytest
from bench_page import Page

from config.schema import TableConfig

WAYS = ("counterclockwise", "clockwise")


@pytest.fixture
def bench(shipped: Callable[[str], TableConfig]) -> Iterator[Page]:
    page = Page(shipped("roulette"))
    yield page
    page.bench.close()


@pytest.fixture
def opened(bench: Page) -> Page:
    """Inspected, and open for wagers; the rotor turns clockwise."""
    bench.keys("k", "1", "k", "k", "k", "R", "t")
    bench.wait(20)
    bench.keys("k", "k")
    assert bench.state == "bets-open"
    return bench


def runs(bench: Page) -> tuple[int, int]:
    """The true directions of ball and rotor, 1 for counterclockwise; 0 at rest or without a ball in the track."""
    wheel = bench.bench.world.rotor
    ball = wheel.ball.direction if wheel.ball is not None and wheel.ball_angle is not None else 0
    return ball, wheel.rotor_direction


def test_a_whole_round_by_keys(opened: Page) -> None:
    opened.keys("s", wait_s=0)
    opened.choose("17 black")
    opened.wait(3)
    assert opened.state == "ball-running"
    opened.keys("n", wait_s=14)
    opened.keys("1", "7", "Enter", wait_s=5)
    assert opened.state == "result"
    assert opened.bench.world.panel.lit() == {"straight-17", "column-2", "dozen-2", "black", "odd", "1-18"}
    opened.keys("d", "d", "c")
    assert opened.state == "bets-open"


def test_an_entry_that_a_reader_astray_contradicts_is_a_dispute(opened: Page) -> None:
    opened.bench.break_("reader-astray", amount=1)
    opened.keys("s", wait_s=0)
    opened.choose("0 green")
    opened.wait(4)
    opened.keys("n", wait_s=22)
    opened.keys("0", "Enter")
    assert opened.state == "dispute"


@pytest.mark.parametrize("rotor", ["r", "R"])
def test_a_throw_with_the_rotor_is_no_spin(opened: Page, rotor: str) -> None:
    opened.keys(rotor, wait_s=4)
    opened.keys("T", wait_s=8)
    assert opened.state == "respin"
    assert any("in the direction of the wheel" in line for line in opened.log())
    assert f"> throw with the rotor, {WAYS[rotor == 'R']}" in opened.log()
    ball, turns = runs(opened)
    assert ball == turns == (-1 if rotor == "R" else 1)
