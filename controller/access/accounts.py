"""Local accounts of the pages: a name, a role, a password of which a scrypt hash is stored, and a second factor.

The file is a JSON object by name, which only its owner may read: it holds the secrets of the second factors.
Passwords cost what OWASP's cheat sheet on password storage asks of scrypt: N = 2^15, r = 8, p = 3.
"""

import fcntl
import hashlib
import json
import os
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from controller.access import one_time
from controller.access.credentials import Secret
from controller.access.roles import Role
from controller.access.used_steps import UsedSteps, UsedStepsError
from controller.access.whole_file import write_whole

COST, PARALLEL = 2**15, 3
NAME_PATTERN = "^[a-z0-9][a-z0-9._-]{0,39}$"
SHORTEST, LONGEST = 12, 128
"""Of a password, in characters."""
_NOT_FOR_OTHERS = 0o077
_REMAKE = "restore the file, or remove it and add all accounts again"


class AccountError(Exception):
    """Accounts cannot be used or changed; the message says where and what to do."""


def _base32(secret: str) -> str:
    if not one_time.is_secret(secret):
        raise ValueError("is no secret in base32")
    return secret


class Account(BaseModel):
    """One account as the file has it."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    role: Role
    password: Secret
    one_time: Annotated[str, AfterValidator(_base32)]
    """The secret of the second factor, in base32."""
    recovery: list[Annotated[str, Field(pattern="^[0-9a-f]{64}$")]]
    """SHA-256 of each recovery code that was not used yet."""

    @property
    def fingerprint(self) -> str:
        """Changes with everything that ends the account's sessions; not with a recovery code that is used up."""
        text = f"{self.role}:{self.password.hash}:{self.one_time}"
        return hashlib.sha256(text.encode()).hexdigest()


class NewAccount(BaseModel):
    """What is shown once, to whom the account is for."""

    one_time: str
    recovery: list[str]


_FILE = TypeAdapter(dict[Annotated[str, Field(pattern=NAME_PATTERN)], Account])
_DUMMY = Account(
    role=Role.LOOK,
    password=Secret(salt="0" * 32, hash="0" * 64, n=COST, p=PARALLEL),
    one_time="A" * 32,
    recovery=[],
)


class AccountsFile:
    """The accounts of a file, as it is at each moment. One thread at a time may use it.

    Which codes were used is kept in a file beside it, so that none works again after a restart.

    Args:
        utc_s: the wall time, in seconds.
    """

    def __init__(self, file: Path, utc_s: Callable[[], float]) -> None:
        self._file, self._utc_s = file, utc_s
        self._used = UsedSteps(file)

    def fingerprints(self) -> dict[str, str]:
        """What each account is now, by name.

        Raises:
            AccountError: the file cannot be read.
        """
        return {name: account.fingerprint for name, account in load(self._file).items()}

    def verify(self, name: str, password: str, code: str) -> Account | None:
        """The account, if name, password and code belong together. What is wrong makes no difference in time.

        Args:
            code: of the second factor, or a recovery code, which is used up.

        Raises:
            AccountError: the file cannot be read, or that a code was used cannot be kept.
        """
        known = load(self._file)
        account = known.get(name, _DUMMY)
        right = account.password.matches(normal(password))
        step = one_time.step_of(account.one_time, code.strip(), self._utc_s(), self._last_used(name))
        digest = one_time.recovery_digest(code)
        recovering = digest in account.recovery
        if name not in known or not right or (step is None and not recovering):
            return None
        if step is None:
            _use_up(self._file, name, digest)
        elif not self._use(name, step, known):
            return None
        return account

    def _last_used(self, name: str) -> int:
        try:
            return self._used.last(name)
        except UsedStepsError as error:
            raise AccountError(str(error)) from error

    def _use(self, name: str, step: int, known: Mapping[str, Account]) -> bool:
        try:
            return self._used.use(name, step, known)
        except UsedStepsError as error:
            raise AccountError(str(error)) from error


