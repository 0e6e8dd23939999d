"""One table: it routes inputs to the recorder, and performs the recorded effects on lamps, buzzer and timers.

It consists of :mod:`input_router` (keys and other inputs), :mod:`sensor_head` (edges), :mod:`recorder` (recorded
decisions), :mod:`timers` and :mod:`lamps`; ``assembly.build`` makes it from a configuration.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from controller import __version__
from controller.access.authentication import Authentication
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
from controller.journal.recovery import wrong_pins
from controller.journal.versions import Software
from controller.limits.amounts import NO_TERMS
from controller.limits.round_progress import RoundProgress
from controller.limits.sign import Sign
from controller.limits.table_state import TableState
from controller.runtime.devices import Devices
from controller.runtime.input_router import InputRouter
from controller.runtime.lamps import Lamps
from controller.runtime.media_watch import MediaWatch
from controller.runtime.origin import UNKNOWN_ORIGIN, Origin
from controller.runtime.recorder import Recorder
from controller.runtime.sensor_head import LevelListener, SensorHead
from controller.runtime.timers import MachineTimers
from controller.runtime.watch import Watch
from controller.statechart.any_machine import AnyMachine
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch
from hal.interfaces import Clock

if TYPE_CHECKING:  # Of one kind of wheel each, and loaded by the tables that have it.
    from controller.runtime.rotor_watch import RotorWatch
    from controller.runtime.wheel_watch import Measuring, WheelWatch
    from controller.tracking.roulette.rotor import RotorGeometry


TakeEvents = Callable[[Iterable[Event]], None]
_SOUNDED = (Refused, Alert, Void)
"""Effects that sound the buzzer."""


class Table:
    """A table that runs a game.

    Args:
        game: the game's name, for the journal.
        machine: the game's machine, new.
        journal: records every decision.
        devices: open, not started.
        clock: the clock of the devices' events.
        origin: recorded at the start.
        make_tracker: makes a tracker, for a table with a sensor head.
        authentication: of floorpersons; without it, the key alone is sufficient.
        terms: what the table's file says of limits, odds and rules.
        measuring: measures the spins of a wheel with a clapper; None for none.
        under: makes the machine for other payout odds and rules; None if they cannot change.
        unplayable: what the file changed, if the rules on record cannot be played on these devices; else empty.
        rotor: of the roulette wheel whose health is watched; None for none.
    """

    def __init__(
        self,
        game: str,
        machine: AnyMachine,
        journal: Journal,
        devices: Devices,
        clock: Clock,
        origin: Origin = UNKNOWN_ORIGIN,
        make_tracker: MakeTracker | None = None,
        authentication: Authentication | None = None,
        terms: FileTerms = NO_TERMS,
        measuring: "Measuring | None" = None,
        under: Callable[[TableState], AnyMachine] | None = None,
        unplayable: str = "",
        rotor: "RotorGeometry | None" = None,
    ) -> None:
        self.devices = devices
        self.recorder = Recorder(game, machine, journal, clock, self._perform)
        self.recorder.under = under
        take, halt = self.recorder.take, self.recorder.halt
        self.head = SensorHead(devices.head, make_tracker, clock, take, halt)
        acts = authentication or Authentication(None)
        acts.asks_each = lambda: self.machine.state.value in self.machine.identifying
        head, moving, digits = self.head, lambda: self.head.moving, lambda: self.machine.takes_digits()
        self.router = InputRouter(
            devices, clock, acts, head.poll, moving, head.stands, digits, lambda: self.machine.state.value, take
        )
        beep, asks = devices.sounder.beep, self.router.look_at_prompt
        self.sign = Sign(self.recorder, clock, terms, beep, asks, self.router.identifies)
        self.router.sign = self.sign
        self.router.means_nothing = lambda control: self.machine.means_nothing(control)
        self.router.would_take = lambda control: self.machine.would_take(control)
        self.recorder.state_listeners.append(self.sign.recorded)
        self.recorder.round_opened = self.sign.round_opened
        self.recorder.listeners += [self._inspected, lambda recorded: asks()]
        self._state = ""
        self._clock = clock
        self._origin = origin
        self._terms = terms
        self._unplayable = unplayable
        self._lamps = Lamps(devices.panel, clock, lambda fault: take([fault]))
        self._timers = MachineTimers(clock, self.head.poll, self._on_timer)
        self.recorder.begins_anew = self._timers.close
        self._wheel_watch = _wheel_watch(measuring, clock, take)
        self._rotor_watch = _rotor_watch(rotor, journal, clock, take)
        self.watches: list[Watch] = [MediaWatch(self.recorder, clock)]
        for watch in (self._wheel_watch, self._rotor_watch):
            if watch is not None:
                self.head.listeners.append(watch.hear)
                self.recorder.listeners.append(watch)
        if self._wheel_watch is not None:
            self.head.level_listeners.append(self._wheel_watch.levels_read)

    # -- start and stop ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Recover from the journal, light the recorded lamps, and listen to the devices.

        Raises:
            JournalError: the journal is damaged, or of another game or version; nothing was started.
        """
        software = Software(__version__, self._origin.software)
        recovery = self.recorder.recover(software, self._origin.configuration, self._unplayable)
        self._start_wheel_watch()
        self.head.start()
        self.router.start(wrong_pins(self.journal, software) if self.router.asks_credentials else 0)
        if recovery.interrupted is not None:
            self.take([recovery.interrupted.event(self._clock.now_ns(), software, self.machine.round)])
        unused = len(self.journal) <= 1  # Nothing, or a start before which the power went again.
        self.take([self._started() if recovery.replayed < 0 else self._restarted()])
        for watch in self.watches:
            watch.start()
        if recovery.interrupted is not None and self._unplayable:
            self.take(self._other_equipment(self._unplayable))
        self.sign.start(first=unused)
        self._light(frozenset(self.machine.lit))
        self.take([])

    def _other_equipment(self, detail: str) -> Iterator[Event]:
        """The rules of the file count where no others can be played: the table was closed, and its key opens it."""
        if self._terms.house is not None:
            now_ns, utc_ns = self._clock.now_ns(), self._clock.utc_ns()
            yield RulesInEffect(now_ns, utc_ns, self._terms.house, False, self.machine.round, detail)

    def _start_wheel_watch(self) -> None:
        if self._wheel_watch is not None and self.devices.head is not None:
            self._wheel_watch.start(self.devices.head.levels())
        if self._rotor_watch is not None:
            self._rotor_watch.start()

    def stop(self) -> None:
        """Stop listening. The caller that opened the journal closes it."""
        if self._wheel_watch is not None:
            self._wheel_watch.close()
        for watch in self.watches:
            watch.close()
        self._lamps.close()
        self.sign.stop()
        self.devices.close()
        self._timers.close()
        self.head.close()
        self.router.close()

    def take(self, events: Iterable[Event]) -> None:
        """Decide on events, one after the other (see :class:`Recorder`)."""
        self.recorder.take(events)

    def _started(self) -> TableStarted:
        now_ns, utc_ns, origin = self._clock.now_ns(), self._clock.utc_ns(), self._origin
        ran = (origin.configuration, origin.replaces, origin.software)
        return TableStarted(now_ns, utc_ns, __version__, *ran, self._terms, origin.wheel)

    def _restarted(self) -> PowerRestored:
        now_ns, utc_ns, origin = self._clock.now_ns(), self._clock.utc_ns(), self._origin
        ran = (origin.configuration, origin.software)
        return PowerRestored(now_ns, utc_ns, __version__, *ran, self._terms, origin.wheel)

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
    def prompt_listeners(self) -> list[Callable[[str], None]]:
        """Called with the prompt of an identification or log-on."""
        return self.router.prompt_listeners

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


def _wheel_watch(measuring: "Measuring | None", clock: Clock, take: TakeEvents) -> "WheelWatch | None":
    if measuring is None:
        return None
    from controller.runtime.wheel_watch import WheelWatch

    return WheelWatch(measuring, clock, take)


def _rotor_watch(
    rotor: "RotorGeometry | None", journal: Journal, clock: Clock, take: TakeEvents
) -> "RotorWatch | None":
    if rotor is None:
        return None
    from controller.runtime.rotor_watch import RotorWatch

    return RotorWatch(rotor, journal, clock, take)
