"""What a wheel reader must do, whatever drives it."""

from collections.abc import Callable
from typing import Protocol

from hal.events import ReaderEvent
from hal.interfaces import ResultReader

POCKETS = ["0", "00", *map(str, range(1, 37))]


class ReaderBench(Protocol):
    """A reader, and the wheel below it."""

    device: ResultReader

    def run(self, action: Callable[[], object]) -> object: ...

    def see(self, pocket: str) -> None:
        """The ball lies in a pocket, and the reader is certain of it."""

    def until(self, condition: Callable[[], bool]) -> None: ...


class ReaderContract:
    """Subclass it with a fixture ``bench`` that gives a :class:`ReaderBench`, not started."""

    def events_of(self, bench: ReaderBench) -> list[ReaderEvent]:
        events: list[ReaderEvent] = []
        bench.run(lambda: bench.device.start(events.append))
        return events

    def test_every_pocket_is_named(self, bench: ReaderBench) -> None:
        events = self.events_of(bench)
        for number, pocket in enumerate(POCKETS, 1):
            bench.see(pocket)
            bench.until(lambda number=number: len(events) == number)  # type: ignore[misc]
        assert [(event.pocket, event.fault) for event in events] == [(pocket, "") for pocket in POCKETS]
        stamps = [event.timestamp_ns for event in events]
        assert stamps == sorted(stamps)

    def test_a_closed_device_delivers_nothing_and_may_be_closed_twice(self, bench: ReaderBench) -> None:
        events = self.events_of(bench)
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        bench.see("17")
        assert events == []
