"""Verifies the installed software: compares the SHA-256 of each file with the manifest that was made by the build.

A built package has its manifest in ``controller/MANIFEST.sha256``, in the format of ``sha256sum``; a source
folder has none. In the folder of the packages, ``sha256sum --check controller/MANIFEST.sha256`` compares
the files without this code, but does not detect additional ones.

Packages of other distributions that add games or backends are part of the software: each top-level one has its own
``PACKAGE/MANIFEST.sha256``, which the same build writes (:mod:`controller.runtime.building`).

This module loads only the standard library: setup.py writes the manifest before anything else is installed, and a
verification must be possible if the rest of the software is damaged.

Bytecode in ``__pycache__``, the libraries and Python are :mod:`controller.runtime.environment`'s. A manifest that
was changed together with the files is not detected: each start records the manifest's own digest, which can be
compared with that of the release.
"""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from controller.runtime.verified_import import AlteredSoftwareError

PACKAGES = ("config", "controller", "hal")
NAME = "MANIFEST.sha256"
EXTENSIONS = ("table_controller.backends", "table_controller.games")
"""The entry point groups under which other distributions name their packages."""
DEVELOPMENT = "development-"
"""The prefix of the digest of software without a manifest."""
REMEDY = "install the software anew: sudo make install, or pip install --force-reinstall --no-deps WHEEL"

_NAMED = 20
"""The most files that one error names."""
_LINE = re.compile(r"([0-9a-f]{64})  ([ -~]+)")


