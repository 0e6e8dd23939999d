"""What keys and buttons must do, whatever drives them."""

from collections.abc import Callable
from typing import Protocol

from hal.events import FaultEvent, KeyEvent
from hal.interfaces import KeySource

CONTROLS = ("1", "2", "enter", "no-more-bets")


class KeysBench(Protocol):
    """Keys for :data:`CONTROLS`, and a way to press them."""

    device: KeySource

    def run(self, action: Callable[[], object]) -> object:
        """Do something in the device's event loop."""

    def press(self, control: str) -> None: ...

    def release(self, control: str) -> None: ...

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until a condition holds."""


class KeysContract:
    """Subclass it with a fixture ``bench`` that gives a :class:`KeysBench`, not started."""

    def events_of(self, bench: KeysBench) -> list[KeyEvent]:
        events: list[KeyEvent] = []

        def deliver(event: KeyEvent | FaultEvent) -> None:
            assert isinstance(event, KeyEvent), event
            events.append(event)

        bench.run(lambda: bench.device.start(deliver))
        return events

    def strike(self, bench: KeysBench, control: str, events: list[KeyEvent], before: int) -> None:
        """Press a key and let go of it. A keypad that sends no release may deliver it with the press."""
        bench.press(control)
        bench.until(lambda: len(events) > before)
        bench.release(control)
        bench.until(lambda: len(events) > before + 1)

    def test_every_key_goes_down_and_comes_up(self, bench: KeysBench) -> None:
        events = self.events_of(bench)
        for number, control in enumerate(CONTROLS):
            self.strike(bench, control, events, 2 * number)
        expected = [(control, pressed) for control in CONTROLS for pressed in (True, False)]
        assert [(event.control, event.pressed) for event in events] == expected

    def test_stamps_never_run_backwards(self, bench: KeysBench) -> None:
        events = self.events_of(bench)
        for number in range(3):
            self.strike(bench, "1", events, 2 * number)
        stamps = [event.timestamp_ns for event in events]
        assert stamps == sorted(stamps)
        assert stamps[0] > 0

    def test_a_closed_device_delivers_nothing_and_may_be_closed_twice(self, bench: KeysBench) -> None:
        events = self.events_of(bench)
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        bench.press("1")
        bench.release("1")
        assert events == []
