"""Decides on events and records the decisions. All events of a table come here, one after the other.

An event and its decision are durable in the journal before any of its effects is performed, so everything that the
players saw is on record. If the record cannot be written, nothing is shown and the table halts.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from controller.events.effect import Effect, RoundOpened
from controller.events.event import Event, MachineFailed, RulesChanged, TableStarted, TermsInEffect
from controller.events.record import Decision, Outcome, Record
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import DecisionListener, RecordedDecision, to_json
from controller.journal.recovery import Recovered, Running, Under, checkpoint, machine_after, machine_for, recover
from controller.limits.table_state import RoundProgress, TableState
from controller.table.machine import TableMachine
from hal.interfaces import Clock

log = logging.getLogger(__name__)

_BEGIN = (TableStarted, RulesChanged)
_CLOSED = "closed"
"""The state of a table that the floorperson opens, in every game that has one."""
Perform = Callable[[Event, Sequence[Effect]], None]


class Recorder:
    """One table's machine and its journal.

    Args:
        game: the game's name, for the journal.
        under: makes the machine for payout odds and rules; the round's state is carried over.
        perform: performs the effects of an event, after both are on record.

    Attributes:
        machine: the present one, from :meth:`recover` on.
        listeners: called with every decision, after it is on record and performed.
        with_round: called when a round has been opened; they return events that belong to its beginning.
        halt_listeners: called when the table halts.
        table_state: the recorded limits, announced limits and dealer.
        halted: why the table has halted, or empty.
        journal_error: the journal's error, if that is why the table halted.
    """

    machine: TableMachine

    def __init__(self, game: str, under: Under, journal: Journal, clock: Clock, perform: Perform) -> None:
        self.game = game
        self.under = under
        self.journal = journal
        self.listeners: list[DecisionListener] = []
        self.with_round: list[Callable[[], list[Event]]] = []
        self.halt_listeners: list[Callable[[], None]] = []
        self.table_state = TableState()
        self.round_progress = RoundProgress()
        self.halted = ""
        self.journal_error: JournalError | None = None
        self._clock = clock
        self._perform = perform
        self._events: deque[Event] = deque()
        self._busy = False

    def recover(self, now: Running) -> Recovered:
        """Bring the machine and the table's state to the journal's end.

        Raises:
            JournalError: the journal is damaged, or of another game or version.
        """
        found = recover(self.game, self.under, self.journal, now)
        self.machine, self.table_state, self.round_progress = found.machine, found.table_state, found.round_progress
        return found

    def take(self, events: Iterable[Event]) -> None:
        """Decide on events, one after the other; events that arise meanwhile are decided after them."""
        self._events.extend(events)
        if self._busy:
            return
        self._busy = True
        try:
            while self._events and not self.halted:
                self._decide(self._events.popleft())
        finally:
            self._busy = False

    def halt(self, why: str | JournalError) -> None:
        self.halted = self.halted or str(why)
        if isinstance(why, JournalError):
            self.journal_error = why
        log.critical("the table halts: %s", why)
        for listener in self.halt_listeners:
            listener()

    def _decide(self, event: Event) -> None:
        number = self.machine.round
        self.machine = machine_for(self.machine, event, self.table_state, self.under)
        try:
            decision = self.machine.handle(event)
        except Exception as error:  # Any error in a game's code locks its table; the process continues.
            if isinstance(event, MachineFailed):
                raise
            log.exception("the machine failed on %s", event)
            self._record(number, event, Decision(Outcome.FAILED, self.machine.state.value, ()))
            self._events.appendleft(MachineFailed(event.at_ns, f"{type(error).__name__}: {error}"))
            return
        recorded = self._record(number, event, decision)
        if recorded is not None:
            self._perform(event, decision.effects)
            for listener in self.listeners:
                listener(recorded)
            if RoundOpened in map(type, decision.effects):
                # Before anything else of this round is decided, as a throw in the same batch of events.
                first = [one for listener in self.with_round for one in listener()]
                self._events.extendleft(reversed(first))

    def _record(self, number: int, event: Event, decision: Decision) -> RecordedDecision | None:
        """Record a decision; None if that is not possible and the table has halted."""
        record = Record(event, decision.outcome._value_, decision.state, decision.effects)
        opens = begins(event) or RoundOpened in map(type, decision.effects)
        table_state = self.table_state.take(event)
        kept = checkpoint(self.game, self.machine, table_state) if opens else None
        now_utc_ns = self._clock.utc_ns()
        try:
            entry = self.journal.append(number, event.at_ns, now_utc_ns, event.kind, to_json(record), kept)
        except JournalError as error:
            self.halt(error)
            return None
        progress = RoundProgress() if begins(event) else self.round_progress
        self.round_progress = progress.take(record)
        if table_state is not self.table_state:
            self.machine = machine_after(self.machine, self.table_state, table_state, self.under)
            self.table_state = table_state
        return RecordedDecision(entry, record)

    @property
    def round(self) -> int:
        return self.machine.round

    @property
    def is_closed(self) -> bool:
        """No round is open, and the floorperson has to open the table."""
        state, machine = self.machine.state, self.machine
        return state is machine.rounds.initial and state.value == _CLOSED and not machine.table.settle


def begins(event: Event) -> bool:
    """Whether recovery needs nothing from before this event."""
    return isinstance(event, _BEGIN) or (isinstance(event, TermsInEffect) and event.anew)
