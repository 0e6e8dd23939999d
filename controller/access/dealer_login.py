"""The dealer's log-on: the key ``log-on``, a number, ``enter``; without a number the dealer logs off.

It filters key presses: the digits of a number are not passed on to the game. ``clear`` erases the entry, then
cancels. Pure: each press carries its time.
"""

from typing import NamedTuple

from controller.access.authentication import DIGITS, KEYS, NS_PER_S
from controller.events.event import DealerLoggedOn, Event, Press

LOG_ON = "log-on"
"""An optional control of a table; it requires the digits, ``enter`` and ``clear``."""
PATIENCE_NS = 30 * NS_PER_S
"""A log-on without a key press for this time is cancelled."""
MOST_DIGITS = 8


class _Entry(NamedTuple):
    """A log-on in progress."""

    at_ns: int
    """When its last key was pressed."""
    number: str = ""


class DealerLogOn:
    """A filter between the keys and the game."""

    def __init__(self) -> None:
        self._entry: _Entry | None = None

    def press(self, press: Press) -> list[Event]:
        """The events of a press that are passed on to the table."""
        entry = self._current(press.at_ns)
        if press.control == LOG_ON:
            self._entry = _Entry(press.at_ns)
            return []
        if entry is None or press.control not in KEYS:
            self._entry = entry
            return [press]
        return self._on_entry_key(entry, press)

    def cancel(self) -> None:
        """Give the log-on up; what was keyed of it is forgotten."""
        self._entry = None

    @property
    def due_ns(self) -> int | None:
        """When a log-on in progress expires, unless a key is pressed before; None if there is none."""
        return self._entry.at_ns + PATIENCE_NS + 1 if self._entry is not None else None

    def prompt(self, now_ns: int) -> str:
        """The prompt for the screen; empty if there is none."""
        entry = self._current(now_ns)
        if entry is None:
            return ""
        if len(entry.number) > MOST_DIGITS:
            dots = "•" * len(entry.number)  # It may be a PIN.
            return f"dealer: a number has at most {MOST_DIGITS} digits; press clear, key it anew: {dots}"
        return f"dealer: key your number, then enter; no number logs off: {entry.number}"

    def _current(self, now_ns: int) -> _Entry | None:
        entry = self._entry
        return entry if entry is not None and now_ns - entry.at_ns <= PATIENCE_NS else None

    def _on_entry_key(self, entry: _Entry, press: Press) -> list[Event]:
        """A key of a log-on in progress."""
        number = entry.number
        if press.control in DIGITS:
            number = (number + press.control)[: MOST_DIGITS + 1]  # One digit too many keeps the entry invalid.
            self._entry = _Entry(press.at_ns, number)
            return []
        if press.control == "clear":
            self._entry = _Entry(press.at_ns) if number else None
            return []
        if len(number) > MOST_DIGITS:
            self._entry = _Entry(press.at_ns, number)
            return []
        self._entry = None
        return [DealerLoggedOn(press.at_ns, press.utc_ns, number)]
