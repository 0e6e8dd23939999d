"""Finds backends by name. The folder is the backend's name, the file is the kind of device it drives.

``hal/mock/edges.py`` is the backend ``mock`` of the kind ``edges``. Such a file holds a function
``open_device(wiring, settings, clock)``. Beside it, ``hal/mock/settings.py`` says what the configuration may say
under ``options``: ``SETTINGS`` has the model of each kind; where options take pins, ``FURTHER_PINS`` has a function
``(wiring, settings)`` of the kind, so that ``check`` finds clashes. Settings load no library that drives a device:
a table's file is read where none of them is installed. Nothing else has to be changed to add a backend, and nothing
falls back to another backend by itself.
"""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from pydantic import BaseModel

from hal.errors import UnknownBackendError
from hal.interfaces import Clock, Device
from hal.libraries import missing

KINDS = ("edges", "rotor", "reader", "keys", "switches", "panel", "sounder")
"""The kinds of device (see :mod:`hal.interfaces`). Both ``edges``, the sensor head of a wheel with a clapper, and
``rotor``, that of a roulette wheel, are an ``EdgeSource``."""


FurtherPins = Sequence[tuple[tuple[str, ...], int]]
"""Pins by their BCM numbers, each with the keys in the device's section that ask for it."""


def backends(kind: str) -> list[str]:
    """The names of all backends that drive this kind of device."""
    root = Path(__file__).parent
    return sorted(
        package.name
        for package in pkgutil.iter_modules([str(root)])
        if package.ispkg and (root / package.name / f"{kind}.py").is_file()
    )


def settings_model(kind: str, backend: str) -> type[BaseModel]:
    """What the configuration may say under a device's ``options``. Loads no library that drives a device.

    Raises:
        UnknownBackendError: no such backend; the message lists those there are.
    """
    model: type[BaseModel] = _settings(kind, backend).SETTINGS[kind]
    return model


def further_pins(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object]) -> FurtherPins:
    """The header's pins that a device takes beyond those under ``pins``, ``rows`` and ``columns``.

    A backend that takes any says so by ``FURTHER_PINS`` in its settings.

    Raises:
        UnknownBackendError: as for :func:`settings_model`.
        ValidationError: the options are not the backend's.
    """
    module = _settings(kind, backend)
    asks = getattr(module, "FURTHER_PINS", {}).get(kind)
    if asks is None:
        return ()
    found: FurtherPins = asks(wiring, module.SETTINGS[kind].model_validate(options))
    return found


def open_device(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object], clock: Clock) -> Device:
    """Open one device.

    Args:
        wiring: the device's section of the configuration: pins, keys or lamps by name.
        options: the backend's own options, as its settings take them.

    Raises:
        UnknownBackendError: as for :func:`settings_model`.
        LibraryMissingError: the backend's library is not installed; the message names what installs it.
        HalError: the device does not answer; the message names it and the remedy.
    """
    settings = settings_model(kind, backend).model_validate(options)
    try:
        module = importlib.import_module(f"hal.{backend}.{kind}")
    except ModuleNotFoundError as error:
        said = missing(f"backend '{backend}'", error)
        if said is None:
            raise
        raise said from error
    device: Device = module.open_device(wiring, settings, clock)
    return device


def _settings(kind: str, backend: str) -> ModuleType:
    known = backends(kind)
    if backend not in known:
        raise UnknownBackendError(f"unknown backend '{backend}' for {kind}; the backends are: {', '.join(known)}")
    return importlib.import_module(f"hal.{backend}.settings")
