"""A table on simulated hardware: its configuration, its journal, and its power. Used by every kind of bench."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel

from config.schema import DeviceSection, TableConfig, TamperDevice
from controller import __version__
from controller.bench.people import BenchGame, bench_of
from controller.events.event import Direction
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.mirror import open_mirrored
from controller.journal.record import RecordedDecision
from controller.machine.registry import find_game
from controller.runtime.table import Setup, Table
from controller.table.desk import Staff
from controller.tracking.motion import direction_of
from hal.interfaces import Clock
from hal.mock.settings import WheelSettings
from hal.mock.world import World

STEP = {direction_of(step): step for step in (1, -1)}
_SECTION = re.compile(r"section ([1-9][0-9]{0,3})")
_DOORS = TamperDevice.model_validate(
    {
        "backend": "mock",
        "contacts": {"door": {"pin": 2, "opens": "alert"}, "cabinet": {"pin": 3, "opens": "lock", "latch": 4}},
        "latch_reset": 5,
    }
)


def section_in(order: Sequence[str], name: int | str) -> int:
    """The index in a wheel's order of a section: a number, a name (the first of it), or ``section 32``.

    Raises:
        ValueError: the wheel has no such section.
    """
    if isinstance(name, int):
        return name
    if match := _SECTION.fullmatch(name):
        if int(match[1]) > len(order):
            raise ValueError(f"the wheel has no section {match[1]}; write 'section 1' to 'section {len(order)}'")
        return int(match[1]) - 1
    if name not in order:
        raise ValueError(f"no section '{name}' on this wheel; use one of: {', '.join(dict.fromkeys(order))}")
    return order.index(name)


def boundary_in(order: Sequence[str], between: Sequence[str]) -> int:
    """The index in a wheel's order of the second of two neighbouring sections: the number of their boundary.

    Raises:
        ValueError: there are no such sections, or they are not neighbours.
    """
    places = []
    for name in between:
        first = section_in(order, name)
        places.append({place for place, one in enumerate(order) if one == name} or {first})
    for second in range(len(order)):
        first = (second - 1) % len(order)
        if any(first in one and second in other for one, other in (places, places[::-1])):
            return second
    raise ValueError(f"{' and '.join(between)} are not neighbours on this wheel; name two that are")


class SimulatedTable:
    """A table, the world around it, and its journal.

    Args:
        config: with simulated devices, see :func:`on_simulated_hardware`.
        clock: virtual, or of the running event loop.
        journal: the journal's file, or None to keep it in memory.
        staff: who may act as floorperson or deal; None if the key alone is enough.
        mirror: the second journal's file; None for none. It may lie on the same file system.
        digest: SHA-256 of the table's file, as a start records it.

    Raises:
        JournalError: the journal cannot be opened, or is of another table.
    """

    def __init__(
        self,
        config: TableConfig,
        clock: Clock,
        journal: Path | None = None,
        listeners: Sequence[Callable[[RecordedDecision], None]] = (),
        staff: Staff | None = None,
        mirror: Path | None = None,
        digest: str = "0" * 64,
        slice_ns: int | None = None,
    ) -> None:
        self.config = config
        self.game = find_game(config.game)
        self.wall = clock
        """The table's clock, whose wall time it records."""
        self.world = World.of(clock)
        self.world.slice_ns = slice_ns
        self.configuration = digest
        self.starting: list[Callable[[Table], None]] = []
        """Called with each table before it starts: after each power cut."""
        self._listeners, self._staff = tuple(listeners), staff
        self._file, self._mirror = journal, mirror
        self.journal = self._opened()
        self.powered = True
        self.table = self._start()

    def _opened(self) -> Journal:
        if self._file is None or self._mirror is None:
            return Journal(self._file)
        return open_mirrored(self._file, self._mirror, distinct=False)

    def _start(self) -> Table:
        try:
            this = Decider(__version__, "", self.configuration)
            setup = Setup(self.config, this, self._staff, self.world.computer)
            table = Table(setup, self.journal, self.wall)
            table.listeners.extend(self._listeners)
            for listener in self.starting:
                listener(table)
            table.start()
        except BaseException:
            self.journal.close()
            raise
        return table

    def power_off(self) -> None:
        """Cut the power; until it is on again, only the world can be acted on."""
        self.powered = False
        self.table.stop()
        if self._file is not None:
            self.journal.close()

    def power_on(self) -> None:
        """Switch on what was switched off. Only the computer lost its state.

        Raises:
            JournalError: the journal cannot be opened.
        """
        self.world.computer.switched_on()
        if self._file is not None:
            self.journal = self._opened()
        self.table = self._start()
        self.powered = True

    def close(self) -> None:
        """Stop the table and close its journal."""
        if self.powered:
            self.table.stop()
        self.powered = False
        self.journal.close()

    # -- acting --------------------------------------------------------------------------------------------

    def act(self, who: str, words: str) -> AbstractContextManager[None]:
        """People do something; whoever tells of it overrides this."""
        return nullcontext()

    @property
    def order(self) -> tuple[str, ...]:
        """The wheel's sections; none at a table without one."""
        order: tuple[str, ...] = getattr(self.table.machine.rounds, "order", ())
        return order

    @cached_property
    def bench(self) -> BenchGame | None:
        """The bench's side of the game, or None if it has none yet. Asking looks for its file, hence only once."""
        return bench_of(self.game)

    def throw_wheel(
        self,
        revolutions: float = 4.0,
        direction: Direction = Direction.COUNTERCLOCKWISE,
        stop_on: int | str | None = None,
        stop_between: Sequence[str] | int | None = None,
    ) -> None:
        """Throw the wheel.

        Args:
            revolutions: about how many; with a place to stop, at least this many.
            stop_on: a section, see :func:`section_in`.
            stop_between: two neighbouring sections, or the number of the second one.
        """
        wheel, step = self.world.wheel, STEP[direction]
        with self.act("dealer", f"throws the wheel, {direction.value}"):
            if stop_on is not None:
                wheel.throw_into(section_in(self.order, stop_on), revolutions, step)
            elif isinstance(stop_between, int):
                wheel.throw_onto(stop_between, revolutions, step)
            elif stop_between is not None:
                wheel.throw_onto(boundary_in(self.order, stop_between), revolutions, step)
            else:
                wheel.throw(revolutions, step)

    def turn_wheel(self, revolutions: float, seconds: float = 4.0) -> None:
        """Turn the wheel by hand; negative is clockwise."""
        with self.act("dealer", "turns the wheel by hand"):
            self.world.wheel.turn(revolutions * self.world.wheel.sections, seconds)

    def push_rotor(self, speed_rev_s: float = 0.4, direction: Direction = Direction.CLOCKWISE) -> None:
        """Set a roulette wheel's rotor turning; speed 0 holds it."""
        words = f"sets the wheel turning {direction.value}" if speed_rev_s else "holds the wheel"
        with self.act("dealer", words):
            self.world.rotor.push_rotor(speed_rev_s, STEP[direction])

    def throw_ball(
        self, turns: float = 9.0, into: str = "", with_rotor: bool = False, leaves_after: float | None = None
    ) -> None:
        """Throw the ball into the track, against the rotor; counterclockwise if the rotor is at rest.

        Args:
            turns: around the track.
            into: the pocket in which it comes to rest; empty for any.
            with_rotor: throw it in the direction of the rotor.
            leaves_after: turns after which it leaves the wheel.
        """
        with self.act("dealer", "throws the ball the wrong way" if with_rotor else "throws the ball"):
            rotor = self.world.rotor
            against = -rotor.rotor_direction or 1
            rotor.throw_ball(turns, -against if with_rotor else against, into, leaves_after)

    def take_ball(self) -> None:
        """Take the ball out of the wheel."""
        with self.act("dealer", "takes the ball out"):
            self.world.rotor.take_ball()


