"""Checks the release that the floor's tables are to run, before they are asked for it (``software: release:``).

A release's folder has the sums of its files and their signature, as ``make release`` writes them: Ed25519
(RFC 8032) over the bytes of ``SHA256SUMS``.
"""

import hashlib
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from config.floor import SoftwareSection
from controller.runtime.challenge import UnansweredError, of_reference

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
_NONCE = "0" * 64
_LONGEST = 1 << 20
"""Of the list of sums, in bytes."""


def release_problems(section: SoftwareSection) -> list[tuple[str, str]]:
    """What is wrong with the release, or with the key that signed it: the key in the file, and a sentence."""
    release = Path(section.release)
    if not release.exists():
        return [("software.release", f"{release}: there is no such file or folder")]
    try:
        of_reference(_NONCE, release)
    except UnansweredError as error:
        return [("software.release", str(error))]
    except OSError as error:
        return [("software.release", f"{release}: cannot be read: {error.strerror}")]
    return [] if section.key is None else _signature_problems(release, Path(section.key))


def release_advice(section: SoftwareSection) -> list[str]:
    """What may be so, and should be known."""
    if section.key is not None:
        return []
    return [f"software.release: nobody compares {section.release} with its signature, for want of `key:` beside it"]


def _signature_problems(release: Path, key: Path) -> list[tuple[str, str]]:
    try:
        public = load_pem_public_key(_bytes(key))
    except OSError as error:
        return [("software.key", f"{key}: cannot be read: {error.strerror}")]
    except ValueError:
        return [("software.key", f"{key}: no public key (PEM) can be read there")]
    if not isinstance(public, Ed25519PublicKey):
        return [("software.key", f"{key}: it is no Ed25519 key")]
    try:
        sums = _bytes(release / SUMS)
        public.verify(_bytes(release / SIGNATURE), sums)
    except (FileNotFoundError, NotADirectoryError):
        words = f"{release}: it is not signed; name a release's folder, which has {SUMS} and {SIGNATURE}"
        return [("software.release", words)]
    except OSError as error:
        return [("software.release", f"{release}: {SUMS} or {SIGNATURE} cannot be read: {error.strerror}")]
    except InvalidSignature:
        return [("software.release", f"{release}: it is not signed with {key}; fetch the release again")]
    return [
        ("software.release", f"{release}: {words}; fetch the release again") for words in _differing(release, sums)
    ]


def _differing(release: Path, sums: bytes) -> list[str]:
    """The first file of a release that is not as its list says, as text; none if all are."""
    said = {line[66:]: line[:64] for line in sums.decode("utf-8", "replace").splitlines()}
    there = {path.relative_to(release).as_posix() for path in release.rglob("*") if not path.is_dir()}
    for name in sorted(said.keys() | there - {SUMS, SIGNATURE}):
        if name not in said:
            return [f"{name} does not belong to it"]
        if name not in there:
            return [f"{name} is missing"]
        try:
            with (release / name).open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            return [f"{name} cannot be read: {error.strerror}"]
        if digest != said[name]:
            return [f"{name} was changed"]
    return []


def _bytes(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(_LONGEST)
