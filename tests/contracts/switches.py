"""What key switches and contacts must do, whatever drives them."""

from collections.abc import Callable
from typing import Protocol

from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import SwitchInput

SWITCHES = ("floor-key", "shaker-done")


class SwitchesBench(Protocol):
    """Switches named :data:`SWITCHES`, and a way to turn them."""

    device: SwitchInput

    def run(self, action: Callable[[], object]) -> object: ...

    def turn(self, switch: str, closed: bool) -> None: ...

    def until(self, condition: Callable[[], bool]) -> None: ...


class SwitchesContract:
    """Subclass it with a fixture ``bench`` that gives a :class:`SwitchesBench`, not started."""

    def events_of(self, bench: SwitchesBench) -> list[SwitchEvent]:
        events: list[SwitchEvent] = []

        def deliver(event: SwitchEvent | FaultEvent) -> None:
            assert isinstance(event, SwitchEvent), event
            events.append(event)

        bench.run(lambda: bench.device.start(deliver))
        return events

    def test_every_switch_closes_and_opens(self, bench: SwitchesBench) -> None:
        events = self.events_of(bench)
        for name in SWITCHES:
            for closed in (True, False):
                before = len(events)
                bench.turn(name, closed)
                bench.until(lambda before=before: len(events) > before)  # type: ignore[misc]
        expected = [(name, closed) for name in SWITCHES for closed in (True, False)]
        assert [(event.switch, event.closed) for event in events] == expected
        stamps = [event.timestamp_ns for event in events]
        assert stamps == sorted(stamps)

    def test_a_switch_that_is_closed_at_the_start_is_held_and_its_opening_is_delivered(
        self, bench: SwitchesBench
    ) -> None:
        """Nobody turned it now: that it is closed is told from that it closes."""
        bench.turn("floor-key", True)
        events = self.events_of(bench)
        bench.until(lambda: len(events) > 0)
        bench.turn("floor-key", False)
        bench.until(lambda: len(events) > 1)
        bench.turn("floor-key", True)
        bench.until(lambda: len(events) > 2)
        assert [(event.switch, event.closed, event.held) for event in events] == [
            ("floor-key", True, True),
            ("floor-key", False, False),
            ("floor-key", True, False),
        ]

    def test_a_closed_device_delivers_nothing_and_may_be_closed_twice(self, bench: SwitchesBench) -> None:
        events = self.events_of(bench)
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        bench.turn("floor-key", True)
        assert events == []
