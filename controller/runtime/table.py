"""One table: it routes inputs to the recorder, and performs the recorded effects on lamps, buzzer and timers.

It consists of :mod:`controller.table.inputs` (keys and other inputs), :mod:`controller.table.desk` (prompts),
:mod:`sensor_head` (edges), :mod:`recorder` (recorded decisions), :mod:`timers` and :mod:`lamps`; ``assembly.build``
makes it from a configuration.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from controller import __version__
from controller.events.effect import Alert, CancelTimer, Effect, Light, Refused, StartTimer, Void
from controller.events.event import (
    Event,
    FileTerms,
    PowerRestored,
    RulesInEffect,
    TableStarted,
    TimerElapsed,
)
from controller.journal.journal import Journal
from controller.journal.record import DecisionListener, RecordedDecision
from controller.journal.recovery import Running
from controller.journal.versions import Decider
from controller.limits.amounts import NO_TERMS
from controller.limits.round_progress import RoundProgress
from controller.limits.sign import Sign
from controller.limits.table_state import TableState
from controller.machine.any_machine import AnyMachine
from controller.runtime.clock_watch import newest_on_record
from controller.runtime.lamps import Lamps
from controller.runtime.media_watch import MediaWatch
from controller.runtime.origin import UNKNOWN_ORIGIN, Origin
from controller.runtime.recorder import Recorder
from controller.runtime.timers import MachineTimers
from controller.runtime.watch import Watch
from controller.table.desk import Desk, Staff
from controller.table.devices import Devices
from controller.table.inputs import Inputs
from controller.table.prompts import Asked, Place, View
from controller.table.sensor_head import LevelListener, SensorHead
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch
from hal.interfaces import Clock

_SOUNDED = (Refused, Alert, Void)
"""Effects that sound the buzzer."""


@dataclass(frozen=True)
class Setup:
    """What a table is built of, besides its journal and devices.

    Attributes:
        game: the game's name, for the journal.
        under: makes the machine for payout odds and rules.
        staff: who may act as floorperson or deal; None where the key alone is sufficient.
        terms: what the table's file says of limits, odds and rules.
        origin: recorded at the start.
        make_tracker: makes a tracker, for a table with a sensor head.
        unplayable: what the file changed, if the rules in effect cannot be played on these devices; else empty.
    """

    game: str
    under: Callable[[TableState], AnyMachine]
    staff: Staff | None = None
    terms: FileTerms = NO_TERMS
    origin: Origin = UNKNOWN_ORIGIN
    make_tracker: MakeTracker | None = None
    unplayable: Callable[[TableState], str] = lambda table_state: ""


class Table:
    """A table that runs a game.

    Args:
        journal: records every decision.
        devices: open, not started.
        clock: the clock of the devices' events.
    """

    def __init__(self, setup: Setup, journal: Journal, devices: Devices, clock: Clock) -> None:
        self.setup = setup
        self.devices = devices
        self.recorder = Recorder(setup.game, setup.under, journal, clock, self._perform)
        take, halt = self.recorder.take, self.recorder.halt
        self.head = SensorHead(devices.head, setup.make_tracker, clock, take, halt)
        self.sign = Sign(self.recorder, clock, setup.terms, devices.sounder.beep, lambda: self.desk.in_use)
        self.desk = Desk(lambda: self.machine, self.place, setup.staff, self.sign)
        self.inputs = Inputs(devices, self.head, self.desk, take)
        self.sign.changed = self.inputs.show_prompt
        self.recorder.state_listeners.append(self.sign.recorded)
        self.recorder.round_opened = self.sign.round_opened
        self.recorder.listeners += [self._inspected, lambda recorded: self.inputs.look_at_prompt()]
        self._state = ""
        self._clock = clock
        self._lamps = Lamps(devices.panel, clock, lambda fault: take([fault]))
        self._timers = MachineTimers(clock, self.head.poll, self._on_timer)
        self.recorder.begins_anew = self._timers.close
        self.watches: list[Watch] = [MediaWatch(self.recorder, clock)]

    def place(self) -> Place:
        """The round and the state of the table, for what is offered in it."""
        return self.machine.round, str(self.machine.state.value)

    # -- start and stop ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Recover from the journal, light the recorded lamps, and listen to the devices.

        Raises:
            JournalError: the journal is damaged, or of another game or version; nothing was started.
        """
        origin, now_ns = self.setup.origin, self._clock.now_ns()
        this = Decider(__version__, origin.software, origin.configuration)
        recovery = self.recorder.recover(Running(this, self.setup.unplayable))
        table_state = self.recorder.table_state
        self.head.start()
        if self.desk.asks_credentials:
            failures = {Asked.FLOORPERSON: table_state.wrong_pins, Asked.DEALER: table_state.wrong_log_ons}
            self.desk.started(failures, table_state.prompt, now_ns)
        self.inputs.start()
        if recovery.interrupted is not None:
            self.take([recovery.interrupted.event(now_ns, this, self.machine.round)])
        unused = len(self.journal) <= 1  # Nothing, or a start before which the power went again.
        self.take([self._started() if recovery.replayed < 0 else self._restarted()])
        for watch in self.watches:
            watch.start()
        unplayable = self.setup.unplayable(table_state)
        if recovery.interrupted is not None and unplayable:
            self.take(self._other_equipment(unplayable))
        self.sign.start(first=unused)
        self._light(frozenset(self.machine.lit))
        self.take([])

    def _other_equipment(self, detail: str) -> Iterator[Event]:
        """The rules of the file count where no others can be played: the table was closed, and its key opens it."""
        house = self.setup.terms.house
        if house is not None:
            now_ns, utc_ns = self._clock.now_ns(), self._clock.utc_ns()
            yield RulesInEffect(now_ns, utc_ns, house, False, self.machine.round, detail)

    def stop(self) -> None:
        """Stop listening. The caller that opened the journal closes it."""
        for watch in self.watches:
            watch.close()
        self._lamps.close()
        self.sign.stop()
        self.devices.close()
        self._timers.close()
        self.head.close()
        self.inputs.close()

    def take(self, events: Iterable[Event]) -> None:
        """Decide on events, one after the other (see :class:`Recorder`)."""
        self.recorder.take(events)

    def _started(self) -> TableStarted:
        now_ns, utc_ns, origin = self._clock.now_ns(), self._clock.utc_ns(), self.setup.origin
        ran = (origin.configuration, origin.replaces, origin.software)
        return TableStarted(now_ns, utc_ns, __version__, *ran, self.setup.terms, origin.wheel)

    def _restarted(self) -> PowerRestored:
        now_ns, utc_ns, origin = self._clock.now_ns(), self._clock.utc_ns(), self.setup.origin
        ran, pause_ns = (origin.configuration, origin.software), utc_ns - newest_on_record(self.journal)
        return PowerRestored(now_ns, utc_ns, __version__, *ran, self.setup.terms, origin.wheel, pause_ns)

    # -- state ---------------------------------------------------------------------------------------------

    @property
    def machine(self) -> AnyMachine:
        """The game's machine."""
        return self.recorder.machine

    @property
    def journal(self) -> Journal:
        """The journal that records every decision."""
        return self.recorder.journal

    @property
    def tracker(self) -> HeadTracker | None:
        """The tracker that turns edges into events."""
        return self.head.tracker

    @property
    def table_state(self) -> TableState:
        """The recorded limits and dealer."""
        return self.recorder.table_state

    @property
    def round_progress(self) -> RoundProgress:
        """Whether a round is in progress."""
        return self.recorder.round_progress

    @property
    def halted(self) -> str:
        """Why the table has halted, or empty."""
        return self.recorder.halted

    @property
    def listeners(self) -> list[DecisionListener]:
        """Called with every decision, after it is on record and performed."""
        return self.recorder.listeners

    @property
    def edge_listeners(self) -> list[Callable[[EdgeBatch], None]]:
        """Called with every batch of edges before it is tracked."""
        return self.head.listeners

    @property
    def level_listeners(self) -> list[LevelListener]:
        """Called with the levels of the lines before a wheel at rest is compared with them."""
        return self.head.level_listeners

    @property
    def prompt_listeners(self) -> list[Callable[[View], None]]:
        """Called with the prompt whenever it changes."""
        return self.inputs.prompt_listeners

    # -- effects -------------------------------------------------------------------------------------------

    def _perform(self, effect: Effect, event: Event) -> None:
        if isinstance(effect, Light):
            self._light(frozenset(effect.areas))
        elif isinstance(effect, _SOUNDED):
            self.devices.sounder.beep()
        elif isinstance(effect, StartTimer):
            self._timers.start(effect.timer, event.at_ns + effect.delay_ns)
        elif isinstance(effect, CancelTimer):
            self._timers.cancel(effect.timer)

    def _inspected(self, recorded: RecordedDecision) -> None:
        """Once people begin to try the sensors, what was learned of them before is forgotten."""
        before, self._state = self._state, recorded.record.state
        if self._state != before and self._state in self.machine.inspecting:
            self.head.relearn()

    def _light(self, areas: frozenset[str]) -> None:
        fault = self._lamps.show(areas)
        if fault is not None:
            self.recorder.add(fault)

    def _on_timer(self, name: str) -> None:
        self.take([TimerElapsed(self._clock.now_ns(), name)])
