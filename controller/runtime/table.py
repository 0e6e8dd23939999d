"""One table: inputs are routed to the recorder, and what it has recorded is lit, sounded and timed.

Made of :mod:`input_router` (keys and other inputs), :mod:`sensor_head` (edges), :mod:`recorder` (decisions on
record), :mod:`timers` and :mod:`lamps`; ``assembly.build`` makes it from a configuration.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller import __version__
from controller.access.authentication import Authentication
from controller.events.effect import Alert, CancelTimer, Effect, Light, Refused, StartTimer
from controller.events.event import Event, PowerRestored, TableStarted, TimerElapsed
from controller.journal.journal import Journal
from controller.journal.record import Listener
from controller.journal.recovery import wrong_pins
from controller.journal.versions import Software
from controller.limits.round_progress import RoundProgress
from controller.limits.sign import FileLimits, Sign
from controller.limits.table_state import TableState
from controller.runtime.devices import Devices
from controller.runtime.input_router import InputRouter
from controller.runtime.lamps import Lamps
from controller.runtime.recorder import Recorder
from controller.runtime.sensor_head import SensorHead
from controller.runtime.timers import MachineTimers
from controller.statechart.any_machine import AnyMachine
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch
from hal.interfaces import Clock


@dataclass(frozen=True, slots=True)
class Origin:
    """What the record says of a start, beside the version: so each round is tied to what ran it."""

    configuration: str = ""
    """SHA-256 of the configuration file."""
    software: str = ""
    """Digest of the installed software (:func:`controller.runtime.manifest.digest`)."""
    replaces: str = ""
    """The damaged journal that this one takes the place of, in words."""


UNKNOWN_ORIGIN = Origin()
_HEARD = (Refused, Alert)
"""Effects that the buzzer calls attention to."""


class Table:
    """A table that runs a game.

    Args:
        game: the game's name, for the journal.
        machine: the game's machine, new.
        journal: where everything is recorded.
        devices: open, not started.
        clock: the time of the devices' events.
        origin: what the record says of the start.
        make_tracker: for a table with a sensor head.
        authentication: who may act as floorperson; without it, whoever has the key.
        limits: what the table's file says of limits.
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
        limits: FileLimits | None = None,
    ) -> None:
        self.devices = devices
        self.recorder = Recorder(game, machine, journal, clock, self._perform)
        take, halt = self.recorder.take, self.recorder.halt
        self.head = SensorHead(devices.head, make_tracker, clock, take, halt)
        self.router = InputRouter(devices, clock, authentication or Authentication(None), self.head.poll, take)
        beep, asks = devices.sounder.beep, self.router.prompt_changed
        self.sign = Sign(self.recorder, clock, limits or FileLimits(), beep, asks, self.router.identifies)
        self.router.sign = self.sign
        self.recorder.state_listeners.append(self.sign.recorded)
        self._clock = clock
        self._origin = origin
        self._lamps = Lamps(devices.panel, clock, lambda fault: take([fault]))
        self._timers = MachineTimers(clock, self.head.poll, self._on_timer)

    # -- life ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Recover from the journal, light what was lit, and listen to the devices.

        Raises:
            JournalError: the journal does not fit this table; nothing was started.
        """
        software = Software(__version__, self._origin.software)
        recovery = self.recorder.recover(software)
        self.head.start()
        self.router.start(wrong_pins(self.journal, software))
        if recovery.interrupted is not None:
            self.take([recovery.interrupted.event(self._clock.now_ns(), software, self.machine.round)])
        self.take([self._started() if recovery.replayed < 0 else self._restarted()])
        self.sign.start()
        self._light(frozenset(self.machine.lit))
        self.take([])

    def stop(self) -> None:
        """Stop listening. The journal stays open: it is its opener's to close."""
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
        return TableStarted(now_ns, utc_ns, __version__, origin.configuration, origin.replaces, origin.software)

    def _restarted(self) -> PowerRestored:
        now_ns, utc_ns, origin = self._clock.now_ns(), self._clock.utc_ns(), self._origin
        return PowerRestored(now_ns, utc_ns, __version__, origin.configuration, origin.software)

    # -- how it stands -------------------------------------------------------------------------------------

    @property
    def machine(self) -> AnyMachine:
        """The game's machine."""
        return self.recorder.machine

    @property
    def journal(self) -> Journal:
        """Where everything is recorded."""
        return self.recorder.journal

    @property
    def tracker(self) -> HeadTracker | None:
        """What makes events of the sensor head's edges."""
        return self.head.tracker

    @property
    def table_state(self) -> TableState:
        """Limits and dealer, as the record has them."""
        return self.recorder.table_state

    @property
    def round_progress(self) -> RoundProgress:
        """Whether a round is in progress."""
        return self.recorder.round_progress

    @property
    def halted(self) -> str:
        """Why the table does nothing more, or empty."""
        return self.recorder.halted

    @property
    def listeners(self) -> list[Listener]:
        """Told of every decision, once it is on record and performed."""
        return self.recorder.listeners

    @property
    def edge_listeners(self) -> list[Callable[[EdgeBatch], None]]:
        """Told of every batch of edges before anything is made of it."""
        return self.head.listeners

    @property
    def prompt_listeners(self) -> list[Callable[[str], None]]:
        """Told what is asked of who identifies or logs on."""
        return self.router.prompt_listeners

    # -- what is done --------------------------------------------------------------------------------------

    def _perform(self, effect: Effect, event: Event) -> None:
        if isinstance(effect, Light):
            self._light(frozenset(effect.areas))
        elif isinstance(effect, _HEARD):
            self.devices.sounder.beep()
        elif isinstance(effect, StartTimer):
            self._timers.start(effect.timer, event.at_ns + effect.delay_ns)
        elif isinstance(effect, CancelTimer):
            self._timers.cancel(effect.timer)

    def _light(self, areas: frozenset[str]) -> None:
        fault = self._lamps.show(areas)
        if fault is not None:
            self.recorder.add(fault)

    def _on_timer(self, name: str) -> None:
        self.take([TimerElapsed(self._clock.now_ns(), name)])
