"""A device on a serial line: a pseudo terminal in the place of the cable, the test at its far end."""

import fcntl
import os
import select
import struct
import termios
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel

from contracts.loop import PATIENCE_S, Loop
from hal.clock import LoopClock
from hal.events import FaultEvent, KeyEvent, ReaderEvent
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


class Wiring(BaseModel):
    """The part of a keyboard section that a backend is given."""

    codes: dict[str, str] = {}


class SerialBench(Loop):
    """A device at the near end of a wire, opened as the table opens it.

    Args:
        clock: a virtual one, where the test says how much time passes. With the loop's own, if there is none, a
            line ends just before anybody listens, so the next one is whole.
    """

    kind: str
    codes: dict[str, str] = {}

    def __init__(self, port: Path, clock: VirtualClock | None, **options: object) -> None:
        super().__init__()
        self.wire = Wire(port)
        self.events: list[Any] = []
        self._clock = clock
        sent = {"port": str(port), "silence_ms": "5000", "retry_s": "0.01", **options}
        wiring = Wiring(codes=self.codes)
        self.device: Any = self.run(lambda: open_device(self.kind, "serial", wiring, sent, clock or LoopClock()))
        if clock is None and sent.get("line_end") != "none":
            end = spelled(str(sent.get("line_end", r"\r\n"))).encode()
            self.wire.send(end)
            self.until(lambda: self.wire.arrived == len(end))

    def start(self) -> Self:
        self.run(lambda: self.device.start(self.events.append))
        return self

    def reads(self, data: bytes) -> None:
        """Send something, and wait until the backend has read it."""
        self.wire.send(data)
        self.wire.arrives()
        self.until(lambda: self.wire.arrived == 0)

    def later(self, after_ms: int) -> None:
        """Let virtual time pass."""
        assert self._clock is not None
        self.run(lambda: self._clock.advance_to(self._clock.now_ns() + after_ms * 1_000_000))

    def receives(self, *sent: bytes, events: int) -> list[Any]:
        """Send what the device sends; returns all events so far, abbreviated, once there are so many."""
        for data in sent:
            self.wire.send(data)
        self.until(lambda: len(self.events) >= events)
        return self.heard()

    def heard(self) -> list[Any]:
        return [self._short(event) for event in self.events]

    def _short(self, event: Any) -> object:
        raise NotImplementedError

    def close(self) -> None:
        self.run(self.device.close)
        self.wire.cut()
        super().close()


class ReaderBench(SerialBench):
    kind = "reader"
    line_of: Callable[[str], str] = str
    """The line that the reader sends for a pocket."""

    def see(self, pocket: str) -> None:
        self.wire.send(self.line_of(pocket).encode() + b"\r\n")

    def _short(self, event: ReaderEvent) -> tuple[str, str]:
        return event.pocket, event.fault


class KeysBench(SerialBench):
    kind = "keys"

    def __init__(
        self,
        port: Path,
        clock: VirtualClock | None,
        codes: dict[str, str] = CODES,
        end: bytes = b"\r\n",
        **options: object,
    ) -> None:
        self.codes, self._end = codes, end
        super().__init__(port, clock, **options)

    def press(self, control: str) -> None:
        self.wire.send(spelled(self.codes[control]).encode() + self._end)

    def release(self, control: str) -> None:
        """Such a keypad does not send it."""

    def _short(self, event: KeyEvent | FaultEvent) -> str:
        if isinstance(event, FaultEvent):
            return f"fault: {event.detail}" if event.detail else "in order"
        return f"{event.control} {'held' if event.held else 'down' if event.pressed else 'up'}"


class Benches:
    """Makes benches at one port, not started, and closes them."""

    def __init__(self, port: Path) -> None:
        self._port = port
        self._made = ExitStack()
        self.close = self._made.close

    def reader(self, clock: VirtualClock | None = None, **options: object) -> ReaderBench:
        return self._made.enter_context(closing(ReaderBench(self._port, clock, **options)))

    def keys(self, clock: VirtualClock | None = None, **options: Any) -> KeysBench:
        return self._made.enter_context(closing(KeysBench(self._port, clock, **options)))
