"""Lamps on Modbus RTU output modules: relay and digital-output boards on RS-485. Backend ``modbus``.

.. code-block:: yaml

    panel:
      backend: modbus
      options:
        port: /dev/serial/by-id/usb-FTDI_RS485-if00-port0
        units:
          - {unit: 1, outputs: 8} # outputs 0 to 7: its coils 0 to 7
          - {unit: 5, outputs: 16, first_coil: 32} # outputs 8 to 23: its coils 32 to 47
      lamps: {1: 0, 2: 7, 5: 8, 10: 9, 20: 10, 40: 23}

The output numbers of ``lamps`` count through the modules in the order of ``units``, whatever their addresses.

A call takes at most (number of units + ``retries``) times (``timeout_ms`` and the frames' time on the wire), and
:data:`LATE_S` more if a module did not answer just before. If a module fails, the others are still written, so that
none of their lamps stays lit. Coils without a lamp are written as off; reading back ignores them. Lamps stay as
they are when the panel is closed. Read-back shows the coils, not the lamps: a fault behind a relay is not detected.

Without parity the specification wants two stop bits, and modules set to one understand them. Of the Pi's own ports
the mini UART (``ttyS0``) has no parity; use the other one (``ttyAMA0``) or a USB adapter.

Protocol: https://www.modbus.org/docs/Modbus_Application_Protocol_V1_1b3.pdf (function 15, Write Multiple Coils, and
function 1, Read Coils) and https://www.modbus.org/docs/Modbus_over_serial_line_V1_02.pdf. Frames are pymodbus's.
The exchange of frames is done here, because pymodbus's client takes a late answer, or the echo of its own request,
for the answer to its next request, sends without the silence between frames, and waits by wall time.
"""

import select
import struct
import termios
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate, combinations, pairwise
from typing import Any, Literal, TypeVar

import serial
from pydantic import BaseModel, ConfigDict, Field, field_validator

from hal.errors import HalError, UnknownLineError, why_not
from hal.interfaces import Clock, LampPanel
from hal.registry import Driver, Misfits, lamps_beyond, port_file, port_pins

T = TypeVar("T")

LATE_S = 0.5
"""So long after its timeout an answer may still come. RTU frames have no numbers: it would pass for the answer to a
later request of the same form."""
_READ, _WRITE = 1, 15
_FRAME_BYTES = 9
"""Bytes of the longest frame, beyond those of the coils."""
_SILENCE_CHARACTERS = 3.5
_SHORTEST_SILENCE_S = 0.00175  # The specification's fixed silence above 19200 baud.
_PARITY = {"even": serial.PARITY_EVEN, "odd": serial.PARITY_ODD, "none": serial.PARITY_NONE}
_REFUSALS = {
    1: "it does not know this function; a module with coils is needed",
    2: "not all of these coils are there; check outputs and first_coil",
    3: "it does not take so many coils at once; check outputs",
    4: "it reports a failure of its own; switch it off and on, or replace it",
    6: "it is busy with another command; check that nothing else drives it",
}
"""The meaning of a module's exception codes, and the remedy."""


