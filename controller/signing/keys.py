"""Ed25519 keys in PEM files, and signatures over one entry: its table, record, number and hash.

A private key is in a file that its owner alone can read. The signed text is a
JSON array in ASCII without spaces: ``["table-controller receipt 1","big-six-1","3f…",1330,"a0…"]``.
"""

import base64
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from controller.errors import CONFIGURATION, UserError

_MOST_BYTES = 16 * 1024
_MAKE = {
    True: "`openssl genpkey -algorithm ed25519 -out FILE` makes one (docs/security.md)",
    False: "`openssl pkey -in PRIVATE -pubout -out FILE` takes it out of the private one (docs/security.md)",
}
"""By whether a key is private."""


class SigningError(UserError):
    """A key, or a file of signatures, cannot be used; the message says why and what to do."""

    exit_code = CONFIGURATION


class Domain(Enum):
    """What a signature says. One domain's signature is never valid in the other."""

    HEAD = "table-controller head 1"
    """By the table: my record has this entry."""
    RECEIPT = "table-controller receipt 1"
    """By the floor: all entries up to this one are stored here."""


def _message(domain: Domain, table: str, record: str, seq: int, hash_: str) -> bytes:
    return json.dumps([domain.value, table, record, seq, hash_], separators=(",", ":")).encode()


class Signer:
    """Signs with a private key.

    Args:
        file: PEM (PKCS #8) without a password, of mode 0600 or less.

    Raises:
        SigningError: the key cannot be used.
    """

    def __init__(self, file: Path, domain: Domain) -> None:
        self._key: Ed25519PrivateKey = _key(file, private=True)
        self._domain = domain

    def sign(self, table: str, record: str, seq: int, hash_: str) -> str:
        """The signature of an entry, base64."""
        return base64.b64encode(self._key.sign(_message(self._domain, table, record, seq, hash_))).decode()


class Verifier:
    """Verifies with a public key.

    Args:
        file: PEM.

    Raises:
        SigningError: the key cannot be used.
    """

    def __init__(self, file: Path, domain: Domain) -> None:
        self._key: Ed25519PublicKey = _key(file, private=False)
        self._domain = domain

    def verify(self, table: str, record: str, seq: int, hash_: str, signature: str | None) -> bool:
        """Whether a signature in base64 is this key's, of this domain and this entry."""
        try:
            signed = base64.b64decode(signature or "", validate=True)
            self._key.verify(signed, _message(self._domain, table, record, seq, hash_))
        except (InvalidSignature, ValueError):
            return False
        return True


class FloorKeys:
    """Signs receipts, and verifies tables' signatures. A table without a key here need not sign.

    Args:
        tables: the file of each table's public key.

    Raises:
        SigningError: a key cannot be used.
    """

    def __init__(self, key: Path, tables: Mapping[str, Path]) -> None:
        self.sign = Signer(key, Domain.RECEIPT).sign
        self._tables = {table: Verifier(file, Domain.HEAD) for table, file in tables.items()}

    def verify(self, table: str, record: str, seq: int, hash_: str, signature: str | None) -> bool:
        known = self._tables.get(table)
        return known is None or known.verify(table, record, seq, hash_, signature)


def _key(file: Path, private: bool) -> Any:
    """The key in a file. The mode is checked of what is read, and a pipe does not block."""
    found: object = None
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as stream:
            mode = os.fstat(descriptor).st_mode
            if private and mode & 0o077:
                raise SigningError(
                    f"{file}: others can read this key; chmod 600 {file}, or make a new one if they did"
                )
            pem = stream.read(_MOST_BYTES) if stat.S_ISREG(mode) else b""
        with suppress(ValueError, TypeError, UnsupportedAlgorithm):
            found = load_pem_private_key(pem, password=None) if private else load_pem_public_key(pem)
    except OSError as error:
        raise SigningError(f"{file}: the key cannot be read: {error.strerror}; {_MAKE[private]}") from error
    if isinstance(found, Ed25519PrivateKey if private else Ed25519PublicKey):
        return found
    what = "private Ed25519 key in PEM without a password" if private else "public Ed25519 key in PEM"
    raise SigningError(f"{file}: this is no {what}; {_MAKE[private]}")
