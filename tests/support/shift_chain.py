"""A small electrical model of 74HC595s in a chain, as spidev's ``SpiDev`` with the chip select wired to RCLK.

A rising clock shifts, the chip select latches as a transfer ends, QH' of the last register drives data-out. Wires
can break; a broken input floats high or low.
"""

from collections.abc import Sequence


class Chain:
    """Registers on their wires. Their content at power-up is undefined: here every output is high.

    Attributes:
        stages: the bits of the shift registers; 0 is QA of the register nearest to the Pi.
        outputs: the bits at the outputs, likewise.
        broken: the wires that are broken: ``data``, ``clock``, ``latch``, ``data-out``, or between two registers.
        floating: the level that a broken input has.
        fault: what the kernel raises, if anything.
    """

    mode = max_speed_hz = 0

    def __init__(self, registers: int) -> None:
        self.stages = [True] * registers * 8
        self.outputs = list(self.stages)
        self.broken: set[str | int] = set()
        self.floating = False
        self.fault: OSError | None = None
        self.is_open = False

    def open(self, bus: int, device: int) -> None:
        assert bus == 0
        if self.fault is not None:
            raise self.fault
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def xfer2(self, words: Sequence[int]) -> list[int]:
        if self.fault is not None:
            raise self.fault
        assert self.is_open
        assert self.max_speed_hz
        came = [self._shift(word) for word in words]
        if "latch" not in self.broken:
            self.outputs = list(self.stages)
        return came

    def disturb(self, stage: int) -> None:
        """A spike flips a bit."""
        self.stages[stage] = not self.stages[stage]

    def break_wire(self, wire: str | int, floating: bool) -> None:
        """Break a wire, by its name, or that behind a register, by its number."""
        self.broken.add(wire)
        self.floating = floating

    def _shift(self, word: int) -> int:
        came = 0
        for place in reversed(range(8)):
            bit = bool(word >> place & 1)
            came = came << 1 | (self.floating if "data-out" in self.broken else self.stages[-1])
            self._clock(bit)
        return came

    def _clock(self, bit: bool) -> None:
        if "clock" in self.broken:
            return
        former = list(self.stages)
        self.stages[0] = self.floating if "data" in self.broken else bit
        for stage in range(1, len(former)):
            cut = stage % 8 == 0 and stage // 8 - 1 in self.broken
            self.stages[stage] = self.floating if cut else former[stage - 1]
