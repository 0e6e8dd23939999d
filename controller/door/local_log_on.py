"""Log-on with a local account: name, password and second factor at once: no answer tells which was wrong."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from controller.access.accounts import LONGEST, Account, AccountError, AccountsFile
from controller.access.throttle import Throttle, seconds
from controller.web.exchange import Request
from controller.web.peers import group_of
from hal.interfaces import Clock

FREE, FIRST_S, MOST_OF_NAME_S, MOST_OF_PEER_S = 3, 1.0, 60.0, 300.0
"""After three wrong attempts each waits twice as long as the one before, by name and by peer."""
WAITING = 8
"""How many attempts may wait to be checked: each takes a fifth of a second and 32 MiB."""
_LONGEST_NAME, _LONGEST_CODE = 40, 40
_FAMILIAR = 4096

WRONG = "the name, the password or the code is wrong; a code works once, so wait for the next one"
BUSY = "too many people log on at this moment; try again"
UNREADABLE = "the accounts cannot be read, or a used code not be kept; see the log"


@dataclass(frozen=True, slots=True)
class Attempt:
    """How an attempt ended.

    Attributes:
        account: None if it was refused.
        name: as it may be on record; empty if there is no such account, for it may be a password.
        why: the sentence for the person.
        wait_s: how long to wait; 0 if the attempt was checked.
    """

    account: Account | None
    name: str
    why: str = ""
    wait_s: int = 0


class LocalLogOn:
    """Checks attempts, one at a time, in a thread.

    A person at a peer from which they have logged on before does not wait for what others guess elsewhere: nobody
    can keep a person out by guessing.
    """

    def __init__(self, accounts: AccountsFile, clock: Clock, log: logging.Logger) -> None:
        self._accounts, self._clock, self._log = accounts, clock, log
        self._by_name = Throttle(FREE, FIRST_S, MOST_OF_NAME_S)
        self._by_peer = Throttle(FREE, FIRST_S, MOST_OF_PEER_S)
        self._familiar: dict[tuple[str, str], None] = {}
        self._thread = ThreadPoolExecutor(1, "log-on")
        self._waiting = 0

    async def attempt(self, request: Request, name: object, password: object, code: object) -> Attempt:
        """Check an attempt.

        Raises:
            ValueError: it is none: a text is missing or too long.
        """
        name, password, code = _text(name, _LONGEST_NAME), _text(password, LONGEST), _text(code, _LONGEST_CODE)
        name = name.strip().lower()
        peer, now_ns = group_of(request.peer), self._clock.now_ns()
        of_name = f"{name} at {peer}" if (name, peer) in self._familiar else name
        wait_ns = max(self._by_name.wait_ns(of_name, now_ns), self._by_peer.wait_ns(peer, now_ns))
        if wait_ns:
            wait_s = seconds(wait_ns)
            return Attempt(None, "", f"too many wrong attempts; try again in {wait_s} s", wait_s)
        if self._waiting >= WAITING:
            return Attempt(None, "", BUSY, 1)
        self._by_name.guessed(of_name, now_ns)
        self._by_peer.guessed(peer, now_ns)
        attempt = await self._checked(name, password, code)
        if attempt.account is not None:
            self._by_name.right(of_name, now_ns)
            self._by_peer.right(peer, now_ns)
            self._familiar[name, peer] = None
            for old in list(self._familiar)[:-_FAMILIAR]:
                del self._familiar[old]
        return attempt

    async def _checked(self, name: str, password: str, code: str) -> Attempt:
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._check, name, password, code)
        except AccountError as error:
            self._log.error("nobody can log on: %s", error)
            return Attempt(None, "", UNREADABLE, 1)
        finally:
            self._waiting -= 1

    def _check(self, name: str, password: str, code: str) -> Attempt:
        account = self._accounts.verify(name, password, code)
        known = account is not None or name in self._accounts.fingerprints()
        return Attempt(account, name if known else "", "" if account is not None else WRONG)

    def fingerprints(self) -> dict[str, str]:
        """What each account is now, by name; none of them if they cannot be read, which ends their sessions."""
        try:
            return self._accounts.fingerprints()
        except AccountError as error:
            self._log.error("all who logged on are logged off: %s", error)
            return {}

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"send name, password and code as texts, of at most {longest} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("name, password and code must be Unicode text") from None
    return value
