"""Whether the installed files are as pip installed them; used by ``verify-software``.

pip writes the SHA-256 of every file of a distribution into its ``RECORD``. Here the files are compared with that:
those of this software and of every other distribution in its folder, and what lies there and is in no ``RECORD``.
Bytecode (``__pycache__``) is left aside: the services keep theirs elsewhere. Who can change a file as root can
change ``RECORD``, too; so each start records the software's digest, which is compared with that of the release.
"""

import csv
import os
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from controller.runtime.software import BYTECODE, files_in, installed, sum_of

REMEDY = "install the software anew: sudo make install"
_DISTRIBUTION, _RECORD = "table_controller", "RECORD"
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
    present = dict(files_in(str(site)))
    sums = {name: sum_of(os.path.join(site, name)) for name in said}
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
                if written.startswith(_ALGORITHM) and BYTECODE not in name.split("/"):
                    digits = written.removeprefix(_ALGORITHM)
                    found[os.path.normpath(name)] = urlsafe_b64decode(digits + "=" * (-len(digits) % 4)).hex()
    except (OSError, ValueError, csv.Error):
        return {}
    return found


def _shown(path: str) -> str:
    """A path in ASCII on one line, for any file name."""
    return path if path.isascii() and path.isprintable() else path.encode("unicode_escape").decode("ascii")
