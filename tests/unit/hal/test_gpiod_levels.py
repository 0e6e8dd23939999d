"""A wheel on GPIO lines whose last edge the kernel never saw: the levels of its lines are read and replayed."""

import os
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from contracts.loop import Loop

from controller.events.event import Event, WheelRested
from controller.journal.replay.decoding import Sensors, decode
from controller.journal.replay.sessions import Session
from controller.journal.replay.trace import Traces
from controller.journal.replay.tracer import Tracer
from controller.table.sensor_head import SensorHead
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.mock.clock import VirtualClock

gpiod = pytest.importorskip("gpiod", reason="the library gpiod is not installed here")

PINS = {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}
PIN_OF = {"A": 17, "B": 27, "Z": 22, "C": 23}
GEOMETRY = WheelGeometry(1440, 7, 54)
MS = 1_000_000
LATER_NS = 60_000 * MS


class Request:
    """The kernel's side of a request: levels of lines, and the edges that it saw."""

    def __init__(self) -> None:
        self.fd, self._far = os.pipe()
        self.high = dict.fromkeys(PINS.values(), False)
        self._edges: list[SimpleNamespace] = []
        self._seen = 0

    def moves(self, letter: str, at_ns: int, seen: bool = True) -> None:
        pin, high = PIN_OF[letter.upper()], letter.isupper()
        self.high[pin] = high
        if seen:
            self._seen += 1
            kinds = gpiod.EdgeEvent.Type
            kind = kinds.RISING_EDGE if high else kinds.FALLING_EDGE
            edge = SimpleNamespace(line_offset=pin, event_type=kind, timestamp_ns=at_ns, global_seqno=self._seen)
            self._edges.append(edge)

    def get_values(self, pins: list[int]) -> list[object]:
        return [gpiod.line.Value.ACTIVE if self.high[pin] else gpiod.line.Value.INACTIVE for pin in pins]

    def wait_edge_events(self, _timeout: timedelta) -> bool:
        return bool(self._edges)

    def read_edge_events(self, _most: int) -> list[SimpleNamespace]:
        edges, self._edges = self._edges, []
        return edges

    def release(self) -> None:
        os.close(self.fd)
        os.close(self._far)


class Chip:
    def __init__(self, request: Request) -> None:
        self._request = request

    def __enter__(self) -> "Chip":
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing to give back."""

    def line_offset_from_id(self, line: int) -> int:
        return line

    def get_line_info(self, _offset: int) -> SimpleNamespace:
        return SimpleNamespace(used=False)

    def request_lines(self, *_lines: object, **_more: object) -> Request:
        return self._request


class Bench(Loop):
    """A wheel's head on such lines, of which the edges are kept as at a table."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
        super().__init__()
        self.request, self.clock, self.events = Request(), VirtualClock(), list[Event]()
        self.traces = Traces(file, 10)
        monkeypatch.setattr(gpiod, "Chip", lambda path: Chip(self.request))
        self.run(self._open)

    def _open(self) -> None:
        from hal.gpiod import GpiodSettings
        from hal.gpiod.edges import GpiodHead

        self.device = GpiodHead(PINS, GpiodSettings(chip="/dev/gpiochip7"), self.clock)
        self.head = SensorHead(self.device, self._tracker, self.clock, self.events.extend, pytest.fail)
        tracer = Tracer(self.traces, self.device.levels())
        self.head.listeners.append(tracer.hear)
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
def bench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(monkeypatch, tmp_path / "wheel.traces")
    with closing(made.traces):
        yield made
    made.run(made.device.close)
    made.close()


def test_lines_that_are_as_their_edges_said_are_no_fault_and_leave_no_reading(bench: Bench) -> None:
    bench.turns()
    assert bench.rested().fault is None
    assert bench.replayed() == bench.events
    assert [stretch.readings for stretch in bench.traces.of(0)] == [()]


@pytest.mark.parametrize(
    ("unseen", "sensor"), [("C", "clapper"), ("Z", "index"), ("a", "encoder"), ("ab", "encoder"), ("CZ", "clapper")]
)
def test_a_line_that_changed_without_an_edge_is_read_at_rest_and_the_record_shows_it(
    bench: Bench, unseen: str, sensor: str
) -> None:
    bench.turns(unseen)
    fault = bench.rested().fault
    assert fault is not None
    assert fault.sensor == sensor
    assert bench.replayed() == bench.events
    (reading,) = [reading for stretch in bench.traces.of(0) for reading in stretch.readings]
    assert reading.unseen == {letter.upper(): letter.isupper() for letter in unseen}


def test_a_line_that_changes_while_a_bent_leather_is_waited_for_is_replayed_at_its_time(bench: Bench) -> None:
    """The levels are read twice: first they are as the edges said, and the second time the contact is open."""
    start_ns = bench.clock.now_ns()
    for count in range(42):
        bench.request.moves("ABab"[count % 4], start_ns + count * 2 * MS)
    bench.request.moves("C", start_ns + 83 * MS)
    bench.clock.advance_to(start_ns + 84 * MS)
    bench.run(bench.head.poll)
    bench.run(lambda: bench.clock.advance_to(start_ns + 1_700 * MS))
    assert not any(isinstance(event, WheelRested) for event in bench.events)
    bench.request.moves("c", 0, seen=False)
    bench.run(lambda: bench.clock.advance_to(start_ns + LATER_NS))
    assert bench.replayed() == bench.events
    assert bench.rested().fault is not None
    (reading,) = [reading for stretch in bench.traces.of(0) for reading in stretch.readings]
    assert reading.due_ns > start_ns + 3_000 * MS


def test_a_contact_whose_closing_was_lost_may_open_later(bench: Bench) -> None:
    """What is kept after a reading begins with the levels that were read."""
    bench.turns("C")
    bench.tracer._keep()
    bench.events.clear()
    now_ns = bench.clock.now_ns()
    bench.request.moves("c", now_ns)
    bench.run(bench.head.poll)
    bench.tracer._keep()
    first, second = bench.traces.of(0)
    assert (second.edges, second.levels["C"]) == (b"c", True)
    assert first.levels_at(len(first.edges)) == second.levels
