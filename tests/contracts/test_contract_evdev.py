"""Keypads with a kernel driver: their keys, unplugging, and why one cannot be opened.

A pipe takes the place of the kernel, with the events as it writes them.
"""

import errno
import os
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.devices import KeysContract
from contracts.loop import Loop
from hal.clock import LoopClock
from hal.errors import HalError, LibraryMissingError
from hal.evdev import EV_KEY, EV_SYN, SYN_DROPPED, SYN_REPORT, EvdevKeys, EvdevSettings, Translator, key_numbers
from hal.events import FaultEvent, KeyEvent
from hal.mock.clock import VirtualClock
from hal.registry import open_device

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


@pytest.fixture(autouse=True)
def sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernel's list of input devices. A pipe has no clock to choose."""
    for number, name in ((0, "gpio-keys"), (3, "ACME Keypad")):
        folder = tmp_path / f"event{number}" / "device"
        folder.mkdir(parents=True)
        (folder / "name").write_text(name + "\n", encoding="utf-8")
    (tmp_path / "event11").mkdir()  # Just unplugged.
    monkeypatch.setattr("hal.evdev.SYSFS", tmp_path)
    monkeypatch.setattr("hal.evdev.fcntl", SimpleNamespace(ioctl=lambda *_call: None))
    return tmp_path


class EvdevBench(Loop):
    """Keys for :data:`CODES` on a keypad.

    Args:
        clock: a virtual one, where the test says how much time passes; the loop's own if there is none.
    """

    def __init__(self, clock: VirtualClock | None = None) -> None:
        super().__init__()
        self.keypad = Keypad()
        self.clock = clock
        self.device: EvdevKeys = self.run(self._open)
        self.events: list[KeyEvent | FaultEvent] = []

    def _open(self) -> EvdevKeys:
        settings = EvdevSettings(device=PATH, retry_s=0.01)
        return EvdevKeys(self.keypad, CODES, settings, self.clock or LoopClock())

    def later(self, after_s: int) -> None:
        """Let virtual time pass."""
        assert self.clock is not None
        self.run(lambda: self.clock.advance_to(self.clock.now_ns() + after_s * 1_000_000_000))

    def press(self, control: str) -> None:
        self.keypad.key(NAMES[CODES[control]], 1)

    def release(self, control: str) -> None:
        self.keypad.key(NAMES[CODES[control]], 0)

    def start(self) -> "EvdevBench":
        self.run(lambda: self.device.start(self.events.append))
        return self

    def event_texts(self, events: int) -> list[str]:
        """The events so far, abbreviated, once there are so many."""
        self.until(lambda: len(self.events) >= events)
        return [self._short(event) for event in self.events]

    def _short(self, event: KeyEvent | FaultEvent) -> str:
        if isinstance(event, FaultEvent):
            return f"fault: {event.detail}" if event.detail else "in order"
        down = "held" if event.held else "down"
        return f"{event.control} {down if event.pressed else 'up'}"

    def close(self) -> None:
        self.run(self.device.close)
        self.keypad.unplug()
        super().close()


@pytest.fixture
def bench() -> Iterator[EvdevBench]:
    with closing(EvdevBench()) as made:
        yield made


@pytest.fixture
def timed() -> Iterator[EvdevBench]:
    with closing(EvdevBench(VirtualClock())) as made:
        yield made


class TestEvdevKeys(KeysContract):
    """Of the keypad with :data:`CODES`."""


# -- keys ------------------------------------------------------------------------------------------------------


def test_stamps_are_the_kernel_s_and_not_those_of_the_read(bench: EvdevBench) -> None:
    bench.start()
    before_ns = time.monotonic_ns() // 1000 * 1000
    bench.press("1")
    after_ns = time.monotonic_ns()
    bench.until(lambda: time.monotonic_ns() > after_ns + 1_000)
    bench.event_texts(1)
    assert before_ns <= bench.events[0].timestamp_ns <= after_ns


