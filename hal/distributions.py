"""Packages that other distributions add to this software, and the libraries that its own extras bring.

A package is named under an entry point group: ``name = package``, as in ``my-game = my_game``. An error in such a
package names it, and does not affect the rest of the software.
"""

import importlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from hal.errors import LibraryMissingError

PROJECT = "table-controller"
EXTRAS = {
    **dict.fromkeys(("gpiod", "RPi", "spidev", "evdev", "pymodbus"), ("pi",)),
    **dict.fromkeys(("aiomqtt", "paho", "cryptography"), ("pi", "floor")),
    **dict.fromkeys(("sqlalchemy", "psycopg", "pygal"), ("floor",)),
}
"""The extras of setup.py that bring a library, by the name it is imported by; the first is recommended."""
OF_EVERY_TABLE = (
    *("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"),
    *("yaml", "transitions", "six", "gpiozero", "colorzero", "serial", "vcd", "h11", "numpy", "prometheus_client"),
    *("starlette", "uvicorn", "anyio", "click", "idna"),
)
"""The project's own dependencies: they are missing only from a damaged installation."""

_everyones = cache(entry_points)
"""Once: the metadata of every distribution is read for it."""


class UnusablePackageError(Exception):
    """A package of another distribution cannot be used; the message names it, and the remedy."""


@cache
def offered(group: str) -> Mapping[str, tuple[str, ...]]:
    """The packages under each name of an entry point group. Loads none of them."""
    found: dict[str, list[str]] = {}
    for point in _everyones().select(group=group):
        if point.value not in found.setdefault(point.name, []):
            found[point.name].append(point.value)
    return {name: tuple(sorted(packages)) for name, packages in sorted(found.items())}


def the_only(what: str, packages: tuple[str, ...], taken: str = "") -> str:
    """The one package that offers something.

    Args:
        what: such as ``the game 'my-game'``.
        taken: the package of this software that already has the name; empty for none.

    Raises:
        UnusablePackageError: another one has the same name.
    """
    everyone = [*([taken] if taken else []), *packages]
    if len(everyone) > 1:
        remedy = packages[0] if taken and len(packages) == 1 else "all but one of them"
        raise UnusablePackageError(f"{' and '.join(everyone)} both offer {what}; uninstall {remedy}")
    return everyone[0]


def load(module: str) -> ModuleType:
    """A module of another distribution.

    Raises:
        UnusablePackageError: it cannot be imported.
        LibraryMissingError: it needs a library of an extra that is not installed.
    """
    try:
        return importlib.import_module(module)
    except Exception as error:  # Foreign code may raise anything; it must not stop this software.
        library = missing(module, error) if isinstance(error, ModuleNotFoundError) else None
        raise library or _unusable(f"{module} cannot be loaded ({type(error).__name__}: {error})") from error


def folder(package: str) -> Path:
    """The folder of a package.

    Raises:
        UnusablePackageError: there is no such package, or it is not a folder.
    """
    try:
        spec = find_spec(package)
    except Exception as error:  # A parent package is imported, and may raise anything.
        raise _unusable(f"{package} cannot be loaded ({error})") from error
    if spec is None or not spec.submodule_search_locations:
        raise _unusable(f"there is no package {package}")
    return Path(spec.submodule_search_locations[0])


def _unusable(why: str) -> UnusablePackageError:
    return UnusablePackageError(f"{why}; install its distribution anew, or uninstall it")


def missing(who: str, error: ModuleNotFoundError) -> LibraryMissingError | None:
    """The error for an import that failed: the library, and the command that installs it.

    Args:
        who: what needs it, as text. A command with an extra of its own name, such as ``floor``, gets that extra.

    Returns:
        None if the missing module is none of these libraries: that is a defect.
    """
    library = (error.name or "").partition(".")[0]
    if library in EXTRAS:
        extra = who if who in EXTRAS[library] else EXTRAS[library][0]
        requirement = f"'{PROJECT}[{extra}]'"
    elif library in OF_EVERY_TABLE:
        requirement = PROJECT
    elif library == "lgpio":  # No extra brings it: it has no package for Python 3.13.
        requirement = library
    else:
        return None
    return LibraryMissingError(f"{who} needs {library}: pip install {requirement}")
