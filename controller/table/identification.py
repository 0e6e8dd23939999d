"""Who turns the floorperson's key, and who deals: numbers, PINs, waits after wrong PINs, and who is still known.

Used by the desk alone. Pure: each press carries its time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from controller.access.credentials import LONGEST_NUMBER, Identities, Role
from controller.events.event import DealerLoggedOn, Event, Identified, IdentityRefused, Press
from controller.events.words import text
from controller.table.prompts import Asked, Identify, KeyNeeded, Prompt

UNKNOWN = "unknown"
"""Recorded in place of an unknown number, which may be a PIN that was keyed too early."""
FIRST_WAIT_NS, LONGEST_WAIT_NS = 2_000_000_000, 600_000_000_000
_ROLES = {Asked.FLOORPERSON: Role.FLOORPERSON, Asked.DEALER: Role.DEALER}


@dataclass(frozen=True, slots=True)
class Staff:
    """Who may act at a table that asks for credentials."""

    people: Identities
    session_ns: int = 120_000_000_000
    """How long after an act the key alone is sufficient for the same floorperson."""
    dealer_pin: bool = False


@dataclass(slots=True)
class Attempts:
    """Wrong PINs in a row, and until when no further one is looked at."""

    failures: int = 0
    until_ns: int = 0

    def wait(self, now_ns: int) -> None:
        """Begin the waiting time: twice as long for each wrong PIN."""
        wait_ns = min(LONGEST_WAIT_NS, FIRST_WAIT_NS << min(self.failures - 1, 30)) if self.failures else 0
        self.until_ns = now_ns + wait_ns


class Answer(NamedTuple):
    """What follows from a key of a number or a PIN."""

    prompt: Prompt | None
    """What is asked then; None: nothing."""
    events: tuple[Event, ...] = ()
    how: str = "answered"
    admitted: str = ""
    """The number of the floorperson who has identified."""


class Identification:
    """The people at one table.

    Args:
        staff: None at a table that asks for no credentials.
    """

    def __init__(self, staff: Staff | None) -> None:
        self.staff = staff
        self._session_ns = staff.session_ns if staff is not None else 0
        self._present, self._until_ns = "", 0
        self._attempts = {asked: Attempts() for asked in Asked}

    def started(self, failures: Mapping[Asked, int], now_ns: int) -> None:
        """The table has started after so many wrong PINs in a row: the waits begin anew."""
        for asked, number in failures.items():
            self._attempts[asked].failures = number
            self._attempts[asked].wait(now_ns)

    def present(self, now_ns: int) -> str:
        """The number of the floorperson for whom the key alone is sufficient; else empty."""
        return self._present if now_ns <= self._until_ns else ""

    def acts(self, now_ns: int) -> None:
        """The floorperson acts: for a while, the key alone is sufficient."""
        self._until_ns = now_ns + self._session_ns

    def keyed(self, prompt: Identify, press: Press) -> Answer:
        """A digit, ``enter`` or ``clear``."""
        if press.control == "clear":
            return Answer(replace(prompt, keyed="") if prompt.keyed else None, how="cancelled")
        if press.control != "enter":
            # One digit too many keeps the entry invalid.
            return Answer(replace(prompt, keyed=(prompt.keyed + press.control)[: prompt.longest + 1]))
        if prompt.asked is Asked.DEALER:
            return self._logs_on(prompt, press)
        if not prompt.keyed:
            return Answer(prompt)
        if prompt.number is None:
            return Answer(replace(prompt, number=prompt.keyed, keyed=""))
        if not self._fits(prompt, press.at_ns):
            self._present, self._until_ns = "", 0
            return self._refused(prompt, press.at_ns)
        self._present = prompt.number
        return Answer(None, (Identified(press.at_ns, prompt.number),), admitted=prompt.number)

    def _logs_on(self, prompt: Identify, press: Press) -> Answer:
        """A dealer's number, and the PIN if the table asks for it. No number logs off."""
        staff, number = self.staff, prompt.keyed if prompt.number is None else prompt.number
        if prompt.number is not None:
            right = self._fits(prompt, press.at_ns)
        elif number and staff is not None and staff.dealer_pin:
            return Answer(replace(prompt, number=number, keyed=""))
        elif number and staff is not None:
            right = staff.people.knows(number, Role.DEALER)
        else:
            right = len(number) <= LONGEST_NUMBER
        if not right:
            return self._refused(prompt, press.at_ns)
        return Answer(None, (DealerLoggedOn(press.at_ns, press.utc_ns, number),))

    def _fits(self, prompt: Identify, at_ns: int) -> bool:
        """Whether the PIN is that of the number. Until the wait after a wrong PIN is over, none is looked at."""
        attempts = self._attempts[prompt.asked]
        if self.staff is None or prompt.number is None or at_ns < attempts.until_ns:
            return False
        if self.staff.people.verify(prompt.number, prompt.keyed, _ROLES[prompt.asked]):
            self._attempts[prompt.asked] = Attempts()
            return True
        attempts.failures += 1
        return False

    def _refused(self, prompt: Identify, at_ns: int) -> Answer:
        """What was keyed is not right, or was keyed too early. Only a wrong PIN makes anybody wait."""
        attempts, asked = self._attempts[prompt.asked], prompt.asked
        early = prompt.number is not None and at_ns < attempts.until_ns
        if prompt.number is not None and not early:
            attempts.wait(at_ns)
        wait_ns = max(0, attempts.until_ns - at_ns) if prompt.number is not None else 0
        why = text(f"{asked.value}-{'too-early' if early else 'unknown'}", wait_s=-(-wait_ns // 1_000_000_000))
        named = "" if early else self._named(prompt)
        refused = IdentityRefused(at_ns, named, attempts.failures, wait_ns, asked is Asked.DEALER)
        return Answer(KeyNeeded(asked, why), (refused,))

    def _named(self, prompt: Identify) -> str:
        if self.staff is None or prompt.number is None:
            return UNKNOWN
        return prompt.number if self.staff.people.knows(prompt.number, _ROLES[prompt.asked]) else UNKNOWN
