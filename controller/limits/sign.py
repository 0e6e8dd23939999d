"""The limits sign of a table: a proposal waits for the floorperson's key, announced limits for their time.

A clock that is set forward does not shorten a notice: limits take effect when their wall time has come and, unless
the process was restarted, the monotonic clock has advanced by the length of the notice. After a restart the wall
time alone decides.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from controller.access.authentication import FLOOR_KEY
from controller.events.event import Event, Press
from controller.limits.amounts import (
    NS_PER_S,
    Proposal,
    confirmation_prompt,
    confirmed,
    differs,
    in_effect,
    objection,
    spoken,
    time_of_day,
)
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import Amounts, AnnouncedLimits, TableState
from hal.interfaces import Clock, Timer

log = logging.getLogger(__name__)

PATIENCE_S = 60
"""A proposal that is not confirmed within this time expires."""
_PATIENCE_NS = PATIENCE_S * NS_PER_S
_CHECK_NS = 10 * NS_PER_S
"""How often the wall clock is checked while limits are announced: it may have been set."""
_RETRY_NS = NS_PER_S
"""Time until a due action that is not possible yet, as during an identification, is tried again."""
_NOTICE_SHOWN_NS = 20 * NS_PER_S
"""How long the outcome of a proposal is shown on the dealer's screen."""
_TOLERANCE_NS = 2 * NS_PER_S
"""Differences of the two clocks up to this are ignored."""
DROP_KEY = "clear"


class ProposalOutcome(Enum):
    """The outcome of a proposal."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    DROPPED = "dropped"
    EXPIRED = "expired"
    REFUSED = "refused"


@dataclass(slots=True)
class Proposed:
    """A proposal and its outcome."""

    proposal: Proposal
    at_ns: int
    outcome: ProposalOutcome = ProposalOutcome.WAITING
    words: str = ""


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The limits in the table's file."""

    amounts: Amounts | None = None
    currency: str = "$"


class TableRecord(Protocol):
    """The recorded state of the sign's table, and its recorder."""

    @property
    def table_state(self) -> TableState:
        """The recorded limits and dealer."""

    @property
    def round_progress(self) -> RoundProgress:
        """Whether a round is in progress."""

    @property
    def halted(self) -> str:
        """Why recording has stopped, or empty."""

    def take(self, events: Iterable[Event]) -> None:
        """Record events."""