class Unit(BaseModel):
    """A module on the line."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    unit: int = Field(ge=1, le=247, description="the module's address, as set on it")
    outputs: int = Field(ge=1, le=512, description="how many coils it has")
    first_coil: int = Field(0, ge=0, le=65_000, description="the coil of its first output, counted from 0")

    @property
    def coils(self) -> range:
        return range(self.first_coil, self.first_coil + self.outputs)

    def __str__(self) -> str:
        return f"module {self.unit} (coils {self.coils[0]} to {self.coils[-1]})"


class ModbusSettings(BaseModel):
    """The ``options`` of lamps on Modbus modules."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    port: str = Field(
        pattern="^/", max_length=200, description="serial port of the RS-485 line, for example /dev/ttyUSB0"
    )
    units: tuple[Unit, ...] = Field(min_length=1, max_length=32, description="the modules, in the outputs' order")
    baud_rate: int = Field(19_200, ge=1200, le=1_000_000, description="baud rate, as set on the modules")
    parity: Literal["even", "odd", "none"] = Field(
        "even", description="parity, as set on the modules: even, odd or none"
    )
    stop_bits: int | None = Field(
        None, ge=1, le=2, description="stop bits; without it 1, or 2 where there is no parity"
    )
    timeout_ms: int = Field(100, ge=10, le=1000, description="how long a module may take to begin its answer")
    retries: int = Field(1, ge=0, le=5, description="requests that may be repeated each time lamps are set or read")

    @field_validator("units")
    @classmethod
    def no_coil_twice(cls, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """A module may be listed twice, with different coils."""
        for one, other in combinations(units, 2):
            if one.unit == other.unit and {*one.coils} & {*other.coils}:
                raise ValueError(
                    f"coils of unit {one.unit} are listed twice; give each module an address of its own"
                )
        return units


def _misfits(wiring: Any, settings: ModbusSettings) -> Misfits:
    return lamps_beyond(
        wiring.lamps, sum(unit.outputs for unit in settings.units), "the modules under units, which have"
    )


def _open_panel(wiring: Any, settings: ModbusSettings, clock: Clock) -> LampPanel:
    """Open the port. The modules are first addressed when lamps are shown, so one without power does not prevent
    the start: it locks the table."""
    line = ModbusLine(settings)
    try:
        line.connect()
    except HalError as error:
        raise HalError(f"lamp panel: {error}") from error
    return ModbusPanel(wiring.lamps, line, settings)


# -- the line ------------------------------------------------------------------------------------------------------


class ModbusLine:
    """A serial port with Modbus RTU modules on it. The first request opens it.

    Attributes:
        received: how many bytes came since the last request, beyond its echo.
    """

    def __init__(self, settings: ModbusSettings) -> None:
        from pymodbus.framer import FramerRTU
        from pymodbus.pdu import DecodePDU

        self.port = settings.port
        self.received = 0
        self._settings = settings
        self._stop_bits = settings.stop_bits or (2 if settings.parity == "none" else 1)
        character_s = (1 + 8 + (settings.parity != "none") + self._stop_bits) / settings.baud_rate
        data = (max(unit.outputs for unit in settings.units) + 7) // 8
        self.answer_s = settings.timeout_ms / 1000 + 2 * (_FRAME_BYTES + data) * character_s
        self._silence_s = max(_SILENCE_CHARACTERS * character_s, _SHORTEST_SILENCE_S)
        self._frame: Callable[[bytes, int, int], bytes] = FramerRTU(DecodePDU(False)).encode
        self._serial: serial.Serial | None = None
        self._heard_s = self._deadline_s = 0.0
        self._owed: dict[tuple[int, int], float] = {}
        """Until when a module may still answer an earlier request, by its unit and function."""
        self._echoes: bool | None = None
        """Whether the adapter sends back what it is given; None until that is known."""

    def connect(self) -> serial.Serial:
        """The port, which is opened if it is not open.

        Raises:
            HalError: it cannot be opened; the message names it, the cause and the remedy.
        """
        if self._serial is None:
            try:
                self._serial = serial.Serial(
                    self.port,
                    baudrate=self._settings.baud_rate,
                    parity=_PARITY[self._settings.parity],
                    stopbits=self._stop_bits,
                    timeout=self.answer_s,
                    write_timeout=self.answer_s,
                    exclusive=True,
                )
            except (OSError, ValueError, termios.error) as error:
                remedy = (
                    "plug in the RS-485 adapter (its name is in /dev/serial/by-id), or correct port and baud_rate"
                )
                raise HalError(why_not("port", self.port, error, "dialout", remedy)) from error
            self._echoes = None
        return self._serial

    def close(self) -> None:
        """Close the port. Closing twice does nothing."""
        port, self._serial = self._serial, None
        if port is not None:
            port.close()

    def exchange(self, unit: int, message: bytes, begins: bytes, size: int, repeated: bool) -> bytes | None:
        """Send a request; returns the module's answer, or its refusal, or None if neither came in time.

        Messages are without address and check.

        Args:
            begins: how its answer begins.
            size: length of its answer.
            repeated: the last request was the same, so its answer may as well come now.

        Raises:
            HalError: the port cannot be opened, or is gone: no module can be reached.
        """
        self.connect()
        try:
            until_s = 0.0 if repeated else self._owed.pop((unit, message[0]), 0.0)
            while time.monotonic() < until_s:  # Each request starts on a quiet line.
                self.recv(until_s)
            request = self._frame(message, unit, 0)
            self.send(request)
            data = b""
            while (came := self.recv(self._deadline_s)) and time.monotonic() <= self._deadline_s:
                data += came
                rest = self._without_echo(data, request)
                self.received = len(rest)
                answer = self._answer(rest, unit, begins, size)
                if answer is not None:
                    self._echoes = request in data if message[0] == _WRITE else self._echoes
                    return answer
        except (OSError, termios.error) as error:
            self.close()
            raise HalError(
                f"the port {self.port} is gone; check the adapter and its cable (it is reopened automatically)"
            ) from error
        self._owed[unit, message[0]] = time.monotonic() + LATE_S
        return None

    def send(self, request: bytes) -> None:
        """Send a frame once the line has been silent for long enough: a module without it takes two for one."""
        pause_s = self._heard_s + self._silence_s - time.monotonic()
        if pause_s > 0:
            time.sleep(pause_s)
        port = self.connect()
        port.reset_input_buffer()
        port.write(request)
        self.received = 0
        self._deadline_s = time.monotonic() + self.answer_s

    def recv(self, until_s: float) -> bytes:
        """The bytes that came, as soon as there are any; empty once it is so late."""
        port = self.connect()
        ready, _, _ = select.select([port.fileno()], [], [], max(0.0, until_s - time.monotonic()))
        if not ready:
            return b""
        data: bytes = port.read(max(1, port.in_waiting))
        self._heard_s = time.monotonic()
        return data

    def _without_echo(self, data: bytes, request: bytes) -> bytes:
        """What came after the echo of our own request, if the adapter echoes.

        The answer to a write is never the same as its request, and so shows whether it does. That to a read of
        coils 768 to 1023 may be.
        """
        if self._echoes is False:
            return data
        _, echo, rest = data.partition(request)
        whole = bool(echo) or not (self._echoes or request.startswith(data))
        return (rest if echo else data) if whole else b""

    def _answer(self, data: bytes, unit: int, begins: bytes, size: int) -> bytes | None:
        """The answer in these bytes, whatever noise is around it."""
        for at in range(len(data)):
            for head, length in ((begins, size), (bytes([begins[0] | 0x80]), 2)):
                message = data[at + 1 : at + 1 + length]
                if message.startswith(head) and self._frame(message, unit, 0) == data[at : at + length + 3]:
                    return message
        return None


# -- the panel -----------------------------------------------------------------------------------------------------


class _ModuleError(HalError):
    """A module failed; others may still answer."""


class ModbusPanel:
    """Lamps on the coils of modules."""

    def __init__(self, lamps: Mapping[str, int], line: ModbusLine, settings: ModbusSettings) -> None:
        self._lamps, self._line, self._settings = dict(lamps), line, settings
        counts = [0, *accumulate(unit.outputs for unit in settings.units)]
        self._numbers = {unit: range(*ends) for unit, ends in zip(settings.units, pairwise(counts), strict=True)}
        """The output numbers that a module's coils have in the whole panel."""
        self._repeats = 0
        self._held: dict[Unit, tuple[bool, ...]] = {}
        """The coils that a module is known to hold."""

    def show(self, areas: frozenset[str]) -> None:
        if unknown := areas - self._lamps.keys():
            raise UnknownLineError(f"lamp panel on {self._line.port}: no lamp for {', '.join(sorted(unknown))}")
        outputs = {self._lamps[area] for area in areas}
        requested = {
            unit: tuple(number in outputs for number in numbers) for unit, numbers in self._numbers.items()
        }
        changed = [unit for unit, coils in requested.items() if self._held.get(unit) != coils]
        self._held = {}  # If one of them fails, all are written next time.
        self._each(changed, lambda unit: self._write(unit, requested[unit]))
        self._held = requested

    def read_back(self) -> frozenset[str]:
        self._held = {}
        # Coils changed by another master, or lost in a power failure of a module, are written again next time.
        self._held = dict(zip(self._numbers, self._each(self._numbers, self._read), strict=True))
        on = {
            number
            for unit, coils in self._held.items()
            for number, coil in zip(self._numbers[unit], coils, strict=True)
            if coil
        }
        return frozenset(area for area, number in self._lamps.items() if number in on)

    def close(self) -> None:
        self._line.close()

    def _each(self, units: Iterable[Unit], ask: Callable[[Unit], T]) -> list[T]:
        """Call every module, also after one has failed; then raise an error that names those that did."""
        self._repeats = self._settings.retries
        answers, failures = [], []
        for unit in units:
            try:
                answers.append(ask(unit))
            except _ModuleError as error:
                failures.append(str(error))
        if failures:
            raise HalError(f"lamp panel on {self._line.port}: {'; '.join(failures)}")
        return answers

    def _write(self, unit: Unit, coils: tuple[bool, ...]) -> None:
        head = struct.pack(">BHH", _WRITE, unit.coils[0], len(coils))
        bits = sum(coil << place for place, coil in enumerate(coils)).to_bytes((len(coils) + 7) // 8, "little")
        self._ask(unit, head + bytes([len(bits)]) + bits, head, len(head))

    def _read(self, unit: Unit) -> tuple[bool, ...]:
        count = len(unit.coils)
        size = (count + 7) // 8
        request = struct.pack(">BHH", _READ, unit.coils[0], count)
        answer = self._ask(unit, request, bytes([_READ, size]), 2 + size)
        bits = int.from_bytes(answer[2:], "little")
        return tuple(bool(bits >> place & 1) for place in range(count))

    def _ask(self, unit: Unit, request: bytes, begins: bytes, size: int) -> bytes:
        """Send the request until its answer comes, or this call's retries are used up."""
        repeated = False
        while True:
            try:
                answer = self._line.exchange(unit.unit, request, begins, size, repeated)
            except HalError as error:
                raise HalError(f"lamp panel, {unit}: {error}") from error
            if answer is not None and answer[0] & 0x80:
                reason = _REFUSALS.get(answer[1], "see its manual")
                raise _ModuleError(f"{unit} refuses with Modbus exception {answer[1]}: {reason}")
            if answer is not None:
                return answer
            if self._repeats == 0:
                raise _ModuleError(self._silence(unit))
            self._repeats -= 1
            repeated = True

    def _silence(self, unit: Unit) -> str:
        settings = self._settings
        if self._line.received:
            return (
                f"{unit} cannot be understood: check that no two modules have its address, that all are set to "
                f"{settings.baud_rate} baud and parity {settings.parity}, and the line's shield and terminators"
            )
        return (
            f"{unit} does not answer: check its power, its wires A and B, and that it is set to address "
            f"{unit.unit}, {settings.baud_rate} baud and parity {settings.parity}"
        )


DRIVERS = {"panel": Driver(ModbusSettings, _open_panel, _misfits, port_pins, port_file)}
