"""The RS-485 line: pymodbus's serial client with a reliable deadline and errors that name the cause.

Frames and messages are pymodbus's. Four things are done here, because its client (3.16) does them differently:

- It hides why a port cannot be opened. Here :class:`PortError` gives the cause.
- It polls, and waits by wall time, which jumps when the Pi sets its clock. Here a module has a deadline in
  monotonic time, and an answer is taken as soon as it is there.
- It sends at once after an answer. The specification wants a silence of 3.5 characters between frames
  (Modbus over Serial Line V1.02, 2.5.1.1, https://www.modbus.org/docs/Modbus_over_serial_line_V1_02.pdf); a module
  without it takes two frames for one and answers neither.
- Bytes that came too late for the last request are discarded before the next.
"""

import errno
import select
import termios
import time

import serial
from pymodbus.client import ModbusSerialClient
from pymodbus.exceptions import ConnectionException

from hal.errors import HalError
from hal.modbus.settings import Parity

_PARITY = {"even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD, "none": serial.PARITY_NONE}
_SILENCE_CHARACTERS = 3.5
_SHORTEST_SILENCE_S = 0.00175  # The specification's fixed silence above 19200 baud.
_LARGEST_FRAME = 256
_MISSING = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO)
_FORBIDDEN = (errno.EACCES, errno.EPERM)
_HELD = (errno.EAGAIN, errno.EBUSY)


class PortError(HalError):
    """The serial port cannot be used: no module can be reached."""


class ModbusLine(ModbusSerialClient):
    """A serial port with Modbus RTU modules on it. The first request opens it.

    Args:
        port: the serial port, for example ``/dev/ttyUSB0``.
        timeout_s: how long a module may take before it answers, in seconds.
        exchange_bytes: length of the longest request and its answer; their time on the wire is added.

    Attributes:
        received: how many bytes came since the last request.
    """

    def __init__(
        self, port: str, baud_rate: int, parity: Parity, stop_bits: int, timeout_s: float, exchange_bytes: int
    ) -> None:
        character_s = (1 + 8 + (parity != "none") + stop_bits) / baud_rate
        self.answer_s = timeout_s + exchange_bytes * character_s
        super().__init__(
            port,
            baudrate=baud_rate,
            parity=_PARITY[parity],
            stopbits=stop_bits,
            timeout=self.answer_s,
            retries=0,  # The caller does the retries.
        )
        self.port = port
        self.received = 0
        self._silence_s = max(_SILENCE_CHARACTERS * character_s, _SHORTEST_SILENCE_S)
        self._heard_s = self._deadline_s = 0.0

    def connect(self) -> bool:
        """Open the port if it is not open.

        Raises:
            PortError: it cannot be opened; the message names it, the cause and the remedy.
        """
        if self.socket is None:
            settings = self.comm_params
            try:
                self.socket = serial.Serial(
                    self.port,
                    baudrate=settings.baudrate,
                    parity=settings.parity,
                    stopbits=settings.stopbits,
                    timeout=self.answer_s,
                    write_timeout=self.answer_s,
                    exclusive=True,
                )
            except (OSError, ValueError, termios.error) as error:
                raise PortError(_why_not_open(self.port, error)) from error
        return True

    def close(self) -> None:
        """Close the port. Closing twice does nothing."""
        port, self.socket = self.socket, None
        if port is not None:
            port.close()

    def send(self, request: bytes, addr: tuple[object, ...] | None = None) -> int:
        """Send a frame once the line has been silent for long enough. Called by pymodbus."""
        pause_s = self._heard_s + self._silence_s - time.monotonic()
        if pause_s > 0:
            time.sleep(pause_s)
        try:
            port = self._opened()
            port.reset_input_buffer()
            sent: int = port.write(request)
        except (OSError, termios.error) as error:
            self.close()
            raise ConnectionException(str(error)) from error
        self.received = 0
        self._deadline_s = time.monotonic() + self.answer_s
        return sent

    def recv(self, size: int | None) -> bytes:
        """The bytes that came, as soon as there are any; empty after the deadline. Called by pymodbus."""
        left_s = max(0.0, self._deadline_s - time.monotonic())
        try:
            port = self._opened()
            ready, _, _ = select.select([port.fileno()], [], [], left_s)
            if not ready:
                return b""
            data: bytes = port.read(max(1, min(port.in_waiting, _LARGEST_FRAME)))
        except OSError as error:
            self.close()
            raise ConnectionException(str(error)) from error
        self._heard_s = time.monotonic()
        self.received += len(data)
        return data

    def _opened(self) -> serial.Serial:
        if self.socket is None:
            raise ConnectionException(f"{self.port} is closed")
        return self.socket


def _why_not_open(port: str, error: Exception) -> str:
    """Cause and remedy, for the technician."""
    number = getattr(error, "errno", None)
    if number in _MISSING:
        return f"there is no port {port}; plug in the RS-485 adapter; its name is in /dev/serial/by-id"
    if number in _FORBIDDEN:
        return f"no permission for the port {port}; run: sudo usermod -aG dialout USER, and restart"
    if number in _HELD:
        return (
            f"another process holds the port {port}; find it with: sudo fuser -v {port} "
            "(a login on the port is switched off with raspi-config)"
        )
    return f"{port} cannot be opened as a serial port ({error}); check port, baud_rate and parity"
