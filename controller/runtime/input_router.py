"""Routes key presses: to the authentication, the dealer's log-on, the limits sign, and finally the game.

It also takes the events of switches and the reader. The sensor head is polled before each press, so that earlier
events of the wheel are decided first.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from controller.access.authentication import FLOOR_KEY, Authentication
from controller.access.dealer_login import DealerLogOn
from controller.access.unasked import KeyedRun
from controller.events.event import Event, Health, PocketRead, Press, ReaderFault, SensorHealth
from controller.events.health import SWITCHES
from controller.limits.sign import Sign
from controller.runtime.devices import Devices
from controller.tracking.key_flood import KeyFlood
from controller.tracking.keys import KeyTracker
from hal.events import FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import Clock, Timer

ANY_DIGIT = "digit"
"""Recorded in place of a digit that the game refuses, at a table that asks for PINs."""


class InputRouter:
    """Listens to the keys, switches and reader of one table.

    Args:
        authentication: of floorpersons.
        poll: polls the sensor head.
        moving: whether a wheel with a clapper is moving.
        stands: whether it stands at this time, though its rest is not certain yet.
        takes_digits: whether digits mean anything to the game now.
        state: the state of the game.
        take: takes events.

    Attributes:
        prompt_listeners: called with the prompt of an identification or log-on whenever it changes, empty once
            there is none; also when the prompt of the sign changes.
        sign: the table's limits sign; set before the devices are started.
        means_nothing: whether the game refuses a control, for no reason of its own; set before the devices are
            started.
        would_take: whether the game would take a press of a control now; set before the devices are started.
    """

    def __init__(
        self,
        devices: Devices,
        clock: Clock,
        authentication: Authentication,
        poll: Callable[[], None],
        moving: Callable[[], bool],
        stands: Callable[[int], bool],
        takes_digits: Callable[[], bool],
        state: Callable[[], str],
        take: Callable[[Iterable[Event]], None],
    ) -> None:
        self.prompt_listeners: list[Callable[[str], None]] = []
        self.sign: Sign
        self.means_nothing: Callable[[str], bool] = lambda control: False
        self.would_take: Callable[[str], bool] = lambda control: False
        self._devices = devices
        self._clock = clock
        self._authentication = authentication
        self._poll = poll
        self._moving = moving
        self._stands = stands
        self._takes_digits = takes_digits
        self._state = state
        self._take = take
        self._keys = KeyTracker()
        self._floods: dict[str, KeyFlood] = {}
        self._flood_timer: Timer | None = None
        self._log_on = DealerLogOn()
        self._run = KeyedRun()
        self._key_timer: Timer | None = None
        self._prompt_timer: Timer | None = None
        self._shown = "", ""
        """The prompts that the listeners know."""

    def start(self, wrong_pins: int) -> None:
        """Listen to the devices.

        Args:
            wrong_pins: the number of consecutive wrong PINs before this start.
        """
        self._authentication.started(wrong_pins, self._clock.now_ns())
        if self._devices.reader is not None:
            self._devices.reader.start(self._on_reader)
        for name, keys in self._devices.keys.items():
            keys.start(partial(self._on_key, name))
        self._devices.switches.start(self._on_switch)

    def close(self) -> None:
        """Cancel the timers."""
        for timer in (self._key_timer, self._prompt_timer, self._flood_timer):
            if timer is not None:
                timer.cancel()

    def identifies(self) -> bool:
        """Whether the key was turned, and number and PIN are being entered for it."""
        return self._authentication.identifies(self._clock.now_ns())

    def identified(self) -> str:
        """The floorperson who identified last, while that counts; empty for nobody."""
        return self._authentication.identified(self._clock.now_ns())

    @property
    def asks_credentials(self) -> bool:
        """Whether the table asks for credentials."""
        return self._authentication.required

    @property
    def digits_closed(self) -> bool:
        """Whether what is keyed now can only be an identification (see :mod:`controller.access.authentication`)."""
        return self._authentication.closed

    def look_at_prompt(self) -> None:
        """A key, a decision or time may have changed what is asked for: notify the listeners if so."""
        prompts = self._prompts()
        if prompts == self._shown:
            return
        self._shown = prompts
        for listener in self.prompt_listeners:
            listener(prompts[0])

    # -- keys and switches -----------------------------------------------------------------------------------

    def _on_key(self, device: str, event: KeyEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(device, event)
            return
        if event.pressed:  # No decision depends on a release.
            if not (event.held or self._hands_made(device, event.timestamp_ns)):
                return
            self._poll()
        stands = self._stands(event.timestamp_ns)
        self._press(self._keys.key(event, self._clock.utc_ns(), self._moving(), stands, self._state()))
        self._arm_keys()

    def _on_switch(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(SWITCHES, event)
            return
        if event.closed and not (event.held or self._hands_made(SWITCHES, event.timestamp_ns)):
            return
        self._poll()
        self._press(self._keys.switch(event, self._clock.utc_ns(), self._state()))
        self._arm_keys()

    def _hands_made(self, device: str, at_ns: int) -> bool:
        """Whether a press counts: those of a device that sends more than hands can make do not."""
        flood = self._floods.setdefault(device, KeyFlood(device))
        counts, events = flood.press(at_ns)
        if events:
            self._take(events)
            self._arm_floods()
        return counts

    def _arm_floods(self) -> None:
        due_ns = min((flood.due_ns for flood in self._floods.values() if flood.due_ns is not None), default=None)
        if self._flood_timer is not None:
            self._flood_timer.cancel()
        self._flood_timer = self._clock.call_at(due_ns, self._on_floods_due) if due_ns is not None else None

    def _on_floods_due(self) -> None:
        for flood in self._floods.values():
            self._take(flood.tick(self._clock.now_ns()))
        self._arm_floods()

    def _press(self, events: list[Event]) -> None:
        """Route presses, and take the events that result."""
        if not events:
            return
        for event in events:
            self._take(self._routed(event))
        self.look_at_prompt()
        self._arm_prompt()

    def _routed(self, event: Event) -> list[Event]:
        """The events of a press after authentication, log-on and sign have handled it, in this order."""
        if not isinstance(event, Press):
            return [event]
        if event.control == FLOOR_KEY and self.asks_credentials:
            self._log_on.cancel()  # The next digits are the floorperson's.
        unasked = self._identifies_unasked(event)
        events = [] if unasked else self._authentication.press(event, self._digits_mean(event.at_ns))
        if not events and self.digits_closed and not self._authentication.identifies(event.at_ns):
            self._devices.sounder.beep()  # Nobody asked for what was keyed.
        for press in (self._log_on.press, self.sign.press):
            events = [made for one in events for made in (press(one) if isinstance(one, Press) else [one])]
        return [self._unnamed(one) for one in events]

    def _identifies_unasked(self, press: Press) -> bool:
        """Whether this ``enter`` ends a number for which nobody turned the key, so that a PIN follows."""
        if not self.asks_credentials or self.digits_closed or self._log_on.prompt(press.at_ns):
            self._run = KeyedRun()
            return False
        run, taken = self._run, self.would_take(press.control)
        self._run = run.and_then(press.control, press.at_ns, taken)
        if press.control != "enter" or not run.identifies(self._authentication.knows, taken):
            return False
        self._authentication.unasked(run.digits, press.at_ns)
        return True

    def _unnamed(self, event: Event) -> Event:
        """A digit that means nothing here may be one of a PIN: the record says that one was pressed, not which."""
        if not isinstance(event, Press) or not event.control.isdecimal() or not self.asks_credentials:
            return event
        if not self.means_nothing(event.control):
            return event
        return replace(event, control=ANY_DIGIT, again=False)  # That two are alike is part of a PIN, too.

    def _digits_mean(self, now_ns: int) -> bool:
        """Whether digits mean anything now, if they are no identification."""
        return self._takes_digits() or bool(self._log_on.prompt(now_ns))

    def _prompts(self) -> tuple[str, str]:
        now_ns = self._clock.now_ns()
        asks = self._authentication.prompt(now_ns, self._digits_mean(now_ns)) if self.digits_closed else ""
        return asks or self._log_on.prompt(now_ns), self.sign.prompt()

    def _arm_prompt(self) -> None:
        """Nobody may press a key again: the prompt changes all the same when what it asks for has expired."""
        if self._prompt_timer is not None:
            self._prompt_timer.cancel()
            self._prompt_timer = None
        now_ns, dues = self._clock.now_ns(), (self._authentication.due_ns, self._log_on.due_ns)
        due_ns = min((due for due in dues if due is not None and due > now_ns), default=None)
        if due_ns is not None:
            self._prompt_timer = self._clock.call_at(due_ns, self._on_prompt_due)

    def _on_prompt_due(self) -> None:
        self.look_at_prompt()
        self._arm_prompt()

    def _arm_keys(self) -> None:
        if self._key_timer is None and self._keys.due_ns is not None:
            self._key_timer = self._clock.call_at(self._keys.due_ns, self._on_keys_due)

    def _on_keys_due(self) -> None:
        self._key_timer = None
        self._take(self._keys.tick(self._clock.now_ns()))
        self._arm_keys()

    # -- other devices ---------------------------------------------------------------------------------------

    def _on_fault(self, device: str, event: FaultEvent) -> None:
        """A device stopped working, or works again."""
        health = Health.GONE if event.detail else Health.OK
        self._take([SensorHealth(event.timestamp_ns, device, health, event.detail)])

    def _on_reader(self, event: ReaderEvent) -> None:
        self._poll()
        if event.fault:
            self._take([ReaderFault(event.timestamp_ns, event.fault)])
        else:
            self._take([PocketRead(event.timestamp_ns, event.pocket)])
