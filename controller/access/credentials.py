"""The people whom a table knows: a number and a role for each, and a PIN, of which only a scrypt hash is stored.

The file is a JSON object by number, with the cost parameters of each hash, so that they can be raised later::

    {"4711": {"role": "floorperson", "pin": {...}}, "12": {"role": "dealer"}}

scrypt: RFC 7914; the parameters need 16 MiB, and some 50 ms on a core of a Raspberry Pi 4.
"""

import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from config.edit import replace
from controller.errors import UserError

log = logging.getLogger(__name__)

COST, BLOCK, PARALLEL = 2**14, 8, 1
LONGEST_NUMBER = 8
FEWEST_PIN_DIGITS, MOST_PIN_DIGITS = 6, 12
"""With the waiting times, an evening of guesses finds about one PIN of six digits in some thousands."""


class CredentialError(UserError):
    """Credentials cannot be used or changed; the message says where and what to do."""


class Role(Enum):
    FLOORPERSON = "floorperson"
    DEALER = "dealer"


class Identities(Protocol):
    """What the key path asks about people. A number belongs to one person, who has one role."""

    def knows(self, number: str, role: Role) -> bool: ...

    def verify(self, number: str, pin: str, role: Role) -> bool:
        """Whether somebody with this role has the number and the PIN; never for a person without a PIN."""


class Secret(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    salt: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    n: int = Field(COST, ge=2**14, le=2**18)
    r: int = Field(BLOCK, ge=8, le=32)
    p: int = Field(PARALLEL, ge=1, le=4)

    @classmethod
    def of(cls, pin: str) -> Self:
        salt = secrets.token_bytes(16)
        return cls(salt=salt.hex(), hash=_scrypt(pin, salt, COST, BLOCK, PARALLEL), n=COST, r=BLOCK, p=PARALLEL)

    def matches(self, pin: str) -> bool:
        return hmac.compare_digest(_scrypt(pin, bytes.fromhex(self.salt), self.n, self.r, self.p), self.hash)


class Person(BaseModel):
    """Somebody on the list.

    Attributes:
        pin: None for a dealer whose number is enough; a floorperson has a PIN.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    role: Role
    pin: Secret | None = None

    @model_validator(mode="after")
    def _floorperson_has_a_pin(self) -> Self:
        if self.role is Role.FLOORPERSON and self.pin is None:
            raise ValueError("a floorperson needs a PIN")
        return self


# The following are made when somebody first identifies, and not while the table starts.


@cache
def _nobodys() -> Secret:
    return Secret(salt="0" * 32, hash="0" * 64, n=COST, r=BLOCK, p=PARALLEL)


@cache
def _form() -> TypeAdapter[dict[str, Person]]:
    return TypeAdapter(dict[Annotated[str, Field(pattern=rf"^[0-9]{{1,{LONGEST_NUMBER}}}$")], Person])


class CredentialsFile:
    """The present people of a file. If the file cannot be read, nobody is known, and that is logged."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def knows(self, number: str, role: Role) -> bool:
        return self._find(number, role) is not None

    def verify(self, number: str, pin: str, role: Role) -> bool:
        """Whether the PIN is that of the number. Unknown numbers and missing PINs take the same time."""
        person = self._find(number, role)
        secret = person.pin if person is not None else None
        matches = (secret or _nobodys()).matches(pin)
        return matches and secret is not None

    def _find(self, number: str, role: Role) -> Person | None:
        try:
            person = load(self._file).get(number)
        except CredentialError as error:
            log.error("nobody can identify: %s", error)
            return None
        return person if person is not None and person.role is role else None


def add(file: Path, number: str, role: Role, pin: str | None) -> bool:
    """Add a person, or give one another PIN; the file is created if there is none.

    Args:
        pin: None for a dealer whose number is enough.

    Returns:
        whether the number is new.

    Raises:
        CredentialError: the number or PIN is not acceptable, the number belongs to a person with the other role, or
            the file cannot be written; nothing was changed.
    """
    _check(number, role, pin)
    known = load(file) if file.exists() else {}
    before = known.get(number)
    if before is not None and before.role is not role:
        raise CredentialError(
            f"{number} is a {before.role.value}; use another number, or remove this one first: "
            f"table-controller credential remove {number}"
        )
    _write(file, {**known, number: Person(role=role, pin=Secret.of(pin) if pin is not None else None)})
    return before is None


def check_number(number: str) -> str:
    """The number, if it is one that a keypad can send.

    Raises:
        CredentialError: it is not.
    """
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
        raise CredentialError(f"'{number}' is no credential number: 1 to {LONGEST_NUMBER} digits, as on the keypad")
    return number


def _check(number: str, role: Role, pin: str | None) -> None:
    check_number(number)
    if pin is None:
        if role is Role.FLOORPERSON:
            raise CredentialError("a floorperson needs a PIN; only a dealer can be without one: --dealer --no-pin")
        return
    if not (pin.isascii() and pin.isdigit() and FEWEST_PIN_DIGITS <= len(pin) <= MOST_PIN_DIGITS):
        raise CredentialError(f"a PIN has {FEWEST_PIN_DIGITS} to {MOST_PIN_DIGITS} digits, as on the keypad")
    if len(set(pin)) < 3 or pin in "01234567890123456789" or pin in "98765432109876543210" or pin == number:
        raise CredentialError("this PIN is easy to guess; choose at least three different digits, out of order")


def remove(file: Path, number: str) -> None:
    """Remove a number.

    Raises:
        CredentialError: the number is not there, or the file cannot be written; nothing was changed.
    """
    known = load(file)
    if number not in known:
        raise CredentialError(f"{file}: no credential {number}; there are: {', '.join(sorted(known)) or 'none'}")
    _write(file, {other: person for other, person in known.items() if other != number})


def _scrypt(pin: str, salt: bytes, n: int, r: int, p: int) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=2**28, dklen=32).hex()


def load(file: Path) -> dict[str, Person]:
    """The people of a file, by number.

    Raises:
        CredentialError: it cannot be read.
    """
    try:
        return dict(sorted(_form().validate_json(file.read_bytes()).items()))
    except FileNotFoundError:
        raise CredentialError(
            f"{file}: there is no such file; create it with: table-controller credential add NUMBER"
        ) from None
    except PermissionError:
        raise CredentialError(f"{file}: permission denied; use sudo, or correct the file's group") from None
    except OSError as error:
        raise CredentialError(f"{file}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "the file"
        message = f"{file}: {where} is damaged; restore the file, or remove it and add all people again"
        raise CredentialError(message) from None


def _write(file: Path, known: Mapping[str, Person]) -> None:
    """Replace the file; a new one is readable by its group."""
    people = {number: person.model_dump(mode="json", exclude_none=True) for number, person in sorted(known.items())}
    try:
        replace(file, json.dumps(people, indent=1) + "\n")
    except OSError as error:
        raise CredentialError(f"{file}: cannot be written: {error.strerror}") from error
