"""Simulated contacts of door and cabinet. Backend ``mock``."""

from collections.abc import Iterable
from typing import Any

from hal.errors import check_known
from hal.interfaces import Clock, TamperInput
from hal.mock.settings import MockSettings
from hal.mock.switches import MockSwitches


def open_device(wiring: Any, settings: MockSettings, clock: Clock) -> TamperInput:
    """A contact for every one of the section; those with a latch remember."""
    from hal.mock.world import World  # The world is made of this module's contacts.

    latched = (name for name, contact in wiring.contacts.items() if contact.latch is not None)
    return World.of(clock).fit_doors(wiring.contacts, latched)


class MockDoors(MockSwitches):
    """Contacts, all closed at first.

    Args:
        latched: those with a latch, which remembers an opening while nobody listens, too.
    """

    def __init__(self, names: Iterable[str], latched: Iterable[str], clock: Clock) -> None:
        super().__init__(names, clock)
        self._closed.update(self.names)
        self._latched = frozenset(latched)
        self._remembered: set[str] = set()

    def remembered(self) -> frozenset[str]:
        return frozenset(self._remembered)

    def forget(self) -> None:
        self._remembered = set(self._latched - self._closed)

    def open(self, name: str) -> None:
        """Open a door; what is open stays so."""
        check_known("contact", name, self.names)
        self._remembered |= {name} & self._latched
        if name in self._closed:
            self.set(name, False)

    def shut(self, name: str) -> None:
        """Close a door again."""
        if name not in self._closed:
            self.set(name, True)

    def repair(self) -> None:
        """Every door is closed. What a latch remembers, it remembers."""
        for name in self.names:
            self.shut(name)