class SoftwareVerdict(NamedTuple):
    """The result of a verification. Paths are relative to the folder of the packages, with ``/``."""

    software: str
    """The digest, as of :func:`digest`."""
    files: Mapping[str, str]
    """SHA-256 of every present file, hexadecimal; empty for one that cannot be read."""
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Includes files that cannot be read."""
    additional: tuple[str, ...] = ()
    problem: str = ""
    """Why files cannot be verified, or empty."""
    unverified: int = 0
    """The number of files without a manifest."""
    remedy: str = REMEDY

    @property
    def intact(self) -> bool:
        """Whether every file matches the manifest."""
        return not (self.problem or self.missing or self.changed or self.additional)

    def complaints(self) -> list[str]:
        """The problems, a line each, then a summary with the remedy; empty if the software is intact."""
        if self.intact:
            return []
        if self.problem:
            unverified = f"these {self.unverified} files cannot be verified; {self.remedy}"
            return [*self.faults(), self.problem, unverified]
        lines = self.faults()
        first = "delete the additional ones, then " if self.additional else ""
        differ = "files differ" if len(lines) > 1 else "file differs"
        return [*lines, f"{len(lines)} {differ} from the manifest; {first}{self.remedy}"]

    def faults(self) -> list[str]:
        """The files that differ, a line each."""
        unreadable = {path for path in self.changed if not self.files[path]}
        return [
            *(f"{path}: missing" for path in self.missing),
            *(f"{path}: {'cannot be read' if path in unreadable else 'changed'}" for path in self.changed),
            *(f"{path}: additional" for path in self.additional),
        ]


def installed() -> dict[str, Path]:
    """The folder from which Python loads each package; also for a package that cannot be loaded."""
    beside = Path(__file__).parent.parent
    specs = {package: find_spec(package) for package in PACKAGES}
    return {
        package: Path(spec.submodule_search_locations[0])
        if spec is not None and spec.submodule_search_locations
        else beside / package
        for package, spec in specs.items()
    }


def extensions() -> dict[str, Path]:
    """The folder of each top-level package of other distributions that adds games or backends. Loads none of them.

    A package that does not exist is left out: nothing of it could be loaded, either.
    """
    everyones = entry_points()  # Once: the metadata of every distribution is read for it.
    named = {point.value.partition(".")[0] for group in EXTENSIONS for point in everyones.select(group=group)}
    specs = {package: find_spec(package) for package in sorted(named - set(PACKAGES))}
    return {
        # A package without __init__.py may be in several folders: only the first has a manifest.
        package if at == 0 else f"{package} ({at + 1})": Path(folder)
        for package, spec in specs.items()
        if spec is not None
        for at, folder in enumerate(dict.fromkeys(spec.submodule_search_locations or ()))
    }


def within(root: Path, packages: Sequence[str] = PACKAGES) -> dict[str, Path]:
    """The folder of each package in a common one."""
    return {package: root / package for package in packages}


def sums(folders: Mapping[str, Path]) -> dict[str, str]:
    """The SHA-256 of every file of the packages except the manifest and ``__pycache__``, sorted by path.

    A link to a folder counts as a file that cannot be read: Python would load files from its target.
    """
    found: dict[str, str] = {}
    for package, folder in folders.items():
        _sums_below(str(folder), package, found)
    found.pop(f"{_holder(folders)}/{NAME}", None)
    return dict(sorted(found.items()))


def _sums_below(folder: str, place: str, found: dict[str, str]) -> None:
    """Without a Path, and without asking twice what a file is: the table waits for this when it starts."""
    try:
        with os.scandir(folder) as listed:
            entries = list(listed)
    except OSError:
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            found[_shown(f"{place}/{entry.name}")] = _sum(entry)
        elif entry.name != "__pycache__":
            _sums_below(entry.path, f"{place}/{entry.name}", found)


def listing(files: Mapping[str, str]) -> str:
    """Checksums by path in the format of ``sha256sum``."""
    return "".join(f"{hexadecimal}  {path}\n" for path, hexadecimal in files.items())


def write(root: Path, packages: Sequence[str] = PACKAGES) -> None:
    """Write the manifest of the packages under ``root`` into them."""
    folders = within(root, packages)
    (folders[_holder(folders)] / NAME).write_text(listing(sums(folders)), encoding="ascii", newline="\n")


@cache
def digest() -> str:
    """The digest of the running software in the record: the SHA-256 of its manifest, hexadecimal.

    Without a readable manifest: ``development-`` and the digest of the manifest that a build of the present files
    would have, at the first call. Packages of other distributions are included.
    """
    return _combined([_digest(folders) for folders in _groups()])


def verify(folders: Mapping[str, Path] | None = None) -> SoftwareVerdict:
    """Compare the present files with the manifest.

    Args:
        folders: the folder of each package; None for the loaded packages, including those of other distributions.
    """
    return _merged([_verdict(one) for one in (_groups() if folders is None else [folders])])


def require_intact() -> str:
    """Verify the software before it runs; software without a manifest is not verified. Takes some ten milliseconds.

    Returns:
        the digest, as of :func:`digest`.

    Raises:
        AlteredSoftwareError: a file differs from the manifest, or the manifest is damaged.
    """
    verdicts = [_verdict(folders) for folders in _groups()]
    altered = [one for one in verdicts if not one.intact and not one.software.startswith(DEVELOPMENT)]
    if altered:
        *lines, summary = _merged(altered).complaints()
        raise AlteredSoftwareError("\n".join([*lines[:_NAMED], f"the table does not start: {summary}"]))
    return _combined([one.software for one in verdicts])


def _groups() -> list[Mapping[str, Path]]:
    """The packages that share a manifest: those of this software, then each of other distributions."""
    return [installed(), *({package: folder} for package, folder in extensions().items())]


def _holder(folders: Mapping[str, Path]) -> str:
    """The package that contains the manifest of these."""
    return "controller" if "controller" in folders else next(iter(folders))


def _verdict(folders: Mapping[str, Path]) -> SoftwareVerdict:
    files = sums(folders)
    software = _digest(folders, files)
    try:
        expected = _read(folders[_holder(folders)] / NAME)
    except _NoManifestError as error:
        return SoftwareVerdict(software, files, problem=str(error), unverified=len(files))
    return SoftwareVerdict(
        software,
        files,
        missing=tuple(sorted(expected.keys() - files.keys())),
        changed=tuple(path for path in files if expected.get(path, files[path]) != files[path]),
        additional=tuple(path for path in files if path not in expected),
    )


def _merged(verdicts: Sequence[SoftwareVerdict]) -> SoftwareVerdict:
    """One verdict on all packages."""
    return SoftwareVerdict(
        _combined([one.software for one in verdicts]),
        {path: hexadecimal for one in verdicts for path, hexadecimal in one.files.items()},
        missing=tuple(path for one in verdicts for path in one.missing),
        changed=tuple(path for one in verdicts for path in one.changed),
        additional=tuple(path for one in verdicts for path in one.additional),
        problem="; ".join(one.problem for one in verdicts if one.problem),
        unverified=sum(one.unverified for one in verdicts),
    )


def _combined(digests: Sequence[str]) -> str:
    """One digest of several; a single one stays as it is. It has the development prefix if any of them has."""
    if len(digests) == 1:
        return digests[0]
    lead = DEVELOPMENT if any(one.startswith(DEVELOPMENT) for one in digests) else ""
    return lead + sha256("\n".join(digests).encode("ascii")).hexdigest()


def _digest(folders: Mapping[str, Path], files: Mapping[str, str] | None = None) -> str:
    """The digest of packages that share a manifest; of their files, which may be known, if there is none."""
    try:
        return sha256((folders[_holder(folders)] / NAME).read_bytes()).hexdigest()
    except OSError:
        present = sums(folders) if files is None else files
        return DEVELOPMENT + sha256(listing(present).encode("ascii")).hexdigest()


class _NoManifestError(Exception):
    """There is no valid manifest; the message names the file and the reason."""


def _read(manifest: Path) -> dict[str, str]:
    """The checksums in a manifest, by path."""
    try:
        # Latin-1 decodes any byte; invalid lines are reported below.
        text = manifest.read_bytes().decode("latin-1")
    except FileNotFoundError:
        why = "there is no manifest: this is a source folder, or the manifest was removed"
        raise _NoManifestError(f"{manifest}: {why}") from None
    except OSError as error:
        raise _NoManifestError(f"{manifest}: the manifest cannot be read: {error.strerror}") from None
    if not text:
        raise _NoManifestError(f"{manifest}: the manifest is damaged: it is empty")
    found = {}
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            why = "the manifest is damaged: this line does not name a file and its SHA-256"
            raise _NoManifestError(f"{manifest}:{number}: {why}")
        found[match[2]] = match[1]
    return found


def _shown(path: str) -> str:
    """A path in ASCII on one line, for any file name."""
    if path.isascii() and path.isprintable() and "\\" not in path:
        return path  # As nearly all are.
    return path.encode("unicode_escape").decode("ascii")


def _sum(file: "os.DirEntry[str]") -> str:
    try:
        if not file.is_file():
            return ""
        with open(file.path, "rb", buffering=0) as opened:
            return sha256(opened.read()).hexdigest()
    except OSError:
        return ""
