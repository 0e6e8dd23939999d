"""The time of an RS-485 line, as the panel has it: it passes while the line is silent, not while a process is slow.

A panel waits for its modules so long as they may still speak, however busy the computer is that they are played on.
Once they have nothing more to say, the time that it would wait is over at once.
"""

import select
import time

import pytest
import serial
from contracts.loop import PATIENCE_S
from modbus_peer import PEERS

from hal import modbus
from hal.modbus import ModbusLine, ModbusSettings

_PASSES_S = 500e-6
"""With each look at the line, so that one on which something speaks for ever comes to an end."""
_LOOK_S = 0.001
_STEP_S = 0.01
"""With each look at a line on which nothing is left to be said."""


class LineTime:
    """Takes the place of the module ``time`` for the line, until the test is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 1000.0
        monkeypatch.setattr(modbus, "time", self)
        monkeypatch.setattr(modbus, "ModbusLine", self._watched)

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def _watched(self, settings: ModbusSettings) -> "WatchedLine":
        made = WatchedLine(settings)
        made.clock, PEERS[settings.port].now_s = self, self.monotonic
        return made


class WatchedLine(ModbusLine):
    """A line that knows whether more bytes will come."""

    clock: LineTime
    sent = 0
    """Requests that the modules have received, or will receive."""

    came = 0
    """Bytes since the last request."""

    def connect(self) -> serial.Serial:
        if self._serial is None:
            self.sent = len(PEERS[self.port].requests)
        port = super().connect()
        # pyserial's clock goes on while this process waits for a processor. The property sets up the port anew.
        port._write_timeout = PATIENCE_S
        return port

    def send(self, request: bytes) -> None:
        super().send(request)
        self.sent += 1
        self.came = 0

    def recv(self, until_s: float) -> bytes:
        guard_s = time.monotonic() + PATIENCE_S
        peer = PEERS[self.port]
        self.clock.now_s += _PASSES_S
        while not select.select([self.connect().fileno()], [], [], _LOOK_S)[0]:
            if peer.has_said(self.sent, self.came):
                self.clock.now_s += _STEP_S
                peer.speaks_late()
            assert time.monotonic() < guard_s, "the modules hang"
            if self.clock.now_s > until_s:
                break
        data = super().recv(until_s)
        self.came += len(data)
        return data
