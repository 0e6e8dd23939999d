"""One table: events go in, and what the machine decides on them is recorded, then lit, then shown.

The order is the promise. An event and its decision are durable in the journal before any effect of them is seen, so
what the players saw is always on record. If the record cannot be written, nothing is shown and the table halts.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from controller import __version__
from controller.access.authentication import Authentication
from controller.access.dealer_login import DealerLogOn
from controller.events.effect import Alert, CancelTimer, Effect, Light, Refused, RoundOpened, StartTimer
from controller.events.event import (
    Event,
    Health,
    MachineFailed,
    PocketRead,
    PowerRestored,
    Press,
    ReaderFault,
    SensorHealth,
    TableStarted,
    TimerElapsed,
)
from controller.events.record import Record
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import Listener, RecordedDecision, to_json
from controller.journal.recovery import checkpoint, recover, recover_table_state, wrong_pins
from controller.limits.round_progress import RoundProgress
from controller.limits.sign import FileLimits, Sign
from controller.limits.table_state import TableState
from controller.runtime.devices import Devices
from controller.runtime.lamps import Lamps
from controller.statechart.machine import Decision, GameMachine, Outcome
from controller.tracking.keys import KeyTracker
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch, FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, Timer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Origin:
    """What the record says of a start, beside the version: so each round is tied to what ran it."""

    configuration: str = ""
    """SHA-256 of the configuration file."""
    software: str = ""
    """Digest of the installed software (:func:`controller.runtime.manifest.digest`)."""
    replaces: str = ""
    """The damaged journal that this one takes the place of, in words."""


NOWHERE = Origin()


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
        authority: who may act as floorperson; without it, whoever has the key.
        limits: what the table's file says of limits.
    """

    def __init__(
        self,
        game: str,
        machine: GameMachine[Any, Any],
        journal: Journal,
        devices: Devices,
        clock: Clock,
        origin: Origin = NOWHERE,
        make_tracker: MakeTracker | None = None,
        authority: Authentication | None = None,
        limits: FileLimits | None = None,
    ) -> None:
        self.game = game
        self.machine = machine
        self.journal = journal
        self.devices = devices
        self.listeners: list[Listener] = []
        self.edge_listeners: list[Callable[[EdgeBatch], None]] = []
        """Told of every batch of edges before anything is made of it."""
        self.halted = ""
        """Why the table does nothing more, or empty."""
        self.trouble: JournalError | None = None
        """What kept the table from recording, if that is why it halted."""
        self.on_halt: Callable[[], None] | None = None
        self.tracker: HeadTracker | None = None
        self.table_state = TableState()
        """The limits on the sign, those announced, and the dealer, as the record has them."""
        self.round_progress = RoundProgress()
        self._clock = clock
        self._origin = origin
        self._make_tracker = make_tracker
        self._keys = KeyTracker()
        self._authority = authority or Authentication(None)
        self._log_on = DealerLogOn()
        self.sign = Sign(self, clock, limits or FileLimits())
        self.prompt_listeners: list[Callable[[str], None]] = []
        """Told what is asked of who identifies or logs on, empty once that is over; and when the sign asks."""
        self._lamps = Lamps(devices.panel, clock, lambda fault: self.take([fault]))
        self._timers: dict[str, Timer] = {}
        self._wheel_timer: tuple[int, Timer] | None = None
        self._key_timer: Timer | None = None
        self._events: deque[Event] = deque()
        self._busy = False

    # -- life ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Recover from the journal, light what was lit, and listen to the devices.

        Raises:
            JournalError: the journal does not fit this table; nothing was started.
        """
        replayed = recover(self.game, self.machine, self.journal)
        self.table_state, self.round_progress = recover_table_state(self.journal)
        self._authority.refused_before(wrong_pins(self.journal), self._clock.now_ns())
        if self._make_tracker is not None and self.devices.head is not None:
            self.tracker = self._make_tracker(self.devices.head.levels())
            self.devices.head.start(self._on_edges, self._on_head_lost)
        if self.devices.reader is not None:
            self.devices.reader.start(self._on_reader)
        for name, keys in self.devices.keys.items():
            keys.start(partial(self._on_key, name))
        self.devices.switches.start(self._on_switch)
        now_ns, utc_ns, origin = self._clock.now_ns(), self._clock.utc_ns(), self._origin
        if replayed < 0:
            begun = TableStarted(
                now_ns, utc_ns, __version__, origin.configuration, origin.replaces, origin.software
            )
            self.take([begun])
        else:
            self.take([PowerRestored(now_ns, utc_ns, __version__, origin.configuration, origin.software)])
        self.sign.start()
        self._light(frozenset(self.machine.lit))
        self.take([])

    def stop(self) -> None:
        """Stop listening. The journal stays open: it is its opener's to close."""
        self._lamps.close()
        self.sign.stop()
        self.devices.close()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._wheel_timer is not None:
            self._wheel_timer[1].cancel()
        if self._key_timer is not None:
            self._key_timer.cancel()

    # -- what arrives --------------------------------------------------------------------------------------

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

    def _on_edges(self, batch: EdgeBatch) -> None:
        for listener in self.edge_listeners:
            listener(batch)
        if self.tracker is not None:
            self._track(partial(self.tracker.feed, batch))

    def _on_head_lost(self, event: FaultEvent) -> None:
        """No edge will come: what stands still may be the wheel or not, so nothing is made of it any more."""
        self.tracker = None
        self._arm_wheel()
        self.take([MachineFailed(event.timestamp_ns, event.detail)])
        self._halt(event.detail)

    def _on_key(self, device: str, event: KeyEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(device, event)
            return
        if event.pressed:  # A release decides nothing.
            self._poll_wheel()
        self._press(self._keys.key(event, self._clock.utc_ns()))
        self._arm_keys()

    def _on_switch(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault("switches", event)
            return
        self._poll_wheel()
        self._press(self._keys.switch(event, self._clock.utc_ns()))

    def _press(self, events: list[Event]) -> None:
        """What was pressed, as far as the game may hear it."""
        before = self._asked()
        for event in events:
            self.take(self._heard(event))
        if self._asked() != before:
            self.told()

    def _heard(self, event: Event) -> list[Event]:
        """What becomes of a press: first of who identifies, then of who logs on, then of what waits for the key."""
        heard = [event]
        for hears in (self._authority.press, self._log_on.press, self.sign.press):
            heard = [made for one in heard for made in (hears(one) if isinstance(one, Press) else [one])]
        return heard

    def _asked(self) -> tuple[str, str]:
        now_ns = self._clock.now_ns()
        return self._authority.prompt(now_ns) or self._log_on.prompt(now_ns), self.sign.prompt()

    # -- what the sign needs -------------------------------------------------------------------------------

    def told(self) -> None:
        """What people are asked has changed."""
        prompt = self._asked()[0]
        for listener in self.prompt_listeners:
            listener(prompt)

    def attend(self) -> None:
        """Sound the buzzer."""
        self.devices.sounder.beep()

    def identifies(self) -> bool:
        """Whether somebody is keying a credential number or a PIN."""
        return bool(self._authority.prompt(self._clock.now_ns()))

    def _on_fault(self, device: str, event: FaultEvent) -> None:
        """A device can no longer be heard, or can again."""
        health = Health.GONE if event.detail else Health.OK
        self.take([SensorHealth(event.timestamp_ns, device, health, event.detail)])

    def _on_reader(self, event: ReaderEvent) -> None:
        self._poll_wheel()
        if event.fault:
            self.take([ReaderFault(event.timestamp_ns, event.fault)])
        else:
            self.take([PocketRead(event.timestamp_ns, event.pocket)])

    def _on_timer(self, name: str) -> None:
        self._poll_wheel()
        if self._timers.pop(name, None) is not None:
            self.take([TimerElapsed(self._clock.now_ns(), name)])

    def _poll_wheel(self) -> None:
        """What the wheel did before this moment counts before it."""
        if self.devices.head is not None:
            self.devices.head.poll()
        if self.tracker is not None:
            self._track(partial(self.tracker.tick, self._clock.now_ns()))

    def _track(self, step: Callable[[], list[Event]]) -> None:
        """Let the wheel's tracker take a step. If its code raises, the table locks and the wheel is found anew."""
        try:
            events = step()
        except Exception as error:
            log.exception("the wheel's tracker failed")
            assert self._make_tracker is not None
            assert self.devices.head is not None
            self.tracker = self._make_tracker(self.devices.head.levels())
            events = [MachineFailed(self._clock.now_ns(), f"tracking: {type(error).__name__}: {error}")]
        if events:
            self.take(events)
        self._arm_wheel()

    def _arm_wheel(self) -> None:
        due_ns = self.tracker.due_ns if self.tracker is not None else None
        if self._wheel_timer is not None:
            if due_ns is not None and self._wheel_timer[0] <= due_ns:
                return
            self._wheel_timer[1].cancel()
            self._wheel_timer = None
        if due_ns is not None:
            self._wheel_timer = (due_ns, self._clock.call_at(due_ns, self._on_wheel_due))

    def _on_wheel_due(self) -> None:
        self._wheel_timer = None
        self._poll_wheel()

    def _arm_keys(self) -> None:
        if self._key_timer is None and self._keys.due_ns is not None:
            self._key_timer = self._clock.call_at(self._keys.due_ns, self._on_keys_due)

    def _on_keys_due(self) -> None:
        self._key_timer = None
        self.take(self._keys.tick(self._clock.now_ns()))
        self._arm_keys()

    # -- decide, record, perform ---------------------------------------------------------------------------

    def _decide(self, event: Event) -> None:
        number = self.machine.round
        try:
            decision = self.machine.handle(event)
        except Exception as error:
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
        opens = isinstance(event, TableStarted) or RoundOpened in map(type, decision.effects)
        table_state = self.table_state.take(event)
        kept = checkpoint(self.game, self.machine, table_state) if opens else None
        try:
            entry = self.journal.append(
                number, event.at_ns, self._clock.utc_ns(), event.kind, to_json(record), kept
            )
        except JournalError as error:
            self.trouble = error
            self._halt(str(error))
            return None
        self.round_progress = self.round_progress.take(record)
        if table_state is not self.table_state:
            self.table_state = table_state
            self.sign.recorded()
        return RecordedDecision(entry, record)

    def _halt(self, why: str) -> None:
        self.halted = self.halted or why
        log.critical("the table halts: %s", why)
        if self.on_halt is not None:
            self.on_halt()

    def _perform(self, effect: Effect, event: Event) -> None:
        if isinstance(effect, Light):
            self._light(frozenset(effect.areas))
        elif isinstance(effect, _HEARD):
            self.devices.sounder.beep()
        elif isinstance(effect, StartTimer):
            self._cancel(effect.timer)
            due_ns = event.at_ns + effect.delay_ns
            self._timers[effect.timer] = self._clock.call_at(due_ns, partial(self._on_timer, effect.timer))
        elif isinstance(effect, CancelTimer):
            self._cancel(effect.timer)

    def _cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def _light(self, areas: frozenset[str]) -> None:
        fault = self._lamps.show(areas)
        if fault is not None:
            self._events.append(fault)
