"""Every stop of both wheels, in both directions, with encoders that 54 divides and that it does not."""

from collections.abc import Callable
from itertools import product

import pytest

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import Direction
from controller.games.dreamcatcher.game import MULTIPLIERS

DIRECTIONS = (Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE)
COUNTS = (720, 1000, 1080, 1440, 4096)
"""Counts a turn: 54 divides 1080 only."""

# The wheels once more, written from the regulation (§ 689a.1(b), § 619a.1(b)) and not taken from the program.
WHEELS = {
    "dreamcatcher": "7x,2,1,5,1,2,5,1,2,10,1,2,1,20,1,2,1,2,1,5,1,2,10,1,5,1,2,"
    "2x,1,5,1,40,2,1,2,1,10,2,1,5,1,2,1,5,2,1,20,1,2,1,10,1,2,1",
    "big-six": "joker,1,2,1,5,2,1,10,1,5,1,2,1,20,1,2,1,5,2,1,10,1,2,5,1,2,1,"
    "logo,2,5,2,1,2,1,10,1,5,1,2,1,20,1,2,1,5,2,1,10,1,2,5,1,2,1",
}


def resolution(config: TableConfig, counts: int) -> TableConfig:
    """The same table with another encoder, its index a quarter of a section from a peg."""
    assert config.wheel is not None
    offset = round(counts / 54 / 4)
    return config.model_copy(
        update={
            "wheel": config.wheel.model_copy(update={"counts_per_turn": counts, "index_offset_counts": offset}),
        }
    )


@pytest.mark.clause(
    "689a.1(a)", "689a.1(b)", "689a.1(d)", "689a.1(e)", "689a.2(c)", "619a.1(a)", "619a.1(b)", "619a.2(c)"
)
@pytest.mark.parametrize(("game", "direction"), list(product(WHEELS, DIRECTIONS)))
def test_every_section_is_read_as_it_stands(
    shipped: Callable[[str], TableConfig], game: str, direction: Direction
) -> None:
    table = Rig(shipped(game))
    table.turn(1.2)
    for section, name in enumerate(WHEELS[game].split(",")):
        table.press("no-more-bets")
        table.spin(revolutions=3.2, direction=direction, stop_on=section)
        if name in MULTIPLIERS:
            assert table.state.value == "bonus", name
            assert table.lit() == set()
            assert table.last("bonus").label == name
            table.spin(revolutions=3.2, direction=direction, stop_on=section - 1)
        else:
            assert table.last("result").label == name
            assert table.lit() == {name}
        table.press("done", "done", "clear")
        assert table.lit() == set()


@pytest.mark.clause("689a.2(d)", "619a.2(d)")
@pytest.mark.parametrize(("game", "direction"), list(zip(WHEELS, DIRECTIONS, strict=True)))
def test_every_boundary_is_void_and_the_wheel_is_spun_again(
    shipped: Callable[[str], TableConfig], game: str, direction: Direction
) -> None:
    table = Rig(shipped(game))
    table.turn(1.2)
    table.press("no-more-bets")
    for boundary in range(54):
        table.spin(revolutions=3.2, direction=direction, stop_between=boundary)
        assert table.state.value == "respin", boundary
        assert table.last("void").reason == "between-sections"
        assert table.last("wheel-rested").boundary == boundary
        assert table.lit() == set()
    table.spin(direction=direction, stop_on="20")
    assert table.lit() == {"20"}


@pytest.mark.clause("619a.1(e)", "619a.2(c)")
@pytest.mark.parametrize(("counts", "direction"), list(product(COUNTS, DIRECTIONS)))
def test_every_section_at_any_resolution(
    shipped: Callable[[str], TableConfig], counts: int, direction: Direction
) -> None:
    table = Rig(resolution(shipped("big-six"), counts))
    table.turn(1.2)
    for section in range(0, 54, 2):
        table.press("no-more-bets")
        table.spin(revolutions=3.1, direction=direction, stop_on=section)
        assert table.last("wheel-rested").section == section
        assert table.world.wheel.true_stand() == (section, False)
        table.press("done", "done", "clear")


@pytest.mark.parametrize("counts", COUNTS)
def test_an_encoder_at_the_rear_counts_backwards(shipped: Callable[[str], TableConfig], counts: int) -> None:
    config = resolution(shipped("big-six"), counts)
    assert config.wheel is not None
    config = config.model_copy(update={"wheel": config.wheel.model_copy(update={"reversed": True})})
    table = Rig(config)
    table.turn(1.2)
    for section, direction in product((0, 13, 27, 53), DIRECTIONS):
        table.press("no-more-bets")
        table.spin(revolutions=3.1, direction=direction, stop_on=section)
        assert table.last("wheel-rested").section == section
        assert table.last("wheel-rested").direction is direction
        table.press("done", "done", "clear")
