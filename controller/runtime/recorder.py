"""Decides on events and records the decisions: whatever happens at a table goes through here, one by one.

The order is the promise. An event and its decision are durable in the journal before any effect of them is seen, so
what the players saw is always on record. If the record cannot be written, nothing is shown and the table halts.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable

from controller.events.effect import Effect, RoundOpened
from controller.events.event import Event, MachineFailed, RulesChanged, TableStarted
from controller.events.record import Record
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import Listener, RecordedDecision, to_json
from controller.journal.recovery import Recovery, checkpoint, recover, recover_table_state
from controller.journal.versions import Software
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import TableState
from controller.statechart.any_machine import AnyMachine
from controller.statechart.machine import Decision, Outcome
from hal.interfaces import Clock

log = logging.getLogger(__name__)

Perform = Callable[[Effect, Event], None]


class Recorder:
    """One table's machine and its journal.

    Args:
        game: the game's name, for the journal.
        machine: the game's machine, new.
        perform: performs an effect of an event, once both are on record.

    Attributes:
        listeners: told of every decision, once it is on record and performed.
        state_listeners: told that the table's state, as limits and dealer, is another one on record.
        table_state: the limits on the sign, those announced, and the dealer, as the record has them.
        halted: why the table does nothing more, or empty.
        trouble: what kept the table from recording, if that is why it halted.
        on_halt: told when the table halts.
    """

    def __init__(self, game: str, machine: AnyMachine, journal: Journal, clock: Clock, perform: Perform) -> None:
        self.game = game
        self.machine = machine
        self.journal = journal
        self.listeners: list[Listener] = []
        self.state_listeners: list[Callable[[], None]] = []
        self.table_state = TableState()
        self.round_progress = RoundProgress()
        self.halted = ""
        self.trouble: JournalError | None = None
        self.on_halt: Callable[[], None] | None = None
        self._clock = clock
        self._perform = perform
        self._events: deque[Event] = deque()
        self._busy = False

    def recover(self, software: Software) -> Recovery:
        """Bring machine and state to where the journal ends.

        Args:
            software: what runs now.

        Raises:
            JournalError: the journal does not fit this table.
        """
        recovery = recover(self.game, self.machine, self.journal, software)
        self.table_state, self.round_progress = recover_table_state(self.journal, software)
        return recovery

    def take(self, events: Iterable[Event]) -> None:
        """Decide on events, one after the other; events that arise meanwhile come after them."""
        self._events.extend(events)
        if self._busy:
            return
        self._busy = True
        try:
            while self._events and not self.halted:
                self._decide(self._events.popleft())
        finally:
            self._busy = False

    def add(self, event: Event) -> None:
        """An event that arises while one is decided: it comes after those that wait."""
        self._events.append(event)

    def halt(self, why: str) -> None:
        """Decide nothing more."""
        self.halted = self.halted or why
        log.critical("the table halts: %s", why)
        if self.on_halt is not None:
            self.on_halt()

    def _decide(self, event: Event) -> None:
        number = self.machine.round
        try:
            decision = self.machine.handle(event)
        except Exception as error:  # Whatever a game's code raises locks its table; the process goes on.
            if isinstance(event, MachineFailed):
                raise
            log.exception("the machine failed on %s", event)
            self._record(number, event, Decision(Outcome.FAILED, self.machine.state.value, ()))
            self._events.appendleft(MachineFailed(event.at_ns, f"{type(error).__name__}: {error}"))
            return
        recorded = self._record(number, event, decision)
        if recorded is not None:
            for effect in decision.effects:
                self._perform(effect, event)
            for listener in self.listeners:
                listener(recorded)

    def _record(self, number: int, event: Event, decision: Decision) -> RecordedDecision | None:
        """Make a decision durable; None if that is not possible and the table has halted."""
        record = Record(event, decision.outcome.value, decision.state, decision.effects)
        begins = isinstance(event, TableStarted | RulesChanged)  # Recovery needs nothing from before.
        opens = begins or RoundOpened in map(type, decision.effects)
        table_state = self.table_state.take(event)
        kept = checkpoint(self.game, self.machine, table_state) if opens else None
        now_utc_ns = self._clock.utc_ns()
        try:
            entry = self.journal.append(number, event.at_ns, now_utc_ns, event.kind, to_json(record), kept)
        except JournalError as error:
            self.trouble = error
            self.halt(str(error))
            return None
        self.round_progress = self.round_progress.take(record)
        if table_state is not self.table_state:
            self.table_state = table_state
            for listener in self.state_listeners:
                listener()
        return RecordedDecision(entry, record)
