"""Decoding an encoder's edges, against gpiozero's RotaryEncoder on its mock pins: ``-m benchmarks.decoding``.

Both take the same trains. Ours comes in batches, each with the time stamps and sequence numbers of its edges, as
the kernel hands them over; gpiozero's mock pins are driven edge by edge, which is how gpiozero receives them. The
repetitions are interleaved, and the median of their ratios counts: of processor time, for a machine does other
things too. Edges of index and clapper, which gpiozero does not receive, come on top in a whole spin; the target is
about the encoder alone.
"""

import sys
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median

from gpiozero import RotaryEncoder
from gpiozero.pins.mock import MockFactory

from benchmarks.report import Measured, main, rate
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.quadrature import Quadrature
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.wheel import MockHead

REPEATS = 15
EDGES = 40_000
PERIOD_NS = 100_000
TARGET = 40
_TURN, SECTIONS = 1440, 54
_GEOMETRY = WheelGeometry(_TURN, 7, SECTIONS)
"""Computed once, as a table does."""
_LEVELS = {"A": False, "B": False, "Z": False, "C": False}

Batches = Sequence[EdgeBatch]
Train = tuple[bytes, Sequence[int], Mapping[str, bool]]
"""Edges, their time stamps, and the levels of the lines before the first."""


def batches(edges: bytes, stamps: Sequence[int], size: int) -> Batches:
    """A train cut into batches."""
    cuts = range(0, len(edges), size)
    return [
        EdgeBatch(
            edges[i : i + size], array("q", stamps[i : i + size]), range(i + 1, min(i + size, len(edges)) + 1)
        )
        for i in cuts
    ]


def steady_train() -> Train:
    """The encoder alone, turning one way and then the other."""
    there = b"ABab" * (EDGES // 8)
    back = b"BAba" * (EDGES // 8)
    return there + back, range(0, EDGES * PERIOD_NS, PERIOD_NS), _LEVELS


def spin_train() -> Train:
    """The edges of a sensor head in a whole spin: encoder, index, and the clapper with its chatter."""
    clock = VirtualClock()
    head = MockHead(WheelSettings(sections=SECTIONS), clock, None)
    edges, stamps, levels = bytearray(), array("q"), head.levels()

    def take(batch: EdgeBatch) -> None:
        edges.extend(batch.edges)
        stamps.extend(batch.timestamps_ns)

    head.start(take)
    head.throw_to(head.x + 4.5 * SECTIONS)
    clock.advance_to(head.at_rest_ns + 2_000_000_000)
    return bytes(edges), stamps, levels


def by_quadrature(train: Batches) -> None:
    """Counts, and the time of the last of them."""
    quadrature, count, at_ns = Quadrature(False, False), 0, 0
    for batch in train:
        if direction := quadrature.run(batch.edges):
            count += direction * len(batch.edges)
        else:
            count += sum(map(quadrature.edge, batch.edges))
        at_ns = batch.timestamps_ns[-1]
    assert at_ns


def by_tracker(train: Batches, levels: Mapping[str, bool]) -> None:
    """Events: position, revolutions, rest, and whether the sensors agree."""
    tracker = WheelTracker(_GEOMETRY, levels)
    for batch in train:
        tracker.feed(batch)


class Gpiozero:
    """gpiozero's encoder, and fingers on its pins."""

    def __init__(self) -> None:
        factory = MockFactory()
        self.encoder = RotaryEncoder(17, 27, max_steps=0, pin_factory=factory)
        a, b = factory.pin(17), factory.pin(27)
        self._pins = (a, b)
        # The pins are pulled up: what is low is active.
        self._drive = {ord("A"): a.drive_low, ord("a"): a.drive_high, ord("B"): b.drive_low, ord("b"): b.drive_high}

    def calls(self, edges: bytes) -> list[Callable[[], None]]:
        """The calls that make a train happen on the pins, looked up before the clock runs."""
        return [self._drive[letter] for letter in edges if letter in self._drive]

    def forget(self) -> None:
        """Mock pins remember every state they were in."""
        for pin in self._pins:
            pin.clear_states()


def _rate(decode: Callable[[], object], edges: int) -> float:
    start = time.process_time()
    decode()
    return edges / (time.process_time() - start)


def _drive(calls: list[Callable[[], None]]) -> None:
    for call in calls:
        call()


def compare(name: str, edges: bytes, ours: Mapping[str, Callable[[], object]]) -> list[Measured]:
    """Each of ours against gpiozero on the same train. The target is for decoding, which is all gpiozero does."""
    theirs = Gpiozero()
    calls = theirs.calls(edges)
    rates: dict[str, list[float]] = {what: [] for what in ("gpiozero", *ours)}
    for _ in range(REPEATS):
        rates["gpiozero"].append(_rate(lambda: _drive(calls), len(calls)))
        theirs.forget()
        for what, decode in ours.items():
            rates[what].append(_rate(decode, len(calls)))
    base = median(rates["gpiozero"])
    lines = [Measured(f"{name}: gpiozero's RotaryEncoder", rate(base), "1")]
    for what in ours:
        ratio = median(one / other for one, other in zip(rates[what], rates["gpiozero"], strict=True))
        requirement = (f"at least {TARGET}", ratio >= TARGET) if what.startswith("counts") else ("", None)
        lines.append(Measured(f"{name}: {what}", rate(median(rates[what])), f"{ratio:.0f}", *requirement))
    return lines


def measure() -> list[Measured]:
    """Both trains, in batches of 16 and of 64 edges."""
    lines = []
    for name, (edges, stamps, levels) in (("encoder alone", steady_train()), ("a whole spin", spin_train())):
        ours: dict[str, Callable[[], object]] = {}
        for size in (16, 64):
            train = batches(edges, stamps, size)
            if name == "encoder alone":
                ours[f"counts, batches of {size}"] = partial(by_quadrature, train)
            ours[f"facts, batches of {size}"] = partial(by_tracker, train, levels)
        lines += compare(name, edges, ours)
    return lines


if __name__ == "__main__":
    sys.exit(main(measure))
