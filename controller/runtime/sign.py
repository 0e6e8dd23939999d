"""The limits sign of a table: a proposal waits for the floorperson's key, what was confirmed for its round.

Announced limits take effect with the first round that the machine opens once their wall time has come and their
notice is over (:mod:`controller.limits.notice`); the house's rules and odds with the next round. None change
inside one. What the table's file says otherwise than when it was last confirmed is proposed at each start.
"""

import logging
from collections.abc import Callable

from config.schema import TableConfig
from controller.events.event import Event, LimitsNotice, Press, Terms, TermsInEffect
from controller.limits.notice import Notice
from controller.limits.proposals import Present, Proposal, ProposalOutcome, differs, of_file
from controller.limits.terms import NS_PER_S, changed, currency_of, file_terms, makes_anew
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
CONFIRM, DROP = "confirm-limits", "drop-limits"


class Sign:
    """The sign of one table.

    Args:
        attend: sounds the buzzer.
        in_use: whether a floorperson identifies, or chooses in the menu: no proposal comes or goes meanwhile.

    Attributes:
        file: the terms of the table's file.
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
        self._recorder = recorder
        self._clock = clock
        self._attend = attend
        self._in_use = in_use
        self._waiting: Proposal | None = None
        self._confirming: Proposal | None = None
        """Confirmed, and not on record yet."""
        self._outcome, self._outcome_until_ns = "", 0
        self._notice: Notice | None = None
        self._timer: Timer | None = None
        self._prompt = ""
        recorder.state_listeners.append(self._recorded)
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
        if self.file_differs:
            log.warning("%s", self.file_differs)
        found = of_file(self.file, self._recorder.table_state, changed_only=True)
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
        if self._waiting is not None:
            return self._waiting.prompt(self._present)
        return self._outcome if self._clock.now_ns() < self._outcome_until_ns else ""

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

    @property
    def file_differs(self) -> str:
        """A warning that the table's file has other limits, odds or rules, with the remedy; empty if not."""
        return differs(self.file, self._recorder.table_state, self.currency)

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
        self._waiting = proposal
        log.info("%s", self.prompt())
        self._attend()
        self._look()
        return proposal

    def propose_file(self) -> Proposal:
        """Prompt the floorperson to confirm what the table's file says otherwise than the sign.

        Raises:
            ValueError: nothing, or that is not possible now.
        """
        found = of_file(self.file, self._recorder.table_state)
        if found is None:
            raise ValueError("the table's file says nothing else than what is in effect or confirmed")
        return self.propose(found)

    def offers(self) -> tuple[Offer, ...]:
        """The entries of the floor menu while a proposal waits."""
        if self._waiting is None:
            return ()
        return (Offer("limits", CONFIRM, expected=True), Offer("limits", DROP))

    def done(self, offer: Offer, by: str, press: Press) -> list[Event] | None:
        """The events of an entry; None for one of another's."""
        if offer.act != "limits":
            return None
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return []
        if offer.argument == DROP:
            self._settle(waiting, ProposalOutcome.DROPPED, "dropped at the table; the limits stay as they are")
            return []
        if why := waiting.objection(self._present):
            self._settle(waiting, ProposalOutcome.REFUSED, f"not possible any more: {why}")
            return []
        self._confirming = waiting
        events = waiting.events(self._present._replace(at_ns=press.at_ns), by)
        if waiting.terms is not None and self._recorder.is_closed:
            found = self.in_effect(Terms(house=waiting.terms.house))
            events += [found] if found.anew else []
        return events

    def _settle(self, proposal: Proposal, outcome: ProposalOutcome, words: str) -> None:
        proposal.outcome, proposal.words = outcome, words
        self._outcome, self._outcome_until_ns = f"limits: {words}", self._clock.now_ns() + _SHOWN_NS
        log.info("limits: %s", words)
        self._attend()
        self._look()

    # -- the recorded state ----------------------------------------------------------------------------------

    def _recorded(self) -> None:
        """The table's state has changed, and the change is recorded."""
        self._follow_notice()
        confirming, pending = self._confirming, self._recorder.table_state.pending
        if confirming is not None and not (confirming.nobody_plays and pending is not None):
            self._confirming = None
            self._settle(confirming, ProposalOutcome.CONFIRMED, confirming.confirmed(self._present))

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
            self._waiting = None
            words = f"nobody turned the key within {waiting.patience_s} s; they stay as they are"
            self._settle(waiting, ProposalOutcome.EXPIRED, words)
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
