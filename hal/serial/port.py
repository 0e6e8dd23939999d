"""The input of a device on a serial port: its lines, and the loss and return of the port.

pyserial opens the port; it is read here, without a thread. Nothing is ever written. A byte with a wrong parity bit
or without its stop bit is read as NUL, so that it is not valid text. A broken wire between adapter and device looks
like a device that sends nothing.
"""

import os
import termios
from collections.abc import Callable, Iterable
from contextlib import suppress

import serial
import serial.tools.list_ports

from hal.errors import HalError, why_not
from hal.events import FaultEvent
from hal.interfaces import Clock, Timer
from hal.plug import Plug
from hal.serial import PortSettings
from hal.serial.lines import Broken, LineReader, TextLine

_READ_BYTES = 4096  # The kernel keeps no more than that.
_PARITY = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}


Item = TextLine | Broken | FaultEvent
"""A line, a refused one, or the loss or the return of the port."""


class SerialPort(Plug):
    """A port, open from the beginning, and the lines that are assembled from its bytes.

    A line only counts if its beginning was received. So bytes that arrive while the port is opened, and up to
    ``silence_ms`` after that, are a partial line until the next line end.

    Raises:
        HalError: it cannot be opened.
    """

    def __init__(self, settings: PortSettings, clock: Clock) -> None:
        what = f"the serial port {settings.port}"
        super().__init__(what, lambda: _opened(settings), settings.retry_s, clock, file=settings.port)
        self._lines = LineReader(settings.framing)
        self._silence_ns = settings.silence_ms * 1_000_000
        self._opened_ns: int | None = clock.now_ns()
        """When the port was opened: a line may have begun before. None once that is settled."""
        self._deliver: Callable[[Item, int], None] | None = None
        self._silence: Timer | None = None

    def start(self, deliver: Callable[[Item, int], None]) -> None:
        """Deliver all items from now on, with the time at which they were read; earlier bytes are dropped."""
        self._deliver = deliver
        self.listen()

    def close(self) -> None:
        """Release the port. Closing twice does nothing."""
        self._deliver = None
        self._cancel_silence()
        super().close()

    def on_opened(self, device: serial.Serial, at_ns: int, again: bool) -> None:
        if again:
            self._opened_ns = at_ns
            self._send([FaultEvent("", at_ns)], at_ns)
            return
        with suppress(OSError):  # Nothing there, or the port is gone, which the loop reports.
            self._lines.feed(self.read(device))
            self._opened_ns = at_ns if self._lines.pending else None
            self._lines.begin()

    def read(self, device: serial.Serial) -> bytes:
        return os.read(device.fileno(), _READ_BYTES)

    def on_data(self, data: bytes, at_ns: int) -> None:
        if not data:
            self.lose("it was hung up")
            return
        if self._opened_ns is not None and at_ns - self._opened_ns < self._silence_ns:
            self._lines.begin(at_start=False)
        self._opened_ns = None
        self._cancel_silence()
        items = self._lines.feed(data)
        if self._lines.pending:
            self._silence = self._clock.call_at(at_ns + self._silence_ns, self._on_silence)
        self._send(items, at_ns)

    def on_lost(self, detail: str, at_ns: int) -> None:
        self._cancel_silence()
        self._lines.begin()  # A line that had begun is dropped.
        self._send([FaultEvent(detail, at_ns)], at_ns)

    def _on_silence(self) -> None:
        self._send(self._lines.silence(), self._clock.now_ns())

    def _send(self, items: Iterable[Item], at_ns: int) -> None:
        for item in items:
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(item, at_ns)

    def _cancel_silence(self) -> None:
        if self._silence is not None:
            self._silence.cancel()


def _opened(settings: PortSettings) -> serial.Serial:
    try:
        return _open(settings)
    except (OSError, ValueError, termios.error) as error:  # pyserial's own errors are OSErrors.
        raise HalError(why_not("serial port", settings.port, error, "dialout", _there_are())) from error


def _open(settings: PortSettings) -> serial.Serial:
    port = serial.Serial(
        baudrate=settings.baud_rate,
        bytesize=settings.data_bits,
        parity=_PARITY[settings.parity],
        stopbits=settings.stop_bits,
        timeout=0,
        exclusive=True,
    )
    port.port, port.dtr, port.rts = settings.port, settings.dtr, settings.rts
    port.open()
    try:
        # Mark bytes with a wrong parity bit as invalid, which pyserial has no option for.
        attributes = termios.tcgetattr(port.fileno())
        attributes[0] = (attributes[0] | termios.INPCK) & ~(termios.IGNPAR | termios.BRKINT)
        # With VMIN 0, a read that finds nothing would look like the end of the line.
        attributes[6][termios.VMIN] = 1
        termios.tcsetattr(port.fileno(), termios.TCSANOW, attributes)
    except BaseException:
        port.close()
        raise
    return port


def _there_are() -> str:
    ports = [f"{one.device} ({one.description})" for one in sorted(serial.tools.list_ports.comports())]
    there = f"there are: {', '.join(ports)}" if ports else "there is none at all"
    return f"{there}; plug the device in, or correct `port` and `baud_rate`"
