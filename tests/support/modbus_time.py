"""The time of an RS-485 line, as the panel has it: it passes while the line is silent, not while a process is slow.

A panel waits for its modules so long as they may still speak, however busy the computer is that they are played on.
Once they have nothing more to say, the time that it would wait is over at once.
"""

import select
import time

import pytest
from contracts.loop import PATIENCE_S
from modbus_peer import PEERS
from pymodbus.transaction import transaction

from hal.modbus import line, panel
from hal.modbus.line import ModbusLine, Parity

_PASSES_S = 500e-6
"""With each look at the line, so that one on which something speaks for ever comes to an end."""
_LOOK_S = 0.001


class LineTime:
    """Takes the place of the module ``time`` for the line and for pymodbus, until the test is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 1000.0
        monkeypatch.setattr(line, "time", self)
        monkeypatch.setattr(transaction, "monotonic", self.monotonic)
        monkeypatch.setattr(panel, "ModbusLine", self._watched)

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def _watched(
        self, port: str, baud_rate: int, parity: Parity, stop_bits: int, timeout_s: float, exchange_bytes: int
    ) -> "WatchedLine":
        made = WatchedLine(port, baud_rate, parity, stop_bits, timeout_s, exchange_bytes)
        made.clock, PEERS[port].now_s = self, self.monotonic
        return made


class WatchedLine(ModbusLine):
    """A line that knows whether more bytes will come."""

    clock: LineTime
    sent = 0
    """Requests that the modules have received, or will receive."""

    def connect(self) -> bool:
        if self.socket is None:
            self.sent = len(PEERS[self.port].requests)
        opened = super().connect()
        assert self.socket is not None
        # pyserial's clock goes on while this process waits for a processor. The property sets up the port anew.
        self.socket._write_timeout = PATIENCE_S
        return opened

    def send(self, request: bytes, addr: tuple[object, ...] | None = None) -> int:
        count = super().send(request, addr)
        self.sent += 1
        return count

    def recv(self, size: int | None) -> bytes:
        guard_s = time.monotonic() + PATIENCE_S
        self.clock.now_s += _PASSES_S
        while self.socket is not None and not select.select([self.socket.fileno()], [], [], _LOOK_S)[0]:
            if PEERS[self.port].has_said(self.sent, self.received):
                self.clock.now_s += self.answer_s
            assert time.monotonic() < guard_s, "the modules hang"
            if self.clock.now_s > self._deadline_s:
                break
        return super().recv(size)
