"""A few spins of both kinds of wheel, and what the trackers make of them.

A build that compiles the tracking runs this (``python -m``) before and after, on the machine that the compiler is
on, and takes what it compiled only if both print the same. The spins are plain arithmetic, so that nothing else
need be there; what ``make test-compiled`` compares is far more.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from math import sqrt

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.roulette.rotor import RotorGeometry
from controller.tracking.roulette.wheel import RouletteTracker
from controller.tracking.tracker import HeadTracker
from hal.events import EdgeBatch

_NS = 1_000_000_000
_TURN, _SECTIONS = 1440, 54
_SEEDS = 4
_AFTER_NS = 20 * _NS
_Edge = tuple[int, str]
"""When, and which."""


def wheel_with_clapper(rng: random.Random) -> Iterator[_Edge]:
    """Three throws, each losing speed evenly: encoder, an index pulse a turn, a strike a section."""
    begins_ns, count, width = 0, 0, _TURN // _SECTIONS
    for way in (1, -1, rng.choice((1, -1))):
        speed, slows = rng.uniform(1.8, 2.6) * _TURN, 0.45 * _TURN
        counts = int(speed * speed / (2 * slows)) - 1
        for made in range(counts):
            at_ns = begins_ns + int((speed - sqrt(speed * speed - 2 * slows * made)) / slows * _NS)
            yield at_ns, "ABab"[count % 4] if way > 0 else "BAba"[-count % 4]
            count += way
            place = count % _TURN
            if place in (10, 14):
                yield at_ns, "Zz"[(place == 14) == (way > 0)]
            if place * _SECTIONS % _TURN < _SECTIONS:
                yield at_ns + 1000, "C"
            elif (place - way * (width // 3)) * _SECTIONS % _TURN < _SECTIONS:
                yield at_ns + 1000, "c"
        begins_ns += int(speed / slows * _NS) + 12 * _NS


def roulette_wheel(rng: random.Random) -> Iterator[_Edge]:
    """A rotor that turns evenly, and a ball against it that slows down: past two beams, a third of a turn apart."""
    turn_ns = int(rng.uniform(2.2, 2.8) * _NS)
    edges = [(turn_ns * made // 400, "ABab"[made % 4]) for made in range(400 * 14)]
    edges += [(turn_ns * turn + part * turn_ns // 400 + 1, "Zz"[part]) for turn in range(14) for part in (0, 1)]
    at_ns, ball_ns = 3 * turn_ns, 7 * _NS // 10
    while ball_ns < 14 * _NS // 10:
        for beam, letter in enumerate("Pp Qq".split()):
            dark_ns = at_ns + beam * ball_ns // 3
            edges += [(dark_ns, letter[0]), (dark_ns + ball_ns * 18 // 2500, letter[1])]
        at_ns += ball_ns
        ball_ns = ball_ns * 108 // 100
    yield from edges


def harmed(rng: random.Random, edges: Sequence[_Edge]) -> list[_Edge]:
    """Some edges are lost, and a line that is not the encoder's is disturbed."""
    lost = set(rng.sample(range(len(edges)), 3))
    left = [edge for number, edge in enumerate(edges) if number not in lost]
    at_ns = rng.choice(left)[0]
    return sorted([*left, (at_ns, "Z"), (at_ns, "z")], key=lambda edge: edge[0])


def events(tracker: HeadTracker, edges: Sequence[_Edge], size: int) -> Iterator[str]:
    """What a tracker makes of them, in batches of a size."""
    for first in range(0, len(edges), size):
        some = edges[first : first + size]
        while tracker.due_ns is not None and tracker.due_ns <= some[0][0]:
            yield from map(repr, tracker.tick(tracker.due_ns))
        letters, stamps = "".join(letter for _, letter in some).encode(), [at_ns for at_ns, _ in some]
        yield from map(repr, tracker.feed(EdgeBatch(letters, stamps, range(first + 1, first + len(some) + 1))))
        yield f"{tracker.due_ns} {tracker.moving}"
    yield from map(repr, tracker.tick(edges[-1][0] + _AFTER_NS))


def trackers() -> Iterator[str]:
    """All of it, as lines."""
    dark = dict.fromkeys("ABZCPQ", False)
    for seed in range(_SEEDS):
        for make in (wheel_with_clapper, roulette_wheel):
            rng = random.Random(f"{make.__name__} {seed}")
            whole = sorted(make(rng), key=lambda edge: edge[0])
            for edges, size in ((whole, 64), (harmed(rng, whole), 16)):
                tracker: HeadTracker = (
                    WheelTracker(WheelGeometry(_TURN, 10, _SECTIONS), dark)
                    if make is wheel_with_clapper
                    else RouletteTracker(RotorGeometry(400, 2, 120_000, False, 18_000, 2_500_000), dark)
                )
                yield f"{make.__name__} {seed}, {len(edges)} edges"
                yield from events(tracker, edges, size)


def main(suffix: str, names: Sequence[str]) -> None:
    """Print the events; first see that each of these modules is loaded from a file that ends so."""
    for name in names:
        file = import_module(name).__file__ or ""
        if not file.endswith(suffix):
            sys.exit(f"{name}: {file} was loaded")
    print(*trackers(), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
