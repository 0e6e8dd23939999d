"""A roulette wheel's reader on a serial line, which sends a line of text per result. Backend ``serial``.

The makers have no common protocol, so the table's file describes what a result looks like. A reader that sends only
the pocket's number, on a wheel with 0 and 00, needs only its port::

    reader:
      backend: serial
      options:
        port: /dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0

The same on a wheel without 00::

        pattern: '(?P<pocket>[0-9]|[12][0-9]|3[0-6])'

One that sends the state of the wheel every second, ``*X;5;021;17;0;180;1``, and whose fourth field is a winning
number in state 5 only. It has two digits: ``00`` is 0, and ``37`` is 00::

        pattern: '[*]X;5;[0-9]{3};(?P<pocket>[0-2][0-9]|3[0-7]);.*'
        ignore: '[*]X;[1-46];.*'
        names: {00: 0, 37: 00}

Both patterns are regular expressions (https://docs.python.org/3/library/re.html) for the whole line, without its
end and its checksum. Write them between single quotes.

The text in the group ``pocket`` is a code. Each pocket of the wheel has exactly one code, and the pattern allows no
others: ``check`` compares them all. A code means the pocket that ``names`` gives for it, or else its own number,
where ``07`` is 7, and ``00`` is 00.

A line that is neither ignored nor a result is a fault of the reader, and so is one that is broken: the table never
guesses. Settings of the port: :mod:`hal.serial.settings`.
"""

from collections.abc import Callable

from pydantic import BaseModel

from hal.events import ReaderEvent
from hal.interfaces import Clock, ResultReader
from hal.serial.lines import Broken, Reason, TextLine
from hal.serial.settings import ReaderSettings
from hal.serial.talk import Lost, Said, Talk

BABBLE_NS = 1_000_000_000
"""Only the first broken line within this time is reported, as every report is recorded."""


def open_device(wiring: BaseModel, settings: ReaderSettings, clock: Clock) -> ResultReader:
    """The reader at a port.

    Raises:
        HalError: the port cannot be opened.
    """
    return SerialReader(settings, clock)


class SerialReader:
    """A wheel reader on a serial line."""

    def __init__(self, settings: ReaderSettings, clock: Clock) -> None:
        self._lines, self._pockets = settings.lines, settings.pockets
        self._broken_ns: int | None = None
        """When a broken line was last reported, if no pocket came since."""
        self._talk = Talk(settings, clock)

    def start(self, deliver: Callable[[ReaderEvent], None]) -> None:
        def item(what: Said, at_ns: int) -> None:
            event = self._event(what, at_ns)
            if event is not None and not self._babbles(what, event):
                deliver(event)

        self._talk.start(item)

    def close(self) -> None:
        self._talk.close()

    def _babbles(self, item: Said, event: ReaderEvent) -> bool:
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

    def _event(self, item: Said, at_ns: int) -> ReaderEvent | None:
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
