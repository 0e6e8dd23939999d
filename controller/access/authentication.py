"""Authentication: the floorperson's key takes effect only after a credential number and its PIN were entered.

It filters key presses: the digits of number and PIN are not passed on to the game, so a PIN never reaches a
record, a log or a screen. Pure: each press carries its time.

After the key is turned: the number, ``enter``, the PIN, ``enter``; ``clear`` erases the entry, or cancels. For
``session_ns`` after a floorperson's last action the key alone is sufficient, except where the table asks who each
person is (``asks_each``). Each wrong PIN delays the next identification, twice as long each time.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from controller.access.credentials import LONGEST_NUMBER, MOST_PIN_DIGITS
from controller.events.event import Event, Identified, IdentityRefused, Press

FLOOR_KEY = "floor-key"
DIGITS = frozenset("0123456789")
KEYS = DIGITS | {"enter", "clear"}
"""The keys of an identification."""
NS_PER_S = 1_000_000_000
PATIENCE_NS = 30 * NS_PER_S
"""An identification without a key press for this time is cancelled."""
FIRST_WAIT_NS, LONGEST_WAIT_NS = 2 * NS_PER_S, 600 * NS_PER_S

UNKNOWN = "unknown"
"""Recorded in place of an unknown number, which may be a PIN that was entered too early."""


class Identities(Protocol):
    """The known credentials."""

    def knows(self, number: str) -> bool:
        """Whether this credential number exists."""

    def verify(self, number: str, pin: str) -> bool:
        """Whether the PIN is that of the credential number."""


class Prompt(Enum):
    """What the next digits are."""

    NUMBER = "number"
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class KeyedCredential:
    """An identification in progress."""

    prompt: Prompt
    at_ns: int
    """When its last key was pressed."""
    number: str = ""
    pin: str = ""


class Authentication:
    """A filter between the keys and the game.

    Args:
        identities: the known credentials; None if the table requires no authentication.
        session_ns: how long after an action the key alone is sufficient for the same floorperson.
    """

    def __init__(self, identities: Identities | None, session_ns: int = 120 * NS_PER_S) -> None:
        self._identities = identities
        self._session_ns = session_ns
        self._entry: KeyedCredential | None = None
        self._present = ""
        self._until_ns = 0
        self._wait_until_ns = 0
        self._failures = 0
        self.asks_each: Callable[[], bool] = lambda: False
        """Whether each turn of the key must say who turns it: the person matters now, not that one may."""

    def press(self, press: Press) -> list[Event]:
        """The events of a press that are passed on to the game."""
        if self._identities is None:
            return [press]
        if self._entry is not None and press.at_ns - self._entry.at_ns > PATIENCE_NS:
            self._entry = None
        if press.control == FLOOR_KEY:
            return self._on_floor_key(press)
        if self._entry is None or press.control not in KEYS:
            return [press]
        return self._on_entry_key(self._entry, press)

    def prompt(self, now_ns: int) -> str:
        """The prompt for the screen; empty if there is none. Each digit of a PIN is a dot."""
        if self._entry is None or now_ns - self._entry.at_ns > PATIENCE_NS:
            return ""
        if self._entry.prompt is Prompt.NUMBER:
            return f"floorperson: key your credential number, then enter: {self._entry.number}"
        return f"floorperson: key your PIN, then enter: {'•' * len(self._entry.pin)}"

    def refused_before(self, failures: int, now_ns: int) -> None:
        """Restore the number of consecutive wrong PINs before a restart: the waiting time starts again."""
        self._failures = failures
        if failures:
            self._wait_until_ns = now_ns + self._wait_ns()

    def _on_floor_key(self, press: Press) -> list[Event]:
        """The floorperson's key was turned."""
        if self._present and press.at_ns <= self._until_ns and not self.asks_each():
            return [self._authenticated(press)]
        if press.at_ns < self._wait_until_ns:
            return [IdentityRefused(press.at_ns, "", self._failures, self._wait_until_ns - press.at_ns)]
        self._entry = KeyedCredential(Prompt.NUMBER, press.at_ns)
        return []

    def _authenticated(self, press: Press) -> Press:
        self._until_ns = press.at_ns + self._session_ns
        return replace(press, by=self._present)

    def _on_entry_key(self, entry: KeyedCredential, press: Press) -> list[Event]:
        """A key of an identification in progress."""
        entry = replace(entry, at_ns=press.at_ns)
        of_pin = entry.prompt is Prompt.PIN
        keyed, longest = (entry.pin, MOST_PIN_DIGITS) if of_pin else (entry.number, LONGEST_NUMBER)
        if press.control in DIGITS:
            keyed = (keyed + press.control)[: longest + 1]  # One digit too many keeps the entry invalid.
            self._entry = replace(entry, pin=keyed) if of_pin else replace(entry, number=keyed)
            return []
        if press.control == "clear":
            erased = replace(entry, pin="") if of_pin else replace(entry, number="")
            self._entry = erased if keyed else None
            return []
        if not keyed:
            self._entry = entry
            return []
        if not of_pin:
            self._entry = replace(entry, prompt=Prompt.PIN)
            return []
        return self._decide(entry, press)

    def _decide(self, entry: KeyedCredential, press: Press) -> list[Event]:
        """Verify the number and the PIN."""
        assert self._identities is not None
        self._entry = None
        if not self._identities.verify(entry.number, entry.pin):
            self._failures += 1
            self._present, self._until_ns = "", 0
            self._wait_until_ns = press.at_ns + self._wait_ns()
            number = entry.number if self._identities.knows(entry.number) else UNKNOWN
            return [IdentityRefused(press.at_ns, number, self._failures, self._wait_ns())]
        self._failures = 0
        self._present = entry.number
        turned = self._authenticated(replace(press, control=FLOOR_KEY))
        return [Identified(press.at_ns, entry.number), turned]

    def _wait_ns(self) -> int:
        return min(LONGEST_WAIT_NS, FIRST_WAIT_NS << min(self._failures - 1, 30))
