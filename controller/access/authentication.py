"""Authentication: the floorperson's key takes effect only after a credential number and its PIN were entered.

After the key is turned: the number, ``enter``, the PIN, ``enter``; ``clear`` erases the entry, or cancels. For
``session_ns`` after a floorperson's last action the key alone is sufficient, except where the table asks who each
person is (``asks_each``). Each wrong PIN delays the next identification, twice as long each time. Pure: each press
carries its time.

**Where digits go.** People key number and PIN when the key alone would do, go on keying after a refusal, come
back to a half keyed PIN, and a cheat waits for that. So at a table that asks for credentials the digits are
*closed* to the game from each turn of the key on, whoever turned it and whatever came of it, and from each
start of the table. What is keyed while they are closed can only be an identification: it is shown as dots and
reaches no event, and with it goes the ``enter`` or ``clear`` that follows. They are opened

* by ``enter`` with no digit keyed before it, in a state in which the game takes digits: turn the key,
  ``enter``, choose;
* by any key of the dealer's that is no key of an identification, if no digit was keyed since the table started,
  or since the key counted or was given up, and that is more than 30 s ago: the game has gone on.

No pause opens them: neither the length of one nor the digits tell a choice of the menu from the first digit of
a number. An identification ends with its number and PIN, with ``clear``, or after 30 s without a key; what was
keyed of it is then forgotten, and the digits stay closed. While digits are kept back that nobody turned the key
for, the other keys of an entry are, too: half of an entry would be a wrong one. An identification that is keyed
without a new turn of the key counts for the person, not as a turn: it is verified, refused and recorded as any
other, but one whose number nobody has makes nobody wait, for it may be the dealer's entry.

**When nobody has turned the key** since the dealer last used the digits, they are the game's. A number, ``enter``
and a PIN are told from the dealer's entry at that ``enter``, and the digits are closed from then on
(:mod:`controller.access.unasked`). Not covered: a PIN without its number, or after one that the game takes as an
entry. Of that, digits that the dealer's entry takes are on record: docs/operation.md.
"""

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Protocol

from controller.access.credentials import LONGEST_NUMBER
from controller.access.keyed import KeyedCredential, Prompt
from controller.events.event import Event, FloorKeyTurned, Identified, IdentityRefused, Press

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


class Closed(Enum):
    """Why the digits are closed to the game, as text for the people at the table."""

    STARTED = "the table has started"
    COUNTED = "the key counts, no PIN is needed"
    CANCELLED = "the identification was given up"
    REFUSED = "not identified: turn the key to begin anew"
    EXPIRED = "the identification took too long: turn the key to begin anew"
    UNASKED = "nobody turned the key"


