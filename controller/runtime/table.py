"""One table: it routes inputs to the recorder, and performs the recorded effects on lamps, buzzer and timers.

It consists of :mod:`controller.table.inputs` (keys and other inputs), :mod:`controller.table.desk` (prompts),
:mod:`controller.table.sensor_head` (edges), :mod:`recorder` (recorded decisions), :mod:`sign` (limits),
:mod:`watches` and :mod:`lamps`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from config.schema import DeviceSection, TableConfig
from controller.access.credentials import CredentialsFile
from controller.configuration.machines import machines, unplayable
from controller.configuration.rules import KIND_OF_SECTION
from controller.configuration.shipped import device_options
from controller.events.effect import Alert, CancelTimer, Effect, Light, Refused, StartTimer, Void
from controller.events.event import Act, Event, PowerRestored, TableStarted, Terms, TermsInEffect, TimerElapsed
from controller.events.words import Text
from controller.journal.deciders import Decider
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.journal.recovery import Running
from controller.limits.table_state import TableState
from controller.machine.offers import Offer
from controller.runtime.lamps import Lamps
from controller.runtime.recorder import Recorder
from controller.runtime.sign import LIMITS, Sign
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.watches import TamperWatch, Watch, Watches, watch_clock, watch_computer, watch_journal
from controller.table.desk import Desk, Staff
from controller.table.inputs import Devices, Inputs
from controller.table.machine import TableMachine
from controller.table.prompts import Asked, Place
from controller.table.sensor_head import SensorHead
from controller.tracking.tracker import MakeTracker
from hal.computer import ComputerHealth
from hal.interfaces import Clock, Timer
from hal.registry import open_device

_SOUNDED = (Refused, Alert, Void)
"""Effects that sound the buzzer."""


@dataclass(frozen=True)
class Setup:
    """What a table is built of, besides its journal and clock.

    Attributes:
        this: what runs, for the record.
        staff: who may act as floorperson or deal, if not those of the configuration.
        computer: tells of its supply and its clock's battery; None not to look.
        replaces: the damaged journals that this one replaces.
    """

    config: TableConfig
    this: Decider
    staff: Staff | None = None
    computer: ComputerHealth | None = None
    replaces: tuple[Text, ...] = ()


class Table:
    """A table that runs a game, with open devices; not yet started.

    Args:
        journal: records every decision.
        clock: also that of the devices' events.
        devices: open, not started; None for those of the configuration.

    Attributes:
        listeners: called with every decision, after it is on record and performed.

    Raises:
        HalError: a device cannot be opened.
    """

    def __init__(self, setup: Setup, journal: Journal, clock: Clock, devices: Devices | None = None) -> None:
        config = setup.config
        self.setup, self.journal = setup, journal
        self.devices = devices = devices or open_devices(config, clock)
        self.recorder = Recorder(config.game, machines(config), journal, clock, self._perform)
        self.listeners, take = self.recorder.listeners, self.recorder.take
        self.head = SensorHead(devices.head, tracker_of(config), clock, take, self.recorder.halt)
        self.sign = Sign(self.recorder, clock, config, devices.sounder.beep, lambda: self.desk.in_use)
        self.desk = Desk(self, setup.staff or staff_of(config))
        self.inputs = Inputs(devices, self.head, self.desk, take)
        self.sign.listeners.append(self.inputs.show_prompt)
        self.listeners += [self._inspected, lambda recorded: self.inputs.look_at_prompt()]
        self._state = ""
        self._clock = clock
        self._lamps = Lamps(devices.panel, clock, lambda fault: take([fault]))
        self._timers: dict[str, Timer] = {}
        """Those that the machine started by effects."""
        self._watches = Watches(self.recorder, clock, tuple(self._watched()))

    def _watched(self) -> Iterator[Watch]:
        recorder, config, clock, tamper = self.recorder, self.setup.config, self._clock, self.devices.tamper
        contacts = config.devices.tamper.contacts if config.devices.tamper is not None else {}
        locks = {name: contact.opens == "lock" for name, contact in contacts.items()}
        yield watch_journal(recorder, clock)
        yield TamperWatch(recorder, tamper, locks, self.desk, self.head).watch()
        yield watch_computer(recorder, self.setup.computer, config.computer, clock)
        if isinstance(clock, TableClock):
            yield watch_clock(clock)

    # -- start and stop ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Recover from the journal, light the recorded lamps, and listen to the devices.

        Raises:
            JournalError: the journal is damaged, or of another table, game or version; nothing was started.
        """
        config, this, now_ns = self.setup.config, self.setup.this, self._clock.now_ns()
        recovery = self.recorder.recover(Running(this, partial(unplayable, config)))
        table_state = self.recorder.table_state
        if table_state.table not in ("", config.table):
            raise JournalError(
                f"the journal is of the table '{table_state.table}', not of '{config.table}'; name another file"
            )
        self.head.start()
        if self.desk.asks_credentials:
            failures = {Asked.FLOORPERSON: table_state.wrong_pins, Asked.DEALER: table_state.wrong_log_ons}
            self.desk.started(failures, table_state.prompt, now_ns)
        self.inputs.start()
        if recovery.interrupted is not None:
            self.take([recovery.interrupted.event(now_ns, this, self.machine.round)])
        unused = len(self.journal) <= 1  # Nothing, or a start before which the power went again.
        self.take([self._start(first=recovery.replayed < 0)])
        self._watches.look()
        of_file = self.sign.file.house
        if recovery.interrupted is not None and of_file is not None and unplayable(config, table_state):
            # No other rules can be played on these devices: the table was closed, and its key opens it.
            odds = table_state.house.odds if table_state.house is not None else of_file.odds
            self.take([replace(self.sign.in_effect(Terms(house=replace(of_file, odds=odds))), anew=False)])
        self.sign.start(first=unused)
        self._light(frozenset(self.machine.lit))

    def stop(self) -> None:
        """Stop listening. The caller that opened the journal closes it."""
        self._watches.close()
        self._lamps.close()
        self.sign.stop()
        self.devices.close()
        self._cancel_timers()
        self.head.close()
        self.inputs.close()

    def take(self, events: Iterable[Event]) -> None:
        """Decide on events, one after the other (see :class:`Recorder`)."""
        self.recorder.take(events)

    def _start(self, first: bool) -> TableStarted | PowerRestored:
        """The event of this start: the first on the journal, or another one."""
        clock, this, setup = self._clock, self.setup.this, self.setup
        now_ns, utc_ns = clock.now_ns(), clock.utc_ns()
        runs = (now_ns, utc_ns, this.version, this.configuration, this.software, self.sign.file)
        if first:
            return TableStarted(*runs, setup.config.wheel_serial, setup.replaces, setup.config.table)
        return PowerRestored(*runs, setup.config.wheel_serial, self._pause_ns(now_ns, utc_ns))

    def _pause_ns(self, now_ns: int, utc_ns: int) -> int:
        """How long nothing was recorded; negative if nobody knows.

        If the wall time is in doubt, monotonic time shows it, unless that began anew with the power.
        """
        pause_ns, last = utc_ns - newest_on_record(self.journal), self.journal.entry(len(self.journal))
        if last is None or not (isinstance(self._clock, TableClock) and self._clock.doubt):
            return pause_ns
        since_ns = now_ns - last.at_ns
        return max(since_ns, pause_ns) if since_ns >= 0 else since_ns

    # -- state ---------------------------------------------------------------------------------------------

    @property
    def machine(self) -> TableMachine:
        return self.recorder.machine

    @property
    def table_state(self) -> TableState:
        return self.recorder.table_state

    @property
    def halted(self) -> str:
        """Why the table has halted, or empty."""
        return self.recorder.halted

    # -- what its prompts offer ------------------------------------------------------------------------------

    def place(self) -> Place:
        """The round and the state of the table, for what is offered in it."""
        return self.machine.round, str(self.machine.state.value)

    def offers(self) -> tuple[Offer, ...]:
        """The floor menu: the entries of the machine, and those of the sign."""
        return (*self.machine.offers(), *self.sign.offers())

    def calls(self, control: str) -> tuple[Offer, ...]:
        return self.machine.calls(control)

    def would_take(self, control: str) -> bool:
        return self.machine.would_take(control)

    def events_of(self, act: Act) -> list[Event]:
        """What is recorded of an act that was confirmed."""
        return self.sign.done(act) if act.act == LIMITS else [act]

    # -- effects -------------------------------------------------------------------------------------------

    def _perform(self, event: Event, effects: Sequence[Effect]) -> None:
        if isinstance(event, TermsInEffect) and event.anew:
            self._cancel_timers()
        for effect in effects:
            if isinstance(effect, Light):
                self._light(frozenset(effect.areas))
            elif isinstance(effect, _SOUNDED):
                self.devices.sounder.beep()
            elif isinstance(effect, StartTimer):
                self._cancel_timer(effect.timer)
                due = partial(self._on_timer, effect.timer)
                self._timers[effect.timer] = self._clock.call_at(event.at_ns + effect.delay_ns, due)
            elif isinstance(effect, CancelTimer):
                self._cancel_timer(effect.timer)

    def _inspected(self, recorded: RecordedDecision) -> None:
        """Once people begin to try the sensors, what was learned of them before is forgotten."""
        before, self._state = self._state, recorded.record.state
        if self._state != before and self._state in self.machine.rounds.inspecting:
            self.head.relearn()

    def _light(self, areas: frozenset[str]) -> None:
        fault = self._lamps.show(areas)
        if fault is not None:
            self.take([fault])

    def _on_timer(self, name: str) -> None:
        self.head.poll()  # What the wheel did before is decided before, and may cancel the timer.
        if self._timers.pop(name, None) is not None:
            self.take([TimerElapsed(self._clock.now_ns(), name)])

    def _cancel_timer(self, name: str) -> None:
        if (timer := self._timers.pop(name, None)) is not None:
            timer.cancel()

    def _cancel_timers(self) -> None:
        for name in tuple(self._timers):
            self._cancel_timer(name)


