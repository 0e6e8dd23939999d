"""The devices of a table, and its keys, switches and reader: presses go to the prompts, all else is an event.

The sensor head is polled before each press, so that earlier events of the wheel are decided first.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from controller.events.event import SWITCHES, Event, KeyStuck, PocketRead, Press, ReaderFault, SensorHealth
from controller.table.desk import DIGIT, Desk
from controller.table.keys import KeyFlood, KeyTracker
from controller.table.prompts import View
from controller.table.sensor_head import SensorHead
from hal.events import FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.interfaces import (
    Clock,
    EdgeSource,
    KeySource,
    LampPanel,
    ResultReader,
    Sounder,
    SwitchInput,
    TamperInput,
    Timer,
)


class Devices(NamedTuple):
    switches: SwitchInput
    panel: LampPanel
    sounder: Sounder
    keys: Mapping[str, KeySource]
    """By the name of their section in the table's file."""
    head: EdgeSource | None = None
    reader: ResultReader | None = None
    tamper: TamperInput | None = None

    def close(self) -> None:
        inputs = (self.head, self.reader, self.tamper, *self.keys.values(), self.switches)
        for device in (*inputs, self.sounder, self.panel):
            if device is not None:
                device.close()


class Inputs:
    """The inputs of one table.

    Args:
        take: takes events, and calls :meth:`look_at_prompt` after each decision.

    Attributes:
        prompt_listeners: called with the prompt whenever it changes.
    """

    def __init__(
        self,
        devices: Devices,
        head: SensorHead,
        desk: Desk,
        take: Callable[[Iterable[Event]], None],
    ) -> None:
        self.prompt_listeners: list[Callable[[View], None]] = []
        self._devices, self._head, self._desk, self._take = devices, head, desk, take
        self._clock: Clock = head.clock
        self._keys = KeyTracker()
        self._in_prompt: set[str] = set()
        """Digits that may be those of a PIN, and were not pressed as others since."""
        self._floods: dict[str, KeyFlood] = {}
        self._timers: dict[str, tuple[int, Timer]] = {}
        """By name: when it elapses, and the timer."""
        self._shown = View()

    def start(self) -> None:
        if self._devices.reader is not None:
            self._devices.reader.start(self._on_reader)
        for name, keys in self._devices.keys.items():
            keys.start(partial(self._on_key, name))
        self._devices.switches.start(self._on_switch)
        self.look_at_prompt()

    def close(self) -> None:
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def look_at_prompt(self) -> None:
        """A key, a decision or time may have changed the prompt: tell the listeners if so."""
        self._take(self._desk.look(self._clock.now_ns()))
        view = self._desk.view(self._clock.now_ns())
        if view != self._shown:
            self._shown = view
            self.show_prompt()
        self._arm("prompt", self._desk.due_ns, self._on_prompt_due)

    def show_prompt(self) -> None:
        for listener in self.prompt_listeners:
            listener(self._shown)

    # -- keys and switches -----------------------------------------------------------------------------------

    def _on_key(self, device: str, event: KeyEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(device, event)
            return
        if not event.pressed:  # No decision depends on it.
            self._keys.key(event, 0)
        elif event.held or self._hands_made(device, event.timestamp_ns):
            self._head.poll()
            self._remember(event.control)
            self._press(self._keys.key(event, self._clock.utc_ns(), self._head.moving, self._desk.where))

    def _on_switch(self, event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            self._on_fault(SWITCHES, event)
            return
        if event.closed and not (event.held or self._hands_made(SWITCHES, event.timestamp_ns)):
            return
        self._head.poll()
        self._press(self._keys.switch(event, self._clock.utc_ns(), self._desk.where))

    def _press(self, events: list[Event]) -> None:
        for event in events:
            found = self._desk.press(event) if isinstance(event, Press) else [event]
            if found:  # After each decision the prompt is looked at.
                self._take(found)
            else:
                self.look_at_prompt()
        self._arm_keys()

    def _remember(self, control: str) -> None:
        if control.isdecimal() and self._desk.hides_digits:
            self._in_prompt.add(control)
        else:
            self._in_prompt.discard(control)

    def _hands_made(self, device: str, at_ns: int) -> bool:
        """Whether a press counts: those of a device that sends more than hands can make do not."""
        counts, events = self._floods.setdefault(device, KeyFlood(device)).press(at_ns)
        if events:
            self._take(events)
            self._arm_keys()
        return counts

    def _arm_keys(self) -> None:
        dues = (self._keys.due_ns, *(flood.due_ns for flood in self._floods.values()))
        self._arm("keys", min((due for due in dues if due is not None), default=None), self._on_keys_due)

    def _on_keys_due(self) -> None:
        """A key or a switch is stuck, or a device is calm again. A key of a PIN is not named."""
        now_ns = self._clock.now_ns()
        for event in (
            *self._keys.tick(now_ns),
            *(one for flood in self._floods.values() for one in flood.tick(now_ns)),
        ):
            if isinstance(event, KeyStuck) and event.control in self._in_prompt:
                event = replace(event, control=DIGIT)
            self._take([event])
        self._arm_keys()

    def _on_prompt_due(self) -> None:
        self._take(self._desk.tick(self._clock.now_ns()))
        self.look_at_prompt()

    def _arm(self, name: str, due_ns: int | None, call: Callable[[], None]) -> None:
        """Call when it is due, or before: an early call finds nothing, and arms anew."""
        at_ns, timer = self._timers.get(name, (0, None))
        if due_ns is None or (timer is not None and at_ns <= due_ns):
            return
        if timer is not None:
            timer.cancel()
        self._timers[name] = due_ns, self._clock.call_at(due_ns, partial(self._elapsed, name, call))

    def _elapsed(self, name: str, call: Callable[[], None]) -> None:
        del self._timers[name]
        call()

    # -- other devices ---------------------------------------------------------------------------------------

    def _on_fault(self, device: str, event: FaultEvent) -> None:
        self._take([SensorHealth.of_device(event.timestamp_ns, device, event.detail)])

    def _on_reader(self, event: ReaderEvent) -> None:
        self._head.poll()
        if event.fault:
            self._take([ReaderFault(event.timestamp_ns, event.fault)])
        else:
            self._take([PocketRead(event.timestamp_ns, event.pocket)])
