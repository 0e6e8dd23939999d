"""The fault menu: what a technician can break on the simulated hardware."""

from dataclasses import dataclass
from functools import partial

from controller.bench.keys import Action, Binding, Choice, Menu, does
from controller.bench.live import LiveBench
from hal.mock.edges import MockHead
from hal.mock.head import SimulatedHead
from hal.mock.rotor import MockRotorHead


@dataclass(frozen=True, slots=True)
class Breakage:
    """A fault of ``hal.mock.world.FAULTS``, as the menu offers it."""

    fault: str
    label: str
    target: str = ""
    """What has to be chosen: a ``line``, ``lamp`` or ``key``; or nothing."""
    amount: float = 0.0
    of: tuple[type[SimulatedHead], ...] | None = (MockHead, MockRotorHead)
    """The sensor heads that can have it; None if it is no fault of a head."""


BREAKAGES = (
    Breakage("stuck-high", "a line stuck high", "line"),
    Breakage("stuck-low", "a line stuck low", "line"),
    Breakage("open", "a line open (broken wire)", "line"),
    Breakage("unplugged", "head unplugged"),
    Breakage("lost-edges", "1 % of edges lost", amount=0.01),
    Breakage("overflow", "40 edges overflow", amount=40),
    Breakage("swapped", "A and B swapped"),
    Breakage("missing-index", "index pulse missing"),
    Breakage("slip", "encoder slips by 2 %", amount=0.02, of=(MockHead,)),
    Breakage("dead-clapper", "clapper's contact dead", of=(MockHead,)),
    Breakage("noise", "noise on a line, 50 a second", "line", 50),
    Breakage("reader-silent", "reader silent", of=(MockRotorHead,)),
    Breakage("reader-garbled", "reader's lines garbled", of=(MockRotorHead,)),
    Breakage("reader-astray", "reader a pocket astray", amount=1, of=(MockRotorHead,)),
    Breakage("dead-lamp", "a lamp dead", "lamp", of=None),
    Breakage("burning-lamp", "a lamp burns for ever", "lamp", of=None),
    Breakage("stuck-key", "a key stuck", "key", of=None),
    Breakage("keys-unplugged", "keys unplugged", of=None),
)


def fault_menu(bench: LiveBench) -> Menu:
    """The faults that this table can have."""
    offered = [item for item in BREAKAGES if item.of is None or isinstance(bench.world.head, item.of)]
    return Menu("break", tuple(Choice(item.label, _breaks(item)) for item in offered))


def _breaks(item: Breakage) -> Action:
    if not item.target:
        return does(lambda bench: bench.break_(item.fault, "", item.amount))
    return partial(_ask, item)


def _ask(item: Breakage, bench: LiveBench) -> Menu:
    """Which line, lamp or key."""

    def breaks(target: str) -> Action:
        return does(lambda bench: bench.break_(item.fault, target, item.amount))

    targets = {
        "line": bench.world.head.lines.names if bench.world.head is not None else (),
        "lamp": bench.world.panel.areas,
        "key": _keys(bench),
    }[item.target]
    return Menu(f"break: {item.label}; which?", tuple(Choice(target, breaks(target)) for target in targets))


def _keys(bench: LiveBench) -> tuple[str, ...]:
    return tuple(control for keys in bench.world.keys for control in keys.controls)


FAULTS_KEY = Binding("f", "faults", "break lines, lamps, keys, ...", fault_menu)
