"""Simulated lamps with read-back. Backend ``mock``."""

from collections.abc import Iterable

from pydantic import BaseModel

from hal.errors import check_known
from hal.interfaces import Clock, LampPanel
from hal.mock.settings import MockSettings


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> LampPanel:
    """A lamp for every area of the section."""
    from hal.mock.world import World  # The world is made of this module's panel.

    lamps: dict[str, int] = getattr(wiring, "lamps", {})
    return World.of(clock).fit_panel(lamps)


class MockPanel:
    """Lamps that can fail dark or lit, with read-back."""

    def __init__(self, areas: Iterable[str]) -> None:
        self.areas = tuple(areas)
        self._requested: frozenset[str] = frozenset()
        self._dead: set[str] = set()
        self._burning: set[str] = set()

    def show(self, areas: frozenset[str]) -> None:
        self._requested = areas

    def read_back(self) -> frozenset[str]:
        return self.lit()

    def close(self) -> None:
        self._requested = frozenset()

    def lit(self) -> frozenset[str]:
        """The areas whose lamps burn, as the players see them."""
        if not self._dead and not self._burning:
            return self._requested
        return (self._requested - self._dead) | self._burning

    def kill_lamp(self, area: str) -> None:
        """A lamp that no longer burns."""
        check_known("lamp", area, self.areas)
        self._dead.add(area)

    def burn_lamp(self, area: str) -> None:
        """A lamp that no longer goes out."""
        check_known("lamp", area, self.areas)
        self._burning.add(area)

    def repair(self) -> None:
        """All lamps work."""
        self._dead.clear()
        self._burning.clear()
