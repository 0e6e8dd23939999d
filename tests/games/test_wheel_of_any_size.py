"""A game on a wheel of another number of sections is read and reckoned, and nothing else is told of it."""

import pytest
from any_game import shipped_table

from controller.bench.rig import Rig
from controller.games.dreamcatcher import game as dreamcatcher

NAME = dreamcatcher.GAME.name
SIZES = {
    24: "7x 1 2 1 5 1 2 10 1 2 1 20 2x 1 2 1 40 1 2 5 1 10 2 1",
    37: "7x 1 2 1 5 1 2 10 1 2 1 20 1 2 1 5 1 2 2x 1 2 1 40 1 2 5 1 10 2 1 5 1 2 1 2 1 2",
    60: "7x 1 2 1 5 1 2 10 1 2 1 20 1 2 1 5 1 2 1 2 1 5 1 2 1 10 2 1 5 1 "
    "2x 1 2 1 40 1 2 5 1 10 2 1 5 1 2 1 2 1 20 2 1 5 1 2 1 10 1 2 1 5",
}


@pytest.fixture(params=SIZES)
def sections(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of sections of a wheel on which Dreamcatcher is played."""
    order = tuple(SIZES[request.param].split())
    monkeypatch.setattr(dreamcatcher, "ORDER", order)
    monkeypatch.setattr(dreamcatcher, "GAME", dreamcatcher.GAME._replace(wheel=order))
    return len(order)


def test_every_section_is_read_as_it_stands(sections: int) -> None:
    rig = Rig(shipped_table(NAME))
    rig.turn(1.2)
    for section in range(sections):
        rig.press("no-more-bets")
        rig.spin(revolutions=3.1, stop_on=section)
        assert rig.last("wheel-rested").section == section
        rig.press("done", "done", "clear")
        if rig.state.value == "bonus":
            rig.spin(revolutions=3.1, stop_on="1")
            rig.press("done", "done", "clear")
