"""Finds backends by name. The folder is the backend's name, the file is the kind of device it drives.

``hal/mock/edges.py`` is the backend ``mock`` of the kind ``edges``. Such a file holds a ``Settings`` model (what
the configuration may say under ``options``) and a function ``open_device(wiring, settings, clock)``; if its options
take pins, also ``further_pins(wiring, settings)``, so that ``check`` finds clashes. Nothing else
has to be changed to add one, and nothing falls back to another backend by itself.
"""

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from pydantic import BaseModel

from hal.errors import LibraryMissingError, UnknownBackendError
from hal.interfaces import Clock, Device

KINDS = ("edges", "rotor", "reader", "keys", "switches", "panel", "sounder")
"""The kinds of device (see :mod:`hal.interfaces`). Both ``edges``, the sensor head of a wheel with a clapper, and
``rotor``, that of a roulette wheel, are an ``EdgeSource``."""


FurtherPins = Sequence[tuple[tuple[str, ...], int]]
"""Pins by their BCM numbers, each with the keys in the device's section that ask for it."""

_EXTRAS = {"mock": "bench", "capture": "bench", "gpiod": "gpio"}
"""What brings a backend's library; the others' come with ``pi``."""


def backends(kind: str) -> list[str]:
    """The names of all backends that drive this kind of device."""
    root = Path(__file__).parent
    return sorted(
        package.name
        for package in pkgutil.iter_modules([str(root)])
        if package.ispkg and (root / package.name / f"{kind}.py").is_file()
    )


def settings_model(kind: str, backend: str) -> type[BaseModel]:
    """What the configuration may say under a device's ``options``.

    Raises:
        UnknownBackendError: no such backend; the message lists those there are.
        LibraryMissingError: the backend's library is not installed.
    """
    model: type[BaseModel] = _module(kind, backend).Settings
    return model


def further_pins(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object]) -> FurtherPins:
    """The header's pins that a device takes beyond those under ``pins``, ``rows`` and ``columns``.

    A backend that takes any says so by a function ``further_pins(wiring, settings)``.

    Raises:
        UnknownBackendError, LibraryMissingError: as for :func:`settings_model`.
        ValidationError: the options are not the backend's.
    """
    module = _module(kind, backend)
    asks = getattr(module, "further_pins", None)
    if asks is None:
        return ()
    found: FurtherPins = asks(wiring, module.Settings.model_validate(options))
    return found


def open_device(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object], clock: Clock) -> Device:
    """Open one device.

    Args:
        wiring: the device's section of the configuration: pins, keys or lamps by name.
        options: the backend's own options, as its ``Settings`` model takes them.

    Raises:
        UnknownBackendError, LibraryMissingError: as for :func:`settings_model`.
        HalError: the device does not answer; the message names it and the remedy.
    """
    module = _module(kind, backend)
    device: Device = module.open_device(wiring, module.Settings.model_validate(options), clock)
    return device


def _module(kind: str, backend: str) -> ModuleType:
    known = backends(kind)
    if backend not in known:
        raise UnknownBackendError(f"unknown backend '{backend}' for {kind}; the backends are: {', '.join(known)}")
    try:
        return importlib.import_module(f"hal.{backend}.{kind}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("hal", "controller", "config"):
            raise
        extra = _EXTRAS.get(backend, "pi")
        raise LibraryMissingError(
            f"backend '{backend}' needs the library {error.name}, which is not installed; "
            f"install it with: pip install 'table-controller[{extra}]'"
        ) from error
