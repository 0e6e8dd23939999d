"""Simulated key switches and contacts. Backend ``mock``."""

from collections.abc import Callable, Iterable

from pydantic import BaseModel

from hal.errors import check_known
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import Clock, SwitchInput
from hal.mock.keys import PRESS_NS
from hal.mock.settings import MockSettings


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> SwitchInput:
    """A switch for every pin of the section."""
    from hal.mock.world import World  # The world is made of this module's switches.

    pins: dict[str, int] = getattr(wiring, "pins", {})
    return World.of(clock).fit_switches(pins)


class MockSwitches:
    """Key switches and contacts, each closed for a moment when it is turned."""

    def __init__(self, names: Iterable[str], clock: Clock) -> None:
        self.names = tuple(names)
        self._clock = clock
        self._closed: set[str] = set()
        self._deliver: Callable[[SwitchEvent | FaultEvent], None] | None = None

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        self._deliver = deliver
        for name in sorted(self._closed):
            deliver(SwitchEvent(name, True, self._clock.now_ns(), held=True))

    def close(self) -> None:
        self._deliver = None

    def turn(self, name: str) -> None:
        """Close a switch and open it again."""
        self.set(name, True)
        self._clock.call_at(self._clock.now_ns() + PRESS_NS, lambda: self.set(name, False))

    def set(self, name: str, closed: bool) -> None:
        """Close a switch, or open it."""
        check_known("switch", name, self.names)
        (self._closed.add if closed else self._closed.discard)(name)
        if self._deliver is not None:
            self._deliver(SwitchEvent(name, closed, self._clock.now_ns()))
