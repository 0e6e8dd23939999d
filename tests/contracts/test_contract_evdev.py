"""Keypads with a kernel driver: their keys, unplugging, and why one cannot be opened.

A pipe takes the place of the kernel, with the events as it writes them.
"""

import errno
import os
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.devices import KeysContract
from contracts.loop import Loop
from hal.clock import LoopClock
from hal.errors import HalError
from hal.evdev import EV_KEY, EV_SYN, SYN_DROPPED, SYN_REPORT, EvdevKeys, EvdevSettings, Translator
from hal.events import FaultEvent, KeyEvent
from hal.mock.clock import VirtualClock
from hal.registry import open_device

NAMES = {"KEY_KP1": 79, "KEY_KP2": 80, "KEY_KP3": 81, "KEY_KPENTER": 96, "KEY_KPDOT": 83, "EV_MSC": 4}
CODES = {"1": "KEY_KP1", "2": "KEY_KP2", "enter": "KEY_KPENTER", "no-more-bets": "KEY_KPDOT"}
NUMBERS = {control: NAMES[name] for control, name in CODES.items()} | {"3": 81, "numlock": 69}
EV_MSC = 4
PATH = "/dev/input/event3"
_EVENT = struct.Struct("llHHi")  # struct input_event of linux/input.h


class Event(NamedTuple):
    """As evdev's InputEvent."""

    sec: int
    usec: int
    type: int
    code: int
    value: int


