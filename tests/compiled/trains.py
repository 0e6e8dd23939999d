"""The events of recorded trains of edges, in whatever form the trackers are loaded: one line a train.

:mod:`compiled.run` runs it in both forms and compares what they print. Wheels of both fleets, spun as dealers do;
each spin as it was and with edges lost, a silent line, noise or a pause, in several sizes of batches; some after
250 days of uptime, when stamps no longer fit into a float.
"""

import random
from argparse import ArgumentParser
from array import array
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from benchmarks.fleet_wheel import FleetWheel
from benchmarks.roulette_campaign import WheelCase, geometry_of
from benchmarks.roulette_hands import HONEST, HOSTILE
from controller.commissioning.wheel_edges import MeasurementError
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.roulette.wheel import RouletteTracker
from controller.tracking.tracker import HeadTracker
from hal.events import EdgeBatch

UPTIME_NS = 250 * 86_400 * 1_000_000_000
AFTER_NS = 20_000_000_000
SIZES = (16, 64, 5000)
Train = tuple[bytes, list[int], list[int]]
"""Edges, stamps, sequence numbers."""


class Recording:
    """All edges of a head, as the kernel hands them over."""

    def __init__(self, feed: Callable[[EdgeBatch], None]) -> None:
        self._feed = feed
        self.edges, self.stamps, self.numbers = bytearray(), list[int](), list[int]()

    def take(self, batch: EdgeBatch) -> None:
        self.edges.extend(batch.edges)
        self.stamps.extend(map(int, batch.timestamps_ns))
        self.numbers.extend(map(int, batch.seqnos))
        self._feed(batch)

    @property
    def train(self) -> Train:
        return bytes(self.edges), self.stamps, self.numbers


def clapper_wheel(seed: int) -> tuple[Train, Callable[[], HeadTracker]]:
    """A turn by hand, two throws, and one with a fault."""
    wheel = FleetWheel(seed)
    levels, recording = dict(wheel.head.levels()), Recording(wheel.feed)
    wheel.head.start(recording.take)
    wheel.head.push(wheel.sections * 1.3, 12)
    wheel.end()
    for _ in range(2):
        wheel.throw()
        wheel.end()
    wheel.throw()
    wheel.advance(wheel.left_s * wheel.rng.random())
    wheel.break_(*wheel.rng.choice((("stuck-high", "clapper"), ("stuck-low", "encoder_b"), ("stuck-low", "index"))))
    wheel.end()
    return recording.train, lambda: WheelTracker(wheel.geometry, levels)


def roulette_wheel(seed: int) -> tuple[Train, Callable[[], HeadTracker]]:
    """Two spins, the second with hands on the rotor."""
    case = WheelCase(seed)
    levels, recording = dict(case.head.levels()), Recording(case.see)
    case.head.start(recording.take)
    for hands in (HONEST, case.rng.choice(list(HOSTILE.values()))):
        case.spin(hands, 1)
    return recording.train, lambda: RouletteTracker(geometry_of(case.settings), levels)


def without(train: Train, left: Sequence[int]) -> Train:
    edges, stamps, numbers = train
    return bytes(edges[i] for i in left), [stamps[i] for i in left], [numbers[i] for i in left]


def whole(rng: random.Random, train: Train) -> Train:
    return train


def lost(rng: random.Random, train: Train) -> Train:
    """Some edges in a row, here and there; the gap in their numbers stays."""
    gaps = [(at, at + rng.randint(1, 9)) for at in rng.sample(range(len(train[0])), 4)]
    return without(train, [i for i in range(len(train[0])) if not any(a <= i < b for a, b in gaps)])


def silent(rng: random.Random, train: Train) -> Train:
    """A line that says nothing for a while, and nobody knows."""
    at, line = rng.randrange(len(train[0])), rng.choice([b"Aa", b"Bb", b"CcPp", b"ZzQq"])
    end = at + rng.randint(5, 5000)
    edges, stamps, _ = without(train, [i for i, x in enumerate(train[0]) if not (at <= i < end and x in line)])
    return edges, stamps, list(range(1, len(edges) + 1))


def noisy(rng: random.Random, train: Train) -> Train:
    """Pulses that no sensor made."""
    edges, stamps, _ = train
    for _ in range(3):
        at, pulse = (
            rng.randrange(len(edges)),
            rng.choice([b"Zz", b"Aa", *((b"Cc", b"cC") if b"C" in edges else (b"Pp", b"Qq"))]),
        )
        edges = edges[:at] + pulse + edges[at:]
        stamps = [*stamps[:at], *[stamps[at]] * len(pulse), *stamps[at:]]
    return edges, stamps, list(range(1, len(edges) + 1))


def held(rng: random.Random, train: Train) -> Train:
    """Everything stands still for a while, long after the machine was switched on."""
    edges, stamps, numbers = train
    at, pause_ns = rng.randrange(len(edges)), rng.choice([2, 5, 20, 40]) * 100_000_000
    return edges, [x + UPTIME_NS + pause_ns * (i >= at) for i, x in enumerate(stamps)], numbers


def events(train: Train, tracker: HeadTracker, size: int) -> list[str]:
    """The events as text, with all that is in them, and what the tracker waits for."""
    edges, stamps, numbers = train
    found: list[str] = []

    def passed(now_ns: int) -> None:
        while tracker.due_ns is not None and tracker.due_ns <= now_ns:
            found.extend(map(repr, tracker.tick(tracker.due_ns)))

    for at in range(0, len(edges), size):
        passed(stamps[at])
        end = at + size
        found.extend(map(repr, tracker.feed(EdgeBatch(edges[at:end], array("q", stamps[at:end]), numbers[at:end]))))
        found.append(f"{tracker.due_ns} {tracker.moving} {tracker.stands(stamps[min(end, len(stamps)) - 1])}")
    passed(stamps[-1] + AFTER_NS)
    return found


HARMS: Mapping[str, Callable[[random.Random, Train], Train]] = {
    each.__name__: each for each in (whole, lost, silent, noisy, held)
}


def main() -> None:
    """Print a line for each train: what it is, a digest of its edges, and one of its events."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=int, default=30, help="of each kind (default %(default)s)")
    parser.add_argument("--show", action="store_true", help="print every event")
    chosen = parser.parse_args()
    for make, first in ((clapper_wheel, 100), (roulette_wheel, 500)):
        for seed in range(first, first + chosen.wheels):
            try:
                train, tracker = make(seed)
            except MeasurementError:
                continue
            for number, (name, harm) in enumerate(HARMS.items()):
                harmed = harm(random.Random(f"{seed} {name}"), train)
                found = events(harmed, tracker(), SIZES[(seed + number) % len(SIZES)])
                edges = sha256(repr(harmed).encode()).hexdigest()
                result = sha256("\n".join(found).encode()).hexdigest()
                kinds = len({line.partition("(")[0] for line in found if "(" in line})
                print(make.__name__, seed, name, len(harmed[0]), edges[:16], len(found), kinds, result[:16])
                if chosen.show:
                    print(*(line for line in found if "(" in line), sep="\n")


if __name__ == "__main__":
    main()
