"""The other end of an RS-485 line: pymodbus's own server with some modules, behind a cable that can be pulled.

Two pseudo-terminals and a relay between them are the cable. Server and relay live in an event loop of their own, in
a thread, as the modules have processors of their own.
"""

import asyncio
import contextlib
import fcntl
import os
import struct
import termios
import threading
import time
import tty
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TypeVar

from pymodbus.constants import ExcCodes
from pymodbus.server import ModbusSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice

T = TypeVar("T")

PATIENCE_S = 180.0
"""Only ends a hang."""

PEERS: dict[str, "Peer"] = {}
"""Those that are plugged in somewhere, by port."""


class Peer:
    """Modules, and control of their power, their line and their coils.

    Attributes:
        port: where the line is plugged in; the name stays when the device behind it changes, as with ``by-id``.
        unpowered: modules that receive nothing.
        spoils: what the line makes of the answers to come, one each.
        busy: modules that refuse everything, with exception 6.
        late_s: how long after its request an answer comes; 0 for at once.
        echoes: the adapter sends back what it is given.
        requests: module and function of each request on the line, also of those that no module received.
        on_bytes: called, in the modules' thread, when bytes arrive from the port.
        pauses_s: the silence on the line before each request but the first.
        now_s: the time in which that is counted.
    """

    def __init__(self, folder: Path, modules: Mapping[int, int]) -> None:
        self.port = folder / "rs485"
        self.modules = dict(modules)
        self.unpowered: set[int] = set()
        self.busy: set[int] = set()
        self.late_s = 0.0
        self.echoes = False
        self._late: list[tuple[float, bytes]] = []
        self.spoils: list[Callable[[bytes], bytes]] = []
        self.requests: list[tuple[int, int]] = []
        self.pauses_s: list[float] = []
        self.on_bytes: Callable[[], None] = lambda: None
        self.now_s = time.monotonic
        self._answered_s = 0.0
        self._response_bytes: int | None = 0
        self._babbles = False
        self._near: tuple[int, int] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._far = _pty()
        self._server = self._in_loop(self._serve())
        PEERS[str(self.port)] = self
        self.plug()

    # -- control -------------------------------------------------------------------------------------------

    def plug(self) -> None:
        """Plug the cable in."""

        async def plug() -> None:
            self._near = _pty()
            self.port.symlink_to(os.ttyname(self._near[1]))
            self._relay(self._near[0], self._far[0])

        self._in_loop(plug())

    def pull(self) -> None:
        """Pull the cable out: an open port is lost."""

        async def pull() -> None:
            assert self._near is not None
            self._loop.remove_reader(self._near[0])
            for descriptor in self._near:
                os.close(descriptor)
            self._near = None
            self.port.unlink()

        self._in_loop(pull())

    def cut_power(self, unit: int) -> None:
        """A module without power receives nothing, and its coils drop."""
        self.unpowered.add(unit)
        for coil in range(self.modules[unit]):
            self.set_coil(unit, coil, False)

    def restore_power(self, unit: int) -> None:
        self.unpowered.discard(unit)

    def babble(self) -> None:
        """Something sends on the line without a pause."""
        self._babbles = True

        def babble() -> None:
            if self._near is not None:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._near[0], b"\x55" * 16)
                self._loop.call_later(0.002, babble)

        self._loop.call_soon_threadsafe(babble)

    def speak(self, frame: bytes) -> None:
        """Bytes arrive on the line without a request."""

        async def speak() -> None:
            assert self._near is not None
            os.write(self._near[0], frame)
            while not struct.unpack("I", fcntl.ioctl(self._near[1], termios.FIONREAD, bytes(4)))[0]:
                await asyncio.sleep(0)

        self._in_loop(speak())

    def speaks_late(self) -> None:
        """The late answers that are due arrive."""
        while self._late and self._late[0][0] <= self.now_s():
            _, frame = self._late.pop(0)
            self._response_bytes = (self._response_bytes or 0) + len(frame)
            self.speak(frame)

    def set_coil(self, unit: int, coil: int, on: bool) -> None:
        """Something else sets a coil, such as the button on the module."""
        self._in_loop(self._server.async_setValues(unit, 15, coil, [on]))

    def coils(self, unit: int) -> set[int]:
        """The coils of a module that are on."""
        values = self._in_loop(self._server.async_getValues(unit, 1, 0, self.modules[unit]))
        return {coil for coil, value in enumerate(values) if value}

    def has_said(self, requests: int, heard: int) -> bool:
        """Whether the response to this number of requests is complete, given the bytes received of the last one."""
        return not self._babbles and (len(self.requests), self._response_bytes) == (requests, heard)

    def close(self) -> None:
        del PEERS[str(self.port)]
        if self._near is not None:
            self.pull()
        self._in_loop(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()
        for descriptor in self._far:
            os.close(descriptor)

    # -- the modules and the line --------------------------------------------------------------------------

    async def _serve(self) -> ModbusSerialServer:
        port = os.ttyname(self._far[1])
        devices = [self._module(unit, coils) for unit, coils in self.modules.items()]
        server = ModbusSerialServer(devices, port=port, trace_packet=self._on_line)
        await server.serve_forever(background=True)
        return server

    def _module(self, unit: int, coils: int) -> SimDevice:
        async def refuse(function: int, *_rest: object) -> ExcCodes | None:
            """Only requests on the line are refused; calls of the tests are not."""
            return ExcCodes.DEVICE_BUSY if unit in self.busy else None

        blocks = [[SimData(0, count=count, values=False, datatype=DataType.BITS)] for count in (coils, 16)]
        words = [SimData(0, count=1, datatype=DataType.REGISTERS)]
        return SimDevice(unit, simdata=(*blocks, words, words), action=refuse)

    async def _stop(self) -> None:
        self._loop.remove_reader(self._far[0])
        await self._server.shutdown()

    def _relay(self, near: int, far: int) -> None:
        def forward(source: int, target: int) -> None:
            os.write(target, os.read(source, 4096))

        def from_port() -> None:
            self.on_bytes()
            data = os.read(near, 4096)
            if self.echoes:
                os.write(near, data)
            os.write(far, data)

        self._loop.add_reader(near, from_port)
        self._loop.add_reader(far, forward, far, near)

    def _on_line(self, answers: bool, frame: bytes) -> bytes:
        """The bytes that a module sends or receives, as they are on the line."""
        if answers:
            return self._answer(frame)
        self._echoed_bytes = len(frame) if self.echoes else 0
        self._response_bytes = self._echoed_bytes if frame[0] in self.unpowered else None
        self.requests.append((frame[0], frame[1]))
        if self._answered_s:
            self.pauses_s.append(self.now_s() - self._answered_s)
        if frame[0] in self.unpowered:
            return frame[:-1] + bytes([frame[-1] ^ 0xFF])  # No module acts on a frame that fails its check.
        return frame

    def _answer(self, frame: bytes) -> bytes:
        self._answered_s = self.now_s()
        sent = self.spoils.pop(0)(frame) if self.spoils else frame
        if self.late_s:
            self._late.append((self._answered_s + self.late_s, sent))
            sent = b""
        self._response_bytes = self._echoed_bytes + len(sent)
        return sent

    def _in_loop(self, action: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(action, self._loop).result(PATIENCE_S)


def _pty() -> tuple[int, int]:
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    return master, slave