def test_repeats_and_keys_without_a_control_are_no_events(bench: EvdevBench) -> None:
    bench.start()
    for number, value in ((NUMLOCK, 1), (NUMLOCK, 0), (79, 1), (79, 2), (79, 2), (NAMES["KEY_KP3"], 1)):
        bench.keypad.key(number, value)
    bench.press("2")
    bench.release("1")
    assert bench.event_texts(3) == ["1 down", "2 down", "1 up"]


def test_events_before_the_device_is_started_are_not_delivered(bench: EvdevBench) -> None:
    """A key that is down at the start is delivered as held, which is no press."""
    bench.press("1")
    bench.release("1")
    bench.press("2")
    bench.start()
    bench.release("2")
    bench.press("2")
    assert bench.event_texts(3) == ["2 held", "2 up", "2 down"]


def test_after_an_overflow_all_keys_come_up_and_those_that_were_pressed_meanwhile_go_down(
    bench: EvdevBench,
) -> None:
    bench.start()
    bench.press("1")
    bench.press("2")
    bench.event_texts(2)
    bench.keypad.moves(79, 0)  # Key 1 comes up, enter goes down, and the kernel loses both.
    bench.keypad.moves(96, 1)
    bench.keypad.write((EV_SYN, SYN_DROPPED, 0), (EV_KEY, 83, 1), (EV_SYN, SYN_REPORT, 0))
    assert bench.event_texts(5)[2:] == ["1 up", "2 up", "enter down"]
    bench.release("2")  # It was down all the while: nobody pressed it twice.
    bench.release("enter")
    bench.press("2")
    assert bench.event_texts(7)[5:] == ["enter up", "2 down"]
    stamps = [event.timestamp_ns for event in bench.events]
    assert stamps == sorted(stamps)


def test_an_event_handler_may_close_the_device(bench: EvdevBench) -> None:
    def once(event: KeyEvent | FaultEvent) -> None:
        bench.events.append(event)
        bench.device.close()

    bench.run(lambda: bench.device.start(once))
    bench.keypad.write((EV_KEY, 79, 1), (EV_KEY, 79, 0), (EV_SYN, SYN_REPORT, 0))
    assert bench.event_texts(1) == ["1 down"]


@given(st.lists(st.tuples(st.sampled_from([79, 80, NUMLOCK, -1]), st.integers(0, 2)), max_size=60))
def test_presses_and_releases_alternate_whatever_events_the_kernel_loses(events: list[tuple[int, int]]) -> None:
    """-1 is an overflow, in which the key's moves are lost; at the end, the state of all keys is right."""
    translator, down, delivered, losing = Translator({79: "1", 80: "2"}), set[int](), list[KeyEvent](), False
    for at, (key, value) in enumerate([*events, (-1, 2), (-1, 0)], 1):
        losing = value > 0 if key == -1 else losing
        moved = key if key != -1 else 79 + value % 2
        (down.add if value else down.discard)(moved)
        kernel = [(EV_KEY, key, value)] if key != -1 else [(EV_SYN, SYN_DROPPED if losing else SYN_REPORT, 0)]
        for kind, code, worth in [*kernel, *([] if losing else [(EV_SYN, SYN_REPORT, 0)])]:
            delivered += translator.take(Event(at, 0, kind, code, worth), lambda: down)
    for control, key in (("1", 79), ("2", 80)):
        mine = [event.pressed for event in delivered if event.control == control]
        assert mine == [number % 2 == 0 for number in range(len(mine))]
        assert not (mine and mine[-1]) or key in down


# -- the plug --------------------------------------------------------------------------------------------------


def test_an_unplugged_keypad_is_reported_once_and_reopened_when_it_returns(bench: EvdevBench) -> None:
    bench.start()
    for number in range(3):
        before = 4 * number
        bench.press("1")
        bench.event_texts(before + 1)
        bench.keypad.unplug()
        texts = bench.event_texts(before + 3)[before:]
        assert texts[:2] == ["1 down", "1 up"]
        assert texts[2].startswith(f"fault: the input device {PATH} is gone (No such device); check its cable")
        bench.keypad.plug_in()
        assert bench.event_texts(before + 4)[-1] == "in order"
    bench.press("2")
    assert bench.event_texts(13)[-1] == "2 down"
    assert bench.keypad.grabbed


