"""The digest of this software, which each start puts on record: the same on every computer with the same release.

It loads only the standard library.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("config", "controller", "hal")
BYTECODE = "__pycache__"


def installed() -> dict[str, Path]:
    """The folder from which Python loads each package; also for a package that cannot be loaded."""
    beside = Path(__file__).parent.parent.parent
    specs = {package: find_spec(package) for package in PACKAGES}
    return {
        package: Path(spec.submodule_search_locations[0])
        if spec is not None and spec.submodule_search_locations
        else beside / package
        for package, spec in specs.items()
    }


@cache
def digest() -> str:
    """The digest of the running software, hexadecimal, as each start puts it on record (:func:`digest_of`)."""
    return digest_of(installed())


def digest_of(folders: Mapping[str, Path]) -> str:
    """The SHA-256 of what ``sha256sum`` prints of every file but bytecode, in the order of their paths.

    The same on every computer that has the same release. A file that cannot be read has no sum.

    Args:
        folders: the folder of each package.
    """
    sums: list[tuple[str, str]] = []
    for package, folder in folders.items():
        sums += ((f"{package}/{name}", sum_of(path)) for name, path in files_in(str(folder)))
    text = "".join(f"{hexadecimal}  {name}\n" for name, hexadecimal in sorted(sums))
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def files_in(folder: str, before: str = "") -> Iterator[tuple[str, str]]:
    """Every file below a folder but bytecode, by its path there. A link to a folder counts as a file.

    Without a Path, and without asking twice what a file is: the table waits for this when it starts.
    """
    try:
        with os.scandir(folder) as listed:
            entries = list(listed)
    except OSError:
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield f"{before}{entry.name}", entry.path
        elif entry.name != BYTECODE:
            yield from files_in(entry.path, f"{before}{entry.name}/")


def sum_of(path: str) -> str:
    """The SHA-256 of a file, hexadecimal; empty for one that cannot be read, and for what is none."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb", buffering=0) as opened:
            return sha256(opened.read()).hexdigest()
    except OSError:
        return ""
