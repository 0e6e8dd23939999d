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


@pytest.mark.parametrize("late", ["no edge", "an edge after the rest", "one while the levels are read"])
@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("read_late", [False, True])
def test_an_edge_that_comes_as_the_rest_is_due_hides_no_lost_one_and_is_no_fault_itself(
    late: str, lost: bool, read_late: bool
) -> None:
    """Whether the level of its line was read before it or after it. What was lost is the opening of the contact."""
    clock, lines, events = VirtualClock(), Lines(), list[Event]()
    geometry = WheelGeometry(1440, 7, 54)
    head = SensorHead(lines, lambda levels: WheelTracker(geometry, levels), clock, events.extend, pytest.fail)
    head.start()
    edges = [(clock.now_ns() + n * 2 * MS, "ABab"[n % 4]) for n in range(40)]
    clock.advance_to(edges[-1][0])
    lines.deliver(edges)
    due_ns = edges[-3][0] + RESTS_NS
    lines.now |= {"C": lost, "B": late != "no edge" and (read_late or late == "an edge after the rest")}
    if late == "one while the levels are read":
        lines.coming = [(due_ns - MS, "B")]
    elif late != "no edge":
        clock.call_at(due_ns - 1, lambda: lines.deliver([(due_ns + 1, "B")]))
    clock.advance_to(due_ns)
    lines.now["B"] = late != "no edge"
    clock.advance_to(due_ns + 2 * RESTS_NS)
    (rested,) = [event for event in events if isinstance(event, WheelRested)]
    assert (rested.fault.sensor if rested.fault else "") == ("clapper" if lost else "")
