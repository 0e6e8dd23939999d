"""Lamps on Modbus RTU output modules: relay and digital-output boards on RS-485. Backend ``modbus``.

Protocol: https://www.modbus.org/docs/Modbus_Application_Protocol_V1_1b3.pdf (function 15, Write Multiple Coils, and
function 1, Read Coils) and https://www.modbus.org/docs/Modbus_over_serial_line_V1_02.pdf.

The output numbers of ``lamps`` count through the modules in the order of ``units``, whatever their addresses::

    panel:
      backend: modbus
      options:
        port: /dev/serial/by-id/usb-FTDI_RS485-if00-port0
        units:
          - {unit: 1, outputs: 8}                  # outputs 0 to 7: its coils 0 to 7
          - {unit: 5, outputs: 16, first_coil: 32} # outputs 8 to 23: its coils 32 to 47
      lamps: {small: 0, big: 7, total-4: 8, total-17: 23}

A call takes at most (number of units + ``retries``) times (``timeout_ms`` and the frames' time on the wire): a
third of a second for two modules that are both silent. If a module fails, the others are still
written, so that none of their lamps stays lit. Coils without a lamp are written as off; reading back
ignores them. Lamps stay as they are when the panel is closed. Read-back shows the coils, not the lamps: a fault
behind a relay is not detected.

Without parity the specification wants two stop bits, and modules set to one understand them. Of the Pi's own ports
the mini UART (``ttyS0``) has no parity; use the other one (``ttyAMA0``) or a USB adapter.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel
from pymodbus.exceptions import ConnectionException, ModbusException
from pymodbus.pdu import ModbusPDU

from hal.errors import HalError, UnknownLineError
from hal.interfaces import Clock, LampPanel
from hal.modbus.line import ModbusLine, PortError
from hal.modbus.settings import ModbusSettings, Unit

T = TypeVar("T")

_WRITE_REQUEST = 9  # Bytes of the frames, beyond those of the coils.
_WRITE_ANSWER = 8
_READ_ANSWER = 5
_REFUSALS = {
    1: "it does not know this function; a module with coils is needed",
    2: "not all of these coils are there; check outputs and first_coil",
    3: "it does not take so many coils at once; check outputs",
    4: "it reports a failure of its own; switch it off and on, or replace it",
    6: "it is busy with another command; check that nothing else drives it",
}
"""The meaning of a module's exception codes, and the remedy."""


@dataclass(frozen=True)
class Module:
    """A module's coils, and the output numbers that they have in the whole panel."""

    unit: int
    coils: range
    numbers: range

    def __str__(self) -> str:
        return f"module {self.unit} (coils {self.coils[0]} to {self.coils[-1]})"


class _ModuleError(HalError):
    """A module failed; others may still answer."""


def open_device(wiring: BaseModel, settings: ModbusSettings, clock: Clock) -> LampPanel:
    """Open the port. The modules are first addressed when lamps are shown, so one without power does not prevent
    the start: it locks the table.

    Raises:
        HalError: a lamp has a number that no module has, or the port does not open.
    """
    lamps: dict[str, int] = getattr(wiring, "lamps", {})
    modules = _modules(settings.units)
    last = modules[-1].numbers[-1]
    for area, number in lamps.items():
        if number > last:
            raise HalError(
                f"lamp panel on {settings.port}: lamp '{area}' is on output {number}, but the modules under units "
                f"have outputs 0 to {last}; correct its number, or outputs of the modules"
            )
    line = _line(settings)
    try:
        line.connect()
    except PortError as error:
        raise PortError(f"lamp panel: {error}") from error
    return ModbusPanel(lamps, modules, line, settings)


def _modules(units: Sequence[Unit]) -> list[Module]:
    """The modules, their outputs counted through."""
    modules, first = [], 0
    for unit in units:
        coils = range(unit.first_coil, unit.first_coil + unit.outputs)
        modules.append(Module(unit.unit, coils, range(first, first + unit.outputs)))
        first += unit.outputs
    return modules


def _line(settings: ModbusSettings) -> ModbusLine:
    data = (max(unit.outputs for unit in settings.units) + 7) // 8
    return ModbusLine(
        settings.port,
        settings.baud_rate,
        settings.parity,
        settings.stop_bits or (2 if settings.parity == "none" else 1),
        settings.timeout_ms / 1000,
        _WRITE_REQUEST + data + max(_WRITE_ANSWER, _READ_ANSWER + data),
    )


