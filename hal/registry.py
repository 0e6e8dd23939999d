"""Finds backends by name.

A backend is a module or package of ``hal/`` that is listed in :data:`OWN`, or one of another distribution that
names it under the entry point group :data:`GROUP`. Its ``DRIVERS`` has a :class:`Driver` for each kind of device:
``edges`` (the sensor head of a wheel with a clapper), ``rotor`` (that of a roulette wheel), ``reader``, ``keys``,
``switches``, ``tamper``, ``panel`` and ``sounder`` (see :mod:`hal.interfaces`). Importing it loads no library that
drives a device: ``check`` runs where none is installed. The functions that open devices import what they need.
"""

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel

from hal.distributions import UnusablePackageError, load, missing, offered, the_only
from hal.errors import HalError, UnknownBackendError
from hal.interfaces import Clock, Device

OWN = ("capture", "evdev", "gpiod", "gpiozero", "hc595", "mock", "modbus", "serial")
GROUP = "table_controller.backends"
"""The entry point group of backends outside this package: ``name = module``."""
Keys = tuple[str, ...]
"""The path of keys to a value, within a device's section."""
FurtherPins = Sequence[tuple[Keys, int]]
"""Pins by their BCM numbers, each with the keys that select it."""
DeviceFiles = Sequence[tuple[Keys, str]]
"""Device files that one driver alone can open, each with the keys that name it."""
ReaderCodes = Sequence[tuple[Keys, str, str]]
"""Codes of a wheel reader and their pockets, each with the keys that decide it."""
Misfits = Iterable[tuple[Keys, str, str]]
"""Problems of a device's section: its keys, a message, and the remedy."""


@dataclass(frozen=True)
class Driver:
    """How a backend drives one kind of device. ``wiring`` is always the device's section of the configuration."""

    settings: type[BaseModel]
    """The model of ``options``."""
    open: Callable[[Any, Any, Clock], Device]
    """Opens the device: ``(wiring, settings, clock)``. Raises HalError."""
    misfits: Callable[[Any, Any], Misfits] = lambda wiring, settings: ()
    """How wiring and options contradict each other: ``(wiring, settings)``."""
    pins: Callable[[Any, Any], FurtherPins] = lambda wiring, settings: ()
    """The header's pins that are used beyond those under ``pins``, ``rows`` and ``columns``: ``(wiring,
    settings)``."""
    files: Callable[[Any, Any], DeviceFiles] = lambda wiring, settings: ()
    """The device files that it opens for itself alone: ``(wiring, settings)``."""
    codes: Callable[[Any], ReaderCodes] | None = None
    """Every code that a wheel reader can deliver: ``(settings)``. None if its options do not decide it."""


UART = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""Serial ports on pins 14 and 15 of the header."""


def port_pins(wiring: Any, settings: Any) -> FurtherPins:
    """The pins of a serial port, under ``options.port``."""
    return [(("options", "port"), pin) for pin in (14, 15) if settings.port in UART]


def port_file(wiring: Any, settings: Any) -> DeviceFiles:
    """A serial port, under ``options.port``."""
    return [(("options", "port"), settings.port)]


def lamps_beyond(lamps: Mapping[str, int], outputs: int, what: str) -> Misfits:
    """The lamps on outputs that a panel does not have."""
    for area, number in lamps.items():
        if number >= outputs:
            message = f"output {number} is beyond {what} outputs 0 to {outputs - 1}"
            yield ("lamps", area), message, "correct the number, or the options"


def backends(kind: str) -> list[str]:
    """The names of all usable backends that drive this kind of device."""
    return sorted(name for name in {*OWN, *offered(GROUP)} if kind in _drivers_or_none(name))


def _section(kind: str) -> str:
    """A kind of device as the table's file calls it."""
    return "head" if kind == "edges" else kind


def find_driver(kind: str, backend: str) -> Driver:
    """How a backend drives a kind of device.

    Raises:
        UnknownBackendError: it does not; the message lists the backends that there are.
    """
    if backend not in {*OWN, *offered(GROUP)}:
        known = backends(kind)
        near = get_close_matches(backend, known, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise UnknownBackendError(
            f"unknown backend '{backend}' for {_section(kind)}; {meant}the backends are: {', '.join(known)}"
        )
    drivers = _drivers(backend)
    if kind not in drivers:
        driven = ", ".join(map(_section, drivers))
        raise UnknownBackendError(f"the backend '{backend}' drives no {_section(kind)}; it drives: {driven}")
    return drivers[kind]


def open_device(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object], clock: Clock) -> Device:
    """Open one device.

    Raises:
        UnknownBackendError: as for :func:`find_driver`.
        LibraryMissingError: the backend's library is not installed; the message names what installs it.
        HalError: the device does not answer; the message names it and the remedy.
    """
    driver = find_driver(kind, backend)
    settings = driver.settings.model_validate(options)
    for keys, message, remedy in driver.misfits(wiring, settings):
        raise HalError(f"{kind}, {'.'.join(keys)}: {message}; {remedy}")
    try:
        return driver.open(wiring, settings, clock)
    except ModuleNotFoundError as error:
        library_missing = missing(f"backend '{backend}'", error)
        if library_missing is None:
            raise
        raise library_missing from error


def _drivers_or_none(backend: str) -> Mapping[str, Driver]:
    try:
        return _drivers(backend)
    except HalError:
        return {}


def _drivers(backend: str) -> Mapping[str, Driver]:
    own = f"hal.{backend}" if backend in OWN else ""
    try:
        name = the_only(f"the backend '{backend}'", offered(GROUP).get(backend, ()), own)
        module = importlib.import_module(name) if own else load(name)
    except UnusablePackageError as error:
        raise UnknownBackendError(str(error)) from error
    drivers: Mapping[str, Driver] | None = getattr(module, "DRIVERS", None)
    if drivers is None:
        raise UnknownBackendError(f"{name} has no DRIVERS; add them, or uninstall the backend '{backend}'")
    return drivers
