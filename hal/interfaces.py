"""The interfaces that a backend implements: one small protocol per capability.

The controller depends only on these. A backend delivers its events from within the
controller's event loop; if its library uses a thread, the backend passes the events to the loop first.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from hal.events import EdgeBatch, FaultEvent, KeyEvent, ReaderEvent, SwitchEvent


class Timer(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Cancel the call. Cancelling twice, or after it was made, does nothing."""


class Clock(Protocol):
    """The only source of time. Its monotonic time is the one that the events' stamps are in."""

    def now_ns(self) -> int:
        """Monotonic time in nanoseconds (``CLOCK_MONOTONIC`` on hardware)."""

    def utc_ns(self) -> int:
        """Wall time in nanoseconds since 1970-01-01 UTC."""

    def call_at(self, at_ns: int, action: Callable[[], None]) -> Timer:
        """Call ``action`` once the monotonic time has reached ``at_ns``."""


class Device(Protocol):
    """The interface of all devices."""

    def close(self) -> None:
        """Release pins and ports. Closing twice does nothing."""


class EdgeSource(Device, Protocol):
    """A sensor head: encoder, index and clapper, or ball sensors, read as one."""

    def levels(self) -> Mapping[str, bool]:
        """The level that each line truly has now, by its letter in :mod:`hal.events`, whatever edges were seen."""

    def start(self, deliver: Callable[[EdgeBatch], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        """Deliver every edge from now on, in order, in batches.

        Args:
            lost: called if the head itself is gone, as a GPIO chip whose driver was removed. No edge comes after
                that, and the levels are those of before.
        """

    def poll(self) -> None:
        """Deliver what has been seen but not yet delivered, before this call returns."""


DeliverKey = Callable[[KeyEvent | FaultEvent], None]
"""Takes each press and release, and the device's faults."""


class KeySource(Device, Protocol):
    """Buttons or a keypad."""

    def start(self, deliver: DeliverKey) -> None:
        """Deliver every press and release from now on, and the device's faults."""


class SwitchInput(Device, Protocol):
    """Key switches and dry contacts."""

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        """Deliver every change from now on, the device's faults, and which switches are closed now, as held."""


class TamperInput(Device, Protocol):
    """Contacts of door and cabinet, closed while those are, and the latches that remember an opening meanwhile."""

    def start(self, deliver: Callable[[SwitchEvent | FaultEvent], None]) -> None:
        """Deliver every change from now on, and the device's faults. Before this returns it has delivered, as held,
        which contacts are closed now: the others are open."""

    def remembered(self) -> frozenset[str]:
        """The contacts whose latch remembers that they were opened since it was reset. Empty without latches.

        Raises:
            HalError: a latch cannot be read.
        """

    def forget(self) -> None:
        """Reset the latches, if that is wired: what they remember is on record.

        Raises:
            HalError: they cannot be reset.
        """


class ResultReader(Device, Protocol):
    """A roulette wheel's reader: it sees in which pocket the ball lies."""

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        """Deliver every report of the reader from now on."""


class LampPanel(Device, Protocol):
    """The lamps behind the layout, one per area."""

    def show(self, areas: frozenset[str]) -> None:
        """Light exactly these areas; every other lamp goes dark.

        Raises:
            HalError: the panel does not answer; the message names it and the remedy.
        """

    def read_back(self) -> frozenset[str] | None:
        """The areas whose lamps are lit, as read back, or None if the panel has no read-back.

        Raises:
            HalError: as :meth:`show`.
        """


class Sounder(Device, Protocol):
    """The dealer's buzzer."""

    def beep(self) -> None:
        """One short sound: an input was refused or something needs attention."""
