"""Who acts: the floorperson's key only opens once a credential number and its PIN were keyed in.

Presses come in, and those pass on that the game may hear. The digits of number and PIN do not, so a PIN never
reaches a record, a log or a screen. Pure: time comes with the presses.

After the key is turned: the number, ``enter``, the PIN, ``enter``; ``clear`` wipes what was keyed, or gives up. For
``session_ns`` after a floorperson's last act the key alone will do. Each wrong PIN makes everybody wait, twice as
long each time.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from controller.access.credentials import LONGEST_NUMBER, MOST_PIN_DIGITS
from controller.events.event import Event, Identified, IdentityRefused, Press

FLOOR_KEY = "floor-key"
DIGITS = frozenset("0123456789")
KEYS = DIGITS | {"enter", "clear"}
"""The keys that an identification takes."""
NS_PER_S = 1_000_000_000
PATIENCE_NS = 30 * NS_PER_S
"""An identification that nobody goes on with is forgotten."""
FIRST_WAIT_NS, LONGEST_WAIT_NS = 2 * NS_PER_S, 600 * NS_PER_S

UNKNOWN = "unknown"
"""Recorded in place of a number that nobody has: it may be a PIN that was keyed too early."""


class Identities(Protocol):
    """Who there is."""

    def knows(self, number: str) -> bool:
        """Whether somebody has this credential number."""

    def fit(self, number: str, pin: str) -> bool:
        """Whether a credential number and a PIN belong together."""


class Prompt(Enum):
    """What is being asked for."""

    NUMBER = "number"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class KeyedCredential:
    """An identification that has begun."""

    asks: Prompt
    at_ns: int
    """When its last key was pressed."""
    number: str = ""
    pin: str = ""


class Authentication:
    """What stands between the keys and the game.

    Args:
        identities: who there is; None if the table asks for nobody.
        session_ns: how long after an act the same floorperson's key alone will do.
    """

    def __init__(self, identities: Identities | None, session_ns: int = 120 * NS_PER_S) -> None:
        self._identities = identities
        self._session_ns = session_ns
        self._entry: KeyedCredential | None = None
        self._present = ""
        self._until_ns = 0
        self._wait_until_ns = 0
        self._failures = 0

    def press(self, press: Press) -> list[Event]:
        """What becomes of a press: the events that the game is told."""
        if self._identities is None:
            return [press]
        if self._entry is not None and press.at_ns - self._entry.at_ns > PATIENCE_NS:
            self._entry = None
        if press.control == FLOOR_KEY:
            return self._key(press)
        if self._entry is None or press.control not in KEYS:
            return [press]
        return self._keyed(self._entry, press)

    def prompt(self, now_ns: int) -> str:
        """What the floorperson is asked, for the screen; empty if nothing. A PIN's digits are dots."""
        if self._entry is None or now_ns - self._entry.at_ns > PATIENCE_NS:
            return ""
        if self._entry.asks is Prompt.NUMBER:
            return f"floorperson: key your credential number, then enter: {self._entry.number}"
        return f"floorperson: key your PIN, then enter: {'•' * len(self._entry.pin)}"

    def refused_before(self, failures: int, now_ns: int) -> None:
        """So many wrong PINs were the last that was keyed before a restart: the waiting begins anew."""
        self._failures = failures
        if failures:
            self._wait_until_ns = now_ns + self._wait_ns()

    def _key(self, press: Press) -> list[Event]:
        """The key was turned."""
        if self._present and press.at_ns <= self._until_ns:
            return [self._acts(press)]
        if press.at_ns < self._wait_until_ns:
            return [IdentityRefused(press.at_ns, "", self._failures, self._wait_until_ns - press.at_ns)]
        self._entry = KeyedCredential(Prompt.NUMBER, press.at_ns)
        return []

    def _acts(self, press: Press) -> Press:
        self._until_ns = press.at_ns + self._session_ns
        return replace(press, by=self._present)

    def _keyed(self, entry: KeyedCredential, press: Press) -> list[Event]:
        """A key of the identification."""
        entry = replace(entry, at_ns=press.at_ns)
        of_pin = entry.asks is Prompt.PIN
        keyed, longest = (entry.pin, MOST_PIN_DIGITS) if of_pin else (entry.number, LONGEST_NUMBER)
        if press.control in DIGITS:
            keyed = (keyed + press.control)[: longest + 1]  # One too many stays wrong.
            self._entry = replace(entry, pin=keyed) if of_pin else replace(entry, number=keyed)
            return []
        if press.control == "clear":
            wiped = replace(entry, pin="") if of_pin else replace(entry, number="")
            self._entry = wiped if keyed else None
            return []
        if not keyed:
            self._entry = entry
            return []
        if not of_pin:
            self._entry = replace(entry, asks=Prompt.PIN)
            return []
        return self._decide(entry, press)

    def _decide(self, entry: KeyedCredential, press: Press) -> list[Event]:
        """Number and PIN are there."""
        assert self._identities is not None
        self._entry = None
        if not self._identities.fit(entry.number, entry.pin):
            self._failures += 1
            self._present, self._until_ns = "", 0
            self._wait_until_ns = press.at_ns + self._wait_ns()
            number = entry.number if self._identities.knows(entry.number) else UNKNOWN
            return [IdentityRefused(press.at_ns, number, self._failures, self._wait_ns())]
        self._failures = 0
        self._present = entry.number
        turned = self._acts(replace(press, control=FLOOR_KEY))
        return [Identified(press.at_ns, entry.number), turned]

    def _wait_ns(self) -> int:
        return min(LONGEST_WAIT_NS, FIRST_WAIT_NS << min(self._failures - 1, 30))