def open_devices(config: TableConfig, clock: Clock) -> Devices:
    """Open every device of the configuration.

    Raises:
        HalError: a device cannot be opened; those already open are closed again.
    """
    opened, of_keys = dict[str, Any](), dict[str, Any]()
    try:
        for name, kind in KIND_OF_SECTION.items():
            section: DeviceSection | None = getattr(config.devices, name)
            if section is not None:
                options = device_options(config, kind, section)
                into = of_keys if kind == "keys" else opened
                into[name] = open_device(kind, section.backend, section, options, clock)
    except BaseException:
        for one in (*opened.values(), *of_keys.values()):
            one.close()
        raise
    head = opened.pop("rotor", None) or opened.pop("head", None)
    return Devices(head=head, keys=of_keys, **opened)


def tracker_of(config: TableConfig) -> MakeTracker | None:
    if config.wheel is None and config.rotor is None:
        return None
    from controller.runtime.trackers import tracker  # Only tables with a wheel load it.

    return tracker(config)


def staff_of(config: TableConfig) -> Staff | None:
    """Who may act at a table; None where the key alone is sufficient. Changes of the file take effect at once."""
    section = config.credentials
    if section is None:
        return None
    return Staff(CredentialsFile(Path(section.file)), section.session_s * 1_000_000_000, section.dealer_pin)
