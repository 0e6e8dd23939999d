"""Credentials of floorpersons: a number and a PIN, of which only a scrypt hash is stored.

The file is a JSON object by credential number. It stores the cost parameters with each hash, so that they can be
raised later. scrypt: RFC 7914; the parameters need 16 MiB, and some 50 ms on a core of a Raspberry Pi 4.
"""

import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from controller.access.whole_file import write_whole

log = logging.getLogger(__name__)

COST, BLOCK, PARALLEL = 2**14, 8, 1
LONGEST_NUMBER = 8
FEWEST_PIN_DIGITS, MOST_PIN_DIGITS = 6, 12
"""With the waiting times, an evening of guesses finds about one PIN of six digits in some thousands."""


class CredentialError(Exception):
    """Credentials cannot be used or changed; the message says where and what to do."""


class Secret(BaseModel):
    """The salted hash of a PIN, or of a password."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    salt: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    n: int = Field(COST, ge=2**14, le=2**18)
    r: int = Field(BLOCK, ge=8, le=32)
    p: int = Field(PARALLEL, ge=1, le=4)

    @classmethod
    def of(cls, pin: str, n: int = COST, p: int = PARALLEL) -> "Secret":
        """Hash a PIN or a password with a new salt."""
        salt = secrets.token_bytes(16)
        return cls(salt=salt.hex(), hash=_scrypt(pin, salt, n, BLOCK, p), n=n, r=BLOCK, p=p)

    def matches(self, pin: str) -> bool:
        """Whether this is the PIN."""
        return hmac.compare_digest(_scrypt(pin, bytes.fromhex(self.salt), self.n, self.r, self.p), self.hash)


# What follows is made when somebody first identifies, and not while the table starts.


@cache
def _nobodys() -> Secret:
    return Secret(salt="0" * 32, hash="0" * 64, n=COST, r=BLOCK, p=PARALLEL)


@cache
def _form() -> TypeAdapter[dict[str, Secret]]:
    return TypeAdapter(dict[Annotated[str, Field(pattern=rf"^[0-9]{{1,{LONGEST_NUMBER}}}$")], Secret])


class Credentials:
    """The credentials of floorpersons.

    Args:
        secrets: by credential number.
    """

    def __init__(self, secrets: Mapping[str, Secret]) -> None:
        self._secrets = dict(secrets)

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(sorted(self._secrets))

    def knows(self, number: str) -> bool:
        return number in self._secrets

    def verify(self, number: str, pin: str) -> bool:
        """Whether the PIN is that of the number. An unknown number takes the same time."""
        matches = self._secrets.get(number, _nobodys()).matches(pin)
        return matches and number in self._secrets


class CredentialsFile:
    """The present credentials of a file. If it cannot be read, no number is known, and that is logged."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def knows(self, number: str) -> bool:
        return self._load().knows(number)

    def verify(self, number: str, pin: str) -> bool:
        """Whether the PIN is that of the number."""
        return self._load().verify(number, pin)

    def _load(self) -> Credentials:
        try:
            return load(self._file)
        except CredentialError as error:
            log.error("nobody can act as floorperson: %s", error)
            return Credentials({})


def load(file: Path) -> Credentials:
    """Read the credentials of a file.

    Raises:
        CredentialError: it cannot be read.
    """
    return Credentials(_read(file))


def add(file: Path, number: str, pin: str) -> bool:
    """Set the PIN of a number; the file is created if there is none.

    Returns:
        whether the number is new.

    Raises:
        CredentialError: the number or PIN is not acceptable, or the file cannot be written; nothing was changed.
    """
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
        raise CredentialError(f"'{number}' is no credential number: 1 to {LONGEST_NUMBER} digits, as on the keypad")
    if not (pin.isascii() and pin.isdigit() and FEWEST_PIN_DIGITS <= len(pin) <= MOST_PIN_DIGITS):
        raise CredentialError(f"a PIN has {FEWEST_PIN_DIGITS} to {MOST_PIN_DIGITS} digits, as on the keypad")
    if len(set(pin)) < 3 or pin in "01234567890123456789" or pin in "98765432109876543210" or pin == number:
        raise CredentialError("this PIN is easy to guess; choose at least three different digits, out of order")
    known = _read(file) if file.exists() else {}
    new = number not in known
    _write(file, {**known, number: Secret.of(pin)})
    return new


def remove(file: Path, number: str) -> None:
    """Remove a number.

    Raises:
        CredentialError: the number is not there, or the file cannot be written; nothing was changed.
    """
    known = _read(file)
    if number not in known:
        raise CredentialError(f"{file}: no credential {number}; there are: {', '.join(sorted(known)) or 'none'}")
    _write(file, {other: secret for other, secret in known.items() if other != number})


def _scrypt(pin: str, salt: bytes, n: int, r: int, p: int) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=2**28, dklen=32).hex()


def _read(file: Path) -> dict[str, Secret]:
    try:
        return _form().validate_json(file.read_bytes())
    except FileNotFoundError:
        raise CredentialError(
            f"{file}: there is no such file; create it with: table-controller credential add"
        ) from None
    except OSError as error:
        raise CredentialError(f"{file}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "the file"
        raise CredentialError(
            f"{file}: {where} is damaged; restore the file, or remove it and add all credentials again"
        ) from None


def _write(file: Path, known: Mapping[str, Secret]) -> None:
    """Replace the file; a new one is readable by its group."""
    text = json.dumps({number: secret.model_dump() for number, secret in sorted(known.items())}, indent=1)
    try:
        write_whole(file, text + "\n", 0o640)
    except OSError as error:
        raise CredentialError(f"{file}: cannot be written: {error.strerror}") from error
