"""The limits sign of a table: a proposal waits for the floorperson's key, what was confirmed for its round.

Announced limits take effect with the first round that the machine opens once their wall time has come and their
notice is over (:mod:`controller.limits.notice`); confirmed odds and rules with the next round. None change
inside one. What the table's file says otherwise than when it was last confirmed is proposed at each start.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from controller.events.event import (
    Event,
    FileTerms,
    HouseRules,
    LimitsNotice,
    OddsInEffect,
    Press,
    RulesInEffect,
)
from controller.limits.amounts import NS_PER_S, amounts_in
from controller.limits.house_rules import changed, makes_anew
from controller.limits.notice import Notice
from controller.limits.proposed import (
    PATIENCE_S,
    Proposal,
    ProposalOutcome,
    Proposed,
    confirmation_prompt,
    confirmed,
    confirmed_text,
    differs,
    in_effect,
    objection,
    proposals,
    stated,
)
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import AnnouncedLimits, TableState
from controller.machine.offers import Offer
from hal.interfaces import Clock, Timer

log = logging.getLogger(__name__)

_CHECK_NS = 10 * NS_PER_S
"""How often the wall clock is checked while limits are announced: it may have been set."""
_RETRY_NS = NS_PER_S
"""Time until a due action that is not possible yet, as while a floorperson uses the key, is tried again."""
_NOTICE_SHOWN_NS = 20 * NS_PER_S
"""How long the outcome of a proposal is shown."""
CONFIRM, DROP = "confirm-limits", "drop-limits"


class TableRecord(Protocol):
    """The recorder of the sign's table (:class:`controller.runtime.recorder.Recorder`)."""

    game: str
    table_state: TableState
    round_progress: RoundProgress
    halted: str
    state_listeners: list[Callable[[], None]]
    with_round: list[Callable[[], list[Event]]]

    @property
    def is_closed(self) -> bool: ...

    @property
    def round(self) -> int: ...

    def take(self, events: Iterable[Event]) -> None: ...


