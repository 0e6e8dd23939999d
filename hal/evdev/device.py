"""Finds and opens the kernel's input devices, and explains why one cannot be opened.

evdev (https://python-evdev.readthedocs.io/) is passed in by :mod:`hal.evdev.keys`. It has no call to choose the
clock of the time stamps, so the ioctl is here.
"""

import errno
import fcntl
import struct
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol

from hal.errors import HalError
from hal.evdev.translate import EV_KEY, InputEvent

SYSFS = Path("/sys/class/input")
_EVIOCSCLOCKID = 0x4004_45A0  # _IOW('E', 0xa0, int) of linux/input.h
_NOT_THERE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


class NotPluggedInError(HalError):
    """There is no such device now; it may be plugged in yet."""


class EvdevInput(Protocol):
    """The part of evdev's ``InputDevice`` that is used."""

    def fileno(self) -> int: ...

    def read(self) -> Iterable[InputEvent]: ...

    def active_keys(self) -> list[int]: ...

    def capabilities(self) -> Mapping[int, list[int]]: ...

    def grab(self) -> None: ...

    def close(self) -> None: ...


class Library(Protocol):
    """The part of evdev that is used."""

    ecodes: Any
    """Its ``ecodes`` is the number of each name."""

    @property
    def InputDevice(self) -> Callable[[str], EvdevInput]: ...  # noqa: N802


def controls_by_number(library: Library, codes: Mapping[str, str]) -> dict[int, str]:
    """The control of each key, by the key's number.

    Args:
        codes: the key's name of each control.

    Raises:
        HalError: no key has such a name, two controls use one key, or there are no codes.
    """
    if not codes:
        raise HalError("backend 'evdev' finds keys by their names; write `codes`, in a section `keyboard`")
    names: Mapping[str, int] = library.ecodes.ecodes
    keys = sorted(name for name in names if name.startswith(("KEY_", "BTN_")))
    controls: dict[int, str] = {}
    for control, name in codes.items():
        if name not in keys:
            near = get_close_matches(name.upper(), keys, 3, cutoff=0.5)
            remedy = f"the nearest are: {', '.join(near)}" if near else "names look like KEY_KP1 or KEY_ENTER"
            raise HalError(f"no key is named '{name}', the code of '{control}'; {remedy}")
        if names[name] in controls:
            other = controls[names[name]]
            raise HalError(f"the controls '{other}' and '{control}' are both on the key {name}; correct `codes`")
        controls[names[name]] = control
    return controls


def present(sysfs: Path = SYSFS) -> dict[str, str]:
    """The names of all input devices, by device file. No permission is needed to know them."""
    devices = {}
    for folder in sorted(sysfs.glob("event*"), key=lambda folder: (len(folder.name), folder.name)):
        try:
            name = (folder / "device" / "name").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            continue  # Unplugged during the listing.
        devices[f"/dev/input/{folder.name}"] = name
    return devices


def use_monotonic_stamps(device: EvdevInput) -> None:
    """Let the kernel stamp a device's events with CLOCK_MONOTONIC. Its default is the wall clock."""
    fcntl.ioctl(device.fileno(), _EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))


@dataclass(frozen=True)
class Opener:
    """Opens one device, and reopens it after it was unplugged.

    Attributes:
        path: its device file; empty to find it by name.
        name: as the kernel reports it.
        grab: whether to take it exclusively.
        needed: the names of the keys it must have, by number.
    """

    library: Library
    path: str
    name: str
    grab: bool
    needed: Mapping[int, str]
    sysfs: Path = SYSFS
    prepare: Callable[[EvdevInput], None] = use_monotonic_stamps

    @property
    def shown(self) -> str:
        """The device in a message."""
        return self.path or f"'{self.name}'"

    def __call__(self) -> EvdevInput:
        """Open the device.

        Raises:
            NotPluggedInError: it is not there.
            HalError: it cannot be opened; the message gives the cause and the remedy.
        """
        path = self.path or self._find_by_name()
        try:
            device = self.library.InputDevice(path)
        except OSError as error:
            raise self._open_error(error) from error
        try:
            self._check_keys(device)
            self.prepare(device)
            if self.grab:
                device.grab()
        except OSError as error:
            device.close()
            raise self._open_error(error) from error
        except HalError:
            device.close()
            raise
        return device

    def _find_by_name(self) -> str:
        """The device file of the device with this name."""
        paths = [path for path, name in present(self.sysfs).items() if name == self.name]
        if not paths:
            raise self._not_there()
        if len(paths) > 1:
            raise HalError(
                f"there are several input devices {self.shown}: {', '.join(paths)}; give the `device` instead, "
                "one of /dev/input/by-id/"
            )
        return paths[0]

    def _check_keys(self, device: EvdevInput) -> None:
        """Many keypads are several devices, one for the digits and one for the rest: this must be the right one."""
        has = set(device.capabilities().get(EV_KEY, ()))
        missing = sorted(name for number, name in self.needed.items() if number not in has)
        if missing:
            raise HalError(
                f"the input device {self.shown} has no key {', '.join(missing)}; correct `codes`, or choose "
                f"another device: {self._list_of_devices()}"
            )

    def _open_error(self, error: OSError) -> HalError:
        """Why the device cannot be opened, and the remedy."""
        if error.errno in _NOT_THERE:
            return self._not_there()
        if error.errno in (errno.EACCES, errno.EPERM):
            return HalError(
                f"no permission to open the input device {self.shown}; add the user that runs the controller to "
                "the group input: sudo usermod -aG input <user>, then restart the controller"
            )
        if error.errno == errno.EBUSY:
            return HalError(
                f"the input device {self.shown} is held by another process; see which with: "
                "sudo fuser -v /dev/input/event*, and end it, or set `grab: false`"
            )
        return HalError(
            f"the input device {self.shown} cannot be used ({error}); choose another: {self._list_of_devices()}"
        )

    def _not_there(self) -> NotPluggedInError:
        return NotPluggedInError(
            f"there is no input device {self.shown}; {self._list_of_devices()}; plug it in, or correct the options"
        )

    def _list_of_devices(self) -> str:
        devices = [f"{path} '{name}'" for path, name in present(self.sysfs).items()]
        return f"there are: {', '.join(devices)}" if devices else "there is none at all"
