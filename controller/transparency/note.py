"""Signed notes: a text and lines of signatures, which anybody's tools can read (C2SP signed-note).

A key has a name and a type of signature. Its public part is written as ``NAME+ID+BASE64``, a verifier key.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ED25519, COSIGNATURE = 0x01, 0x04
"""Types of signatures: over the note's text, and a witness's with its time (C2SP tlog-cosignature)."""
MOST_BYTES = 64 * 1024
"""No note that is read is longer."""
MOST_SIGNATURES = 64
NAME = re.compile(r"[^\s+]{1,200}")
"""Of a key."""
_LINE = re.compile(r"— (\S{1,200}) ([A-Za-z0-9+/]+={0,2})")
_KEY_BYTES, _ID_BYTES, _TIME_BYTES = 32, 4, 8
_LATEST = (1 << 63) - 1


class NoteError(Exception):
    """A note or a key that is none, or a signature that does not match; the message says which."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with its name.

    Attributes:
        type: ``ED25519`` or ``COSIGNATURE``.
        public: 32 bytes.
    """

    name: str
    type: int
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that name it beside its name in a line of a signature."""
        return hashlib.sha256(f"{self.name}\n".encode() + bytes((self.type,)) + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_base64(bytes((self.type,)) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read ``NAME+ID+BASE64``.

        Raises:
            NoteError: it is no such key, or not of these types.
        """
        name, _, rest = text.strip().partition("+")
        digits, _, encoded = rest.partition("+")
        try:
            data = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):  # ValueError: not ASCII.
            data = b""
        if not NAME.fullmatch(name) or len(data) != 1 + _KEY_BYTES or data[0] not in (ED25519, COSIGNATURE):
            raise NoteError(f"'{text.strip()[:80]}' is no public key: it should be NAME+ID+BASE64, of Ed25519")
        key = cls(name, data[0], data[1:])
        if key.id.hex() != digits:
            raise NoteError(f"the public key of '{name}' was copied wrongly: its number is {key.id.hex()}")
        return key


class Signature(NamedTuple):
    """One line of signatures, as it stands in a note."""

    name: str
    id: bytes
    data: bytes

    def __str__(self) -> str:
        return f"— {self.name} {_base64(self.id + self.data)}\n"


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A text, which ends with a newline, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(map(str, self.signatures))}"

    @classmethod
    def parse(cls, written: str) -> "SignedNote":
        """Read a note; no signature is verified.

        Raises:
            NoteError: it is none.
        """
        if len(written) > MOST_BYTES:
            raise NoteError(f"a note of {len(written)} characters is too long")
        if not _is_text(written):
            raise NoteError("no note: it holds characters that no text has")
        text, separator, lines = written.rpartition("\n\n")
        if not separator or not written.endswith("\n"):
            raise NoteError("no note: a text, an empty line and lines of signatures are expected")
        signatures = tuple(parse_signatures(lines))
        if not signatures:
            raise NoteError("a note without a signature")
        return cls(f"{text}\n", signatures)

    def has(self, key: VerifierKey) -> bool:
        """Whether it has a line of this key, right or not."""
        return any((one.name, one.id) == (key.name, key.id) for one in self.signatures)

    def verify(self, key: VerifierKey) -> int:
        """Verify the signature of a key.

        Returns:
            the time that a cosignature carries, in seconds since 1970; 0 for another signature.

        Raises:
            NoteError: the key has not signed the note, or its signature does not match.
        """
        of_key = [one for one in self.signatures if (one.name, one.id) == (key.name, key.id)]
        if not of_key:
            raise NoteError(f"'{key.name}' has not signed it")
        return max(_verified(self.text, one, key) for one in of_key)


def parse_signatures(lines: str) -> Iterable[Signature]:
    """The lines of signatures of a note, or of a witness's answer.

    Raises:
        NoteError: a line is none.
    """
    split = lines.removesuffix("\n").split("\n") if lines else []
    if len(split) > MOST_SIGNATURES:
        raise NoteError(f"a note with {len(split)} signatures; {MOST_SIGNATURES} are allowed")
    for line in split:
        found = _LINE.fullmatch(line)
        try:
            data = base64.b64decode(found[2], validate=True) if found is not None else b""
        except binascii.Error:
            data = b""
        if found is None or len(data) <= _ID_BYTES or "+" in found[1]:
            raise NoteError(f"no line of a signature: '{line[:80]}'")
        yield Signature(found[1], data[:_ID_BYTES], data[_ID_BYTES:])


def _is_text(written: str) -> bool:
    """Whether UTF-8 can hold it, and no character controls anything but the line."""
    try:
        written.encode()
    except UnicodeEncodeError:
        return False
    return all(character >= " " or character == "\n" for character in written)


def _verified(text: str, signature: Signature, key: VerifierKey) -> int:
    data, seconds, message = signature.data, 0, text.encode()
    if key.type == COSIGNATURE:
        seconds = int.from_bytes(data[:_TIME_BYTES])
        if seconds > _LATEST:
            raise NoteError(f"the time in the cosignature of '{key.name}' is none")
        message, data = cosigned(text, seconds), data[_TIME_BYTES:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(data, message)
    except (InvalidSignature, ValueError) as error:
        raise NoteError(f"the signature of '{key.name}' does not match") from error
    return seconds


def cosigned(text: str, seconds: int) -> bytes:
    """What a witness signs: the note's text with the time at which it saw it."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
