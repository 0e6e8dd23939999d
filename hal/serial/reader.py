"""A roulette wheel's reader on a serial line.

A line that is neither ignored nor a result is a fault of the reader, and so is one that is broken: the table never
guesses.
"""

from collections.abc import Callable

from hal.events import FaultEvent, ReaderEvent
from hal.interfaces import Clock
from hal.serial import ReaderSettings
from hal.serial.lines import Broken, Reason, TextLine
from hal.serial.port import Item, SerialPort

BABBLE_NS = 1_000_000_000
"""Only the first broken line within this time is reported, as every report is recorded. At a wrong baud rate there
are hundreds."""


class SerialReader:
    """A wheel reader on a serial line."""

    def __init__(self, settings: ReaderSettings, clock: Clock) -> None:
        self._lines, self._pockets = settings.lines, settings.pockets
        self._broken_ns: int | None = None
        """When a broken line was last reported, if no pocket came since."""
        self._port = SerialPort(settings, clock)

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        self._deliver = deliver
        self._port.start(self._on_item)

    def close(self) -> None:
        self._port.close()

    def _on_item(self, item: Item, at_ns: int) -> None:
        if isinstance(item, FaultEvent):
            if item.detail:  # The next line shows that a lost port is back.
                self._deliver(ReaderEvent("", at_ns, item.detail))
            return
        if isinstance(item, TextLine):
            if self._lines.ignores(item.text):
                return
            code = self._lines.code(item.text)
            if code is not None:
                self._broken_ns = None
                self._deliver(ReaderEvent(self._pockets[code], at_ns))
                return
            item = Broken(Reason.NO_MATCH, item.text.encode("latin-1"))
        if self._broken_ns is None or at_ns - self._broken_ns >= BABBLE_NS:
            self._broken_ns = at_ns
            self._deliver(ReaderEvent("", at_ns, str(item)))
