"""A keypad with a kernel driver: a pipe in place of the kernel, with the events as it writes them."""

import errno
import os
import struct
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import NamedTuple

from hal.evdev.device import Library, Opener
from hal.evdev.translate import EV_KEY, EV_SYN, SYN_REPORT

NAMES = {
    "KEY_ENTER": 28,
    "KEY_KP1": 79,
    "KEY_KP2": 80,
    "KEY_KP3": 81,
    "KEY_KPENTER": 96,
    "KEY_KPDOT": 83,
    "EV_MSC": 4,
}
CODES = {"1": "KEY_KP1", "2": "KEY_KP2", "enter": "KEY_KPENTER", "no-more-bets": "KEY_KPDOT"}
NUMLOCK, EV_MSC = 69, 4
PATH = "/dev/input/event3"
_EVENT = struct.Struct("llHHi")  # struct input_event of linux/input.h


class Event(NamedTuple):
    """As evdev's InputEvent."""

    sec: int
    usec: int
    type: int
    code: int
    value: int


class FakeDevice:
    """One opening of a keypad: what is used of evdev's InputDevice, over a pipe."""

    def __init__(self, keypad: "Keypad") -> None:
        self.keypad = keypad
        self.near, self.far = os.pipe2(os.O_NONBLOCK)

    def fileno(self) -> int:
        return self.near

    def read(self) -> Iterator[Event]:
        data = os.read(self.near, 64 * _EVENT.size)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        yield from map(Event._make, _EVENT.iter_unpack(data))

    def active_keys(self) -> list[int]:
        if self.keypad.opening is not self:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return sorted(self.keypad.down)

    def capabilities(self) -> dict[int, list[int]]:
        return {EV_SYN: [], EV_KEY: self.keypad.keys}

    def grab(self) -> None:
        if self.keypad.held_elsewhere:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.keypad.grabbed = True

    def close(self) -> None:
        os.close(self.near)
        self.unplug()

    def unplug(self) -> None:
        """No more events arrive."""
        if self.keypad.opening is self:
            os.close(self.far)
            self.keypad.opening, self.keypad.grabbed = None, False


class Keypad:
    """A keypad, its plug and its driver. It is also the evdev library, as far as that is used."""

    def __init__(self) -> None:
        self.ecodes = SimpleNamespace(ecodes=NAMES)
        self.keys = sorted(NAMES.values())
        self.down: set[int] = set()
        self.opening: FakeDevice | None = None
        self.refuses: int = 0
        self.held_elsewhere = self.grabbed = False

    def InputDevice(self, path: str) -> FakeDevice:  # noqa: N802
        if self.refuses:
            raise OSError(self.refuses, os.strerror(self.refuses), path)
        self.opening = FakeDevice(self)
        return self.opening

    def unplug(self) -> None:
        """The kernel forgets the device, and what was not read of it."""
        if self.opening is not None:
            self.opening.unplug()
        self.refuses = errno.ENOENT
        self.down.clear()

    def plug_in(self) -> None:
        self.refuses = 0

    def key(self, number: int, value: int) -> None:
        """A key goes down (1), repeats (2) or comes up (0)."""
        self.moves(number, value)
        self.write((EV_MSC, 4, 0x70059), (EV_KEY, number, value), (EV_SYN, SYN_REPORT, 0))

    def moves(self, number: int, value: int) -> None:
        """A key goes down or comes up without an event."""
        (self.down.add if value else self.down.discard)(number)

    def write(self, *events: tuple[int, int, int]) -> None:
        """Events of one moment."""
        now_us = time.monotonic_ns() // 1000
        if self.opening is not None:
            data = b"".join(_EVENT.pack(now_us // 10**6, now_us % 10**6, *event) for event in events)
            os.write(self.opening.far, data)


def opener_of(library: Library, **changes: object) -> Opener:
    usual: dict[str, object] = {
        "path": PATH,
        "name": "",
        "grab": True,
        "needed": {},
        "prepare": lambda device: None,
    }
    return Opener(library, **{**usual, **changes})  # type: ignore[arg-type]
