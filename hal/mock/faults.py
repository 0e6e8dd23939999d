"""What can break on the simulated hardware of a table: lines, wheel reader, lamps, keys, doors, the computer.

An open line is pulled high; the clapper's contact is normally closed, so that a broken wire reads as a bent
clapper and never as a section (fail-safe wiring). A beam's line is high while something is in it, so that a
broken wire reads as that.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hal.mock.lines import Faults
    from hal.mock.world import World


class Breakage(NamedTuple):
    """A fault, and how the bench's page offers it."""

    fault: str
    label: str
    act: "Callable[[World, str, float], None]"
    """Called with the world, a target and an amount."""
    target: str = ""
    """What has to be chosen: a ``line``, ``lamp``, ``key`` or ``contact``; empty for nothing."""
    amount: float = 0.0
    """The amount that the page uses; 0 if the fault has none."""
    most: float = 0.0
    """The largest useful amount."""
    of: str = ""
    """Whose it is: of any ``head``, of a ``wheel`` with a clapper, or of a ``rotor``; empty for any table."""

    def offered(self, world: "World") -> bool:
        """Whether this table can have it."""
        there = {"": True, "head": world.head is not None, "wheel": world.has_wheel, "rotor": world.has_rotor}
        return there[self.of]

    def targets(self, world: "World") -> tuple[str, ...]:
        """The lines, lamps, keys or contacts of this table that can have it; none if nothing has to be chosen."""
        return {
            "": (),
            "line": world.head.lines.names if world.head is not None else (),
            "lamp": world.panel.areas,
            "key": tuple(control for keys in world.keys for control in keys.controls),
            "contact": world.doors.names,
        }[self.target]


def _lines(world: "World") -> "Faults":
    world.sensors.poll()
    return world.sensors.lines.faults


def _hold(world: "World", level: bool, *lines: str) -> None:
    letters = [world.sensors.lines.letter_of(line) for line in lines]
    _lines(world).held.update(dict.fromkeys(letters, level))
    world.sensors.settle_lines()


def _swap(world: "World", target: str, amount: float) -> None:
    _lines(world).swapped = True
    world.sensors.settle_lines()


def _lose(world: "World", target: str, rate: float) -> None:
    _lines(world).lost = min(1.0, max(0.0, rate))


def _overflow(world: "World", target: str, edges: float) -> None:
    _lines(world).overflow += int(edges)


def _disturb(world: "World", line: str, hertz: float) -> None:
    _lines(world).noise_hz[world.sensors.lines.letter_of(line)] = hertz


def _slip(world: "World", target: str, rate: float) -> None:
    world.wheel.poll()
    world.wheel.slip = min(1.0, max(0.0, rate))


def _break_reader(world: "World", silent: bool = False, garbled: bool = False, astray: int = 0) -> None:
    world.rotor.poll()  # Only a roulette wheel has a reader.
    world.reader.silent, world.reader.garbled, world.reader.astray = silent, garbled, astray


def _unplug_keys(world: "World", control: str, amount: float) -> None:
    """The device that has this key; each of them if no key is named."""
    for keys in world.keys:
        if not control or control in keys.controls:
            keys.unplug()


BREAKAGES = (
    Breakage("stuck-high", "a line stuck high", lambda at, line, _: _hold(at, True, line), "line", of="head"),
    Breakage("stuck-low", "a line stuck low", lambda at, line, _: _hold(at, False, line), "line", of="head"),
    Breakage("open", "a line open (broken wire)", lambda at, line, _: _hold(at, True, line), "line", of="head"),
    Breakage("unplugged", "head unplugged", lambda at, _t, _a: _hold(at, True, *at.sensors.lines.names), of="head"),
    Breakage("lost-edges", "1 % of edges lost", _lose, amount=0.01, most=1, of="head"),
    Breakage("overflow", "40 edges overflow", _overflow, amount=40, most=10_000, of="head"),
    Breakage("swapped", "A and B swapped", _swap, of="head"),
    Breakage("missing-index", "index pulse missing", lambda at, _t, _a: _hold(at, False, "index"), of="head"),
    Breakage("slip", "encoder slips by 2 %", _slip, amount=0.02, most=1, of="wheel"),
    Breakage("dead-clapper", "clapper's contact dead", lambda at, _t, _a: _hold(at, False, "clapper"), of="wheel"),
    Breakage("noise", "noise on a line, 50 a second", _disturb, "line", 50, most=1000, of="head"),
    Breakage("reader-silent", "reader silent", lambda at, _t, _a: _break_reader(at, silent=True), of="rotor"),
    Breakage(
        "reader-garbled", "reader's lines garbled", lambda at, _t, _a: _break_reader(at, garbled=True), of="rotor"
    ),
    Breakage(
        "reader-astray",
        "reader a pocket astray",
        lambda at, _t, places: _break_reader(at, astray=int(places)),
        amount=1,
        most=36,
        of="rotor",
    ),
    Breakage("dead-lamp", "a lamp dead", lambda at, area, _: at.panel.kill_lamp(area), "lamp"),
    Breakage("burning-lamp", "a lamp burns for ever", lambda at, area, _: at.panel.burn_lamp(area), "lamp"),
    Breakage("stuck-key", "a key stuck", lambda at, control, _: at.keys_with("key", control).stick(control), "key"),
    Breakage("keys-unplugged", "keys unplugged", _unplug_keys),
    Breakage("opened", "a door or the cabinet opened", lambda at, name, _: at.doors.open(name), "contact"),
    Breakage("supply-low", "supply voltage too low", lambda at, _t, _a: at.computer.weaken()),
    Breakage("battery-low", "clock's battery low", lambda at, _t, _a: at.computer.empty()),
)
FAULTS = {one.fault: one for one in BREAKAGES}
