"""A table whose journal is damaged: the panel is dark, and only the floorperson may begin a new journal."""

from collections.abc import Callable

import pytest

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.configuration.shipped import shipped_tables
from controller.runtime.assembly import on_simulated_hardware, open_devices
from controller.runtime.lockout import LockedOutTable
from hal.mock.clock import VirtualClock
from hal.mock.world import World

NS_PER_S = 1_000_000_000


class Closed:
    """A closed table and the people at it."""

    def __init__(self, config: TableConfig, authority: Authentication) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        devices = open_devices(on_simulated_hardware(config), self.clock)
        devices.panel.show(frozenset(list(self.world.panel.areas)[:1]))
        self.decided: list[str] = []
        LockedOutTable(devices, self.clock, authority, self.decided.append).start()

    def press(self, *controls: str, wait_s: float = 0.5) -> None:
        for control in controls:
            self.world.press(control)
            self.clock.advance_to(self.clock.now_ns() + round(wait_s * NS_PER_S))


class OneFloorperson:
    def knows(self, number: str) -> bool:
        return number == "12"

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == ("12", "830261")


@pytest.fixture(params=sorted(shipped_tables()))
def closed(request: pytest.FixtureRequest, shipped: Callable[[str], TableConfig]) -> Closed:
    return Closed(shipped(request.param), Authentication(None))


def test_it_is_dark_and_the_key_and_clear_decide(closed: Closed) -> None:
    assert closed.world.panel.lit() == set()
    closed.press("clear", "done", "no-more-bets")
    assert closed.decided == []
    closed.press("floor-key", "clear")
    assert closed.decided == [""]


def test_any_other_key_between_the_two_cancels_the_first(closed: Closed) -> None:
    closed.press("floor-key", "done", "clear")
    assert closed.decided == []


def test_the_key_is_forgotten_after_half_a_minute(closed: Closed) -> None:
    closed.press("floor-key", wait_s=31)
    closed.press("clear")
    assert closed.decided == []


def test_where_the_table_asks_for_a_credential_it_is_required_here_too(
    shipped: Callable[[str], TableConfig],
) -> None:
    closed = Closed(shipped("sic-bo"), Authentication(OneFloorperson()))
    closed.press("floor-key", "clear", "floor-key", *"12", "enter", *"830262", "enter", "clear")
    assert closed.decided == []
    closed.press("clear", wait_s=3)
    closed.press("floor-key", *"12", "enter", *"830261", "enter", "clear")
    assert closed.decided == ["12"]