def load(file: Path) -> dict[str, Account]:
    """Read the accounts of a file.

    Raises:
        AccountError: it cannot be read, is damaged, or others may read it.
    """
    try:
        with file.open("rb") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            data = stream.read()
    except FileNotFoundError:
        raise AccountError(
            f"{file}: there is no such file; create it with: table-controller account {file} add NAME --role ROLE"
        ) from None
    except OSError as error:
        raise AccountError(f"{file}: cannot be read: {error.strerror}") from error
    if mode & _NOT_FOR_OTHERS:
        raise AccountError(f"{file}: it holds secrets that others may read; for its owner alone: chmod 600 {file}")
    try:
        return _FILE.validate_json(data)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "the file"
        raise AccountError(f"{file}: {where} is damaged; {_REMAKE}") from None


def add(file: Path, name: str, role: Role, password: str) -> NewAccount:
    """Add an account; the file is created if there is none.

    Raises:
        AccountError: the name is taken or not acceptable, as the password may be, or the file cannot be written.
    """
    with _changed(file, missing_ok=True) as known:
        if name in known:
            raise AccountError(f"{file}: there is an account {name} already; give it another password with: reset")
        account, new = _made(name, role, password)
        known[name] = account
    return new


def reset(file: Path, name: str, role: Role | None, password: str) -> NewAccount:
    """Give an account another password, second factor and recovery codes, and another role if one is given.

    Raises:
        AccountError: as :func:`add`.
    """
    with _changed(file) as known:
        account, new = _made(name, role or _of(known, file, name).role, password)
        known[name] = account
    return new


def remove(file: Path, name: str) -> None:
    """Remove an account.

    Raises:
        AccountError: it is not there, or the file cannot be written; nothing was changed.
    """
    with _changed(file) as known:
        _of(known, file, name)
        del known[name]


def normal(password: str) -> str:
    """A password as it is hashed, however a keyboard composes its letters (RFC 8265, section 4.2)."""
    return unicodedata.normalize("NFC", password)


def check_password(name: str, password: str) -> None:
    """Refuse a password that is quickly guessed.

    Raises:
        AccountError: it is; the message says why.
    """
    if not SHORTEST <= len(normal(password)) <= LONGEST:
        raise AccountError(f"a password has {SHORTEST} to {LONGEST} characters; a sentence is easy to keep in mind")
    if len(set(password.lower())) < 5 or name in password.lower():
        raise AccountError("this password is easy to guess: use at least five different letters, and not the name")


def _made(name: str, role: Role, password: str) -> tuple[Account, NewAccount]:
    try:
        TypeAdapter(Annotated[str, Field(pattern=NAME_PATTERN)]).validate_python(name)
    except ValidationError:
        raise AccountError(
            f"'{name[:40]}' is no name of an account: small letters, digits, '.', '_' and '-', at most 40"
        ) from None
    check_password(name, password)
    new = NewAccount(one_time=one_time.new_secret(), recovery=one_time.new_recovery_codes())
    account = Account(
        role=role,
        password=Secret.of(normal(password), COST, PARALLEL),
        one_time=new.one_time,
        recovery=[one_time.recovery_digest(code) for code in new.recovery],
    )
    return account, new


def _use_up(file: Path, name: str, digest: str) -> None:
    with _changed(file) as known:
        account = _of(known, file, name)
        if digest not in account.recovery:
            raise AccountError(f"{file}: the recovery code was used meanwhile")
        left = [other for other in account.recovery if other != digest]
        known[name] = account.model_copy(update={"recovery": left})


def _of(known: Mapping[str, Account], file: Path, name: str) -> Account:
    if name not in known:
        raise AccountError(f"{file}: no account {name}; there are: {', '.join(sorted(known)) or 'none'}")
    return known[name]


@contextmanager
def _changed(file: Path, missing_ok: bool = False) -> Iterator[dict[str, Account]]:
    """The accounts, to be changed and then written, while no other process changes them."""
    try:
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise AccountError(f"{file.parent}: {error.strerror}; make the folder first") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        known = {} if missing_ok and not file.exists() else load(file)
        yield known
        text = json.dumps({name: one.model_dump(mode="json") for name, one in sorted(known.items())}, indent=1)
        write_whole(file, text + "\n", 0o600)
    except OSError as error:
        raise AccountError(f"{file}: cannot be written: {error.strerror}") from error
    finally:
        os.close(folder)
