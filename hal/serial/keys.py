"""A keypad on a serial line.

Such keypads do not report releases, so every key is released right after its press. **A stuck key** shows by one
thing only: if the keypad repeats what it sends while a key is down. Of a keypad that does not repeat, or repeats
more slowly than :data:`REPEAT_NS`, nobody can know that a key is down; nor, of any, that one was when the table
started.
"""

from collections.abc import Mapping

from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, DeliverKey, Timer
from hal.serial import SerialKeysSettings
from hal.serial.lines import Broken, TextLine
from hal.serial.port import Item, Lost, Returned, SerialPort

REPEAT_NS = 125_000_000
"""Nobody goes on pressing a key with shorter pauses."""
SURE_NS = 1_000_000_000
"""Codes that come so fast for so long are the keypad's repetition, not a hand's presses."""
ENDS_NS = 500_000_000
"""The key is up when nothing has come for so long: the table may have been busy meanwhile."""


class KeyRepeats:
    """The events of a keypad's codes: presses, each with a release, or a key that is held down."""

    def __init__(self) -> None:
        self._control = ""
        self._began_ns = self._last_ns = 0
        self._held = False

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless a code comes before."""
        return self._last_ns + ENDS_NS if self._held else None

    def code(self, control: str, at_ns: int) -> list[KeyEvent]:
        """A key's code has come."""
        goes_on = control == self._control and at_ns - self._last_ns <= (ENDS_NS if self._held else REPEAT_NS)
        events = [] if goes_on else self._up(at_ns)
        self._began_ns = self._began_ns if goes_on else at_ns
        self._control, self._last_ns = control, at_ns
        if self._held:
            return events
        if at_ns - self._began_ns >= SURE_NS:
            self._held = True
            return [KeyEvent(control, True, at_ns, held=True)]
        return [*events, KeyEvent(control, True, at_ns), KeyEvent(control, False, at_ns)]

    def tick(self, now_ns: int) -> list[KeyEvent]:
        """Time has passed: is the key up?"""
        return self._up(now_ns) if self.due_ns is not None and now_ns >= self.due_ns else []

    def _up(self, at_ns: int) -> list[KeyEvent]:
        held, self._held = self._held, False
        return [KeyEvent(self._control, False, at_ns)] if held else []


class SerialKeys:
    """Keys on a serial line.

    Args:
        controls: the control of each code, as it is sent.
    """

    def __init__(self, controls: Mapping[str, str], settings: SerialKeysSettings, clock: Clock) -> None:
        self._controls, self._name, self._clock = controls, settings.port, clock
        self._faulty = False
        self._deliver: DeliverKey | None = None
        self._port = SerialPort(settings, clock)
        self._repeats = KeyRepeats()
        self._timer: Timer | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._deliver = deliver
        self._port.start(self._on_item)

    def close(self) -> None:
        self._deliver = None
        self._cancel()
        self._port.close()

    def _on_item(self, item: Item, at_ns: int) -> None:
        if isinstance(item, Lost):
            self._fault(item.detail, at_ns)
        elif isinstance(item, Returned):
            self._in_order(at_ns)
        elif isinstance(item, TextLine) and item.text in self._controls:
            self._in_order(at_ns)
            self._pass_on(self._repeats.code(self._controls[item.text], at_ns))
        elif not self._faulty:  # Reported once, and not for every line.
            self._fault(self._unknown(item), at_ns)

    def _pass_on(self, events: list[KeyEvent]) -> None:
        for event in events:
            self._send(event)
        self._cancel()
        due_ns = self._repeats.due_ns
        if self._deliver is not None and due_ns is not None:
            self._timer = self._clock.call_at(
                due_ns, lambda: self._pass_on(self._repeats.tick(self._clock.now_ns()))
            )

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _unknown(self, item: TextLine | Broken) -> str:
        """The fault text for input that is not the code of a key."""
        if isinstance(item, Broken):
            remedy = "check baud_rate, parity, line_end and checksum, and the cable"
            return f"the keypad at {self._name} cannot be understood, {item}; {remedy}"
        return f"the keypad at {self._name} sends {item.text!r}, which is no key's code; correct `codes`"

    def _fault(self, detail: str, at_ns: int) -> None:
        self._faulty = True
        self._send(FaultEvent(detail, at_ns))

    def _in_order(self, at_ns: int) -> None:
        if self._faulty:
            self._faulty = False
            self._send(FaultEvent("", at_ns))

    def _send(self, event: KeyEvent | FaultEvent) -> None:
        if self._deliver is not None:  # The callback may close the device.
            self._deliver(event)
