"""What is installed: the digest of this software for the record, and whether its files are as pip installed them.

pip writes the SHA-256 of every file of a distribution into its ``RECORD``. Here the files are compared with that:
those of this software and of every other distribution in its folder, and what lies there and is in no ``RECORD``.
Bytecode (``__pycache__``) is left aside: the services keep theirs elsewhere. Who can change a file as root can
change ``RECORD``, too; so each start puts the digest on record, which is compared with that of the release.

This module loads only the standard library: a verification must be possible if the rest of the software is damaged.
"""

import csv
import os
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("config", "controller", "hal")
REMEDY = "install the software anew: sudo make install"
_DISTRIBUTION, _RECORD = "table_controller", "RECORD"
_BYTECODE = "__pycache__"
_ALGORITHM = "sha256="


class Verdict(NamedTuple):
    """What a comparison has found. Paths are relative to the folder of the packages, with ``/``."""

    files: int = 0
    distributions: int = 0
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Includes files that cannot be read."""
    unlisted: tuple[str, ...] = ()
    """In no ``RECORD``, or without a sum there."""
    run_at_start: tuple[str, ...] = ()
    """Every ``.pth`` file: what it says is run whenever Python starts."""
    development: str = ""
    """Why nothing can be compared, as text; empty for installed software."""

    @property
    def intact(self) -> bool:
        return not (self.development or self.missing or self.changed or self.unlisted)

    def faults(self) -> list[str]:
        """The files that differ, a line each."""
        return [
            *(f"{path}: missing" for path in self.missing),
            *(f"{path}: changed" for path in self.changed),
            *(f"{path}: not installed by pip" for path in self.unlisted),
        ]


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
        sums += ((f"{package}/{name}", _sum(path)) for name, path in _files(str(folder)))
    text = "".join(f"{hexadecimal}  {name}\n" for name, hexadecimal in sorted(sums))
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def verify(folders: Mapping[str, Path] | None = None) -> Verdict:
    """Compare this software, and all that is installed beside it, with what pip recorded. Reads all of it.

    Args:
        folders: the folder of each package; those that Python loads by default.
    """
    folders = installed() if folders is None else folders
    site = folders["controller"].parent
    if elsewhere := [str(folder) for package, folder in folders.items() if folder != site / package]:
        return Verdict(development=f"{', '.join(elsewhere)}: loaded from outside of {site}")
    if not any(site.glob(f"{_DISTRIBUTION}-*.dist-info/{_RECORD}")):
        return Verdict(development=f"{site}: this is a source folder, not an installation")
    records = sorted(site.glob(f"*.dist-info/{_RECORD}"))
    said = {name: hexadecimal for record in records for name, hexadecimal in _recorded(record).items()}
    present = dict(_files(str(site)))
    sums = {name: _sum(os.path.join(site, name)) for name in said}
    missing = [name for name in sorted(said) if not os.path.lexists(os.path.join(site, name))]
    unlisted = present.keys() - said.keys() - {f"{record.parent.name}/{_RECORD}" for record in records}
    return Verdict(
        len(said),
        len(records),
        missing=tuple(map(_shown, missing)),
        changed=tuple(_shown(name) for name in sorted(sums.keys() - set(missing)) if sums[name] != said[name]),
        unlisted=tuple(map(_shown, sorted(unlisted))),
        run_at_start=tuple(_shown(name) for name in sorted(present) if name.endswith(".pth")),
    )


def _recorded(record: Path) -> dict[str, str]:
    """SHA-256 of the files of a distribution, hexadecimal, by their paths from the folder of the packages.

    What has no sum there, as bytecode has not, is left out: nothing is known of it. So is all of a damaged list.
    """
    found = {}
    try:
        with record.open(encoding="utf-8", newline="") as lines:
            for name, written, *_ in csv.reader(lines):
                if written.startswith(_ALGORITHM) and _BYTECODE not in name.split("/"):
                    digits = written.removeprefix(_ALGORITHM)
                    found[os.path.normpath(name)] = urlsafe_b64decode(digits + "=" * (-len(digits) % 4)).hex()
    except (OSError, ValueError, csv.Error):
        return {}
    return found


def _files(folder: str, before: str = "") -> Iterator[tuple[str, str]]:
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
        elif entry.name != _BYTECODE:
            yield from _files(entry.path, f"{before}{entry.name}/")


def _sum(path: str) -> str:
    """The SHA-256 of a file, hexadecimal; empty for one that cannot be read, and for what is none."""
    try:
        if not os.path.isfile(path):
            return ""
        with open(path, "rb", buffering=0) as opened:
            return sha256(opened.read()).hexdigest()
    except OSError:
        return ""


def _shown(path: str) -> str:
    """A path in ASCII on one line, for any file name."""
    return path if path.isascii() and path.isprintable() else path.encode("unicode_escape").decode("ascii")