class Sign:
    """The sign of one table.

    Args:
        file: the limits in the table's file.
        attend: sounds the buzzer.
        prompt_changed: called when the prompt has changed.
        identifies: whether somebody is entering a credential number or a PIN.
    """

    def __init__(
        self,
        record: TableRecord,
        clock: Clock,
        file: FileLimits,
        attend: Callable[[], None],
        prompt_changed: Callable[[], None],
        identifies: Callable[[], bool],
    ) -> None:
        self.file = file
        self._record = record
        self._clock = clock
        self._attend = attend
        self._prompt_changed = prompt_changed
        self._identifies = identifies
        self._waiting: Proposed | None = None
        self._confirming: Proposed | None = None
        self._last_message: tuple[int, str] = (0, "")
        self._pending: AnnouncedLimits | None = None
        self._due_ns = 0
        """Monotonic time before which the pending limits do not take effect."""
        self._timer: Timer | None = None

    # -- start and stop --------------------------------------------------------------------------------------

    def start(self) -> None:
        """The table has started: the file's limits apply if none are on record, and due limits take effect."""
        table_state, now_ns, utc_ns = self._record.table_state, self._clock.now_ns(), self._clock.utc_ns()
        self._pending = table_state.pending
        if table_state.pending is not None:
            self._due_ns = now_ns + max(0, table_state.pending.from_utc_ns - utc_ns)
            self._take_effect()
        elif table_state.limits is None and self.file.amounts is not None:
            self._record.take([in_effect(self.file.amounts, now_ns, utc_ns)])
        if words := self.file_differs:
            log.warning("%s", words)
        self._arm()

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # -- proposals -------------------------------------------------------------------------------------------

    def propose(self, proposal: Proposal) -> Proposed:
        """Prompt the floorperson to confirm a proposal.

        Raises:
            ValueError: that is not possible now; the message says why, and what to do.
        """
        record = self._record
        if record.halted:
            raise ValueError("the table halted; correct the problem that its screen names, then try again")
        if self._waiting is not None:
            raise ValueError("another proposal waits at the table: turn the key to confirm it, or press clear")
        if self._identifies():
            raise ValueError("the floorperson is identifying for something else; try again when that is done")
        if why := self._objection(proposal):
            raise ValueError(why)
        self._waiting = Proposed(proposal, self._clock.now_ns())
        log.info("%s", self.prompt())
        self._attend()
        self._prompt_changed()
        self._arm()
        return self._waiting

    def prompt(self) -> str:
        """The prompt to confirm a proposal, or for a while its outcome; empty if there is neither."""
        if self._waiting is not None:
            proposal = self._waiting.proposal
            return confirmation_prompt(proposal, self._record.table_state, self.file.currency, self._clock.utc_ns())
        at_ns, words = self._last_message
        return words if words and self._clock.now_ns() - at_ns <= _NOTICE_SHOWN_NS else ""

    def press(self, press: Press) -> list[Event]:
        """The events of a press: while a proposal waits, the key confirms it and ``clear`` drops it."""
        waiting = self._waiting
        if waiting is None or press.control not in (FLOOR_KEY, DROP_KEY):
            return [press]
        self._waiting = None
        if press.control == DROP_KEY:
            self._settle(waiting, ProposalOutcome.DROPPED, "dropped at the table; the limits stay as they are")
            return []
        if why := self._objection(waiting.proposal):
            self._settle(waiting, ProposalOutcome.REFUSED, f"not possible any more: {why}")
            return []
        self._confirming = waiting
        return confirmed(waiting.proposal, press.by, press.at_ns, self._clock.utc_ns())

    def _objection(self, proposal: Proposal) -> str:
        record = self._record
        return objection(proposal, record.table_state, record.round_progress.idle, self._clock.utc_ns())

    def _settle(self, proposed: Proposed, outcome: ProposalOutcome, words: str) -> None:
        proposed.outcome, proposed.words = outcome, words
        self._last_message = (self._clock.now_ns(), f"limits: {words}")
        log.info("limits: %s", words)
        self._attend()
        self._prompt_changed()
        self._arm()

    # -- the recorded state ----------------------------------------------------------------------------------

    def recorded(self) -> None:
        """The table's state has changed, and the change is recorded."""
        table_state = self._record.table_state
        if table_state.pending is not self._pending:
            self._pending = table_state.pending
            if table_state.pending is not None:
                self._due_ns = self._clock.now_ns() + table_state.pending.notice_ns
            self._arm()
        confirming = self._confirming
        if confirming is not None and not (confirming.proposal.nobody_plays and table_state.pending is not None):
            self._confirming = None
            self._settle(confirming, ProposalOutcome.CONFIRMED, self._success_text(confirming.proposal))

    def _success_text(self, proposal: Proposal) -> str:
        if proposal.amounts is None:
            return "the announcement is withdrawn; the limits stay as they are"
        words, pending = spoken(proposal.amounts, self.file.currency), self._pending
        if pending is None:
            return f"{words}, in effect now"
        return f"{words}, announced, in effect from {time_of_day(pending.from_utc_ns)}"

    def effective_utc_ns(self) -> int:
        """Wall time at which the pending limits take effect; later than announced if the clock was set forward."""
        assert self._pending is not None
        by_now_ns = self._clock.utc_ns() + self._due_ns - self._clock.now_ns()
        stated_ns = self._pending.from_utc_ns
        return by_now_ns if by_now_ns - stated_ns > _TOLERANCE_NS else stated_ns

    @property
    def file_differs(self) -> str:
        """A warning that the table's file has other limits, with the remedy; empty if not."""
        return differs(self.file.amounts, self._record.table_state, self.file.currency)

    # -- time ------------------------------------------------------------------------------------------------

    def _arm(self) -> None:
        """Set the timer for the next action."""
        self.stop()
        if self._record.halted:
            return
        now_ns = self._clock.now_ns()
        due_ns = []
        if self._waiting is not None:
            due_ns.append(max(self._waiting.at_ns + _PATIENCE_NS, now_ns + _RETRY_NS))
        if self._pending is not None:
            left_ns = max(self._due_ns - now_ns, self._pending.from_utc_ns - self._clock.utc_ns())
            due_ns.append(now_ns + (min(left_ns, _CHECK_NS) if left_ns > 0 else _RETRY_NS))
        if due_ns:
            self._timer = self._clock.call_at(min(due_ns), self._on_due)

    def _on_due(self) -> None:
        self._timer = None
        waiting = self._waiting
        late = waiting is not None and self._clock.now_ns() - waiting.at_ns >= _PATIENCE_NS
        if waiting is not None and late and not self._identifies():
            self._waiting = None
            self._settle(
                waiting,
                ProposalOutcome.EXPIRED,
                f"nobody turned the key within {PATIENCE_S} s; they stay as they are",
            )
        self._take_effect()
        self._arm()

    def _take_effect(self) -> None:
        """Record that the announced limits are in effect, if their time has come."""
        pending, now_ns, utc_ns = self._pending, self._clock.now_ns(), self._clock.utc_ns()
        if pending is not None and now_ns >= self._due_ns and utc_ns >= pending.from_utc_ns:
            self._record.take([in_effect(pending.amounts, now_ns, utc_ns)])
