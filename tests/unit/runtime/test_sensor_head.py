"""A wheel whose rest is due: its lines are compared with their edges, also with those that come just then."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from controller.events.event import Event, WheelRested
from controller.table.sensor_head import SensorHead
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch, FaultEvent
from hal.mock.clock import VirtualClock

MS = 1_000_000
RESTS_NS = 1_500 * MS
A_B = "ABab"


class Lines:
    """A device whose lines are as the test says: its edges wait until it is asked for them."""

    def __init__(self) -> None:
        self.now: dict[str, bool] = dict.fromkeys("ABZC", False)
        self.waiting: list[tuple[int, str]] = []
        self.coming: list[tuple[int, str]] = []
        """These come while the levels are read."""
        self._seqno = 0

    def levels(self) -> Mapping[str, bool]:
        now = dict(self.now)
        self.waiting, self.coming = self.waiting + self.coming, []
        return now

    def start(self, on_edges: Callable[[EdgeBatch], None], on_fault: Callable[[FaultEvent], None]) -> None:
        self._on_edges = on_edges

    def poll(self) -> None:
        waiting, self.waiting = self.waiting, []
        self.deliver(waiting)

    def deliver(self, edges: Sequence[tuple[int, str]]) -> None:
        if edges:
            seqnos = range(self._seqno + 1, self._seqno + 1 + len(edges))
            self._seqno = seqnos[-1]
            letters = "".join(letter for _, letter in edges).encode()
            self._on_edges(EdgeBatch(letters, [at_ns for at_ns, _ in edges], seqnos))

    def close(self) -> None:
        pass


class Bench:
    def __init__(self) -> None:
        self.clock, self.lines, self.events = VirtualClock(), Lines(), list[Event]()
        geometry = WheelGeometry(1440, 7, 54)
        self.head = SensorHead(
            self.lines,
            lambda levels: WheelTracker(geometry, levels),
            self.clock,
            self.events.extend,
            pytest.fail,
        )
        self.head.start()
        start_ns = self.clock.now_ns()
        edges = [(start_ns + n * 2 * MS, A_B[n % 4]) for n in range(40)]
        self.clock.advance_to(edges[-1][0])
        self.lines.deliver(edges)
        self.due_ns = edges[-3][0] + RESTS_NS

    def fault(self) -> str:
        (rested,) = [event for event in self.events if isinstance(event, WheelRested)]
        return rested.fault.sensor if rested.fault else ""


def test_lines_that_are_as_their_edges_said_are_no_fault() -> None:
    bench = Bench()
    bench.clock.advance_to(bench.due_ns + 2 * RESTS_NS)
    assert bench.fault() == ""


@pytest.mark.parametrize("waits", [False, True])
def test_an_edge_that_comes_as_the_rest_is_due_does_not_hide_one_that_was_lost(waits: bool) -> None:
    """After the rest was due, or while the levels are read."""
    bench = Bench()
    bench.lines.now["C"] = True  # The peg has opened the contact; its edge was lost.
    bench.lines.now["B"] = True
    if waits:
        bench.lines.coming = [(bench.due_ns - MS, "B")]
    else:
        bench.clock.call_at(bench.due_ns - 1, lambda: bench.lines.deliver([(bench.due_ns + 1, "B")]))
    bench.clock.advance_to(bench.due_ns + 2 * RESTS_NS)
    assert bench.fault() == "clapper"


@pytest.mark.parametrize("read_late", [False, True])
def test_an_edge_that_waits_while_the_levels_are_read_is_no_fault_itself(read_late: bool) -> None:
    """Whether the level was read before it or after it."""
    bench = Bench()
    bench.lines.now["B"] = read_late
    bench.lines.coming = [(bench.due_ns - MS, "B")]
    bench.clock.advance_to(bench.due_ns)
    bench.lines.now["B"] = True
    bench.clock.advance_to(bench.due_ns + 2 * RESTS_NS)
    assert bench.fault() == ""
