"""Who deals: the key ``log-on``, a number, ``enter``; without a number the dealer logs off.

Presses come in, and those pass on that the game may hear: the digits of a number do not. ``clear`` wipes what was
keyed, then gives up. Pure: time comes with the presses.
"""

from dataclasses import dataclass

from controller.access.authentication import DIGITS, KEYS, NS_PER_S
from controller.events.event import DealerLoggedOn, Event, Press

LOG_ON = "log-on"
"""The control that a table may have; it needs digits, ``enter`` and ``clear`` beside it."""
PATIENCE_NS = 30 * NS_PER_S
"""A log-on that nobody goes on with is forgotten."""
MOST_DIGITS = 8


@dataclass(frozen=True, slots=True)
class _Entry:
    """A log-on that has begun."""

    at_ns: int
    """When its last key was pressed."""
    number: str = ""


class DealerLogOn:
    """What stands between the keys and the game."""

    def __init__(self) -> None:
        self._entry: _Entry | None = None

    def press(self, press: Press) -> list[Event]:
        """What becomes of a press: the events that the table is told."""
        entry = self._current(press.at_ns)
        if press.control == LOG_ON:
            self._entry = _Entry(press.at_ns)
            return []
        if entry is None or press.control not in KEYS:
            self._entry = entry
            return [press]
        return self._keyed(entry, press)

    def prompt(self, now_ns: int) -> str:
        """What the dealer is asked, for the screen; empty if nothing."""
        entry = self._current(now_ns)
        if entry is None:
            return ""
        if len(entry.number) > MOST_DIGITS:
            return f"dealer: a number has at most {MOST_DIGITS} digits; press clear, key it anew: {entry.number}"
        return f"dealer: key your number, then enter; no number logs off: {entry.number}"

    def _current(self, now_ns: int) -> _Entry | None:
        entry = self._entry
        return entry if entry is not None and now_ns - entry.at_ns <= PATIENCE_NS else None

    def _keyed(self, entry: _Entry, press: Press) -> list[Event]:
        """A key of the log-on."""
        number = entry.number
        if press.control in DIGITS:
            number = (number + press.control)[: MOST_DIGITS + 1]  # One too many stays wrong.
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
