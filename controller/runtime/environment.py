"""Everything that an installed table runs: every file of its folder, and of the system's Python.

The installer writes the manifest, ``ENVIRONMENT.sha256``, once all is installed (:func:`seal`): the libraries,
compiled code, scripts and settings of the environment by paths within it; the interpreter, Python's own library and
the shared libraries that they need by absolute ones. ``sha256sum --check`` reads it. What a process loads is
compared as it is loaded (:mod:`controller.runtime.verified_import`); here all of it is.

This module loads only the standard library.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib import import_module
from importlib.machinery import BYTECODE_SUFFIXES
from pathlib import Path

from controller.runtime.manifest import SoftwareVerdict, listing
from controller.runtime.verified_import import NAME as MANIFEST
from controller.runtime.verified_import import REMEDY, shown

_NEEDED = ("asyncio", "ctypes", "hashlib", "lzma", "sqlite3", "ssl", "zlib")
"""Modules of Python's own that need shared libraries of the system."""
_REST_S = 0.02
"""The shortest rest."""
_OF_PACKAGES = ("site-packages", "dist-packages")
"""Folders in that of Python's library of which nothing is loaded by an installed table."""


def slot() -> Path | None:
    """The folder of the running installation; None if it is none of the installer's."""
    folder = Path(sys.prefix)
    return folder if (folder / MANIFEST).exists() else None


def seal(folder: Path) -> tuple[int, list[str]]:
    """Write the manifest of an installation, as it is now.

    Returns:
        the number of its files, and how it differs from the manifest that was there, a line each.

    Raises:
        OSError: it cannot be written.
    """
    before = differences(folder).faults() if (folder / MANIFEST).exists() else []
    present = dict(sorted({**_sums(_within(folder)), **_sums(_of_system())}.items()))
    new = folder / f"{MANIFEST}.new"
    new.write_text(listing(present), encoding="ascii", newline="\n")
    new.chmod(0o644)
    new.replace(folder / MANIFEST)
    return len(present), before


def differences(folder: Path, rest: float = 0.0) -> SoftwareVerdict:
    """Compare every file of an installation with its manifest. Reads some hundred megabytes.

    Args:
        rest: after some files, so many times the processor time that they took: others have it meanwhile.

    Raises:
        OSError, ValueError: the manifest cannot be read.
    """
    text = (folder / MANIFEST).read_bytes()
    expected = {line[66:]: line[:64] for line in text.decode("ascii").splitlines()}
    places = {**dict(_within(folder)), **dict(_of_library())}
    places.update((name, name) for name in expected if name not in places and os.path.isabs(name))
    compared = [(name, path) for name, path in places.items() if name in expected or not _never_loaded(name)]
    files = _sums(compared, rest)
    present = {name for name, path in places.items() if os.path.lexists(path)}
    return SoftwareVerdict(
        sha256(text).hexdigest(),
        dict(sorted(files.items())),
        missing=tuple(sorted(expected.keys() - present)),
        changed=tuple(sorted(name for name in present & expected.keys() if files[name] != expected[name])),
        additional=tuple(sorted(files.keys() - expected.keys())),
        remedy=REMEDY,
    )


def _sums(files: Iterable[tuple[str, str]], rest: float = 0.0) -> dict[str, str]:
    """The SHA-256 of each file, by its name; empty for one that cannot be read."""
    found, owed_s = {}, 0.0
    for name, path in files:
        began = time.process_time()
        found[name] = _sum(path)
        owed_s += rest * (time.process_time() - began)
        if owed_s > _REST_S:
            time.sleep(owed_s)
            owed_s = 0.0
    return found


def _within(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file of an installation but its manifest, by its path there.

    A link to a folder counts as a file that cannot be read, except ``lib64``, which every environment has.
    """
    for path in _walk(str(folder)):
        relative = os.path.relpath(path, folder)
        is_lib64 = relative == "lib64" and os.path.islink(path) and os.readlink(path) == "lib"
        if relative not in (MANIFEST, f"{MANIFEST}.new") and not is_lib64:
            yield shown(relative), path


def _of_system() -> Iterator[tuple[str, str]]:
    """What is loaded of the system: the interpreter, Python's library, and shared libraries."""
    interpreter = os.path.realpath(sys.executable)
    yield shown(interpreter), interpreter
    yield from _of_library()
    yield from ((shown(path), path) for path in _mapped())


def _of_library() -> Iterator[tuple[str, str]]:
    yield from ((shown(path), path) for path in _walk(os.path.dirname(os.__file__), _OF_PACKAGES))


def _walk(folder: str, without: Iterable[str] = ()) -> Iterator[str]:
    for top, inner, names in os.walk(folder):
        links = [name for name in inner if os.path.islink(os.path.join(top, name))]
        inner[:] = [name for name in inner if name not in without]
        for name in (*names, *links):
            yield os.path.join(top, name)


def _mapped() -> list[str]:
    """The shared libraries that this process has mapped once Python's own modules of machine code are loaded."""
    for name in _NEEDED:
        import_module(name)
    prefix = os.path.realpath(sys.prefix) + os.sep
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            fields = [line.split(maxsplit=5) for line in maps]
    except FileNotFoundError:  # Where an image is made, no /proc is mounted; its disk is verified as a whole.
        return []
    paths = {one[5].rstrip("\n") for one in fields if len(one) == 6 and "x" in one[1]}
    return sorted(path for path in paths if path.startswith(os.sep) and not path.startswith(prefix))


def _never_loaded(name: str) -> bool:
    """Bytecode of Python's own library that is not in the manifest: its source is loaded."""
    return os.path.isabs(name) and name.endswith(tuple(BYTECODE_SUFFIXES))


def _sum(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    digest = sha256()
    try:
        with open(path, "rb", buffering=0) as opened:
            while part := opened.read(1 << 20):
                digest.update(part)
    except OSError:
        return ""
    return digest.hexdigest()
