"""Loads only code that the manifest of the installation lists: each file is hashed as it is read, before it runs.

``systemd/launcher`` runs this file from its source, before any other module of the installation exists, so it is
complete in itself and loads the standard library alone. From then on every module, of this software, of the
libraries and of Python, comes through :class:`_VerifiedSource` or :class:`_VerifiedExtension`:

* a source or compiled file whose SHA-256 is not that of the manifest is refused (:class:`AlteredSoftwareError`),
* as is a source, an extension module or a library of one that is not in the manifest;
* bytecode that is not in the manifest is left aside: the source is read.

What ``site`` would run, ``.pth`` files and ``sitecustomize``, is not run at all (``python -I -S``); that such a
file is there, or ``pyvenv.cfg`` or the interpreter differ, is refused at the start. Not covered: an extension
module that is exchanged between its hash and the moment in which the kernel maps it.
"""

import os
import sys
from hashlib import sha256
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)
from types import ModuleType

NAME = "ENVIRONMENT.sha256"
"""The manifest, in the folder of the installation: paths within it, and absolute ones of the system's Python."""
REMEDY = "install the software anew: sudo make install; after an update of the system: sudo systemd/install seal"
EXIT_CODE = 78
"""``exit_codes.CONFIGURATION``: systemd does not start the service again."""
CUSTOM = ("sitecustomize", "usercustomize")
LAUNCHER = "bin/table-controller"

_loads: "VerifiedLoading | None" = None


class AlteredSoftwareError(Exception):
    """The installed files are not those that were installed; the message names them, and the remedy."""


class AlteredFileError(AlteredSoftwareError):
    """A file that was to be loaded is not as it was installed.

    Attributes:
        line: the file, and what is wrong with it.
    """

    def __init__(self, line: str) -> None:
        super().__init__(f"{line}\nit does not start: {REMEDY}")
        self.line = line


class VerifiedLoading:
    """What may be loaded: the manifest of an installation.

    Args:
        slot: the folder of the installation.

    Raises:
        AlteredSoftwareError: there is no manifest, or it is none.
    """

    def __init__(self, slot: str) -> None:
        self.slot = slot
        self._within = slot + os.sep
        self._read = f"{slot}/{NAME}"
        try:
            with open(self._read, encoding="ascii") as opened:
                lines = opened.read().splitlines()
        except (OSError, ValueError) as error:
            raise AlteredSoftwareError(f"{self._read} cannot be read: {error}; {REMEDY}") from None
        self.sums = {line[66:]: line[:64] for line in lines}
        self._libraries: set[str] = set()

    def name(self, path: str) -> str:
        """A file as the manifest names it."""
        return shown(path.removeprefix(self._within))

    def lists(self, path: str) -> bool:
        """Whether a file is in the manifest."""
        return self.name(path) in self.sums

    def check(self, path: str, data: bytes) -> None:
        """Compare what was read of a file.

        Raises:
            AlteredFileError: it differs, or is not in the manifest.
        """
        name = self.name(path)
        if self.sums.get(name) != sha256(data).hexdigest():
            raise AlteredFileError(f"{name}: {'changed' if name in self.sums else 'additional'}")

    def check_file(self, path: str) -> None:
        """Compare a file.

        Raises:
            AlteredFileError: as :meth:`check`, or it cannot be read.
        """
        try:
            with open(path, "rb", buffering=0) as opened:
                data = opened.read()
        except OSError as error:
            raise AlteredFileError(f"{self.name(path)}: {error.strerror}") from None
        self.check(path, data)

    def check_extension(self, path: str) -> None:
        """Compare an extension module, and the libraries that a wheel has for it (``PACKAGE.libs``).

        Raises:
            AlteredFileError: as :meth:`check_file`.
        """
        self.check_file(path)
        before, site, rest = self.name(path).partition("/site-packages/")
        folder = f"{before}{site}{rest.partition(os.sep)[0]}.libs/"
        if site and folder not in self._libraries:
            self._libraries.add(folder)
            for name in self.sums:
                if name.startswith(folder):
                    self.check_file(os.path.join(self.slot, name))

    def faults(self) -> list[str]:
        """What is wrong with that which decides what Python loads: a line each."""
        found = []
        interpreter = os.path.realpath(sys.executable)
        for path in (f"{self.slot}/pyvenv.cfg", f"{self.slot}/{LAUNCHER}", interpreter):
            found += self._fault(path)
        for folder in (site_packages(self.slot), os.path.dirname(os.__file__)):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".pth") or name.partition(".")[0] in CUSTOM:
                    found += self._fault(f"{folder}/{name}")
        return found + [line for path in _loaded() for line in self._fault(path)]

    def _fault(self, path: str) -> list[str]:
        try:
            self.check_file(path)
        except AlteredFileError as error:
            return [error.line]
        return []


class _VerifiedSource(SourceFileLoader):
    """Modules with a source."""

    def get_data(self, path: str) -> bytes:
        assert _loads is not None
        if path.endswith(tuple(BYTECODE_SUFFIXES)) and not _loads.lists(path):
            raise FileNotFoundError(path)
        data = super().get_data(path)
        _loads.check(path, data)
        return data


class _VerifiedBytecode(SourcelessFileLoader):
    """Modules without one."""

    def get_data(self, path: str) -> bytes:
        assert _loads is not None
        data = super().get_data(path)
        _loads.check(path, data)
        return data


class _VerifiedExtension(ExtensionFileLoader):
    """Modules of machine code."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        assert _loads is not None
        _loads.check_extension(self.path)
        return super().create_module(spec)


def begin(slot: str) -> VerifiedLoading:
    """Load nothing from now on but what the manifest of this installation lists.

    Raises:
        AlteredSoftwareError: there is no manifest.
    """
    global _loads
    _loads = VerifiedLoading(slot)
    hook = FileFinder.path_hook(
        (_VerifiedExtension, EXTENSION_SUFFIXES),
        (_VerifiedSource, SOURCE_SUFFIXES),
        (_VerifiedBytecode, BYTECODE_SUFFIXES),
    )
    sys.path_hooks[:] = [hook]  # Nothing is loaded from zip archives.
    sys.path_importer_cache.clear()
    return _loads


def process_command(module: str, *words: str) -> list[str]:
    """The command of a further process of this software, a module that is run: under the same rule as this one."""
    if _loads is None:
        return [sys.executable, "-m", module, *words]
    run = () if module == "controller" else ("-m", module)
    return [sys.executable, "-I", "-S", f"{_loads.slot}/{LAUNCHER}", *run, *words]


def site_packages(slot: str) -> str:
    """The folder of an installation's packages."""
    return f"{slot}/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


def shown(path: str) -> str:
    """A path in ASCII on one line, for any file name."""
    return path if path.isascii() and path.isprintable() else path.encode("unicode_escape").decode("ascii")


def _loaded() -> list[str]:
    """The files of the modules that are loaded already, and what Python compiled of them."""
    files = set()
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        for path in (getattr(spec, "origin", None), getattr(spec, "cached", None)):
            if isinstance(path, str) and path.startswith(os.sep) and os.path.isfile(path):
                files.add(path)
    return sorted(files)
