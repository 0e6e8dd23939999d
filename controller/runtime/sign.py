"""The limits sign of a table: a proposal waits for the floorperson's key, what was confirmed for its round.

Announced limits take effect with the first round that the machine opens once their wall time has come and their
:class:`Notice` is over; the house's rules and odds with the next round. None change inside one. What the table's
file says otherwise than when it was last confirmed is proposed at each start.
"""

import logging
from collections.abc import Callable
from dataclasses import replace

from config.schema import TableConfig
from controller.events.event import Act, Event, LimitsNotice, LimitsWithdrawn, Terms, TermsConfirmed, TermsInEffect
from controller.journal.record import RecordedDecision
from controller.limits.proposals import Present, Proposal, ProposalOutcome, of_file
from controller.limits.table_state import AnnouncedLimits
from controller.limits.terms import NOTICE_NS, NS_PER_S, changed, currency_of, file_terms, makes_anew
from controller.machine.offers import Offer
from controller.runtime.recorder import Recorder
from hal.interfaces import Clock, Timer

log = logging.getLogger(__name__)

_LOOKS_NS = NS_PER_S
"""How often a proposal that waits, or its outcome, is looked at."""
_NOTICE_LOOKS_NS = 10 * NS_PER_S
"""The same of a notice alone: the wall clock may have been set, the board switched off."""
_SHOWN_NS = 20 * NS_PER_S
"""How long the outcome of a proposal is shown."""
STEP_NS = 60 * NS_PER_S
"""How much of a notice passes until it is recorded. A sign states minutes: no shorter delay is shown."""
LIMITS = "limits"
"""The act of its entries in the floor menu; their argument is one of the following."""
CONFIRM, DROP = "confirm-limits", "drop-limits"
_CHANGES = TermsConfirmed | TermsInEffect | LimitsWithdrawn


