"""A small electrical model of 74HC595s in a chain, on gpiozero's mock pins.

SRCLK rising shifts, RCLK rising latches, QH' of the last register drives data-out. Wires can break; a broken input
floats high or low. :class:`ChainFactory` is gpiozero's mock factory with pins that report their edges, and with
the Pi's SPI peripheral, which gpiozero's mock lacks: its software SPI samples data-out at another moment.
"""

from collections.abc import Callable, Sequence

from gpiozero.pins import SPI
from gpiozero.pins.mock import MockFactory, MockPin


class WirePin(MockPin):
    """A pin that reports its edges."""

    def __init__(self, factory: object, info: object) -> None:
        self.on_edge: list[Callable[[bool], None]] = []
        super().__init__(factory, info)

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        if changed:
            for callback in self.on_edge:
                callback(value)
        return changed


class PeripheralSpi(SPI):
    """The Pi's SPI peripheral in mode 0: data changes while the clock is low, and is sampled as it rises."""

    def __init__(
        self, clock_pin: str, mosi_pin: str, miso_pin: str, select_pin: str, *, pin_factory: MockFactory
    ) -> None:
        super().__init__(pin_factory=pin_factory)
        self._open = True
        self._rate = 0
        pin_factory.reserve_pins(self, clock_pin, mosi_pin, miso_pin, select_pin)
        self._clock, self._mosi, self._miso, self._select = (
            pin_factory.pin(name) for name in (clock_pin, mosi_pin, miso_pin, select_pin)
        )
        for pin, level in ((self._clock, 0), (self._mosi, 0), (self._select, 1)):
            pin.output_with_state(level)

    def transfer(self, data: Sequence[int]) -> list[int]:
        self._select.state = 0
        came = [self._shift(word) for word in data]
        self._select.state = 1
        return came

    def _shift(self, word: int) -> int:
        came = 0
        for place in reversed(range(8)):
            self._mosi.state = word >> place & 1
            sampled = self._miso.state
            self._clock.state = 1
            came = came << 1 | sampled
            self._clock.state = 0
        return came

    def close(self) -> None:
        if getattr(self, "_open", False):
            self.pin_factory.release_all(self)
        self._open = False
        super().close()

    @property
    def closed(self) -> bool:
        return not self._open

    def _get_clock_mode(self) -> int:
        return 0

    def _set_clock_mode(self, value: int) -> None:
        assert value == 0

    def _get_rate(self) -> int:
        return self._rate

    def _set_rate(self, value: int) -> None:
        self._rate = value


class ChainFactory(MockFactory):
    """gpiozero's mock pins, with an SPI peripheral.

    Attributes:
        spi_fault: what the peripheral raises when it is opened, or None.
    """

    def __init__(self) -> None:
        super().__init__(pin_class=WirePin)
        self.spi_fault: Exception | None = None

    def _get_spi_class(self, shared: bool, hardware: bool) -> type[SPI]:
        assert hardware
        if self.spi_fault is not None:
            raise self.spi_fault
        return PeripheralSpi


class Chain:
    """Registers on four wires. Their content at power-up is undefined: here every output is high.

    Attributes:
        stages: the bits of the shift registers; 0 is QA of the register nearest to the Pi.
        outputs: the bits at the outputs, likewise.
        broken: the wires that are broken: ``data``, ``clock``, ``latch``, ``data-out``, or between two registers.
        floating: the level that a broken input has.
    """

    def __init__(
        self, factory: ChainFactory, registers: int, clock: int, data: int, latch: int, data_out: int
    ) -> None:
        self.stages = [True] * registers * 8
        self.outputs = list(self.stages)
        self.broken: set[str | int] = set()
        self.floating = False
        self._data, self._data_out = factory.pin(data), factory.pin(data_out)
        factory.pin(clock).on_edge.append(self._on_clock)
        factory.pin(latch).on_edge.append(self._on_latch)
        self._drive()

    def disturb(self, stage: int) -> None:
        """A spike flips a bit."""
        self.stages[stage] = not self.stages[stage]
        self._drive()

    def break_wire(self, wire: str | int, floating: bool) -> None:
        """Break a wire, by its name, or that behind a register, by its number."""
        self.broken.add(wire)
        self.floating = floating
        self._drive()

    def repair(self) -> None:
        self.broken.clear()
        self._drive()

    def _on_clock(self, rises: bool) -> None:
        if not rises or "clock" in self.broken:
            return
        former = list(self.stages)
        self.stages[0] = self.floating if "data" in self.broken else bool(self._data.state)
        for stage in range(1, len(former)):
            cut = stage % 8 == 0 and stage // 8 - 1 in self.broken
            self.stages[stage] = self.floating if cut else former[stage - 1]
        self._drive()

    def _on_latch(self, rises: bool) -> None:
        if rises and "latch" not in self.broken:
            self.outputs = list(self.stages)

    def _drive(self) -> None:
        level = self.floating if "data-out" in self.broken else self.stages[-1]
        if level:
            self._data_out.drive_high()
        else:
            self._data_out.drive_low()
