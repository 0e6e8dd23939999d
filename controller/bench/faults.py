"""What a technician can break on the simulated hardware, as the bench's page offers it."""

from typing import NamedTuple

from controller.bench.live import LiveBench
from hal.mock.edges import MockHead
from hal.mock.head import SimulatedHead
from hal.mock.rotor import MockRotorHead


class Breakage(NamedTuple):
    """A fault of ``hal.mock.world.FAULTS``."""

    fault: str
    label: str
    target: str = ""
    """What has to be chosen: a ``line``, ``lamp``, ``key`` or ``contact``; empty for nothing."""
    amount: float = 0.0
    """The amount that the page uses; 0 if the fault has none."""
    most: float = 0.0
    """The largest useful amount."""
    of: tuple[type[SimulatedHead], ...] | None = (MockHead, MockRotorHead)
    """The sensor heads that can have it; None if it is not a fault of a head."""


BREAKAGES = (
    Breakage("stuck-high", "a line stuck high", "line"),
    Breakage("stuck-low", "a line stuck low", "line"),
    Breakage("open", "a line open (broken wire)", "line"),
    Breakage("unplugged", "head unplugged"),
    Breakage("lost-edges", "1 % of edges lost", amount=0.01, most=1),
    Breakage("overflow", "40 edges overflow", amount=40, most=10_000),
    Breakage("swapped", "A and B swapped"),
    Breakage("missing-index", "index pulse missing"),
    Breakage("slip", "encoder slips by 2 %", amount=0.02, most=1, of=(MockHead,)),
    Breakage("dead-clapper", "clapper's contact dead", of=(MockHead,)),
    Breakage("noise", "noise on a line, 50 a second", "line", 50, most=1000),
    Breakage("reader-silent", "reader silent", of=(MockRotorHead,)),
    Breakage("reader-garbled", "reader's lines garbled", of=(MockRotorHead,)),
    Breakage("reader-astray", "reader a pocket astray", amount=1, most=36, of=(MockRotorHead,)),
    Breakage("dead-lamp", "a lamp dead", "lamp", of=None),
    Breakage("burning-lamp", "a lamp burns for ever", "lamp", of=None),
    Breakage("stuck-key", "a key stuck", "key", of=None),
    Breakage("keys-unplugged", "keys unplugged", of=None),
    Breakage("opened", "a door or the cabinet opened", "contact", of=None),
    Breakage("supply-low", "supply voltage too low", of=None),
    Breakage("battery-low", "clock's battery low", of=None),
)


def offered(bench: LiveBench) -> tuple[Breakage, ...]:
    """The faults that this table can have."""
    return tuple(item for item in BREAKAGES if item.of is None or isinstance(bench.world.head, item.of))


def targets(item: Breakage, bench: LiveBench) -> tuple[str, ...]:
    """The lines, lamps, keys or contacts of this table that can have a fault; none if nothing has to be chosen."""
    world = bench.world
    return {
        "": (),
        "line": world.head.lines.names if world.head is not None else (),
        "lamp": world.panel.areas,
        "key": tuple(control for keys in world.keys for control in keys.controls),
        "contact": world.doors.names,
    }[item.target]
