"""A roulette wheel's reader on a serial line.

A line that is neither ignored nor a result is a fault of the reader, and so is one that is broken: the table never
guesses.
"""

from collections.abc import Callable

from hal.events import ReaderEvent
from hal.interfaces import Clock
from hal.serial import ReaderSettings
from hal.serial.lines import Broken, Reason, TextLine
from hal.serial.port import Item, Lost, SerialPort

BABBLE_NS = 1_000_000_000
"""Only the first broken line within this time is reported, as every report is recorded."""


class SerialReader:
    """A wheel reader on a serial line."""

    def __init__(self, settings: ReaderSettings, clock: Clock) -> None:
        self._lines, self._pockets = settings.lines, settings.pockets
        self._broken_ns: int | None = None
        """When a broken line was last reported, if no pocket came since."""
        self._port = SerialPort(settings, clock)

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        def on_item(item: Item, at_ns: int) -> None:
            event = self._event(item, at_ns)
            if event is not None and not self._babbles(item, event):
                deliver(event)

        self._port.start(on_item)

    def close(self) -> None:
        self._port.close()

    def _babbles(self, item: Item, event: ReaderEvent) -> bool:
        """Whether this is a further broken line within a second: at a wrong baud rate there are hundreds."""
        if not event.fault:
            self._broken_ns = None
        if not event.fault or isinstance(item, Lost):
            return False
        reported_ns = self._broken_ns
        if reported_ns is not None and event.timestamp_ns - reported_ns < BABBLE_NS:
            return True
        self._broken_ns = event.timestamp_ns
        return False

    def _event(self, item: Item, at_ns: int) -> ReaderEvent | None:
        """The event of an item; None for none. The next line shows that a lost port is back."""
        if isinstance(item, Lost):
            return ReaderEvent("", at_ns, item.detail)
        if isinstance(item, Broken):
            return ReaderEvent("", at_ns, str(item))
        if not isinstance(item, TextLine) or self._lines.ignores(item.text):
            return None
        code = self._lines.code(item.text)
        pocket = None if code is None else self._pockets.get(code)
        if pocket is None:
            return ReaderEvent("", at_ns, str(Broken(Reason.NO_MATCH, item.text.encode("latin-1"))))
        return ReaderEvent(pocket, at_ns)
