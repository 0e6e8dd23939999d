"""Simulated contacts of door and cabinet. Backend ``mock``."""

from collections.abc import Callable, Iterable

from hal.errors import check_known
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import Clock, TamperInput, TamperWiring
from hal.mock.settings import MockSettings


def open_device(wiring: TamperWiring, settings: MockSettings, clock: Clock) -> TamperInput:
    """A contact for every one of the section; those with a latch remember."""
    from hal.mock.world import World  # The world is made of this module's contacts.

    latched = (name for name, contact in wiring.contacts.items() if contact.latch is not None)
    return World.of(clock).fit_doors(wiring.contacts, latched)


class MockDoors:
    """Contacts, all closed at first.

    Args:
        latched: those with a latch, which remembers an opening while nobody listens, too.
    """

    def __init__(self, names: Iterable[str], latched: Iterable[str], clock: Clock) -> None:
        self.names = tuple(names)
        self._latched = frozenset(latched)
        self._clock = clock
        self._open: set[str] = set()
        self._remembered: set[str] = set()
        self._deliver: Callable[[SwitchEvent | FaultEvent], None] | None = None

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        self._deliver = deliver
        for name in self.names:
            if name not in self._open:
                deliver(SwitchEvent(name, True, self._clock.now_ns(), held=True))

    def remembered(self) -> frozenset[str]:
        return frozenset(self._remembered)

    def forget(self) -> None:
        self._remembered = self._open & self._latched

    def close(self) -> None:
        self._deliver = None

    def open(self, name: str) -> None:
        """Open a door; what is open stays so."""
        check_known("contact", name, self.names)
        self._remembered |= {name} & self._latched
        if name not in self._open:
            self._open.add(name)
            self._send(name, closed=False)

    def shut(self, name: str) -> None:
        """Close a door again."""
        check_known("contact", name, self.names)
        if name in self._open:
            self._open.remove(name)
            self._send(name, closed=True)

    def repair(self) -> None:
        """Every door is closed. What a latch remembers, it remembers."""
        for name in sorted(self._open):
            self.shut(name)

    def _send(self, name: str, closed: bool) -> None:
        if self._deliver is not None:
            self._deliver(SwitchEvent(name, closed, self._clock.now_ns()))
