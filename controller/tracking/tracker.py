"""What a table needs of whatever makes events of a sensor head's edges."""

from collections.abc import Callable, Mapping
from typing import Protocol

from controller.events.event import Event
from hal.events import EdgeBatch


class HeadTracker(Protocol):
    """Makes events of a sensor head's edges."""

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless edges come before; None for never."""

    @property
    def moving(self) -> bool:
        """A wheel with a clapper is moving: no spin can begin."""

    def stands(self, now_ns: int) -> bool:
        """A wheel with a clapper stands, though its rest is not certain yet."""

    def feed(self, batch: EdgeBatch) -> list[Event]:
        """Take a batch of edges."""

    def tick(self, now_ns: int) -> list[Event]:
        """Time has passed without edges."""

    def look(self, levels: Mapping[str, bool], now_ns: int) -> list[Event]:
        """Compare a wheel that seems to stand with its lines as they truly are; every edge up to now was fed."""

    def relearn(self) -> None:
        """People have worked on the sensors and try them now: forget how the lines lay to one another."""


MakeTracker = Callable[[Mapping[str, bool]], HeadTracker]
"""Makes a tracker from the first level of each line."""
