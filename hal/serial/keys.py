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
from hal.serial.port import Item, SerialPort

REPEAT_NS = 125_000_000
"""Nobody goes on pressing a key with shorter pauses."""
SURE_NS = 1_000_000_000
"""Codes that come so fast for so long are the keypad's repetition, not a hand's presses."""
ENDS_NS = 500_000_000
"""The key is up when nothing has come for so long: the table may have been busy meanwhile."""


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
        self._control = ""
        """The key of the last code."""
        self._held = False
        """That key is held down."""
        self._began_ns = self._last_ns = 0
        self._timer: Timer | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._deliver = deliver
        self._port.start(self._on_item)

    def close(self) -> None:
        self._deliver = None
        self._cancel()
        self._port.close()

    def _on_item(self, item: Item, at_ns: int) -> None:
        if isinstance(item, FaultEvent):
            self._faulty = bool(item.detail)
            self._send(item)
        elif isinstance(item, TextLine) and item.text in self._controls:
            if self._faulty:
                self._faulty = False
                self._send(FaultEvent("", at_ns))
            self._code(self._controls[item.text], at_ns)
        elif not self._faulty:  # Reported once, and not for every line.
            self._faulty = True
            self._send(FaultEvent(self._unknown(item), at_ns))

    def _code(self, control: str, at_ns: int) -> None:
        """A key's code has come: a press with its release, or the repetition of a key that is held down."""
        goes_on = control == self._control and at_ns - self._last_ns <= (ENDS_NS if self._held else REPEAT_NS)
        if not goes_on:
            self._up(at_ns)
            self._began_ns = at_ns
        self._control, self._last_ns = control, at_ns
        if not self._held:
            self._held = at_ns - self._began_ns >= SURE_NS
            self._send(KeyEvent(control, True, at_ns, held=self._held))
            if not self._held:
                self._send(KeyEvent(control, False, at_ns))
        self._cancel()
        if self._held and self._deliver is not None:
            self._timer = self._clock.call_at(at_ns + ENDS_NS, lambda: self._up(self._clock.now_ns()))

    def _up(self, at_ns: int) -> None:
        if self._held:
            self._held = False
            self._send(KeyEvent(self._control, False, at_ns))

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

    def _send(self, event: KeyEvent | FaultEvent) -> None:
        if self._deliver is not None:  # The callback may close the device.
            self._deliver(event)