class ModbusPanel:
    """Lamps on the coils of modules."""

    def __init__(
        self, lamps: Mapping[str, int], modules: Sequence[Module], line: ModbusLine, settings: ModbusSettings
    ) -> None:
        self._lamps = dict(lamps)
        self._modules = tuple(modules)
        self._line = line
        self._settings = settings
        self._repeats = 0
        self._held: dict[Module, tuple[bool, ...]] = {}
        """The coils that a module is known to hold."""

    def show(self, areas: frozenset[str]) -> None:
        unknown = areas - self._lamps.keys()
        if unknown:
            raise UnknownLineError(f"lamp panel on {self._line.port}: no lamp for {', '.join(sorted(unknown))}")
        outputs = {self._lamps[area] for area in areas}
        requested = {module: tuple(number in outputs for number in module.numbers) for module in self._modules}
        changed = [module for module in self._modules if self._held.get(module) != requested[module]]
        self._held = {}  # If one of them fails, all are written next time.
        self._each(changed, lambda module: self._write(module, requested[module]))
        self._held = requested

    def read_back(self) -> frozenset[str]:
        self._held = {}
        # Coils changed by another master, or lost in a power failure of a module, are written again next time.
        self._held = dict(zip(self._modules, self._each(self._modules, self._read), strict=True))
        on = {
            number
            for module, coils in self._held.items()
            for number, coil in zip(module.numbers, coils, strict=True)
            if coil
        }
        return frozenset(area for area, number in self._lamps.items() if number in on)

    def close(self) -> None:
        self._line.close()

    def _each(self, modules: Sequence[Module], ask: Callable[[Module], T]) -> list[T]:
        """Call every module, also after one has failed; then raise an error that names those that did."""
        self._repeats = self._settings.retries
        answers, failures = [], []
        for module in modules:
            try:
                answers.append(ask(module))
            except _ModuleError as error:
                failures.append(str(error))
        if failures:
            raise HalError(f"lamp panel on {self._line.port}: {'; '.join(failures)}")
        return answers

    def _write(self, module: Module, coils: tuple[bool, ...]) -> None:
        first, count = module.coils[0], len(module.coils)
        self._ask(
            module,
            lambda: self._line.write_coils(first, coils, device_id=module.unit),
            lambda answer: answer.function_code == 15 and (answer.address, answer.count) == (first, count),
        )

    def _read(self, module: Module) -> tuple[bool, ...]:
        first, count = module.coils[0], len(module.coils)
        answer = self._ask(
            module,
            lambda: self._line.read_coils(first, count=count, device_id=module.unit),
            lambda answer: answer.function_code == 1 and len(answer.bits) == (count + 7) // 8 * 8,
        )
        return tuple(answer.bits[:count])

    def _ask(
        self, module: Module, request: Callable[[], ModbusPDU], matches: Callable[[ModbusPDU], bool]
    ) -> ModbusPDU:
        """Send the request until a matching answer comes, or this call's retries are used up."""
        while True:
            answer = self._exchange(module, request)
            if answer is not None and answer.isError():
                code = answer.exception_code
                reason = _REFUSALS.get(code, "see its manual")
                raise _ModuleError(f"{module} refuses with Modbus exception {code}: {reason}")
            if answer is not None and matches(answer):
                return answer
            if self._repeats == 0:
                raise _ModuleError(self._silence(module))
            self._repeats -= 1

    def _exchange(self, module: Module, request: Callable[[], ModbusPDU]) -> ModbusPDU | None:
        """A module's answer; None if none came that can be read."""
        try:
            return request()
        except PortError as error:
            raise PortError(f"lamp panel, {module}: {error}") from error
        except ConnectionException as error:
            self._line.close()
            raise PortError(
                f"lamp panel, {module}: the port {self._line.port} is gone; check the adapter and its cable "
                "(it is reopened automatically)"
            ) from error
        except ModbusException:
            return None

    def _silence(self, module: Module) -> str:
        settings = self._settings
        if self._line.received:
            return (
                f"{module} cannot be understood: check that no two modules have its address, that all are set to "
                f"{settings.baud_rate} baud and parity {settings.parity}, and the line's shield and terminators"
            )
        return (
            f"{module} does not answer: check its power, its wires A and B, and that it is set to address "
            f"{module.unit}, {settings.baud_rate} baud and parity {settings.parity}"
        )
