"""A serial port that is kept open: read in the event loop, and reopened after it was unplugged.

pyserial (https://pyserial.readthedocs.io/) opens it; it is read here, without a thread. Nothing is ever
written. A byte with a wrong parity bit or without its stop bit is read as NUL, so that it is not valid text.

It detects that the computer has lost the port: the USB plug was pulled, or the adapter failed. It does not detect a
broken wire between adapter and device, which looks like a device that sends nothing.
"""

import asyncio
import errno
import logging
import os
import termios
from collections.abc import Callable
from typing import Protocol

import serial
import serial.tools.list_ports

from hal.errors import HalError
from hal.interfaces import Clock, Timer
from hal.serial.settings import PortSettings

log = logging.getLogger(__name__)

_READ_BYTES = 4096  # The kernel keeps no more than that.
_PARITY = {"none": serial.PARITY_NONE, "even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD}
_CANNOT_OPEN = (OSError, ValueError, termios.error)
"""The errors of opening a port; pyserial's own errors are OSErrors."""


class PortListener(Protocol):
    """The callbacks of a port."""

    def received(self, data: bytes, at_ns: int) -> None:
        """Bytes were read."""

    def lost(self, detail: str, at_ns: int) -> None:
        """The port is gone. The detail names it, the cause and the remedy."""

    def returned(self, at_ns: int) -> None:
        """The port was opened again."""


class SerialPort:
    """A port, open from the beginning.

    Raises:
        HalError: it cannot be opened.
    """

    def __init__(self, settings: PortSettings, clock: Clock) -> None:
        self._settings, self._clock = settings, clock
        try:
            self._serial: serial.Serial | None = _open(settings)
        except _CANNOT_OPEN as error:
            raise HalError(_error_text(error, settings.port)) from error
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener: PortListener | None = None
        self._timer: Timer | None = None
        self._last_error = ""

    def waiting(self) -> bytes:
        """The bytes that arrived before :meth:`start`."""
        try:
            return b"" if self._serial is None else os.read(self._serial.fileno(), _READ_BYTES)
        except OSError:
            return b""  # Nothing there, or the port is gone, which the loop reports to the listener.

    def start(self, listener: PortListener) -> None:
        """Pass everything that is received from now on to a listener, in the running event loop."""
        self._loop, self._listener = asyncio.get_running_loop(), listener
        self._watch()

    def close(self) -> None:
        """Release the port and forget the listener."""
        self._listener = None
        if self._timer is not None:
            self._timer.cancel()
        self._drop()

    def _watch(self) -> None:
        assert self._loop is not None
        assert self._serial is not None
        self._loop.add_reader(self._serial.fileno(), self._on_readable)
        self._call_later(self._poll_port)

    def _drop(self) -> None:
        if self._serial is None:
            return
        if self._loop is not None:
            self._loop.remove_reader(self._serial.fileno())
        self._serial.close()
        self._serial = None

    def _call_later(self, action: Callable[[], None]) -> None:
        due_ns = self._clock.now_ns() + int(self._settings.retry_s * 1e9)
        self._timer = self._clock.call_at(due_ns, action)

    def _on_readable(self) -> None:
        if self._serial is None or self._listener is None:
            return
        try:
            data = os.read(self._serial.fileno(), _READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(error.strerror or str(error))
            return
        if data:
            self._listener.received(data, self._clock.now_ns())
        else:
            self._lose("it was hung up")

    def _poll_port(self) -> None:
        """Check that the device file exists: not every driver reports a removed device, but udev removes its
        file."""
        if self._serial is None:
            return
        if _leads_to(self._settings.port, self._serial.fileno()):
            self._call_later(self._poll_port)
        else:
            self._lose("its device file is gone")

    def _lose(self, why: str) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._drop()
        self._last_error = ""
        self._call_later(self._try_again)
        if self._listener is not None:
            detail = (
                f"the serial port {self._settings.port} is gone ({why}); "
                "check its cable and plug; it is reopened automatically"
            )
            self._listener.lost(detail, self._clock.now_ns())

    def _try_again(self) -> None:
        if self._listener is None:
            return
        try:
            self._serial = _open(self._settings)
        except _CANNOT_OPEN as error:
            if str(error) != self._last_error:  # Logged once, not at each retry.
                self._last_error = str(error)
                log.warning("%s is not back: %s", self._settings.port, error)
            self._call_later(self._try_again)
            return
        self._watch()
        self._listener.returned(self._clock.now_ns())


def _open(settings: PortSettings) -> serial.Serial:
    opened = serial.Serial(
        settings.port,
        baudrate=settings.baud_rate,
        bytesize=settings.data_bits,
        parity=_PARITY[settings.parity],
        stopbits=settings.stop_bits,
        timeout=0,
        exclusive=True,
    )
    try:
        _refuse_broken_bytes(opened.fileno())
    except _CANNOT_OPEN:
        opened.close()
        raise
    return opened


def _refuse_broken_bytes(descriptor: int) -> None:
    """Mark bytes with a wrong parity bit as invalid, which pyserial has no option for."""
    attributes = termios.tcgetattr(descriptor)
    attributes[0] = (attributes[0] | termios.INPCK) & ~(termios.IGNPAR | termios.BRKINT)
    # With VMIN 0, a read that finds nothing would look like the end of the line.
    attributes[6][termios.VMIN] = 1
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)


def _leads_to(path: str, descriptor: int) -> bool:
    """Whether a path still leads to an open device."""
    try:
        return os.stat(path).st_rdev == os.fstat(descriptor).st_rdev
    except OSError:
        return False


def _error_text(error: Exception, port: str) -> str:
    """Why a port cannot be opened, and the remedy."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return f"there is no serial port {port}; {_list_of_ports()}; plug the device in, or correct `port`"
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"no permission to open the serial port {port}; add the user that runs the controller to the group "
            "dialout: sudo usermod -aG dialout <user>, then restart the controller"
        )
    if number in (errno.EAGAIN, errno.EBUSY):
        return (
            f"the serial port {port} is held by another process; see which with: sudo fuser -v {port}, "
            "and end it, or correct `port`"
        )
    return f"the serial port {port} cannot be opened ({error}); check that it is one, and that baud_rate suits it"


def _list_of_ports() -> str:
    ports = [f"{port.device} ({port.description})" for port in sorted(serial.tools.list_ports.comports())]
    return f"there are: {', '.join(ports)}" if ports else "there is none at all"
