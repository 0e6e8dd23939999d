"""A signing key in a file that its owner alone can read: Ed25519 in PKCS #8, PEM, as OpenSSL writes it."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.journal.durable import sync_folder
from controller.transparency.note import NoteError

_MOST_BYTES = 16 * 1024


class KeyFile:
    """The key in a file.

    Args:
        file: PEM, of mode 0600 or less.

    Raises:
        NoteError: it cannot be read, others can read it, or it is no Ed25519 key; the message says what to do.
    """

    def __init__(self, file: Path) -> None:
        try:
            pem = _read(file)
            key = serialization.load_pem_private_key(pem, password=None)
        except OSError as error:
            raise NoteError(f"{file}: the key cannot be read: {error.strerror}") from error
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise NoteError(f"{file}: no private key in PEM without a password") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise NoteError(f"{file}: the key is not an Ed25519 key: openssl genpkey -algorithm ed25519")
        self._key = key

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self._key.sign(message)


def _read(file: Path) -> bytes:
    """The file's bytes, if it is a file that only its owner reads. What is looked at is what is read."""
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NoteError(f"{file}: a key is kept in a file, and this is none")
        if status.st_mode & 0o077:
            raise NoteError(f"{file}: others can read this key: chmod 600 {file}; if they did, make a new one")
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)


def make_key(file: Path) -> bool:
    """Make a key, whole on disk before it has its name; returns False if there is one already, which stays.

    Raises:
        NoteError: it cannot be written.
    """
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    beside = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            os.write(descriptor, pem)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.link(beside, file)  # Never over a key that is there.
        sync_folder(file.parent)
    except FileExistsError:
        return False
    except OSError as error:
        raise NoteError(f"{file}: a key cannot be made here: {error.strerror}") from error
    finally:
        with suppress(OSError):
            beside.unlink()
    return True
