"""Edges of a sensor head: from a batch that a backend delivers to what the tracker makes of it, timers included."""

import json
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.cost.instructions import of, say
from controller.events.event import Event
from controller.journal.replay.trace import Traces
from controller.journal.replay.tracer import Tracer
from controller.runtime.sensor_head import SensorHead
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch, FaultEvent
from hal.mock.clock import VirtualClock

TRAINS = Path("trains.json")
_GEOMETRY = WheelGeometry(1440, 7, 54)
SIZES = (1, 16, 64)


@dataclass(frozen=True, slots=True)
class Train:
    """Edges, their time stamps, and the levels of the lines before the first."""

    edges: str
    stamps: list[int]
    levels: dict[str, bool]


class DeliveredHead:
    """A sensor head whose batches the benchmark delivers."""

    def __init__(self, levels: dict[str, bool]) -> None:
        self._levels = levels
        self.deliver: Callable[[EdgeBatch], None] = lambda batch: None

    def levels(self) -> dict[str, bool]:
        return self._levels

    def start(self, deliver: Callable[[EdgeBatch], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        self.deliver = deliver

    def poll(self) -> None:
        """Whatever there is was delivered."""

    def close(self) -> None:
        """Nothing is open."""


def spin(batches: Sequence[EdgeBatch], levels: dict[str, bool], traces: Path) -> int:
    """The instructions of a spin's batches, without rest, which comes by a timer."""
    device, clock = DeliveredHead(levels), VirtualClock()
    found: list[Event] = []
    head = SensorHead(device, lambda now: WheelTracker(_GEOMETRY, now), clock, found.extend, sys.exit)
    head.listeners.append(Tracer(Traces(traces, 10), levels).hear)
    head.start()
    deliver = device.deliver

    def deliver_all() -> None:
        for batch in batches:
            deliver(batch)

    taken = of(deliver_all)
    assert found, "a throw at least"
    return taken


def batches(train: Train, size: int) -> list[EdgeBatch]:
    """A train cut into batches."""
    edges, stamps = train.edges.encode(), train.stamps
    return [
        EdgeBatch(
            edges[i : i + size], array("q", stamps[i : i + size]), list(range(i + 1, min(i + size, len(edges)) + 1))
        )
        for i in range(0, len(edges), size)
    ]


def main() -> int:
    trains = {name: Train(**train) for name, train in json.loads(TRAINS.read_text(encoding="ascii")).items()}
    for name, train in trains.items():
        for size in SIZES:
            cut = batches(train, size)
            with TemporaryDirectory() as folder:
                spin(cut, train.levels, Path(folder) / "first")  # Whatever is computed once.
                taken = spin(cut, train.levels, Path(folder) / "second")
            say(f"edge-{name}-by-{size}", taken / len(train.edges))
    return 0


if __name__ == "__main__":
    sys.exit(main())