class Sign:
    """The sign of one table.

    Args:
        file: what the table's file says of limits, odds and rules.
        attend: sounds the buzzer.
        in_use: whether a floorperson identifies, or chooses in the menu: no proposal comes or goes meanwhile.

    Attributes:
        listeners: called when the prompt may have changed.
        boards: each says whether patrons can see the sign on it. Without any, the sign is elsewhere at the table.
    """

    def __init__(
        self,
        record: TableRecord,
        clock: Clock,
        file: FileTerms,
        attend: Callable[[], None],
        in_use: Callable[[], bool],
    ) -> None:
        self.file = file
        self.listeners: list[Callable[[], None]] = []
        self.boards: list[Callable[[], bool]] = []
        self._record = record
        self._clock = clock
        self._attend = attend
        self._in_use = in_use
        self._waiting: Proposed | None = None
        self._confirming: Proposed | None = None
        self._of_file: list[Proposal] = []
        """What the file says otherwise, and is not yet proposed."""
        self._last_message: tuple[int, str] = (0, "")
        self._notice: Notice | None = None
        self._timer: Timer | None = None
        record.state_listeners.append(self._recorded)
        record.with_round.append(self._round_opened)

    # -- start and stop --------------------------------------------------------------------------------------

    def start(self, first: bool = False) -> None:
        """The table has started.

        Args:
            first: for the first time, or nothing was recorded since: the limits in the table's file count.
        """
        table_state, now_ns, utc_ns = self._record.table_state, self._clock.now_ns(), self._clock.utc_ns()
        pending, limits = table_state.pending, table_state.limits
        if pending is not None:
            self._notice = self._notice_of(pending, max(0, pending.from_utc_ns - utc_ns))
        elif limits is None and first:
            limits = amounts_in(self.file)
        if limits is not None and pending is None and not table_state.currency:
            self._record.take([in_effect(limits, now_ns, utc_ns, self.file.currency)])
        if self.file_differs:
            log.warning("%s", self.file_differs)
        self._of_file = proposals(self.file, self._record.table_state, changed_only=True)
        self._ask_of_file()
        self._arm()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _notice_of(self, pending: AnnouncedLimits, ahead_ns: int) -> Notice:
        return Notice(pending, self._clock, self._clock.now_ns(), ahead_ns, self.lit)

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
            raise ValueError("another proposal waits at the table: turn the key to confirm or drop it")
        if self._in_use():
            raise ValueError("the floorperson uses the key for something else; try again when that is done")
        if why := self._objection(proposal):
            raise ValueError(why)
        self._waiting = waiting = Proposed(proposal, self._clock.now_ns())
        waiting.proposal = stated(proposal, self._clock.utc_ns() + PATIENCE_S * NS_PER_S)
        log.info("%s", self.prompt())
        self._attend()
        self._changed()
        self._arm()
        return waiting

    def propose_file(self) -> Proposed:
        """Prompt the floorperson to confirm what the table's file says otherwise than the sign.

        Raises:
            ValueError: nothing, or that is not possible now.
        """
        found = proposals(self.file, self._record.table_state)
        if not found:
            raise ValueError("the table's file says nothing else than what is in effect or confirmed")
        proposed = self.propose(found[0])
        self._of_file = found[1:]
        return proposed

    def _ask_of_file(self) -> None:
        while self._of_file and self._waiting is None and not self._record.halted:
            try:
                self.propose(self._of_file.pop(0))
            except ValueError as error:
                log.warning("%s", error)

    def prompt(self) -> str:
        """The prompt to confirm a proposal, or for a while its outcome; empty if there is neither."""
        if self._waiting is not None:
            proposal = self._waiting.proposal
            return confirmation_prompt(proposal, self._record.table_state, self.currency, self._clock.utc_ns())
        at_ns, words = self._last_message
        return words if words and self._clock.now_ns() - at_ns < _NOTICE_SHOWN_NS else ""

    def offers(self) -> tuple[Offer, ...]:
        """The entries of the floor menu while a proposal waits."""
        if self._waiting is None:
            return ()
        return (Offer("limits", CONFIRM, expected=True), Offer("limits", DROP))

    def done(self, offer: Offer, by: str, press: Press) -> list[Event] | None:
        waiting = self._waiting
        if offer.act != "limits" or waiting is None:
            return None if offer.act != "limits" else []
        self._waiting = None
        if offer.argument == DROP:
            self._settle(waiting, ProposalOutcome.DROPPED, "dropped at the table; the limits stay as they are")
            return []
        return self._confirm(waiting, replace(press, by=by))

    def _confirm(self, waiting: Proposed, press: Press) -> list[Event]:
        if why := self._objection(waiting.proposal):
            self._settle(waiting, ProposalOutcome.REFUSED, f"not possible any more: {why}")
            return []
        self._confirming = waiting
        record, utc_ns = self._record, self._clock.utc_ns()
        events = confirmed(waiting.proposal, record.table_state, self.currency, press.by, press.at_ns, utc_ns)
        rules = waiting.proposal.change
        if isinstance(rules, HouseRules) and record.is_closed and self._makes_anew(rules):
            events.append(self._in_effect(rules))
        return events

    def _objection(self, proposal: Proposal) -> str:
        record, clock = self._record, self._clock
        progress = record.round_progress
        quiet_in_ns = progress.quiet_in_ns(clock.now_ns()) if progress.idle else None
        return objection(proposal, record.table_state, clock.utc_ns(), quiet_in_ns, self.currency)

    def _settle(self, proposed: Proposed, outcome: ProposalOutcome, words: str) -> None:
        proposed.outcome, proposed.words = outcome, words
        self._last_message = (self._clock.now_ns(), f"limits: {words}")
        log.info("limits: %s", words)
        self._attend()
        self._changed()
        self._ask_of_file()
        self._arm()

    # -- the recorded state ----------------------------------------------------------------------------------

    def _recorded(self) -> None:
        """The table's state has changed, and the change is recorded."""
        pending = self._record.table_state.pending
        if self._notice is None or not self._notice.follow(pending):
            self._notice = self._notice_of(pending, pending.notice_ns) if pending is not None else None
            self._arm()
        confirming = self._confirming
        if confirming is not None and not (confirming.proposal.nobody_plays and pending is not None):
            self._confirming = None
            announced_from_ns = pending.from_utc_ns if pending is not None else None
            said = confirmed_text(confirming.proposal, self.currency, announced_from_ns)
            self._settle(confirming, ProposalOutcome.CONFIRMED, said)

    def _round_opened(self) -> list[Event]:
        """The machine has opened a round: what takes effect with it."""
        table_state, now_ns, utc_ns = self._record.table_state, self._clock.now_ns(), self._clock.utc_ns()
        events: list[Event] = []
        pending, odds, rules = table_state.pending, table_state.next_odds, table_state.next_rules
        if pending is not None and self._notice is not None and not self._notice.left_ns:
            currency = pending.currency or ("" if table_state.currency else self.file.currency)
            events.append(in_effect(pending.amounts, now_ns, utc_ns, currency))
        if odds is not None:
            events.append(OddsInEffect(now_ns, utc_ns, dict(odds.above)))
        return events if rules is None else [*events, self._in_effect(rules)]

    def _in_effect(self, rules: HouseRules) -> RulesInEffect:
        clock, record = self._clock, self._record
        anew, other = self._makes_anew(rules), changed(record.table_state.rules, rules)
        return RulesInEffect(clock.now_ns(), clock.utc_ns(), rules, anew, record.round, other)

    def _makes_anew(self, rules: HouseRules) -> bool:
        before = self._record.table_state.rules
        return before is not None and makes_anew(self._record.game, before, rules)

    def lit(self) -> bool:
        return not self.boards or any(board() for board in self.boards)

    def _changed(self) -> None:
        for listener in self.listeners:
            listener()

    @property
    def currency(self) -> str:
        """The sign in front of an amount that is in effect."""
        return self._record.table_state.currency or self.file.currency

    @property
    def due(self) -> bool:
        """The announced limits take effect with the next round."""
        return self._notice is not None and not self._notice.left_ns

    def effective_utc_ns(self) -> int:
        """Wall time at which the pending limits take effect; later than announced if the clock was set forward."""
        assert self._notice is not None
        return self._notice.from_utc_ns

    @property
    def file_differs(self) -> str:
        """A warning that the table's file has other limits, odds or rules, with the remedy; empty if not."""
        return differs(self.file, self._record.table_state, self.currency)

    # -- time ------------------------------------------------------------------------------------------------

    def _arm(self) -> None:
        self.stop()
        if self._record.halted:
            return
        now_ns, due_ns = self._clock.now_ns(), list[int]()
        if self._last_message[1] and (ends_ns := self._last_message[0] + _NOTICE_SHOWN_NS) > now_ns:
            due_ns.append(ends_ns)
        if self._waiting is not None:
            due_ns.append(max(self._waiting.at_ns + self._waiting.patience_ns, now_ns + _RETRY_NS))
        if self._notice is not None and self._notice.left_ns:
            due_ns.append(now_ns + min(self._notice.left_ns, _CHECK_NS))
        if due_ns:
            self._timer = self._clock.call_at(min(due_ns), self._on_due)

    def _on_due(self) -> None:
        self._timer, waiting = None, self._waiting
        late = waiting is not None and self._clock.now_ns() - waiting.at_ns >= waiting.patience_ns
        if waiting is not None and late and not self._in_use():
            self._waiting = None
            patience_s = waiting.patience_ns // NS_PER_S
            words = f"nobody turned the key within {patience_s} s; they stay as they are"
            self._settle(waiting, ProposalOutcome.EXPIRED, words)
        self._changed()
        self._look()
        self._arm()

    def _look(self) -> None:
        """Count the notice, and record what is new of it."""
        if self._notice is None:
            return
        self._notice.look()
        lit_ns = self._notice.to_record_ns
        if lit_ns is not None:
            self._record.take([LimitsNotice(self._clock.now_ns(), self._clock.utc_ns(), lit_ns)])
