"""A device on a serial line: a pseudo terminal in the place of the cable, the test at its far end."""

import fcntl
import os
import select
import struct
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from contracts.loop import PATIENCE_S, Loop
from hal.clock import LoopClock
from hal.events import FaultEvent, KeyEvent, ReaderEvent
from hal.interfaces import Device, KeySource, ResultReader
from hal.mock.clock import VirtualClock
from hal.registry import open_device
from hal.serial.lines import spelled

CODES = {"1": "K01", "2": "K02", "enter": "K15", "no-more-bets": "#"}
CHARACTERS = {"1": "1", "2": "2", "enter": r"\r", "no-more-bets": r"\x1b"}
STATES = {
    "pattern": "[*]X;5;[0-9]{3};(?P<pocket>[0-2][0-9]|3[0-7]);.*",
    "ignore": "[*]X;[1-46];.*",
    "names": {"00": "0", "37": "00"},
}


class Wire:
    """The cable between the port and a device that the test plays."""

    def __init__(self, port: Path) -> None:
        self.port = port
        self._ends: tuple[int, ...] = ()
        self.plug_in()

    def plug_in(self) -> None:
        """The port appears, as another device than before, but under its old name."""
        self._ends = self._far, self._near = os.openpty()
        new = self.port.with_suffix(".new")
        new.symlink_to(os.ttyname(self._near))
        new.rename(self.port)

    def pull(self) -> None:
        """The port goes away."""
        self.port.unlink(missing_ok=True)
        self.cut()

    def cut(self) -> None:
        """The device is gone, but its device file is still there."""
        for descriptor in self._ends:
            os.close(descriptor)
        self._ends = ()

    def send(self, data: bytes) -> None:
        os.write(self._far, data)

    def arrives(self) -> None:
        """Wait until the bytes sent have arrived at this end, without reading them."""
        assert select.select([self._near], [], [], PATIENCE_S)[0]

    @property
    def arrived(self) -> int:
        """The bytes that were not read yet."""
        (count,) = struct.unpack("i", fcntl.ioctl(self._near, termios.FIONREAD, bytes(4)))
        return int(count)

    def attributes(self) -> list[Any]:
        """How the backend has set the port up, as termios has it."""
        return termios.tcgetattr(self._near)

    @property
    def open(self) -> bool:
        """The backend has opened this end: it takes bytes as they come, without the terminal's editing."""
        return not self.attributes()[3] & termios.ICANON


class Wiring(BaseModel):
    """The part of a keyboard section that a backend is given."""

    codes: dict[str, str] = {}


class SerialBench(Loop):
    """A device at the near end of a wire, opened as the table opens it.

    Args:
        clock: a virtual one, where the test says how much time passes. With the loop's own, if there is none, a
            line ends just before anybody listens, so the next one is whole.
    """

    def __init__(
        self,
        kind: str,
        port: Path,
        codes: dict[str, str] | None = None,
        clock: VirtualClock | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        self.wire = Wire(port)
        self._clock = clock
        sent = {"port": str(port), "silence_ms": "5000", "retry_s": "0.01", **options}
        wiring = Wiring(codes=codes or {})
        self.opened: Device = self.run(lambda: open_device(kind, "serial", wiring, sent, clock or LoopClock()))  # type: ignore[assignment]
        if clock is None and sent.get("line_end") != "none":
            end = spelled(str(sent.get("line_end", r"\r\n"))).encode()
            self.wire.send(end)
            self.until(lambda: self.wire.arrived == len(end))

    def reads(self, data: bytes) -> None:
        """Send something, and wait until the backend has read it."""
        self.wire.send(data)
        self.wire.arrives()
        self.until(lambda: self.wire.arrived == 0)

    def later(self, after_ms: int) -> None:
        """Let virtual time pass."""
        clock = self._clock
        assert clock is not None
        self.run(lambda: clock.advance_to(clock.now_ns() + after_ms * 1_000_000))

    def close(self) -> None:
        self.run(self.opened.close)
        self.wire.cut()
        super().close()


class ReaderBench(SerialBench):
    def __init__(self, port: Path, clock: VirtualClock | None = None, /, **options: object) -> None:
        super().__init__("reader", port, None, clock, **options)
        self.device: ResultReader = self.opened  # type: ignore[assignment]
        self.events: list[ReaderEvent] = []
        self.line_of: Callable[[str], str] = str
        """The line that the reader sends for a pocket."""

    def see(self, pocket: str) -> None:
        self.wire.send(self.line_of(pocket).encode() + b"\r\n")

    def start(self) -> "ReaderBench":
        self.run(lambda: self.device.start(self.events.append))
        return self

    def receives(self, *sent: bytes, events: int) -> list[tuple[str, str]]:
        """Send what a reader sends; returns the pockets and faults so far, once there are so many."""
        for data in sent:
            self.wire.send(data)
        self.until(lambda: len(self.events) >= events)
        return [(event.pocket, event.fault) for event in self.events]


class KeysBench(SerialBench):
    def __init__(
        self, port: Path, clock: VirtualClock | None, /, codes: dict[str, str], end: bytes, **options: object
    ) -> None:
        super().__init__("keys", port, codes, clock, **options)
        self.device: KeySource = self.opened  # type: ignore[assignment]
        self.events: list[KeyEvent | FaultEvent] = []
        self._sends = {control: spelled(code) for control, code in codes.items()}
        self._end = end

    def press(self, control: str) -> None:
        self.wire.send(self._sends[control].encode() + self._end)

    def release(self, control: str) -> None:
        """Such a keypad does not send it."""

    def start(self) -> "KeysBench":
        self.run(lambda: self.device.start(self.events.append))
        return self

    def receives(self, *sent: bytes, events: int) -> list[str]:
        """Send what a keypad sends; returns the events so far, abbreviated, once there are so many."""
        for data in sent:
            self.wire.send(data)
        self.until(lambda: len(self.events) >= events)
        return [self._short(event) for event in self.events]

    def _short(self, event: KeyEvent | FaultEvent) -> str:
        if isinstance(event, FaultEvent):
            return f"fault: {event.detail}" if event.detail else "in order"
        return f"{event.control} {'down' if event.pressed else 'up'}"


class Benches:
    """Makes benches at one port, and closes them."""

    def __init__(self, port: Path) -> None:
        self.port = port
        self._made: list[SerialBench] = []

    def reader(self, clock: VirtualClock | None = None, /, **options: object) -> ReaderBench:
        """A wheel reader, not started."""
        bench = ReaderBench(self.port, clock, **options)
        self._made.append(bench)
        return bench

    def keys(
        self,
        clock: VirtualClock | None = None,
        /,
        codes: dict[str, str] = CODES,
        end: bytes = b"\r\n",
        **options: object,
    ) -> KeysBench:
        """A keypad, not started."""
        bench = KeysBench(self.port, clock, codes, end, **options)
        self._made.append(bench)
        return bench

    def close(self) -> None:
        for bench in self._made:
            bench.close()