@pytest.mark.parametrize(
    "so_far", [[(EV_SYN, SYN_DROPPED, 0)], [(EV_SYN, SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0)]]
)
def test_a_keypad_that_is_unplugged_in_an_overflow(bench: EvdevBench, so_far: list[tuple[int, int, int]]) -> None:
    bench.start()
    bench.press("1")
    bench.event_texts(1)
    bench.keypad.write(*so_far)
    bench.keypad.unplug()
    assert bench.event_texts(3)[1] == "1 up"
    bench.keypad.plug_in()
    assert bench.event_texts(4)[-1] == "in order"
    bench.press("1")
    bench.release("1")
    assert bench.event_texts(6)[4:] == ["1 down", "1 up"]


def test_a_keypad_that_is_not_there_at_the_start_is_reported_and_opened_once_it_is(
    timed: EvdevBench, caplog: pytest.LogCaptureFixture
) -> None:
    """The table runs without it: a restart would not bring it back."""
    timed.run(timed.device.close)
    timed.keypad.unplug()
    timed.device = timed.run(timed._open)
    timed.start()
    assert timed.events == []
    timed.later(10)
    (fault,) = timed.event_texts(1)
    assert fault.startswith(f"fault: there is no input device {PATH}; there are: /dev/input/event0 'gpio-keys', ")
    assert fault.endswith("plug it in, or correct the options")
    timed.keypad.plug_in()
    timed.later(1)
    assert timed.event_texts(2)[-1] == "in order"
    timed.press("2")
    assert timed.event_texts(3)[-1] == "2 down"
    timed.keypad.unplug()
    timed.event_texts(5)
    caplog.clear()
    timed.later(10)
    (logged,) = caplog.messages
    assert "there is no input device" in logged


# -- opening ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"held_elsewhere": True}, f"another process holds the input device {PATH}; find it with: sudo fuser"),
        ({"refuses": errno.EACCES}, "no permission for the input device .* sudo usermod -aG input"),
        ({"refuses": errno.EIO}, "cannot be used .*; there are: /dev/input/event0"),
        ({"keys": [79, 80, 96]}, "has no key KEY_KPDOT; correct `codes`, or use another: there are"),
    ],
)
def test_why_a_device_cannot_be_used(change: dict[str, object], words: str) -> None:
    keypad = Keypad()
    vars(keypad).update(change)
    with pytest.raises(HalError, match=words):
        EvdevKeys(keypad, CODES, EvdevSettings(device=PATH), VirtualClock())


def test_where_there_is_no_input_device_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hal.evdev.SYSFS", Path("/nowhere"))
    keypad = Keypad()
    keypad.refuses = errno.EIO
    with pytest.raises(HalError, match="; there is none at all; "):
        EvdevKeys(keypad, CODES, EvdevSettings(device=PATH), VirtualClock())


@pytest.mark.parametrize(
    ("wiring", "words"),
    [
        ({"pins": {}}, "evdev finds keys by their names; write `codes`, in a section `keyboard`"),
        ({"codes": {"1": "KP1"}}, "'KP1' is no key's name; names look like KEY_KP1 or KEY_ENTER"),
        ({"codes": {"1": "KEY_KP1", "2": "KEY_KP1"}}, "'1' is on the key KEY_KP1, too"),
    ],
)
def test_keys_that_cannot_be_found(wiring: dict[str, object], words: str) -> None:
    with pytest.raises(HalError, match=words):
        open_device("keys", "evdev", SimpleNamespace(**wiring), {"device": PATH}, VirtualClock())


def test_a_key_that_the_kernel_does_not_know_is_named_with_the_nearest() -> None:
    with pytest.raises(
        HalError, match="no key is named 'KEY_KPENTR', the code of 'enter'; the nearest are: KEY_KPENT"
    ):
        key_numbers(NAMES, {"enter": "KEY_KPENTR"})


def test_without_the_library_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    message = "^backend 'evdev' needs evdev: pip install 'table-controller\\[pi\\]'$"
    with pytest.raises(LibraryMissingError, match=message):
        open_device("keys", "evdev", SimpleNamespace(codes=CODES), {"device": PATH}, VirtualClock())
