"""A wheel on GPIO lines: the chip that is taken away, batches, and a last edge that the kernel never saw.

All else of the head is tested on a real kernel, in ``tests/system/kernel``. Linux 6.1 itself crashes soon after a
chip is taken away, and loses no edge on demand.
"""

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from contracts.loop import Loop

from controller.events.event import Event, WheelRested
from controller.journal.replay.edge_replay import Sensors, Session, decode
from controller.journal.replay.trace import Tracer, Traces
from controller.table.sensor_head import SensorHead
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.clock import LoopClock
from hal.events import EdgeBatch, FaultEvent
from hal.gpiod import GpiodSettings
from hal.mock.clock import VirtualClock

gpiod = pytest.importorskip("gpiod", reason="the library gpiod is not installed here")

PINS = {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}
PIN_OF = {"A": 17, "B": 27, "Z": 22, "C": 23}
GEOMETRY = WheelGeometry(1440, 7, 54)
MS = 1_000_000
LATER_NS = 60_000 * MS


class Request:
    """The kernel's side of a request, and of the chip: levels of lines, and the edges that it saw."""

    def __init__(self) -> None:
        self.fd, self._far = os.pipe()
        self.high = dict.fromkeys(PINS.values(), False)
        self._edges: list[SimpleNamespace] = []
        self._seen = 0
        self.gone = False

    def moves(self, letter: str, at_ns: int, seen: bool = True) -> None:
        pin, high = PIN_OF[letter.upper()], letter.isupper()
        self.high[pin] = high
        if seen:
            self._seen += 1
            kinds = gpiod.EdgeEvent.Type
            kind = kinds.RISING_EDGE if high else kinds.FALLING_EDGE
            edge = SimpleNamespace(line_offset=pin, event_type=kind, timestamp_ns=at_ns, global_seqno=self._seen)
            self._edges.append(edge)
            os.write(self._far, b"x")

    def is_taken_away(self) -> None:
        """From now on its descriptor is always ready, and every call fails."""
        self.gone = True
        os.close(self._far)

    def get_values(self, pins: list[int]) -> list[object]:
        return [gpiod.line.Value.ACTIVE if self.high[pin] else gpiod.line.Value.INACTIVE for pin in pins]

    def wait_edge_events(self, _timeout: timedelta) -> bool:
        if self.gone:
            raise OSError(19, "No such device")
        return bool(self._edges)

    def read_edge_events(self, _most: int) -> list[SimpleNamespace]:
        if self.gone:
            raise OSError(19, "No such device")
        edges, self._edges = self._edges, []
        os.read(self.fd, len(edges))
        return edges

    def release(self) -> None:
        os.close(self.fd)
        with suppress(OSError):
            os.close(self._far)

    # -- as gpiod.Chip -----------------------------------------------------------------------------------------

    def __enter__(self) -> "Request":
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing to give back."""

    def line_offset_from_id(self, line: int) -> int:
        return line

    def get_line_info(self, _offset: int) -> SimpleNamespace:
        return SimpleNamespace(used=False)

    def request_lines(self, *_lines: object, **_more: object) -> "Request":
        return self


class Bench(Loop):
    """A head on such lines."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.request = Request()
        monkeypatch.setattr(gpiod, "Chip", lambda path: self.request)
        self.run(self.open)

    def open(self) -> None:
        from hal.gpiod.edges import GpiodHead

        self.delivered: list[str] = []
        self.lost: list[FaultEvent] = []
        self.device = GpiodHead(PINS, GpiodSettings(chip="/dev/gpiochip7"), LoopClock())
        self.device.start(self._on_edges, self.lost.append)

    def _on_edges(self, batch: EdgeBatch) -> None:
        self.delivered.append(batch.edges.decode())


