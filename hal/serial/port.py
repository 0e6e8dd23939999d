"""The input of a device on a serial port: its lines, and the loss and return of the port.

pyserial opens the port; it is read here in the event loop, without a thread, and reopened after it was unplugged.
Nothing is ever written. A byte with a wrong parity bit or without its stop bit is read as NUL, so that it is not
valid text. A broken wire between adapter and device looks like a device that sends nothing.
"""

import asyncio
import logging
import os
import termios
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import serial
import serial.tools.list_ports

from hal.errors import HalError, why_not
from hal.interfaces import Clock, Timer
from hal.serial import PortSettings
from hal.serial.lines import Broken, TextLine, line_reader

log = logging.getLogger(__name__)

_READ_BYTES = 4096  # The kernel keeps no more than that.
_PARITY = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}
_CANNOT_OPEN = (OSError, ValueError, termios.error)
"""The errors of opening a port; pyserial's own errors are OSErrors."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The port is gone."""

    detail: str
    """Names the port, the cause and the remedy."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The port was opened again."""


Item = TextLine | Broken | Lost | Returned


class SerialPort:
    """A port, open from the beginning, and the lines that are assembled from its bytes.

    A line only counts if its beginning was received. So bytes that arrive while the port is opened, and up to
    ``silence_ms`` after that, are a partial line until the next line end.

    Raises:
        HalError: it cannot be opened.
    """

    def __init__(self, settings: PortSettings, clock: Clock) -> None:
        self._settings, self._clock = settings, clock
        try:
            self._serial: serial.Serial | None = _open(settings)
        except _CANNOT_OPEN as error:
            raise HalError(why_not("serial port", settings.port, error, "dialout", _there_are())) from error
        self._lines = line_reader(settings.framing)
        self._silence_ns = settings.silence_ms * 1_000_000
        self._opened_ns: int | None = clock.now_ns()
        """When the port was opened: a line may have begun before. None once that is settled."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._deliver: Callable[[Item, int], None] | None = None
        self._polling: Timer | None = None
        self._silence: Timer | None = None
        self._last_error = ""

    def start(self, deliver: Callable[[Item, int], None]) -> None:
        """Deliver all items from now on, with the time at which they were read; earlier bytes are dropped."""
        before = self._waiting()
        if before:
            self._lines.feed(before)
            self._opened_ns = self._clock.now_ns() if self._lines.pending else None
            self._lines.begin()
        self._loop, self._deliver = asyncio.get_running_loop(), deliver
        self._watch()

    def close(self) -> None:
        """Release the port. Closing twice does nothing."""
        self._deliver = None
        _cancel(self._polling, self._silence)
        self._drop()

    # -- lines -------------------------------------------------------------------------------------------------

    def _received(self, data: bytes, at_ns: int) -> None:
        if self._opened_ns is not None and at_ns - self._opened_ns < self._silence_ns:
            self._lines.begin(at_start=False)
        self._opened_ns = None
        _cancel(self._silence)
        items = self._lines.feed(data)
        if self._lines.pending:
            self._silence = self._clock.call_at(at_ns + self._silence_ns, self._on_silence)
        self._send(items, at_ns)

    def _on_silence(self) -> None:
        self._send(self._lines.silence(), self._clock.now_ns())

    def _send(self, items: Iterable[Item], at_ns: int) -> None:
        for item in items:
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(item, at_ns)

    # -- the port ----------------------------------------------------------------------------------------------

    def _waiting(self) -> bytes:
        """The bytes that arrived before :meth:`start`."""
        try:
            return b"" if self._serial is None else os.read(self._serial.fileno(), _READ_BYTES)
        except OSError:
            return b""  # Nothing there, or the port is gone, which the loop reports.

    def _watch(self) -> None:
        assert self._loop is not None
        assert self._serial is not None
        self._loop.add_reader(self._serial.fileno(), self._on_readable)
        self._call_later(self._poll_port)

    def _drop(self) -> None:
        if self._serial is not None:
            if self._loop is not None:
                self._loop.remove_reader(self._serial.fileno())
            self._serial.close()
            self._serial = None

    def _call_later(self, action: Callable[[], None]) -> None:
        due_ns = self._clock.now_ns() + int(self._settings.retry_s * 1e9)
        self._polling = self._clock.call_at(due_ns, action)

    def _on_readable(self) -> None:
        if self._serial is None:
            return
        try:
            data = os.read(self._serial.fileno(), _READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(error.strerror or str(error))
            return
        if data:
            self._received(data, self._clock.now_ns())
        else:
            self._lose("it was hung up")

    def _poll_port(self) -> None:
        """Not every driver reports a removed device, but udev removes its file."""
        if self._serial is None:
            return
        if _leads_to(self._settings.port, self._serial.fileno()):
            self._call_later(self._poll_port)
        else:
            self._lose("its device file is gone")

    def _lose(self, why: str) -> None:
        _cancel(self._polling, self._silence)
        self._drop()
        self._lines.begin()  # A line that had begun is dropped.
        self._last_error = ""
        self._call_later(self._try_again)
        detail = (
            f"the serial port {self._settings.port} is gone ({why}); "
            "check its cable and plug; it is reopened automatically"
        )
        self._send([Lost(detail)], self._clock.now_ns())

    def _try_again(self) -> None:
        if self._deliver is None:
            return
        try:
            self._serial = _open(self._settings)
        except _CANNOT_OPEN as error:
            if str(error) != self._last_error:  # Logged once, not at each retry.
                self._last_error = str(error)
                log.warning("%s is not back: %s", self._settings.port, error)
            self._call_later(self._try_again)
            return
        self._opened_ns = self._clock.now_ns()
        self._watch()
        self._send([Returned()], self._opened_ns)


def _cancel(*timers: Timer | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()


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
    except _CANNOT_OPEN:
        port.close()
        raise
    return port


def _leads_to(path: str, descriptor: int) -> bool:
    """Whether a path still leads to an open device."""
    try:
        return os.stat(path).st_rdev == os.fstat(descriptor).st_rdev
    except OSError:
        return False


def _there_are() -> str:
    ports = [f"{one.device} ({one.description})" for one in sorted(serial.tools.list_ports.comports())]
    there = f"there are: {', '.join(ports)}" if ports else "there is none at all"
    return f"{there}; plug the device in, or correct `port` and `baud_rate`"
