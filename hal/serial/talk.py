"""The input of a device on a serial line, in order: its lines, and the loss and return of the port."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hal.interfaces import Clock, Timer
from hal.serial.lines import Broken, LineReader, TextLine
from hal.serial.port import SerialPort
from hal.serial.settings import PortSettings


@dataclass(frozen=True, slots=True)
class Lost:
    """The port is gone."""

    detail: str
    """Names the port, the cause and the remedy."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The port was opened again."""


Said = TextLine | Broken | Lost | Returned
DeliverReceived = Callable[[Said, int], None]
"""Takes an item and the time at which it was read."""


class Talk:
    """A port and the lines that are assembled from its bytes.

    A line only counts if its beginning was received. So bytes that arrive while the port is opened, and up to
    ``silence_ms`` after that, are a partial line until the next line end.
    """

    def __init__(self, settings: PortSettings, clock: Clock) -> None:
        self._clock = clock
        self._silence_ns = settings.silence_ms * 1_000_000
        self._port = SerialPort(settings, clock)
        self._lines = LineReader(settings.framing)
        self._opened_ns: int | None = clock.now_ns()
        """When the port was opened: a line may have begun before. None once that is settled."""
        self._deliver: DeliverReceived | None = None
        self._timer: Timer | None = None

    def start(self, deliver: DeliverReceived) -> None:
        """Deliver all items from now on; earlier bytes are dropped."""
        before = self._port.waiting()
        if before:
            self._lines.feed(before)
            self._opened_ns = self._clock.now_ns() if self._lines.pending else None
            self._lines.begin()
        self._deliver = deliver
        self._port.start(self)

    def close(self) -> None:
        """Release the port. Closing twice does nothing."""
        self._deliver = None
        self._cancel_silence_timer()
        self._port.close()

    def received(self, data: bytes, at_ns: int) -> None:
        """Bytes were read."""
        if self._opened_ns is not None and at_ns - self._opened_ns < self._silence_ns:
            self._lines.begin(at_start=False)
        self._opened_ns = None
        self._cancel_silence_timer()
        items = self._lines.feed(data)
        if self._lines.pending:
            self._timer = self._clock.call_at(at_ns + self._silence_ns, self._on_silence)
        self._deliver_items(items, at_ns)

    def lost(self, detail: str, at_ns: int) -> None:
        """The port is gone; a line that had begun is dropped."""
        self._cancel_silence_timer()
        self._lines.begin()
        self._deliver_items([Lost(detail)], at_ns)

    def returned(self, at_ns: int) -> None:
        """The port was opened again."""
        self._opened_ns = at_ns
        self._deliver_items([Returned()], at_ns)

    def _on_silence(self) -> None:
        self._timer = None
        self._deliver_items(self._lines.silence(), self._clock.now_ns())

    def _cancel_silence_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _deliver_items(self, items: Iterable[Said], at_ns: int) -> None:
        for one in items:
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(one, at_ns)
