"""What this software is: the SHA-256 of each of its files, beside the manifest that was made when it was built.

A built package holds its manifest as ``controller/MANIFEST.sha256``, in the format of ``sha256sum``; a source
folder has none. In the folder that holds the packages, ``sha256sum --check controller/MANIFEST.sha256`` compares
the files without this code, but sees no additional ones.

Packages of other distributions that add games or backends are part of the software: each top-level one has its own
``PACKAGE/MANIFEST.sha256``, which the same build writes (:mod:`controller.runtime.building`).

Only the standard library is loaded here: setup.py writes the manifest before anything else is installed, and a
check must be possible where the rest of the software is damaged.

What it does not see: bytecode in ``__pycache__``, the libraries, Python itself, and a manifest that was changed
along with the files. Against the last, the manifest's own digest is on record at each start, to be compared with
that of the release.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("config", "controller", "hal")
NAME = "MANIFEST.sha256"
EXTENSIONS = ("table_controller.backends", "table_controller.games")
"""The entry point groups under which other distributions name packages of theirs."""
DEVELOPMENT = "development-"
"""What the digest of software without a manifest begins with."""
REMEDY = "install the software anew: sudo make install, or pip install --force-reinstall --no-deps WHEEL"

_NAMED = 20
"""So many files are named in one error at most."""
_LINE = re.compile(r"([0-9a-f]{64})  ([ -~]+)")


@dataclass(frozen=True, slots=True)
class SoftwareVerdict:
    """What verification found. Paths are relative to the folder that holds the packages, with ``/``."""

    software: str
    """As of :func:`digest`."""
    files: Mapping[str, str]
    """SHA-256 of every file that is there, hexadecimal; empty for one that cannot be read."""
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Those that cannot be read are among them."""
    additional: tuple[str, ...] = ()
    problem: str = ""
    """Why there is nothing to compare files with, or empty."""
    unvouched: int = 0
    """How many files there is nothing to compare with."""

    @property
    def fits(self) -> bool:
        return not (self.problem or self.missing or self.changed or self.additional)

    def complaints(self) -> list[str]:
        """What does not fit, a line each; the last one sums up and says what to do. None if all fits."""
        if self.fits:
            return []
        if self.problem:
            unvouched = f"nothing vouches for these {self.unvouched} files; {REMEDY}"
            return [*self._faults(), self.problem, unvouched]
        lines = self._faults()
        first = "delete what is additional, then " if self.additional else ""
        return [*lines, f"{len(lines)} file{'s do' if len(lines) > 1 else ' does'} not fit; {first}{REMEDY}"]

    def _faults(self) -> list[str]:
        unreadable = {path for path in self.changed if not self.files[path]}
        return [
            *(f"{path}: missing" for path in self.missing),
            *(f"{path}: {'cannot be read' if path in unreadable else 'changed'}" for path in self.changed),
            *(f"{path}: additional" for path in self.additional),
        ]


class AlteredSoftwareError(Exception):
    """The files that are installed are not those of the package. Says which, and what to do."""


