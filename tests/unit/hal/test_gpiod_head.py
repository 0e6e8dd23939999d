"""A wheel on GPIO lines: the chip that is taken away, batches, and a last edge that the kernel never saw.

All else of the head is tested on a real kernel, in ``tests/system/kernel``. Linux 6.1 itself crashes soon after a
chip is taken away, and loses no edge on demand.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import Loop
from gpiod_lines import CHIP, Lines

from controller.events.event import Event, WheelRested
from controller.journal.replay.edge_replay import Sensors, Session, decode
from controller.journal.replay.trace import LevelReading, Tracer, Traces
from controller.table.sensor_head import SensorHead
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import FaultEvent
from hal.gpiod import GpiodSettings
from hal.gpiod.edges import GpiodHead
from hal.mock.clock import VirtualClock

PINS = {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}
PIN_OF = {"A": 17, "B": 27, "Z": 22, "C": 23}
GEOMETRY = WheelGeometry(1440, 7, 54)
MS = 1_000_000
LATER_NS = 60_000 * MS


class Bench(Loop):
    """A head on such lines."""

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self.lines, self.clock = lines, VirtualClock()
        lines.far = dict.fromkeys(PINS.values(), False)
        self.run(self.open)
        self.request = lines.requests[PIN_OF["A"]]

    def open(self) -> None:
        self.delivered: list[str] = []
        self.lost: list[FaultEvent] = []
        self.device = GpiodHead(PINS, GpiodSettings(chip=CHIP), self.clock)
        self.device.start(lambda batch: self.delivered.append(batch.edges.decode()), self.lost.append)

    def moves(self, letters: str, at_ns: int, seen: bool = True) -> None:
        for letter in letters:
            pin, high = PIN_OF[letter.upper()], letter.isupper()
            self.lines.far[pin] = high
            if seen:
                self.request.saw(pin, high, at_ns)

    def close(self) -> None:
        self.run(self.device.close)
        super().close()


class WheelBench(Bench):
    """A wheel's head, of which the edges are kept as at a table."""

    def __init__(self, lines: Lines, file: Path) -> None:
        self.events = list[Event]()
        self.traces = Traces(file, 10)
        super().__init__(lines)

    def open(self) -> None:
        self.device = GpiodHead(PINS, GpiodSettings(chip=CHIP), self.clock)
        self.head = SensorHead(self.device, self._tracker, self.clock, self.events.extend, pytest.fail)
        self.tracer = Tracer(self.traces, self.device.levels())
        self.head.listeners.append(self.tracer.on_batch)
        self.head.level_listeners.append(self.tracer.levels_read)
        self.head.start()

    def _tracker(self, levels: Any) -> WheelTracker:
        return WheelTracker(GEOMETRY, levels)

    def turns(self, then: str = "") -> None:
        """The wheel turns by 42 counts; then a line may change."""
        self.began_ns = self.clock.now_ns()
        for count in range(42):
            self.moves("ABab"[count % 4], self.began_ns + count * 2 * MS)
        self.moves(then, self.began_ns + 83 * MS)
        self.stands(84 * MS)
        self.run(self.head.poll)

    def stands(self, since_ns: int, unseen: str = "") -> None:
        """Lines change that the kernel does not see; time passes."""
        self.moves(unseen, 0, seen=False)
        self.run(lambda: self.clock.advance_to(self.began_ns + since_ns))

    def rested(self) -> WheelRested:
        (rested,) = [event for event in self.events if isinstance(event, WheelRested)]
        return rested

    def replayed(self) -> list[Event]:
        """What a new tracker finds in what was kept."""
        self.tracer._keep()
        session = Session(True, self.clock.now_ns(), [], [(0, stretch) for stretch in self.traces.of(0)])
        return decode(session, Sensors(self._tracker, (), 0))

    def readings(self) -> list[LevelReading]:
        return [stretch.reading for stretch in self.traces.of(0) if stretch.reading is not None]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    return Lines(monkeypatch)


@pytest.fixture
def bench(lines: Lines) -> Iterator[Bench]:
    with closing(Bench(lines)) as made:
        yield made


@pytest.fixture
def wheel(lines: Lines, tmp_path: Path) -> Iterator[WheelBench]:
    with closing(WheelBench(lines, tmp_path / "wheel.traces")) as made, closing(made.traces):
        yield made


