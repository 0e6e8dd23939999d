"""A private key in a file that its owner alone can read; an Ed25519 key in PKCS #8, as OpenSSL writes one."""

import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal.durable import sync_folder
from controller.transparency.note import NoteError


def read_or_make(file: Path) -> Ed25519PrivateKey:
    """The key in a file; one is made if there is none.

    Raises:
        NoteError: it cannot be read or made, others can read it, or it is no Ed25519 key.
    """
    try:
        if not file.exists():
            _make(file)
        if file.stat().st_mode & 0o077:
            raise NoteError(f"{file}: others can read this key: chmod 600 {file}; if they did, make a new one")
        key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    except OSError as error:
        raise NoteError(f"{file}: the key cannot be used: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise NoteError(f"{file}: no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise NoteError(f"{file}: the key is not an Ed25519 key: openssl genpkey -algorithm ed25519")
    return key


def _make(file: Path) -> None:
    """Make a key, whole on disk before it has its name."""
    file.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    beside = file.with_name(f".{file.name}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, pem)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.link(beside, file)  # Never over a key that is there.
    beside.unlink()
    sync_folder(file.parent)