class Sign:
    """The sign of one table.

    Args:
        attend: sounds the buzzer.
        in_use: whether a floorperson identifies, or chooses in the menu: no proposal comes or goes meanwhile.

    Attributes:
        file: the terms of the table's file.
        proposal: the latest one; None before the first.
        listeners: called when the prompt may have changed.
        boards: each says whether patrons can see the sign on it. Without any, the sign is elsewhere at the table.
    """

    def __init__(
        self,
        recorder: Recorder,
        clock: Clock,
        config: TableConfig,
        attend: Callable[[], None],
        in_use: Callable[[], bool],
    ) -> None:
        self.file, self._currency = file_terms(config), currency_of(config.limits)
        self.listeners: list[Callable[[], None]] = []
        self.boards: list[Callable[[], bool]] = []
        self.proposal: Proposal | None = None
        self._recorder = recorder
        self._clock = clock
        self._attend = attend
        self._in_use = in_use
        self._shown_until_ns = 0
        self._notice: Notice | None = None
        self._timer: Timer | None = None
        self._prompt = ""
        recorder.listeners.append(self._recorded)
        recorder.with_round.append(self._round_opened)

    def start(self, first: bool = False) -> None:
        """The table has started.

        Args:
            first: for the first time, or nothing was recorded since: the limits in the table's file count.
        """
        state, now_ns, utc_ns = self._recorder.table_state, self._clock.now_ns(), self._clock.utc_ns()
        self._follow_notice()
        if state.pending is None and state.limits is None and first and self.file.limits is not None:
            self._recorder.take([TermsInEffect(now_ns, utc_ns, Terms(self.file.limits))])
        found = of_file(self.file, self._recorder.table_state)
        if found is not None and not self._recorder.halted:
            try:
                self.propose(found)
            except ValueError as error:
                log.warning("%s", error)
        self._look()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    # -- what people see -------------------------------------------------------------------------------------

    def prompt(self) -> str:
        """The prompt to confirm a proposal, or for a while its outcome; empty if there is neither."""
        latest = self.proposal
        if latest is None:
            return ""
        if latest.outcome is ProposalOutcome.WAITING:
            return latest.prompt(self._present)
        return f"limits: {latest.words}" if self._clock.now_ns() < self._shown_until_ns else ""

    def lit(self) -> bool:
        return not self.boards or any(board() for board in self.boards)

    @property
    def currency(self) -> str:
        """The sign in front of an amount that is in effect."""
        limits = self._recorder.table_state.limits
        return limits.currency if limits is not None else self._currency

    @property
    def due(self) -> bool:
        """The announced limits take effect with the next round."""
        return self._notice is not None and not self._notice.left_ns

    def effective_utc_ns(self) -> int:
        """Wall time at which the pending limits take effect; later than announced if the clock was set forward."""
        assert self._notice is not None
        return self._notice.from_utc_ns

    # -- proposals -------------------------------------------------------------------------------------------

    @property
    def _present(self) -> Present:
        recorder, now_ns = self._recorder, self._clock.now_ns()
        progress = recorder.round_progress
        quiet_in_ns = progress.quiet_in_ns(now_ns) if progress.idle else None
        return Present(recorder.table_state, self.currency, now_ns, self._clock.utc_ns(), quiet_in_ns)

    def propose(self, proposal: Proposal) -> Proposal:
        """Prompt the floorperson to confirm a proposal; returns it, as it is settled later.

        Raises:
            ValueError: that is not possible now; the message says why, and what to do.
        """
        if self._recorder.halted:
            raise ValueError("the table halted; correct the problem that its screen names, then try again")
        if self._waiting is not None:
            raise ValueError("another proposal waits at the table: turn the key to confirm or drop it")
        if self._in_use():
            raise ValueError("the floorperson uses the key for something else; try again when that is done")
        if why := proposal.objection(self._present):
            raise ValueError(why)
        proposal.put(self._present)
        self.proposal = proposal
        log.info("%s", self.prompt())
        self._attend()
        self._look()
        return proposal

    def offers(self) -> tuple[Offer, ...]:
        """The entries of the floor menu while a proposal waits."""
        if self._waiting is None:
            return ()
        return (Offer(LIMITS, CONFIRM, expected=True), Offer(LIMITS, DROP))

    def done(self, act: Act) -> list[Event]:
        """The events of an act of these entries."""
        waiting = self._waiting
        if waiting is None:
            return []
        if act.argument == DROP:
            self._settle(waiting, ProposalOutcome.REFUSED, "dropped at the table; the limits stay as they are")
            return []
        if why := waiting.objection(self._present):
            self._settle(waiting, ProposalOutcome.REFUSED, f"not possible any more: {why}")
            return []
        waiting.outcome = ProposalOutcome.RECORDING
        events = waiting.events(self._present._replace(at_ns=act.at_ns), act.by)
        if waiting.terms is not None and self._recorder.is_closed:
            found = self.in_effect(Terms(house=waiting.terms.house))
            events += [found] if found.anew else []
        return events

    @property
    def _waiting(self) -> Proposal | None:
        latest = self.proposal
        return latest if latest is not None and latest.outcome is ProposalOutcome.WAITING else None

    def _settle(self, proposal: Proposal, outcome: ProposalOutcome, words: str) -> None:
        proposal.outcome, proposal.words = outcome, words
        self._shown_until_ns = self._clock.now_ns() + _SHOWN_NS
        log.info("limits: %s", words)
        self._attend()
        self._look()

    # -- the recorded state ----------------------------------------------------------------------------------

    def _recorded(self, recorded: RecordedDecision) -> None:
        """What changes the sign is on record, and its state is the one after it."""
        event, latest = recorded.record.event, self.proposal
        if isinstance(event, LimitsNotice | _CHANGES):
            self._follow_notice()
        if latest is None or latest.outcome is not ProposalOutcome.RECORDING or not isinstance(event, _CHANGES):
            return
        if not latest.nobody_plays or isinstance(event, TermsInEffect):
            self._settle(latest, ProposalOutcome.CONFIRMED, latest.confirmed(self._present))

    def _follow_notice(self) -> None:
        pending = self._recorder.table_state.pending
        if pending is None:
            self._notice = None
        elif self._notice is None or not self._notice.follow(pending):
            self._notice = Notice(pending, self._clock, self.lit)
            self._arm()

    def _round_opened(self) -> list[Event]:
        """The machine has opened a round: what takes effect with it."""
        state = self._recorder.table_state
        limits = state.pending.limits if state.pending is not None and self.due else None
        terms = Terms(limits, state.next_house)
        return [self.in_effect(terms)] if terms != Terms() else []

    def in_effect(self, terms: Terms) -> TermsInEffect:
        """The event that terms are in effect from now on."""
        clock, recorder, house = self._clock, self._recorder, terms.house
        other = changed(recorder.table_state.house, house) if house is not None else ()
        anew = makes_anew(recorder.game, other)
        return TermsInEffect(clock.now_ns(), clock.utc_ns(), terms, other, anew, recorder.round)

    # -- time ------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Tell of a prompt that has changed, let a proposal expire, and count the notice."""
        waiting = self._waiting
        late = waiting is not None and self._clock.now_ns() - waiting.since_ns >= waiting.patience_s * NS_PER_S
        if waiting is not None and late and not self._in_use():
            words = f"nobody turned the key within {waiting.patience_s} s; they stay as they are"
            self._settle(waiting, ProposalOutcome.REFUSED, words)
            return
        if self._notice is not None and (lit_ns := self._notice.look()) is not None:
            self._recorder.take([LimitsNotice(self._clock.now_ns(), lit_ns)])
        before, self._prompt = self._prompt, self.prompt()
        if self._prompt != before or self._notice is not None:  # It may be that the sign's time has changed.
            for listener in self.listeners:
                listener()
        self._arm()

    def _arm(self) -> None:
        self.stop()
        left_ns = self._notice.left_ns if self._notice is not None else 0
        if (self.prompt() or left_ns) and not self._recorder.halted:
            every_ns = _LOOKS_NS if self.prompt() else min(_NOTICE_LOOKS_NS, left_ns)
            self._timer = self._clock.call_at(self._clock.now_ns() + every_ns, self._look)


