"""Keypads with a kernel driver: which one is opened, why one cannot be, and its options in the table's file."""

import asyncio
import errno
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from contracts.keypad import CODES, PATH, FakeDevice, Keypad, opener_of
from pydantic import BaseModel, ValidationError

from hal.errors import HalError, LibraryMissingError
from hal.evdev.device import Opener, controls_by_number
from hal.evdev.settings import EvdevSettings
from hal.mock.clock import VirtualClock
from hal.registry import open_device


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    """The kernel's list of input devices, with a keypad that is two of them."""
    for number, name in ((0, "gpio-keys"), (3, "ACME Keypad"), (10, "ACME Keypad System Control")):
        folder = tmp_path / f"event{number}" / "device"
        folder.mkdir(parents=True)
        (folder / "name").write_text(name + "\n", encoding="utf-8")
    (tmp_path / "event11").mkdir()  # Just unplugged.
    return tmp_path


def refusal(opener: Opener) -> str:
    with pytest.raises(HalError) as failure:
        opener()
    return str(failure.value)


def test_a_device_is_found_by_its_name(sysfs: Path) -> None:
    keypad, opened = Keypad(), list[str]()

    def input_device(path: str) -> FakeDevice:
        opened.append(path)
        return FakeDevice(keypad)

    library = SimpleNamespace(ecodes=keypad.ecodes, InputDevice=input_device)
    device = opener_of(library, path="", name="ACME Keypad", sysfs=sysfs)()
    assert opened == ["/dev/input/event3"]
    device.close()


@pytest.mark.parametrize("changes", [{"path": "/dev/input/event9"}, {"path": "", "name": "ACME"}])
def test_a_device_that_is_not_there(changes: dict[str, object], sysfs: Path) -> None:
    keypad = Keypad()
    keypad.refuses = errno.ENOENT
    message = refusal(opener_of(keypad, sysfs=sysfs, **changes))
    shown = (changes.get("name") and "'ACME'") or "/dev/input/event9"
    assert message.startswith(f"there is no input device {shown}; there are: /dev/input/event0 'gpio-keys', ")
    assert message.endswith("plug it in, or correct the options")
    assert "; there is none at all; " in refusal(opener_of(keypad, sysfs=sysfs / "nowhere", **changes))


def test_a_device_that_another_process_holds() -> None:
    keypad = Keypad()
    keypad.held_elsewhere = True
    message = refusal(opener_of(keypad))
    assert message.startswith(f"the input device {PATH} is held by another process; ")
    assert message.endswith("or set `grab: false`")


# -- codes and options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "which device is it?; write either `device` or `name`"),
        ({"device": PATH, "name": "x"}, "write either `device` or `name`"),
        ({"path": PATH}, "Extra inputs are not permitted"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError) as failure:
        EvdevSettings.model_validate(options)
    assert words in str(failure.value)


class Wiring(BaseModel):
    """The part of a keyboard section that a backend is given."""

    codes: dict[str, str] = CODES


def test_without_the_library_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "evdev", None)
    monkeypatch.delitem(sys.modules, "hal.evdev.keys", raising=False)
    message = "^backend 'evdev' needs evdev: pip install 'table-controller\\[pi\\]'$"
    with pytest.raises(LibraryMissingError, match=message):
        open_device("keys", "evdev", Wiring(), {"device": PATH}, VirtualClock())


def test_the_library_knows_the_keys_and_says_what_is_not_there() -> None:
    library = pytest.importorskip("evdev")
    assert controls_by_number(library, CODES) == {79: "1", 80: "2", 96: "enter", 83: "no-more-bets"}
    with pytest.raises(HalError, match="the input device /dev/null cannot"):
        open_device("keys", "evdev", Wiring(), {"device": "/dev/null"}, VirtualClock())
    clock, missing = VirtualClock(), "/dev/input/no-such-device"
    device = open_device("keys", "evdev", Wiring(), {"device": missing}, clock)
    events: list[object] = []

    async def started() -> None:
        device.start(events.append)
        clock.advance_to(clock.now_ns() + 1)
        device.close()

    asyncio.run(started())
    assert [str(event).partition(";")[0] for event in events] == [
        f"FaultEvent(detail='there is no input device {missing}"
    ]
