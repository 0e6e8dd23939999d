"""Keypads with a Linux input driver, such as USB numeric keypads. Backend ``evdev``.

.. code-block:: yaml

    keyboard:
      backend: evdev
      options:
        device: /dev/input/by-id/usb-SIGMACHIP_USB_Keyboard-event-kbd
      codes:
        {0: KEY_KP0, 1: KEY_KP1, 2: KEY_KP2, 3: KEY_KP3, 4: KEY_KP4, 5: KEY_KP5, 6: KEY_KP6, 7: KEY_KP7,
        8: KEY_KP8, 9: KEY_KP9, enter: KEY_KPENTER, log-on: KEY_KPDOT}

``codes`` name the key of each control as the kernel does (https://docs.kernel.org/input/event-codes.html); the
command ``evtest`` shows the devices and the names of the keys that are pressed. Events carry the kernel's time
stamps. A key that is down when the table starts is held, and keys without a control are ignored. If the device is
unplugged, its keys are released, and it is reopened once it is back.

Library: https://python-evdev.readthedocs.io
"""

import fcntl
import struct
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hal.errors import HalError, why_not
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, DeliverKey, KeySource
from hal.plug import Plug
from hal.registry import Driver, Misfits

SYSFS = Path("/sys/class/input")
EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
_UP, _DOWN = 0, 1  # A repeat is 2.
_EVIOCSCLOCKID = 0x4004_45A0  # _IOW('E', 0xa0, int) of linux/input.h