def installed() -> dict[str, Path]:
    """The folder from which Python loads each package, whether or not the package can be loaded."""
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

    One that is not there is left out: then there is nothing of it to be loaded, either.
    """
    named = {point.value.partition(".")[0] for group in EXTENSIONS for point in entry_points(group=group)}
    specs = {package: find_spec(package) for package in sorted(named - set(PACKAGES))}
    return {
        # A package without __init__.py may lie in several folders: the further ones have no manifest.
        package if at == 0 else f"{package} ({at + 1})": Path(folder)
        for package, spec in specs.items()
        if spec is not None
        for at, folder in enumerate(dict.fromkeys(spec.submodule_search_locations or ()))
    }


def within(root: Path, packages: Sequence[str] = PACKAGES) -> dict[str, Path]:
    """The folder of each package under a common one."""
    return {package: root / package for package in packages}


def sums(folders: Mapping[str, Path]) -> dict[str, str]:
    """The SHA-256 of every file of the packages but the manifest and ``__pycache__``, by its path, in order.

    A link to a folder counts as a file that cannot be read: Python would load what lies behind it.
    """
    found = {}
    for package, folder in folders.items():
        for top, inner, names in os.walk(folder):
            links = [name for name in inner if os.path.islink(os.path.join(top, name))]
            inner[:] = [name for name in inner if name != "__pycache__"]
            for name in (*names, *links):
                file = Path(top, name)
                found[_shown(Path(package) / file.relative_to(folder))] = _sum(file)
    found.pop(f"{_holder(folders)}/{NAME}", None)
    return dict(sorted(found.items()))


def listing(files: Mapping[str, str]) -> str:
    """Sums by path in the format of ``sha256sum``."""
    return "".join(f"{hexadecimal}  {path}\n" for path, hexadecimal in files.items())


def write(root: Path, packages: Sequence[str] = PACKAGES) -> None:
    """Write the manifest of the packages under ``root`` into them."""
    folders = within(root, packages)
    (folders[_holder(folders)] / NAME).write_text(listing(sums(folders)), encoding="ascii", newline="\n")


@cache
def digest() -> str:
    """What the record calls the software that runs: the SHA-256 of its manifest, hexadecimal.

    Without a manifest that can be read: ``development-``, and the digest that the manifest of a package would have
    that was built of the files as they are at the first call. Packages of other distributions are part of it.
    """
    return _together([_digest(folders) for folders in _vouched()])


def verify(folders: Mapping[str, Path] | None = None) -> SoftwareVerdict:
    """Compare the files that are there with the manifest.

    Args:
        folders: the folder of each package; those that are loaded, other distributions' among them, unless given.
    """
    return _merged([_verdict(one) for one in (_vouched() if folders is None else [folders])])


def vouch() -> str:
    """Let only what was built run: with a manifest, every file must fit it. Takes some ten milliseconds.

    Returns:
        the digest, as of :func:`digest`; ``development-…`` where there is no manifest, for nothing vouches there.

    Raises:
        AlteredSoftwareError: a file does not fit, or the manifest is damaged.
    """
    verdicts = [_verdict(folders) for folders in _vouched()]
    altered = [one for one in verdicts if not one.fits and not one.software.startswith(DEVELOPMENT)]
    if altered:
        *lines, summary = _merged(altered).complaints()
        raise AlteredSoftwareError("\n".join([*lines[:_NAMED], f"the table does not start: {summary}"]))
    return _together([one.software for one in verdicts])


def _vouched() -> list[Mapping[str, Path]]:
    """The packages of this software, then each of other distributions: what a manifest is for."""
    return [installed(), *({package: folder} for package, folder in extensions().items())]


def _holder(folders: Mapping[str, Path]) -> str:
    """The package that holds the manifest of these."""
    return "controller" if "controller" in folders else next(iter(folders))


def _verdict(folders: Mapping[str, Path]) -> SoftwareVerdict:
    software, files = _digest(folders), sums(folders)
    try:
        expected = _read(folders[_holder(folders)] / NAME)
    except _NoManifestError as error:
        return SoftwareVerdict(software, files, problem=str(error), unvouched=len(files))
    return SoftwareVerdict(
        software,
        files,
        missing=tuple(sorted(expected.keys() - files.keys())),
        changed=tuple(path for path in files if expected.get(path, files[path]) != files[path]),
        additional=tuple(path for path in files if path not in expected),
    )


def _merged(verdicts: Sequence[SoftwareVerdict]) -> SoftwareVerdict:
    """One verdict on everything."""
    return SoftwareVerdict(
        _together([one.software for one in verdicts]),
        {path: hexadecimal for one in verdicts for path, hexadecimal in one.files.items()},
        missing=tuple(path for one in verdicts for path in one.missing),
        changed=tuple(path for one in verdicts for path in one.changed),
        additional=tuple(path for one in verdicts for path in one.additional),
        problem="; ".join(one.problem for one in verdicts if one.problem),
        unvouched=sum(one.unvouched for one in verdicts),
    )


def _together(digests: Sequence[str]) -> str:
    """One digest of several: of a single one itself. If one is of development, all of it is."""
    if len(digests) == 1:
        return digests[0]
    lead = DEVELOPMENT if any(one.startswith(DEVELOPMENT) for one in digests) else ""
    return lead + sha256("\n".join(digests).encode("ascii")).hexdigest()


def _digest(folders: Mapping[str, Path]) -> str:
    try:
        return sha256((folders[_holder(folders)] / NAME).read_bytes()).hexdigest()
    except OSError:
        return DEVELOPMENT + sha256(listing(sums(folders)).encode("ascii")).hexdigest()


class _NoManifestError(Exception):
    """There is none that can be understood; the message says where and why."""


def _read(manifest: Path) -> dict[str, str]:
    """The sums in a manifest, by path."""
    try:
        # Any byte is a character of Latin-1: what does not belong there is found by its line.
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


def _shown(path: Path) -> str:
    """A path in ASCII on one line, whatever somebody named a file."""
    return path.as_posix().encode("unicode_escape").decode("ascii")


def _sum(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
    except OSError:
        return ""