class Notice:
    """How long the sign has shown announced limits, whatever clocks and power did meanwhile.

    It counts time for which the table ran and its sign was lit (§ 521.8(c)(2)(i), (ii)), on the monotonic clock.
    What is on record of it survives a restart: at most :data:`STEP_NS` of it is lost.

    Args:
        pending: the announcement, as it was recorded or as a start found it.
        lit: whether the sign is lit.
    """

    def __init__(self, pending: AnnouncedLimits, clock: Clock, lit: Callable[[], bool]) -> None:
        self.pending = pending
        self._clock = clock
        self._lit = lit
        self._seen_ns = clock.now_ns()
        self._lit_ns = pending.lit_ns
        self._due_ns = self._seen_ns + pending.from_utc_ns - clock.utc_ns()
        """A clock that is set forward later does not shorten the notice."""

    def follow(self, pending: AnnouncedLimits) -> bool:
        """Whether this is still the announcement on record; then what is recorded of it is taken over."""
        same = replace(pending, lit_ns=0) == replace(self.pending, lit_ns=0)
        if same:
            self.pending = pending
        return same

    def look(self) -> int | None:
        """Count the time since the last look, if the sign is lit; what is to be recorded of it, or None."""
        self._lit_ns, self._seen_ns = self._shown_ns, self._clock.now_ns()
        lit_ns, recorded_ns = min(self._lit_ns, NOTICE_NS), self.pending.lit_ns
        steps = lit_ns - recorded_ns >= STEP_NS or recorded_ns < lit_ns == NOTICE_NS
        return lit_ns if steps else None

    @property
    def _shown_ns(self) -> int:
        return self._lit_ns + (self._clock.now_ns() - self._seen_ns if self._lit() else 0)

    @property
    def left_ns(self) -> int:
        """How long it takes at least until the limits may take effect; 0 from then on."""
        wall_ns = self.pending.from_utc_ns - self._clock.utc_ns()
        return max(0, NOTICE_NS - self._shown_ns, self._due_ns - self._clock.now_ns(), wall_ns)

    @property
    def from_utc_ns(self) -> int:
        """Wall time from which they take effect: as announced, or later if clocks or the sign make it so."""
        expected_ns, stated_ns = self._clock.utc_ns() + self.left_ns, self.pending.from_utc_ns
        return expected_ns if self.left_ns and expected_ns - stated_ns > STEP_NS else stated_ns