class Keypad:
    """A keypad, its plug and its driver: what is used of evdev and its InputDevice, over a pipe."""

    def __init__(self) -> None:
        self.ecodes = SimpleNamespace(ecodes=NAMES)
        self.keys = sorted(NAMES.values())
        self.down: set[int] = set()
        self.refuses = 0
        self.held_elsewhere = self.grabbed = False
        self.near, self.far = -1, -1

    # -- as evdev ----------------------------------------------------------------------------------------------

    def InputDevice(self, path: str) -> Self:  # noqa: N802
        if self.refuses:
            raise OSError(self.refuses, os.strerror(self.refuses), path)
        self.near, self.far = os.pipe2(os.O_NONBLOCK)
        return self

    def fileno(self) -> int:
        return self.near

    def read(self) -> Iterator[Event]:
        data = os.read(self.near, 64 * _EVENT.size)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        yield from map(Event._make, _EVENT.iter_unpack(data))

    def active_keys(self) -> list[int]:
        if self.far < 0:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return sorted(self.down)

    def capabilities(self) -> dict[int, list[int]]:
        return {EV_SYN: [], EV_KEY: self.keys}

    def grab(self) -> None:
        if self.held_elsewhere:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.grabbed = True

    def close(self) -> None:
        os.close(self.near)
        self._cut()

    # -- hands -------------------------------------------------------------------------------------------------

    def unplug(self) -> None:
        """The kernel forgets the device, and what was not read of it."""
        self._cut()
        self.refuses = errno.ENOENT
        self.down.clear()

    def plug_in(self) -> None:
        self.refuses = 0

    def moves(self, number: int, value: int) -> None:
        """A key goes down or comes up without an event."""
        (self.down.add if value else self.down.discard)(number)

    def key(self, number: int, value: int) -> None:
        """A key goes down (1), repeats (2) or comes up (0)."""
        self.moves(number, value)
        self.write((EV_MSC, 4, 0x70059), (EV_KEY, number, value), (EV_SYN, SYN_REPORT, 0))

    def write(self, *events: tuple[int, int, int]) -> None:
        """Events of one moment."""
        now_us = time.monotonic_ns() // 1000
        if self.far >= 0:
            data = b"".join(_EVENT.pack(now_us // 10**6, now_us % 10**6, *event) for event in events)
            os.write(self.far, data)

    def _cut(self) -> None:
        if self.far >= 0:
            os.close(self.far)
        self.far, self.grabbed = -1, False


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
        plugged: whether the keypad is there at first.
    """

    def __init__(self, clock: VirtualClock | None = None, plugged: bool = True) -> None:
        super().__init__()
        self.keypad = Keypad()
        if not plugged:
            self.keypad.unplug()
        settings = EvdevSettings(device=PATH, retry_s=0.01)
        self.device: EvdevKeys = self.run(lambda: EvdevKeys(self.keypad, CODES, settings, clock or LoopClock()))
        self.events: list[KeyEvent | FaultEvent] = []

    def press(self, control: str) -> None:
        self.keypad.key(NUMBERS[control], 1)

    def release(self, control: str) -> None:
        self.keypad.key(NUMBERS[control], 0)

    def start(self) -> None:
        self.run(lambda: self.device.start(self.events.append))

    def plays(self, steps: str) -> None:
        """``1+``, ``1-`` and ``1*`` are moves of a key: down, up, repeated. With ``?``, the kernel loses the event.
        ``.``: the table reads."""
        for step in steps.split():
            faults = sum(isinstance(event, FaultEvent) for event in self.events)
            if step == "start":
                self.start()
            elif step == ".":
                for _ in range(3):
                    self.run(lambda: None)
            elif step == "loses":
                self.keypad.write((EV_SYN, SYN_DROPPED, 0))
            elif step == "lost":
                self.keypad.write((EV_KEY, 83, 1), (EV_SYN, SYN_REPORT, 0))
            elif step in ("out", "in"):
                (self.keypad.unplug if step == "out" else self.keypad.plug_in)()
                self.until(lambda so_far=faults: sum(isinstance(one, FaultEvent) for one in self.events) > so_far)
            else:
                move = self.keypad.moves if step[0] == "?" else self.keypad.key
                move(NUMBERS[step.strip("?+-*")], "-+*".index(step[-1]))

    def heard(self, events: int) -> str:
        """The events so far, abbreviated, once there are so many."""
        self.until(lambda: len(self.events) >= events)
        return ", ".join(map(self._short, self.events))

    def _short(self, event: KeyEvent | FaultEvent) -> str:
        if isinstance(event, FaultEvent):
            return event.detail or "in order"
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


class TestEvdevKeys(KeysContract):
    """Of the keypad with :data:`CODES`."""


# -- keys and plug ---------------------------------------------------------------------------------------------

GONE = f"the input device {PATH} is gone (No such device); check its cable and plug; it is reopened automatically"


@pytest.mark.parametrize(
    ("steps", "heard"),
    [
        ("start numlock+ numlock- 1+ 1* 1* 3+ 2+ 1-", "1 down, 2 down, 1 up"),
        # Before the start. A key that is down then is held, which is no press.
        ("1+ 1- 2+ start 2- 2+", "2 held, 2 up, 2 down"),
        # Key 2 was down all the while that events were lost: nobody pressed it twice.
        (
            "start 1+ 2+ ?1- ?enter+ loses lost . 2- enter- 2+",
            "1 down, 2 down, 1 up, 2 up, enter down, enter up, 2 down",
        ),
        ("start 1+ out in 2+ out in 1+", f"1 down, 1 up, {GONE}, in order, 2 down, 2 up, {GONE}, in order, 1 down"),
        ("start 1+ . loses out in 1+ 1-", f"1 down, 1 up, {GONE}, in order, 1 down, 1 up"),
        ("start 1+ . loses lost out in 1+ 1-", f"1 down, 1 up, {GONE}, in order, 1 down, 1 up"),
    ],
)
def test_what_is_delivered(bench: EvdevBench, steps: str, heard: str) -> None:
    bench.plays(steps)
    assert bench.heard(len(heard.split(", "))) == heard
    stamps = [event.timestamp_ns for event in bench.events]
    assert stamps == sorted(stamps)
    assert bench.keypad.grabbed


def test_stamps_are_the_kernel_s_and_not_those_of_the_read(bench: EvdevBench) -> None:
    bench.start()
    before_ns = time.monotonic_ns() // 1000 * 1000
    bench.press("1")
    after_ns = time.monotonic_ns()
    bench.until(lambda: time.monotonic_ns() > after_ns + 1_000)
    bench.heard(1)
    assert before_ns <= bench.events[0].timestamp_ns <= after_ns


def test_an_event_handler_may_close_the_device(bench: EvdevBench) -> None:
    def once(event: KeyEvent | FaultEvent) -> None:
        bench.events.append(event)
        bench.device.close()

    bench.run(lambda: bench.device.start(once))
    bench.keypad.write((EV_KEY, 79, 1), (EV_KEY, 79, 0), (EV_SYN, SYN_REPORT, 0))
    assert bench.heard(1) == "1 down"


@given(st.lists(st.tuples(st.sampled_from([79, 80, 69, -1]), st.integers(0, 2)), max_size=60))
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


def test_a_keypad_that_is_not_there_at_the_start_is_reported_and_opened_once_it_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The table runs without it: a restart would not bring it back. Each outage is logged once."""
    clock = VirtualClock()
    with closing(EvdevBench(clock, plugged=False)) as bench:
        bench.start()
        assert bench.events == []
        bench.run(lambda: clock.advance_to(10**10))
        fault = bench.heard(1)
        assert fault.startswith(f"there is no input device {PATH}; there are: /dev/input/event0 'gpio-keys', ")
        assert fault.endswith("plug it in, or correct the options")
        bench.keypad.plug_in()
        bench.run(lambda: clock.advance_to(11 * 10**9))
        bench.plays("2+ out")
        assert bench.heard(5) == f"{fault}, in order, 2 down, 2 up, {GONE}"
        caplog.clear()
        bench.run(lambda: clock.advance_to(21 * 10**9))
        assert [message.partition(";")[0] for message in caplog.messages] == [f"there is no input device {PATH}"]


# -- opening ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "codes", "words"),
    [
        ({"held_elsewhere": True}, CODES, f"another process holds the input device {PATH}; find it with: "),
        ({"refuses": errno.EAGAIN}, CODES, f"another process holds the input device {PATH}; find it with: "),
        ({"refuses": errno.EACCES}, CODES, "no permission for the input device .* sudo usermod -aG input"),
        ({"refuses": errno.EPERM}, CODES, "no permission for the input device .* sudo usermod -aG input"),
        ({"refuses": errno.EIO}, CODES, "cannot be used .*; there are: /dev/input/event0"),
        ({"keys": [79, 80, 96]}, CODES, "has no key KEY_KPDOT; correct `codes`, or use another: there are"),
        ({}, {"enter": "KEY_KPENTR"}, "'KEY_KPENTR', the code of 'enter'; the nearest are: KEY_KPENT"),
    ],
)
def test_why_a_device_cannot_be_used(change: dict[str, object], codes: dict[str, str], words: str) -> None:
    keypad = Keypad()
    vars(keypad).update(change)
    with pytest.raises(HalError, match=words):
        EvdevKeys(keypad, codes, EvdevSettings(device=PATH), VirtualClock())


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
