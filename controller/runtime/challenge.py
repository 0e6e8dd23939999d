"""An answer to a challenge: that somebody has every byte of the software now, not a list of its hashes.

Who asks draws a random nonce. The answer is SHA-256 over, for each file in the order of the manifest, the SHA-256
of nonce, name and content, so that neither an answer that was given before nor a list of hashes answers another
nonce.

It shows that the computer which answers has these files. It does not show that they are what runs there: a table
that was altered and keeps a clean copy can answer from that.
"""

import os
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from controller.runtime import manifest
from controller.runtime.verified_import import NAME

NONCE = re.compile(r"[0-9a-f]{32,128}")
"""16 to 64 random bytes, hexadecimal."""
_MANIFEST = f"controller/{manifest.NAME}"

Read = Callable[[str], bytes]
"""Reads a file by its name in the manifest.

Raises:
    OSError, KeyError: there is no such file.
"""


class UnansweredError(Exception):
    """A challenge that cannot be answered from these files; the message names them and says why."""


@dataclass(frozen=True, slots=True)
class ChallengeAnswer:
    """What is answered, hexadecimal.

    Attributes:
        package: over this software's own files, without machine code, which is compiled for the computer: the same
            on every table of a release.
        installation: over every file of ``ENVIRONMENT.sha256``: the same on every table of an image; empty where
            nothing was installed by the installer.
    """

    package: str
    installation: str = ""


def of_installed(nonce: str, slot: Path | None) -> ChallengeAnswer:
    """The answer of the running software.

    Args:
        slot: the folder of the installation; None if there is none.

    Raises:
        UnansweredError: a file cannot be read, or there is no manifest.
    """
    folders = manifest.installed()

    def read(name: str) -> bytes:
        package, _, rest = name.partition("/")
        return (folders[package] / rest).read_bytes()

    package = _of_package(nonce, read)
    return ChallengeAnswer(package, _of_slot(nonce, slot) if slot is not None else "")


def of_reference(nonce: str, reference: Path) -> ChallengeAnswer:
    """The answer that a table must give, from files that are known to be right.

    Args:
        reference: a release's wheel, its folder, or an installation's.

    Raises:
        UnansweredError: it is none of these, or a file cannot be read.
    """
    if reference.is_dir() and (reference / NAME).exists():
        (site,) = [path for path in (reference / "lib").glob("python3*/site-packages") if path.is_dir()] or [
            reference
        ]
        return ChallengeAnswer(
            _of_package(nonce, lambda name: (site / name).read_bytes()), _of_slot(nonce, reference)
        )
    if reference.is_dir() and (reference / _MANIFEST).exists():
        return ChallengeAnswer(_of_package(nonce, lambda name: (reference / name).read_bytes()))
    wheels = sorted(reference.glob("table_controller-*.whl")) if reference.is_dir() else [reference]
    if len(wheels) != 1:
        raise UnansweredError(f"{reference}: name a release's folder or wheel, or the folder of an installation")
    try:
        with zipfile.ZipFile(wheels[0]) as wheel:
            return ChallengeAnswer(_of_package(nonce, wheel.read))
    except (OSError, zipfile.BadZipFile) as error:
        raise UnansweredError(f"{wheels[0]}: no wheel can be read there: {error}") from error


def _of_package(nonce: str, read: Read) -> str:
    text = _text(_MANIFEST, read)
    names = [line[66:] for line in text.splitlines()]
    return _answer(nonce, [name for name in names if not name.endswith(tuple(EXTENSION_SUFFIXES[-1:]))], read)


def _of_slot(nonce: str, slot: Path) -> str:
    def read(name: str) -> bytes:
        return Path(os.path.join(slot, name)).read_bytes()  # An absolute name stays one.

    return _answer(nonce, [NAME, *(line[66:] for line in _text(NAME, read).splitlines())], read)


def _text(name: str, read: Read) -> str:
    try:
        return read(name).decode("ascii")
    except (OSError, KeyError, ValueError) as error:
        raise UnansweredError(
            f"{name} cannot be read: {error}; the software was not installed as a release"
        ) from error


def _answer(nonce: str, names: Iterable[str], read: Read) -> str:
    total, drawn = sha256(), bytes.fromhex(nonce)
    for name in names:
        try:
            content = read(name)
        except (OSError, KeyError) as error:
            raise UnansweredError(f"{name} cannot be read: {error}") from error
        total.update(sha256(drawn + name.encode("ascii") + b"\0" + content).digest())
    return total.hexdigest()
