"""Finds backends by name. The folder is the backend's name, the file is the kind of device it drives.

``hal/mock/edges.py`` is the backend ``mock`` of the kind ``edges``. Such a file has a function
``open_device(wiring, settings, clock)``. ``hal/mock/settings.py`` defines what the configuration accepts under
``options``: ``SETTINGS`` has the model of each kind; if options use pins, ``FURTHER_PINS`` has a function
``(wiring, settings)`` for the kind, so that ``check`` finds conflicts; if options and wiring may contradict each
other, ``MISFITS`` has such a function, which lists how; if the options of a wheel reader decide what
its codes mean, ``READER_CODES`` is a function ``(settings)``, so that ``check`` compares them with the wheel.
Settings load no library that drives a device, so a table's file can be read where none of them is installed.

A backend of another distribution is a package with the same files, named under the entry point group
:data:`GROUP`. Nothing else has to be changed to add a backend, and none is replaced by another automatically.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType

from pydantic import BaseModel

from hal.distributions import UnusablePackageError, folder, load, offered, the_only
from hal.errors import UnknownBackendError
from hal.interfaces import Clock, Device
from hal.libraries import missing

GROUP = "table_controller.backends"
"""The entry point group of backends outside this package: ``name = package``."""
_ROOT = Path(__file__).parent
KINDS = ("edges", "rotor", "reader", "keys", "switches", "tamper", "panel", "sounder")
"""The kinds of device (see :mod:`hal.interfaces`). Both ``edges``, the sensor head of a wheel with a clapper, and
``rotor``, that of a roulette wheel, are an ``EdgeSource``."""


FurtherPins = Sequence[tuple[tuple[str, ...], int]]
"""Pins by their BCM numbers, each with the path of keys in the device's section that selects it."""
Misfits = Iterable[tuple[tuple[str, ...], str, str]]
"""Problems as path of keys in the device's section, message and remedy."""
ReaderCodes = Sequence[tuple[tuple[str, ...], str, str]]
"""Codes of a wheel reader and their pockets, each with the path of keys in its section that decides it."""


def backends(kind: str) -> list[str]:
    """The names of all backends that drive this kind of device."""
    own = {name for name in _own_names() if kind in _own_kinds(name)}
    return sorted(own | {name for name in offered(GROUP) if _drives(name, kind)})


def settings_model(kind: str, backend: str) -> type[BaseModel]:
    """The model of a device's ``options``. Loads no library that drives a device.

    Raises:
        UnknownBackendError: no such backend; the message lists the existing ones.
    """
    found = getattr(_settings(kind, backend), "SETTINGS", {}).get(kind)
    if not (isinstance(found, type) and issubclass(found, BaseModel)):
        raise UnknownBackendError(
            f"{_package(backend)}.settings has no SETTINGS for {kind}; add them to the backend"
        )
    return found


def further_pins(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object]) -> FurtherPins:
    """The header's pins that a device uses beyond those under ``pins``, ``rows`` and ``columns``.

    A backend declares them by ``FURTHER_PINS`` in its settings.

    Raises:
        UnknownBackendError: as for :func:`settings_model`.
        ValidationError: the options are not valid for the backend.
    """
    module = _settings(kind, backend)
    pins_of = getattr(module, "FURTHER_PINS", {}).get(kind)
    if pins_of is None:
        return ()
    found: FurtherPins = pins_of(wiring, settings_model(kind, backend).model_validate(options))
    return found


def misfits(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object]) -> Misfits:
    """How a device's wiring and its options contradict each other: a lamp beyond the outputs, an unknown line.

    A backend declares it by ``MISFITS`` in its settings.

    Raises:
        UnknownBackendError: as for :func:`settings_model`.
        ValidationError: the options are not valid for the backend.
    """
    misfits_of = getattr(_settings(kind, backend), "MISFITS", {}).get(kind)
    if misfits_of is None:
        return ()
    found: Misfits = misfits_of(wiring, settings_model(kind, backend).model_validate(options))
    return found


def reader_codes(backend: str, options: Mapping[str, object]) -> ReaderCodes | None:
    """Every code that a wheel reader can deliver; None for a backend whose options do not decide it.

    Raises:
        UnknownBackendError: as for :func:`settings_model`.
        ValidationError: the options are not valid for the backend.
    """
    codes_of = getattr(_settings("reader", backend), "READER_CODES", None)
    if codes_of is None:
        return None
    found: ReaderCodes = codes_of(settings_model("reader", backend).model_validate(options))
    return found


def open_device(kind: str, backend: str, wiring: BaseModel, options: Mapping[str, object], clock: Clock) -> Device:
    """Open one device.

    Args:
        wiring: the device's section of the configuration: pins, keys or lamps by name.
        options: the backend's own options.

    Raises:
        UnknownBackendError: as for :func:`settings_model`.
        LibraryMissingError: the backend's library is not installed; the message names what installs it.
        HalError: the device does not answer; the message names it and the remedy.
    """
    settings = settings_model(kind, backend).model_validate(options)
    try:
        module = _module(_package(backend), kind)
    except ModuleNotFoundError as error:
        library_missing = missing(f"backend '{backend}'", error)
        if library_missing is None:
            raise
        raise library_missing from error
    opener = getattr(module, "open_device", None)
    if opener is None:
        raise UnknownBackendError(f"{module.__name__} has no open_device; add it to the backend '{backend}'")
    device: Device = opener(wiring, settings, clock)
    return device


def _settings(kind: str, backend: str) -> ModuleType:
    known = backends(kind)
    if backend not in known and not offered(GROUP).get(backend):
        from difflib import get_close_matches  # Only a mistake needs it.

        near = get_close_matches(backend, known, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        there = f"the backends are: {', '.join(known)}"
        raise UnknownBackendError(f"unknown backend '{backend}' for {kind}; {meant}{there}")
    package = _package(backend)
    if backend not in known:
        raise UnknownBackendError(f"the backend '{backend}' drives no {kind}: there is no {package}.{kind}")
    return _module(package, "settings")


def _package(backend: str) -> str:
    """The package that is a backend's folder."""
    own = f"hal.{backend}" if backend in _own_names() else ""
    try:
        return the_only(f"the backend '{backend}'", offered(GROUP).get(backend, ()), own)
    except UnusablePackageError as error:
        raise UnknownBackendError(str(error)) from error


@cache
def _own_kinds(backend: str) -> frozenset[str]:
    """The kinds that a backend of this package drives."""
    return frozenset(kind for kind in KINDS if (_ROOT / backend / f"{kind}.py").is_file())


def _drives(backend: str, kind: str) -> bool:
    """Whether another distribution's backend has a file for this kind; False if it cannot be found."""
    with suppress(UnusablePackageError):
        return any((folder(package) / f"{kind}.py").is_file() for package in offered(GROUP)[backend])
    return False


def _module(package: str, name: str) -> ModuleType:
    if package.startswith("hal."):
        return importlib.import_module(f"{package}.{name}")
    try:
        return load(package, name)
    except UnusablePackageError as error:
        raise UnknownBackendError(str(error)) from error


@cache
def _own_names() -> frozenset[str]:
    return frozenset(package.name for package in pkgutil.iter_modules([str(_ROOT)]) if package.ispkg)