_PASSES = (Closed.STARTED, Closed.COUNTED, Closed.CANCELLED, Closed.UNASKED)
"""Nothing is half done: once the dealer goes on, the digits are the game's."""
_OPENS = "press enter before digits for the game"


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
        self._closed: Closed | None = None
        self._keyed_ns = 0
        """When the last key of an identification was pressed, or the key turned."""
        self._present = ""
        self._until_ns = 0
        self._wait_until_ns = 0
        self._failures = 0
        self.asks_each: Callable[[], bool] = lambda: False
        """Whether each turn of the key must say who turns it: the person matters now, not that one may."""

    def press(self, press: Press, takes_digits: bool = True) -> list[Event]:
        """The events of a press that are passed on to the game.

        Args:
            takes_digits: whether digits mean anything now, if they are no identification.
        """
        if self._identities is None:
            return [press]
        if self._expired(press.at_ns):
            self._close(Closed.EXPIRED)
        if press.control == FLOOR_KEY:
            return self._on_floor_key(press)
        # A key may be several digits: 00, 10.
        if press.control in KEYS or press.control.isdecimal():
            return [press] if self._closed is None else self._on_entry_key(press, takes_digits)
        if self._entry is not None and not self._entry.turned and takes_digits:
            return []  # The rest of an entry of which digits were kept back would be a wrong one.
        if self._closed in _PASSES and self._entry is None and press.at_ns - self._keyed_ns > PATIENCE_NS:
            self._closed = None
        return [press]

    def prompt(self, now_ns: int, takes_digits: bool = True) -> str:
        """The prompt for the screen; empty if there is none. Each digit is a dot: it may be one of a PIN."""
        if self._closed is None:
            return ""
        if self._expired(now_ns):
            return f"{Closed.EXPIRED.value}; {_OPENS}: " if takes_digits else f"{Closed.EXPIRED.value}: "
        entry = self._entry
        if entry is None:
            return f"{self._closed_because()}; {_OPENS}: " if takes_digits else ""
        dots = "•" * len(entry.keyed)
        if entry.turned:
            asks = "credential number" if entry.prompt is Prompt.NUMBER else "PIN"
            return f"floorperson: key your {asks}, then enter: {dots}"
        again = "clear, then " if entry.keyed or entry.prompt is Prompt.PIN else ""
        return f"{self._closed_because()}; {again}{_OPENS}: {dots}"

    @property
    def due_ns(self) -> int | None:
        """When an identification in progress expires, unless a key is pressed before; None if there is none."""
        return self._keyed_ns + PATIENCE_NS + 1 if self._entry is not None else None

    def identifies(self, now_ns: int) -> bool:
        """Whether the key was turned, and number and PIN are being entered for it."""
        return self._entry is not None and self._entry.turned and not self._expired(now_ns)

    def knows(self, number: str) -> bool:
        return self._identities is not None and self._identities.knows(number)

    @property
    def required(self) -> bool:
        """Whether the table asks for credentials."""
        return self._identities is not None

    def identified(self, now_ns: int) -> str:
        """The credential number of who identified last, while that person's key alone would do; else empty."""
        return self._present if now_ns <= self._until_ns else ""

    @property
    def closed(self) -> bool:
        """Whether the digits are closed to the game."""
        return self._closed is not None

    def started(self, failures: int, now_ns: int) -> None:
        """The table has started: the wait for the wrong PINs before starts again, and the digits are closed.

        Args:
            failures: the number of consecutive wrong PINs before the start.
        """
        self._failures = failures
        if failures:
            self._wait_until_ns = now_ns + self._wait_ns()
        if self._identities is not None:
            self._close(Closed.STARTED)
            self._keyed_ns = now_ns

    def unasked(self, number: str, at_ns: int) -> None:
        """A number was keyed though nobody turned the key (:mod:`controller.access.unasked`): a PIN may follow."""
        self._close(Closed.UNASKED)
        self._keyed_ns = at_ns
        self._entry = KeyedCredential(Prompt.PIN, number=number[: LONGEST_NUMBER + 1])

    def _closed_because(self) -> str:
        assert self._closed is not None
        if self._closed is Closed.COUNTED:
            return f"floorperson {self._present}, {Closed.COUNTED.value}"
        return str(self._closed.value)

    def _expired(self, now_ns: int) -> bool:
        return self._entry is not None and now_ns - self._keyed_ns > PATIENCE_NS

    def _close(self, why: Closed) -> None:
        self._closed, self._entry = why, None

    def _on_floor_key(self, press: Press) -> list[Event]:
        """The floorperson's key was turned."""
        self._keyed_ns = press.at_ns
        if self._present and press.at_ns <= self._until_ns and not self.asks_each():
            self._close(Closed.COUNTED)
            return [self._authenticated(press)]
        if press.at_ns < self._wait_until_ns:
            self._close(Closed.REFUSED)
            return [self._too_early(press)]
        self._close(Closed.CANCELLED)
        self._entry = KeyedCredential(turned=True)
        return [FloorKeyTurned(press.at_ns)]

    def _authenticated(self, press: Press) -> Press:
        self._until_ns = press.at_ns + self._session_ns
        return replace(press, by=self._present)

    def _too_early(self, press: Press, keyed: bool = False) -> IdentityRefused:
        return IdentityRefused(press.at_ns, "", self._failures, self._wait_until_ns - press.at_ns, keyed)

    def _on_entry_key(self, press: Press, takes_digits: bool) -> list[Event]:
        """A key of an identification, or one that is kept from the game because it could be one."""
        entry = self._entry or KeyedCredential()
        if press.control not in ("enter", "clear"):
            self._keyed_ns = press.at_ns
            self._entry = entry.with_digits(entry.keyed + press.control)
            return []
        if self._entry is None:
            return self._on_nothing_keyed(press, takes_digits)
        self._keyed_ns = press.at_ns
        if press.control == "clear":
            self._clear(entry)
            return []
        if not entry.keyed:
            return []
        if entry.prompt is Prompt.NUMBER:
            self._entry = entry._replace(prompt=Prompt.PIN)
            return []
        return self._decide(entry, press)

    def _on_nothing_keyed(self, press: Press, takes_digits: bool) -> list[Event]:
        """``enter`` or ``clear`` while the digits are closed and no identification is in progress."""
        if press.control == "clear" or not takes_digits:
            return [press]
        self._closed = None
        return []

    def _clear(self, entry: KeyedCredential) -> None:
        """Erase the digits; if there are none, the identification is given up."""
        if entry.keyed and (entry.turned or entry.prompt is Prompt.PIN):
            self._entry = entry.with_digits("")
        elif entry.turned:
            self._close(Closed.CANCELLED)
        else:
            self._entry = None

    def _decide(self, entry: KeyedCredential, press: Press) -> list[Event]:
        """Verify the number and the PIN."""
        assert self._identities is not None
        self._entry = None
        if press.at_ns < self._wait_until_ns:
            return [self._too_early(press, keyed=True)]
        if not self._identities.verify(entry.number, entry.pin):
            return [self._refuse(entry, press)]
        self._failures = 0
        self._present = entry.number
        self._until_ns = press.at_ns + self._session_ns
        self._close(Closed.COUNTED)
        identified = Identified(press.at_ns, entry.number)
        if not entry.turned:
            return [identified]
        return [identified, self._authenticated(replace(press, control=FLOOR_KEY))]

    def _refuse(self, entry: KeyedCredential, press: Press) -> IdentityRefused:
        assert self._identities is not None
        known = self._identities.knows(entry.number)
        if not known and not entry.turned:
            return IdentityRefused(press.at_ns, UNKNOWN, self._failures, 0)
        self._close(Closed.REFUSED)
        self._failures += 1
        self._present, self._until_ns = "", 0
        self._wait_until_ns = press.at_ns + self._wait_ns()
        return IdentityRefused(press.at_ns, entry.number if known else UNKNOWN, self._failures, self._wait_ns())

    def _wait_ns(self) -> int:
        return min(LONGEST_WAIT_NS, FIRST_WAIT_NS << min(self._failures - 1, 30))