def test_a_chip_that_goes_away_is_reported_once(bench: Bench) -> None:
    bench.moves("AB", 1)
    bench.until(lambda: bench.delivered == ["AB"])
    bench.request.is_taken_away()
    bench.run(lambda: bench.clock.advance_to(4 * MS))
    bench.until(lambda: bool(bench.lost))
    bench.run(bench.device.poll)
    assert [event.detail for event in bench.lost] == [
        f"the GPIO chip {CHIP} is gone: No such device; connect it and start the table again"
    ]


def test_edges_that_come_between_two_readings_are_one_batch(bench: Bench) -> None:
    """After each batch the kernel is left to gather some, but a poll reads at once."""
    bench.moves("A", 1)
    bench.until(lambda: bench.delivered == ["A"])
    bench.moves("BZ", 2)
    bench.run(lambda: None)
    assert bench.delivered == ["A"]
    bench.run(bench.device.poll)
    assert bench.delivered == ["A", "BZ"]
    bench.moves("C", 3)
    bench.run(lambda: bench.clock.advance_to(4 * MS))
    bench.until(lambda: bench.delivered == ["A", "BZ", "C"])


@pytest.mark.parametrize(
    ("unseen", "sensor"),
    [("", ""), ("C", "clapper"), ("Z", "index"), ("a", "encoder"), ("ab", "encoder"), ("CZ", "clapper")],
)
def test_a_line_that_changed_without_an_edge_is_read_at_rest_and_the_record_shows_it(
    wheel: WheelBench, unseen: str, sensor: str
) -> None:
    """Lines that are as their edges said leave no reading."""
    wheel.turns()
    wheel.stands(LATER_NS, unseen)
    fault = wheel.rested().fault
    assert (fault.sensor if fault else "") == sensor
    assert wheel.replayed() == wheel.events
    read = {letter.upper(): letter.isupper() for letter in unseen}
    assert [reading.unseen for reading in wheel.readings()] == ([read] if unseen else [])


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("late", ["", "after the rest", "as the levels are read", "before its line is read"])
def test_an_edge_that_comes_as_the_rest_is_due_hides_no_lost_one_and_is_no_fault_itself(
    wheel: WheelBench, late: str, lost: bool
) -> None:
    """What was lost is the opening of the contact."""
    wheel.turns()
    wheel.moves("C" if lost else "", 0, seen=False)
    pin, due_ns = PIN_OF["B"], wheel.began_ns + 39 * 2 * MS + 1_500 * MS

    def comes() -> None:
        wheel.moves("b", due_ns + 1)
        wheel.device.poll()

    def reads() -> bool:
        wheel.moves("b", due_ns - MS)
        return late == "as the levels are read"

    if late == "after the rest":
        wheel.run(lambda: wheel.clock.call_at(due_ns - 1, comes))
    elif late:
        wheel.lines.far[pin] = reads
    wheel.stands(LATER_NS)
    fault = wheel.rested().fault
    assert (fault.sensor if fault else "") == ("clapper" if lost else "")
    assert wheel.replayed() == wheel.events


def test_a_line_that_changes_while_a_bent_leather_is_waited_for_is_replayed_at_its_time(wheel: WheelBench) -> None:
    """The levels are read twice: first they are as the edges said, and the second time the contact is closed."""
    wheel.turns(then="C")
    wheel.stands(1_700 * MS)
    assert not any(isinstance(event, WheelRested) for event in wheel.events)
    wheel.stands(LATER_NS, unseen="c")
    assert wheel.replayed() == wheel.events
    assert wheel.rested().fault is not None
    (reading,) = wheel.readings()
    assert reading.due_ns > wheel.began_ns + 3_000 * MS


def test_a_contact_whose_opening_was_lost_may_close_later(wheel: WheelBench) -> None:
    """What is kept after a reading begins with the levels that were read."""
    wheel.turns()
    wheel.stands(LATER_NS, unseen="C")
    wheel.tracer._keep()
    wheel.events.clear()
    wheel.moves("c", wheel.clock.now_ns())
    wheel.run(wheel.head.poll)
    wheel.tracer._keep()
    *_, read, second = wheel.traces.of(0)
    assert (second.edges, second.levels["C"]) == (b"c", True)
    assert read.levels_after() == second.levels