class EvdevSettings(BaseModel):
    """The ``options`` of a keypad with a kernel driver."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    device: str = Field(
        pattern="^/",
        max_length=200,
        description="device file, best one of /dev/input/by-id/ or by-path/, which stays when plugs are changed",
    )
    grab: bool = Field(
        True, description="true if nobody else hears the keys; otherwise the digits reach a console too"
    )
    retry_s: float = Field(2.0, gt=0, le=60, description="how often a device that was unplugged is tried again")


def _misfits(wiring: Any, settings: EvdevSettings) -> Misfits:
    if not hasattr(wiring, "codes"):
        yield ("backend",), "evdev finds keys by their names", "write `codes`, in a section `keyboard`"
        return
    names: dict[str, str] = {}
    for control, name in wiring.codes.items():
        if not name.startswith(("KEY_", "BTN_")):
            yield ("codes", control), f"'{name}' is no key's name", "names look like KEY_KP1 or KEY_ENTER"
        elif name in names:
            yield ("codes", control), f"'{names[name]}' is on the key {name}, too", "correct `codes`"
        names.setdefault(name, control)


def _open_keys(wiring: Any, settings: EvdevSettings, clock: Clock) -> KeySource:
    import evdev

    return EvdevKeys(evdev, wiring.codes, settings, clock)


def key_numbers(known: Mapping[str, int], codes: Mapping[str, str]) -> dict[int, str]:
    """The control of each key, by the key's number.

    Args:
        known: the number of each name.
        codes: the key's name of each control.

    Raises:
        HalError: no key has such a name.
    """
    for control, name in codes.items():
        if name not in known:
            keys = [key for key in known if key.startswith(("KEY_", "BTN_"))]
            near = ", ".join(get_close_matches(name.upper(), keys, 3, cutoff=0.5)) or "none"
            raise HalError(f"no key is named '{name}', the code of '{control}'; the nearest are: {near}")
    return {known[name]: control for control, name in codes.items()}


class Translator:
    """Tracks which keys are down, from the kernel's events.

    Args:
        controls: the control of each key, by the key's number. Other keys are ignored.
    """

    def __init__(self, controls: Mapping[int, str]) -> None:
        self._controls = controls
        self._down: dict[str, None] = {}
        """The controls that were delivered as down, in that order."""
        self._overflowed = False

    def take(self, event: Any, keys_down: Callable[[], Collection[int]]) -> list[KeyEvent]:
        """The key changes that an event, as evdev gives it, causes.

        Args:
            keys_down: queries the kernel for the keys that are down now. It is called after events were lost.
        """
        at_ns = event.sec * 1_000_000_000 + event.usec * 1000
        if event.type == EV_SYN and event.code == SYN_DROPPED:
            self._overflowed = True
        elif self._overflowed:  # A partial packet: to be discarded up to its end (kernel documentation).
            if event.type == EV_SYN and event.code == SYN_REPORT:
                self._overflowed = False
                return self._anew(set(keys_down()), at_ns)
        elif event.type == EV_KEY and event.code in self._controls and event.value in (_UP, _DOWN):
            return self._key(self._controls[event.code], event.value == _DOWN, at_ns)
        return []

    def held(self, codes: Collection[int], at_ns: int) -> list[KeyEvent]:
        """Keys that are down as listening begins: no presses, but their releases are to come."""
        down = [control for code, control in self._controls.items() if code in codes]
        self._down |= dict.fromkeys(down)
        return [KeyEvent(control, True, at_ns, held=True) for control in down]

    def release_all(self, at_ns: int) -> list[KeyEvent]:
        """Release all keys: the device is gone."""
        released = [KeyEvent(control, False, at_ns) for control in self._down]
        self._down.clear()
        self._overflowed = False
        return released

    def _key(self, control: str, down: bool, at_ns: int) -> list[KeyEvent]:
        if down == (control in self._down):
            return []
        if down:
            self._down[control] = None
        else:
            del self._down[control]
        return [KeyEvent(control, down, at_ns)]

    def _anew(self, down: Collection[int], at_ns: int) -> list[KeyEvent]:
        """Events were lost. Keys that are down and were not before were pressed meanwhile.

        A key that was down before and still is counts as released, not as pressed again: the dealer sees a missing
        press, but nobody an extra one.
        """
        before = set(self._down)
        events = self.release_all(at_ns)
        for code, control in self._controls.items():
            if code in down and control not in before:
                events += self._key(control, True, at_ns)
        return events


class EvdevKeys(Plug):
    """The keys of one input device, open from construction if it is there; else it is reported once started.

    Args:
        library: evdev.
        codes: the key's name of each control.

    Raises:
        HalError: a key does not exist, or the device cannot be opened though it is there.
    """

    def __init__(self, library: Any, codes: Mapping[str, str], settings: EvdevSettings, clock: Clock) -> None:
        controls = key_numbers(library.ecodes.ecodes, codes)
        self._library, self._settings = library, settings
        self._needed = {number: codes[control] for number, control in controls.items()}
        self._translator = Translator(controls)
        self._deliver: DeliverKey | None = None
        what = f"the input device {settings.device}"
        super().__init__(what, self._open, settings.retry_s, clock, waits=True)

    def start(self, deliver: DeliverKey) -> None:
        self._deliver = deliver
        self.listen()

    def close(self) -> None:
        self._deliver = None
        super().close()

    def on_opened(self, device: Any, at_ns: int, again: bool) -> None:
        """Earlier presses are discarded, and which keys are held down is delivered."""
        with suppress(OSError):  # No more events; or the device is gone, which the loop detects.
            while list(device.read()):
                pass
        with suppress(OSError):
            self._send(self._translator.held(device.active_keys(), at_ns))
        if again:
            self._send([FaultEvent("", at_ns)])

    def read(self, device: Any) -> list[KeyEvent]:
        return [key for event in device.read() for key in self._translator.take(event, device.active_keys)]

    def on_data(self, data: Sequence[KeyEvent], at_ns: int) -> None:
        self._send(data)

    def on_lost(self, detail: str, at_ns: int) -> None:
        self._send([*self._translator.release_all(at_ns), FaultEvent(detail, at_ns)])

    def _send(self, events: Iterable[KeyEvent | FaultEvent]) -> None:
        for event in events:
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(event)

    def _open(self) -> Any:
        """Open the device, stamped with CLOCK_MONOTONIC; the kernel's default is the wall clock."""
        path = self._settings.device
        try:
            device = self._library.InputDevice(path)
            try:
                self._check_keys(device)
                fcntl.ioctl(device.fileno(), _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
                if self._settings.grab:
                    device.grab()
            except BaseException:
                device.close()
                raise
        except OSError as error:
            raise HalError(why_not("input device", path, error, "input", _list_of_devices())) from error
        return device

    def _check_keys(self, device: Any) -> None:
        """Many keypads are several devices, one for the digits and one for the rest: this must be the right one."""
        has = set(device.capabilities().get(EV_KEY, ()))
        missing = sorted(name for number, name in self._needed.items() if number not in has)
        if missing:
            raise HalError(
                f"the input device {self._settings.device} has no key {', '.join(missing)}; correct `codes`, or "
                f"use another: {_list_of_devices()}"
            )


def _list_of_devices() -> str:
    """The names of all input devices, by device file. No permission is needed to know them."""
    devices = []
    for folder in sorted(SYSFS.glob("event*"), key=lambda folder: (len(folder.name), folder.name)):
        with suppress(OSError):  # Unplugged during the listing.
            name = (folder / "device" / "name").read_text(encoding="utf-8", errors="replace").strip()
            devices.append(f"/dev/input/{folder.name} '{name}'")
    there = f"there are: {', '.join(devices)}" if devices else "there is none at all"
    return f"{there}; plug it in, or correct the options"


DRIVERS = {"keys": Driver(EvdevSettings, _open_keys, _misfits)}