class WheelBench(Bench):
    """A wheel's head, of which the edges are kept as at a table."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
        self.clock, self.events = VirtualClock(), list[Event]()
        self.traces = Traces(file, 10)
        super().__init__(monkeypatch)

    def open(self) -> None:
        from hal.gpiod.edges import GpiodHead

        self.device = GpiodHead(PINS, GpiodSettings(chip="/dev/gpiochip7"), self.clock)
        self.head = SensorHead(self.device, self._tracker, self.clock, self.events.extend, pytest.fail)
        tracer = Tracer(self.traces, self.device.levels())
        self.head.listeners.append(tracer.on_batch)
        self.head.level_listeners.append(tracer.levels_read)
        self.tracer = tracer
        self.head.start()

    def _tracker(self, levels: Any) -> WheelTracker:
        return WheelTracker(GEOMETRY, levels)

    def turns(self, unseen: str = "") -> None:
        """The wheel turns by 42 counts; then a line changes that the kernel does not see; then it stands."""
        start_ns = self.clock.now_ns()
        for count in range(42):
            self.request.moves("ABab"[count % 4], start_ns + count * 2 * MS)
        self.clock.advance_to(start_ns + 84 * MS)
        self.run(self.head.poll)
        for letter in unseen:
            self.request.moves(letter, 0, seen=False)
        self.run(lambda: self.clock.advance_to(start_ns + LATER_NS))

    def rested(self) -> WheelRested:
        (rested,) = [event for event in self.events if isinstance(event, WheelRested)]
        return rested

    def replayed(self) -> list[Event]:
        """What a new tracker finds in what was kept."""
        self.tracer._keep()
        session = Session(True, self.clock.now_ns(), [], [(0, stretch) for stretch in self.traces.of(0)])
        return decode(session, Sensors(self._tracker, (), 0))


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    made = Bench(monkeypatch)
    yield made
    made.run(made.device.close)
    made.close()


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[WheelBench]:
    made = WheelBench(monkeypatch, tmp_path / "wheel.traces")
    with closing(made.traces):
        yield made
    made.run(made.device.close)
    made.close()


def test_a_chip_that_goes_away_is_reported_once(bench: Bench) -> None:
    for letter in "AB":
        bench.request.moves(letter, 1)
    bench.until(lambda: bench.delivered == ["AB"])
    bench.request.is_taken_away()
    bench.until(lambda: bool(bench.lost))
    bench.run(bench.device.poll)
    assert [event.detail for event in bench.lost] == [
        "the GPIO chip /dev/gpiochip7 is gone: No such device; connect it and start the table again"
    ]


def test_edges_that_come_between_two_readings_are_one_batch(bench: Bench) -> None:
    """After each batch the kernel is left to gather some, but a read returns at once."""
    bench.request.moves("A", 1)
    bench.until(lambda: bench.delivered == ["A"])
    for letter in "BZ":
        bench.request.moves(letter, 2)
    bench.run(bench.device.poll)
    assert bench.delivered == ["A", "BZ"]
    bench.request.moves("C", 3)
    bench.until(lambda: bench.delivered == ["A", "BZ", "C"])


def test_lines_that_are_as_their_edges_said_are_no_fault_and_leave_no_reading(wheel: WheelBench) -> None:
    wheel.turns()
    assert wheel.rested().fault is None
    assert wheel.replayed() == wheel.events
    assert [stretch.readings for stretch in wheel.traces.of(0)] == [()]


@pytest.mark.parametrize(
    ("unseen", "sensor"), [("C", "clapper"), ("Z", "index"), ("a", "encoder"), ("ab", "encoder"), ("CZ", "clapper")]
)
def test_a_line_that_changed_without_an_edge_is_read_at_rest_and_the_record_shows_it(
    wheel: WheelBench, unseen: str, sensor: str
) -> None:
    wheel.turns(unseen)
    fault = wheel.rested().fault
    assert fault is not None
    assert fault.sensor == sensor
    assert wheel.replayed() == wheel.events
    (reading,) = [reading for stretch in wheel.traces.of(0) for reading in stretch.readings]
    assert reading.unseen == {letter.upper(): letter.isupper() for letter in unseen}


def test_a_line_that_changes_while_a_bent_leather_is_waited_for_is_replayed_at_its_time(wheel: WheelBench) -> None:
    """The levels are read twice: first they are as the edges said, and the second time the contact is closed."""
    start_ns = wheel.clock.now_ns()
    for count in range(42):
        wheel.request.moves("ABab"[count % 4], start_ns + count * 2 * MS)
    wheel.request.moves("C", start_ns + 83 * MS)
    wheel.clock.advance_to(start_ns + 84 * MS)
    wheel.run(wheel.head.poll)
    wheel.run(lambda: wheel.clock.advance_to(start_ns + 1_700 * MS))
    assert not any(isinstance(event, WheelRested) for event in wheel.events)
    wheel.request.moves("c", 0, seen=False)
    wheel.run(lambda: wheel.clock.advance_to(start_ns + LATER_NS))
    assert wheel.replayed() == wheel.events
    assert wheel.rested().fault is not None
    (reading,) = [reading for stretch in wheel.traces.of(0) for reading in stretch.readings]
    assert reading.due_ns > start_ns + 3_000 * MS


def test_a_contact_whose_closing_was_lost_may_open_later(wheel: WheelBench) -> None:
    """What is kept after a reading begins with the levels that were read."""
    wheel.turns("C")
    wheel.tracer._keep()
    wheel.events.clear()
    wheel.request.moves("c", wheel.clock.now_ns())
    wheel.run(wheel.head.poll)
    wheel.tracer._keep()
    first, second = wheel.traces.of(0)
    assert (second.edges, second.levels["C"]) == (b"c", True)
    assert first.levels_at(len(first.edges)) == second.levels
