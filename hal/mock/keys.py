"""Simulated buttons and keypads. Backend ``mock``."""

from collections.abc import Iterable

from pydantic import BaseModel

from hal.errors import check_known
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock, DeliverKey, KeySource
from hal.mock.settings import MockSettings

PRESS_NS = 80_000_000  # How long a finger stays on a key.


def open_device(wiring: BaseModel, settings: MockSettings, clock: Clock) -> KeySource:
    """Keys for every control of a buttons, keypad or keyboard section."""
    from hal.mock.world import World  # The world is made of this module's keys.

    pins: dict[str, int] = getattr(wiring, "pins", {})
    rows: list[list[str]] = getattr(wiring, "keys", [])
    codes: dict[str, str] = getattr(wiring, "codes", {})
    return World.of(clock).fit_keys((*pins, *(control for row in rows for control in row), *codes))


class MockKeys:
    """Buttons and keypad keys."""

    def __init__(self, controls: Iterable[str], clock: Clock) -> None:
        self.controls = tuple(controls)
        self._clock = clock
        self._stuck: set[str] = set()
        self._unplugged = False
        self._deliver: DeliverKey | None = None

    def start(self, deliver: DeliverKey) -> None:
        self._deliver = deliver
        for control in sorted(self._stuck):
            deliver(KeyEvent(control, True, self._clock.now_ns(), held=True))
        if self._unplugged:
            self._clock.call_at(self._clock.now_ns(), self._report_unplugged)

    def close(self) -> None:
        self._deliver = None

    def press(self, control: str) -> None:
        """Press a key and let go of it. A stuck key does nothing more."""
        check_known("key", control, self.controls)
        if control not in self._stuck:
            self._send(control, True)
            self._clock.call_at(self._clock.now_ns() + PRESS_NS, lambda: self._release(control))

    def stick(self, control: str) -> None:
        """Press a key that does not come up again."""
        check_known("key", control, self.controls)
        if control not in self._stuck:
            self._stuck.add(control)
            self._send(control, True)

    def unplug(self) -> None:
        """Pull the cable: no key is delivered any more, and the device reports a fault."""
        if not self._unplugged:
            self._unplugged = True
            self._report_unplugged()

    def repair(self) -> None:
        """Stuck keys come up, and the cable is plugged in."""
        unplugged, self._unplugged = self._unplugged, False
        stuck, self._stuck = sorted(self._stuck), set()
        for control in stuck:
            self._send(control, False)
        if unplugged:
            self._report_fault("")

    def _report_unplugged(self) -> None:
        if self._unplugged:
            self._report_fault("its cable is unplugged")

    def _report_fault(self, detail: str) -> None:
        if self._deliver is not None:
            self._deliver(FaultEvent(detail, self._clock.now_ns()))

    def _release(self, control: str) -> None:
        if control not in self._stuck:
            self._send(control, False)

    def _send(self, control: str, pressed: bool) -> None:
        if self._deliver is not None and not (pressed and self._unplugged):
            self._deliver(KeyEvent(control, pressed, self._clock.now_ns()))
