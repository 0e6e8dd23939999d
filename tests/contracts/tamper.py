"""What contacts of door and cabinet, and their latches, must do, whatever drives them."""

from collections.abc import Callable
from typing import Protocol

from config.schema import TamperDevice
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import TamperInput

WIRING: dict[str, object] = {
    "contacts": {"door": {"pin": 17, "opens": "alert"}, "cabinet": {"pin": 27, "latch": 22}},
    "latch_reset": 23,
}


def wiring(backend: str, **options: object) -> TamperDevice:
    """A door without a latch, and a cabinet with one."""
    return TamperDevice.model_validate({"backend": backend, "options": options, **WIRING})


class TamperBench(Protocol):
    """Contacts as :func:`wiring` has them, all closed, and hands that open and close them."""

    device: TamperInput

    def run(self, action: Callable[[], object]) -> object: ...

    def turn(self, contact: str, closed: bool) -> None: ...

    def until(self, condition: Callable[[], bool]) -> None: ...


class TamperContract:
    """Subclass it with a fixture ``bench`` that gives a :class:`TamperBench`, not started."""

    def heard(self, bench: TamperBench) -> list[SwitchEvent]:
        events: list[SwitchEvent] = []

        def deliver(event: SwitchEvent | FaultEvent) -> None:
            assert isinstance(event, SwitchEvent), event
            events.append(event)

        bench.run(lambda: bench.device.start(deliver))
        return events

    def test_the_start_says_which_contacts_are_closed(self, bench: TamperBench) -> None:
        bench.turn("door", False)
        assert [(one.switch, one.closed, one.held) for one in self.heard(bench)] == [("cabinet", True, True)]

    def test_every_opening_and_closing_is_delivered(self, bench: TamperBench) -> None:
        events = self.heard(bench)
        for contact in ("door", "cabinet"):
            for closed in (False, True):
                before = len(events)
                bench.turn(contact, closed)
                bench.until(lambda before=before: len(events) > before)  # type: ignore[misc]
                assert (events[-1].switch, events[-1].closed, events[-1].held) == (contact, closed, False)
        stamps = [event.timestamp_ns for event in events]
        assert stamps == sorted(stamps)

    def test_a_latch_remembers_what_was_opened_while_nobody_listened_until_it_is_reset(
        self, bench: TamperBench
    ) -> None:
        for contact in ("cabinet", "door"):
            bench.turn(contact, False)
            bench.turn(contact, True)
        self.heard(bench)
        assert bench.run(bench.device.remembered) == {"cabinet"}, "the door has no latch"
        bench.run(bench.device.forget)
        bench.until(lambda: bench.device.remembered() == frozenset())

    def test_a_closed_device_delivers_nothing_and_may_be_closed_twice(self, bench: TamperBench) -> None:
        events = self.heard(bench)
        del events[:]
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        bench.turn("door", False)
        assert events == []
