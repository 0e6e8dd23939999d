"""Many edges taken at once give the events that edge by edge gives, whatever the wheel and its lines do."""

import random
from array import array
from collections.abc import Callable, Sequence

import pytest
from campaigns.fleet_wheel import FleetWheel

from controller.events.event import Event
from controller.tracking.clapper_wheel.free_run import FreeRun
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

Recorded = tuple[bytes, list[int]]
SEEDS = (101, 107, 120)
"""Coarse encoders and fine ones."""


class RecordedSpins:
    """What a wheel of the fleet does in a turn by hand and two throws."""

    def __init__(self, seed: int) -> None:
        wheel = FleetWheel(seed)
        self.geometry, self.levels = wheel.geometry, dict(wheel.head.levels())
        edges, stamps = bytearray(), list[int]()

        def record(batch: EdgeBatch) -> None:
            edges.extend(batch.edges)
            stamps.extend(batch.timestamps_ns)
            wheel.feed(batch)

        wheel.head.start(record)
        wheel.head.push(wheel.sections * 1.3, 12)
        wheel.end()
        for _ in range(2):
            wheel.throw()
            wheel.end()
        self.edges, self.stamps = bytes(edges), stamps

    def events(self, recorded: Recorded, cuts: Callable[[], int]) -> list[object]:
        """The events, and where the tracker stood and what it waited for after each batch."""
        edges, stamps = recorded
        tracker, found, place = WheelTracker(self.geometry, self.levels), list[object](), 0
        while place < len(edges):
            end = min(len(edges), place + cuts())
            batch = EdgeBatch(edges[place:end], array("q", stamps[place:end]), range(place + 1, end + 1))
            found += due(tracker, batch.timestamps_ns[0])
            found += tracker.feed(batch)
            found += [(tracker.position, tracker.travel_counts, tracker.due_ns), hangs(tracker)]
            place = end
        return [*found, *due(tracker, stamps[-1] + 20_000_000_000)]


def hangs(tracker: WheelTracker) -> tuple[object, ...]:
    """By what the tracker will say where the clapper hangs, once the wheel rests."""
    passage, contact = tracker._trust.passage, tracker._contact
    if passage.peg is None:
        return ()
    lag = passage._lag if passage._opened_at is not None else 0
    opened = passage._opened_at, lag, passage._known
    return passage.peg, passage.direction, *opened, contact.pace._last, contact.level.closed


def due(tracker: WheelTracker, now_ns: int) -> list[Event]:
    found: list[Event] = []
    while tracker.due_ns is not None and tracker.due_ns <= now_ns:
        found += tracker.tick(tracker.due_ns)
    return found


@pytest.fixture(scope="module", params=SEEDS)
def spins(request: pytest.FixtureRequest) -> RecordedSpins:
    return RecordedSpins(request.param)


def whole(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """Nothing happens to the lines."""
    return edges, [*stamps]


def lost(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """Some edges in a row were never seen."""
    at, many = rng.randrange(len(edges)), rng.randint(1, 9)
    return edges[:at] + edges[at + many :], [*stamps[:at], *stamps[at + many :]]


def silent(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """A line says nothing for a while."""
    at, line = rng.randrange(len(edges)), rng.choice([b"Aa", b"Bb", b"Cc", b"Zz"])
    end = at + rng.randint(5, 900)
    left = [i for i in range(len(edges)) if not (at <= i < end and edges[i] in line)]
    return bytes(edges[i] for i in left), [stamps[i] for i in left]


def noisy(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """A line is disturbed."""
    at, pulse = rng.randrange(len(edges)), rng.choice([b"Cc", b"cC", b"Zz", b"CcCc", b"Aa"])
    return edges[:at] + pulse + edges[at:], [*stamps[:at], *[stamps[at]] * len(pulse), *stamps[at:]]


def rattling(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """The contact closes several times within a section, before the wheel's position is known."""
    at = rng.randrange(len(edges) // 12)
    for _ in range(6):
        edges, stamps = edges[:at] + b"Cc" + edges[at:], [*stamps[:at], stamps[at], stamps[at], *stamps[at:]]
        at += rng.randint(3, 12)
    return edges, [*stamps]


def held(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """The wheel stands still for a while."""
    at, pause_ns = rng.randrange(len(edges)), rng.choice([2, 5, 20, 40]) * 100_000_000
    return edges, [*stamps[:at], *(stamp + pause_ns for stamp in stamps[at:])]


def unplugged(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """The clapper's plug is out, so that no section is known, and the wheel stands still for a while."""
    left = [i for i in range(len(edges)) if edges[i] not in b"Cc"]
    at = rng.randint(2500, 6000)
    stood = [stamps[i] + 3_000_000_000 * (place >= at) for place, i in enumerate(left)]
    return bytes(edges[i] for i in left), stood


def astray(rng: random.Random, edges: bytes, stamps: Sequence[int]) -> Recorded:
    """Pegs that are bent: the contact closes some counts earlier."""
    harmed = bytearray(edges)
    for _ in range(40):
        at, early = harmed.find(b"C", rng.randrange(len(edges))), rng.randint(1, 8)
        if at > early:
            harmed[at - early : at + 1] = b"C" + harmed[at - early : at]
    return bytes(harmed), [*stamps]


@pytest.mark.parametrize(
    "harm", [whole, lost, silent, noisy, rattling, held, unplugged, astray], ids=lambda harm: harm.__name__
)
@pytest.mark.parametrize("size", [16, 64, 100_000, None], ids=str)
@pytest.mark.campaign
def test_many_edges_at_once_are_what_one_after_the_other_is(
    spins: RecordedSpins,
    harm: Callable[[random.Random, bytes, Sequence[int]], Recorded],
    size: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in range(2):
        rng = random.Random(f"{seed} {size}")
        recorded: Recorded = spins.edges, spins.stamps
        for _ in range(rng.randint(1, 3)):
            recorded = harm(rng, *recorded)
        sizes = [size or rng.randint(1, 120) for _ in range(2000)]
        at_once = spins.events(recorded, iter([*sizes, *[10_000] * 2000]).__next__)
        with monkeypatch.context() as patch:
            patch.setattr(FreeRun, "takes", lambda self, edges, stamps, first, end: first)
            one_by_one = spins.events(recorded, iter([*sizes, *[10_000] * 2000]).__next__)
        assert at_once == one_by_one
