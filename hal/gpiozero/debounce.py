"""Separates a contact's changes from its bounces, only by the stamps of the edges. Uses no pins and no clock.

gpiozero's own ``bounce_time`` is unsuitable. With RPi.GPIO it drops edges, and with them releases
(gpiozero issues 550 and 1039); with pigpio it is a filter of at most 0.3 s (issue 828); with lgpio it shifts the
stamps by its own length.
"""

from collections.abc import Mapping
from typing import NamedTuple


class ContactChange(NamedTuple):
    """A contact that changed and stayed so."""

    name: str
    closed: bool
    at_ns: int
    """Stamp of the edge after which it stayed so."""


class Debouncer:
    """Contacts that count as changed once they have stayed so.

    A change is settled by the stamps, not by the time of the call: an event loop that was blocked for long, by a
    slow disk for example, loses no short press. Changes come in the order of their stamps.

    Args:
        closed: each contact at first, by its name. That is no change.
        bounce_ns: how long a contact must stay as it is.
    """

    def __init__(self, closed: Mapping[str, bool], bounce_ns: int) -> None:
        self._closed = dict(closed)
        self._bounce_ns = bounce_ns
        self._moved: dict[str, int] = {}
        """When each contact that is not as it counts had its last edge."""

    @property
    def closed(self) -> set[str]:
        """The contacts that count as closed."""
        return {name for name, closed in self._closed.items() if closed}

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`settle`; None while all is settled."""
        return min(self._moved.values()) + self._bounce_ns if self._moved else None

    def edge(self, name: str, closed: bool, at_ns: int) -> list[ContactChange]:
        """Take an edge of a contact. What had settled before it is returned."""
        changes = self.settle(at_ns)
        if closed == self._closed[name]:
            self._moved.pop(name, None)
        else:
            self._moved[name] = at_ns
        return changes

    def settle(self, now_ns: int) -> list[ContactChange]:
        """What has settled by now."""
        stayed = sorted((at_ns, name) for name, at_ns in self._moved.items() if at_ns + self._bounce_ns <= now_ns)
        for _, name in stayed:
            del self._moved[name]
            self._closed[name] = not self._closed[name]
        return [ContactChange(name, self._closed[name], at_ns) for at_ns, name in stayed]