# -- the configuration ---------------------------------------------------------------------------------------------


def on_simulated_hardware(config: TableConfig, options: Mapping[str, object] | None = None) -> TableConfig:
    """The same table with every device simulated, and its encoder mounted as configured.

    What was measured of a real wheel's clapper does not hold for the simulated one, unless that is built to be the
    same by its options. Nobody needs a PIN: the credentials belong to the casino's staff, and stay on the table.

    Args:
        options: of the simulated wheel, if there is one (see ``hal/mock/settings.py``).
    """

    def simulated(section: DeviceSection | None, extra: Mapping[str, object]) -> BaseModel | None:
        return section and section.model_copy(update={"backend": "mock", "options": dict(extra)})

    devices, wheel, given = config.devices, config.wheel, dict(options or {})
    mounted: dict[str, object] = {}
    if wheel is not None:
        mounted = {
            "counts_per_turn": wheel.counts_per_turn,
            "index_offset_counts": wheel.index_offset_counts,
            "reversed": wheel.reversed,
            "slip_deg": float(wheel.contact_deg) + WheelSettings().half_deg,
        }
    update = {name: simulated(getattr(devices, name), {}) for name in type(devices).model_fields}
    update["head"] = simulated(devices.head, mounted | given)
    update["rotor"] = simulated(devices.rotor, _mounted_rotor(config) | given)
    changed: dict[str, object] = {"devices": devices.model_copy(update=update), "credentials": None}
    if wheel is not None and not given.keys() - {"seed"}:
        changed["wheel"] = wheel.model_copy(update={"clapper": None})
    return config.model_copy(update=changed)


def _mounted_rotor(config: TableConfig) -> dict[str, object]:
    """The options of the simulated roulette wheel that follow from the configuration."""
    rotor, pockets = config.rotor, find_game(config.game).pockets
    if rotor is None or pockets is None:
        return {}
    return {
        "counts_per_turn": rotor.counts_per_turn,
        "reversed": rotor.reversed,
        "beam_angle_deg": float(rotor.beam_angle_deg),
        "track_mm": float(rotor.track_mm),
        "ball_mm": float(rotor.ball_mm),
        "pockets": pockets(config.rules),
    }


def with_contacts(config: TableConfig) -> TableConfig:
    """The same table with a door that alerts and a cabinet that locks, if its file names no contacts."""
    if config.devices.tamper is not None:
        return config
    return config.model_copy(update={"devices": config.devices.model_copy(update={"tamper": _DOORS})})
