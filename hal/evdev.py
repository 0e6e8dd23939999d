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

import asyncio
import fcntl
import logging
import struct
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hal.errors import NOT_THERE, HalError, why_not
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, DeliverKey, KeySource, Timer
from hal.registry import Driver, Misfits

log = logging.getLogger(__name__)

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


class NotPluggedInError(HalError):
    """There is no such device now; it may be plugged in yet."""


class EvdevKeys:
    """The keys of one input device, open from construction if it is there; else it is reported once started.

    Args:
        library: evdev.
        codes: the key's name of each control.

    Raises:
        HalError: a key does not exist, or the device cannot be opened though it is there.
    """

    def __init__(self, library: Any, codes: Mapping[str, str], settings: EvdevSettings, clock: Clock) -> None:
        controls = key_numbers(library.ecodes.ecodes, codes)
        self._library, self._settings, self._clock = library, settings, clock
        self._path = settings.device
        self._needed = {number: codes[control] for number, control in controls.items()}
        self._translator = Translator(controls)
        self._last_error = ""
        self._input: Any = None
        try:
            self._input = self._open()
        except NotPluggedInError as error:
            self._last_error = str(error)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._deliver: DeliverKey | None = None
        self._timer: Timer | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._loop, self._deliver = asyncio.get_running_loop(), deliver
        if self._input is not None:
            self._watch()
        else:  # Play waits for it, and no restart is needed.
            self._timer = self._clock.call_at(self._clock.now_ns(), self._report_missing)

    def close(self) -> None:
        self._deliver = None
        if self._timer is not None:
            self._timer.cancel()
        self._drop()

    def _watch(self) -> None:
        """Listen from now on; earlier presses are discarded, and which keys are held down is delivered."""
        assert self._loop is not None
        try:
            while list(self._input.read()):
                pass
        except OSError:
            pass  # No more events; or the device is gone, which the loop detects.
        self._loop.add_reader(self._input.fileno(), self._on_readable)
        try:
            held = self._input.active_keys()
        except OSError:
            return
        self._send(self._translator.held(held, self._clock.now_ns()))

    def _drop(self) -> None:
        if self._input is not None:
            if self._loop is not None:
                self._loop.remove_reader(self._input.fileno())
            self._input.close()
            self._input = None

    def _on_readable(self) -> None:
        if self._input is None:
            return
        try:
            # All keys of one read, before any is delivered: an error of the callback is not the device's.
            down = self._input.active_keys
            events = [key for event in self._input.read() for key in self._translator.take(event, down)]
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(error.strerror or str(error))
            return
        self._send(events)

    def _lose(self, why: str) -> None:
        self._drop()
        self._last_error = ""
        self._schedule_reopening()
        now_ns = self._clock.now_ns()
        detail = f"the input device {self._path} is gone ({why}); check its plug; it is reopened automatically"
        self._send([*self._translator.release_all(now_ns), FaultEvent(detail, now_ns)])

    def _report_missing(self) -> None:
        self._schedule_reopening()
        self._send([FaultEvent(self._last_error, self._clock.now_ns())])

    def _schedule_reopening(self) -> None:
        due_ns = self._clock.now_ns() + int(self._settings.retry_s * 1e9)
        self._timer = self._clock.call_at(due_ns, self._try_again)

    def _try_again(self) -> None:
        if self._deliver is None:
            return
        try:
            self._input = self._open()
        except HalError as error:
            if str(error) != self._last_error:  # Logged once, not at each retry.
                self._last_error = str(error)
                log.warning("%s", error)
            self._schedule_reopening()
            return
        self._watch()
        self._send([FaultEvent("", self._clock.now_ns())])

    def _send(self, events: Iterable[KeyEvent | FaultEvent]) -> None:
        for event in events:
            if self._deliver is not None:  # The callback may close the device.
                self._deliver(event)

    # -- opening -----------------------------------------------------------------------------------------------

    def _open(self) -> Any:
        """Open the device, stamped with CLOCK_MONOTONIC; the kernel's default is the wall clock.

        Raises:
            NotPluggedInError: it is not there.
            HalError: it cannot be opened; the message gives the cause and the remedy.
        """
        try:
            device = self._library.InputDevice(self._path)
            try:
                self._check_keys(device)
                fcntl.ioctl(device.fileno(), _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
                if self._settings.grab:
                    device.grab()
            except BaseException:
                device.close()
                raise
        except OSError as error:
            kind = NotPluggedInError if error.errno in NOT_THERE else HalError
            raise kind(why_not("input device", self._path, error, "input", _list_of_devices())) from error
        return device

    def _check_keys(self, device: Any) -> None:
        """Many keypads are several devices, one for the digits and one for the rest: this must be the right one."""
        has = set(device.capabilities().get(EV_KEY, ()))
        missing = sorted(name for number, name in self._needed.items() if number not in has)
        if missing:
            raise HalError(
                f"the input device {self._path} has no key {', '.join(missing)}; correct `codes`, or use another: "
                f"{_list_of_devices()}"
            )


def _present() -> dict[str, str]:
    """The names of all input devices, by device file. No permission is needed to know them."""
    devices = {}
    for folder in sorted(SYSFS.glob("event*"), key=lambda folder: (len(folder.name), folder.name)):
        try:
            name = (folder / "device" / "name").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            continue  # Unplugged during the listing.
        devices[f"/dev/input/{folder.name}"] = name
    return devices


def _list_of_devices() -> str:
    devices = [f"{path} '{name}'" for path, name in _present().items()]
    there = f"there are: {', '.join(devices)}" if devices else "there is none at all"
    return f"{there}; plug it in, or correct the options"


DRIVERS = {"keys": Driver(EvdevSettings, _open_keys, _misfits)}
