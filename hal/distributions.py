"""Packages that other distributions add to this software, named under an entry point group.

An entry point is ``name = package``, as in ``my-game = my_game``. An error in such a package names it, and does not
affect the rest of the software.
"""

import importlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from hal.libraries import missing

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
        if library is not None:
            raise library from error
        why = f"{type(error).__name__}: {error}"
        raise UnusablePackageError(
            f"{module} cannot be loaded ({why}); install its distribution anew, or uninstall it"
        ) from error


def folder(package: str) -> Path:
    """The folder of a package.

    Raises:
        UnusablePackageError: there is no such package, or it is not a folder.
    """
    try:
        spec = find_spec(package)
    except Exception as error:  # A parent package is imported, and may raise anything.
        raise UnusablePackageError(
            f"{package} cannot be loaded ({error}); install its distribution anew, or uninstall it"
        ) from error
    if spec is None or not spec.submodule_search_locations:
        raise UnusablePackageError(f"there is no package {package}; install its distribution anew, or uninstall it")
    return Path(spec.submodule_search_locations[0])
