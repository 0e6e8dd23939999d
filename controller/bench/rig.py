"""A table on simulated hardware and virtual time, for Python code; scenarios do the same from a file.

All actions go through the simulated hardware, as those of people at the table, and all results are read where
people would read them: the panel, the journal, the dealer's prompt.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

from config.schema import TableConfig
from controller.bench.registry import BenchGame, bench_of
from controller.bench.simulated_table import SimulatedTable, on_simulated_hardware
from controller.events.event import Direction
from controller.events.record import Record
from controller.journal.record import RecordedDecision, of_entry
from controller.machine.game import words_of
from controller.table.desk import Staff
from controller.table.prompts import Entry, View, sentence_of
from controller.tracking.motion import direction_of
from hal.mock.clock import NS_PER_S as NS_PER_S
from hal.mock.clock import VirtualClock

STEP = {direction_of(step): step for step in (1, -1)}
_SECTION = re.compile(r"section ([1-9][0-9]{0,3})")
_PRESSES = {"floor-key": ("floorperson", "turns the key"), "shaker-done": ("shaker", "tosses the dice")}
"""All other controls are pressed by the dealer."""


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


class Rig(SimulatedTable):
    """One simulated table on virtual time.

    Args:
        config: the table's configuration; its backends are replaced by simulated ones.
        journal: the journal's file, or None to keep it in memory.
        options: options of the simulated wheel (see ``hal/mock/settings.py``).
        slice_ns: how often a turning wheel delivers its edges; None for only when something else happens.
        staff: who may act as floorperson or deal; None if the key alone is enough.
        mirror: the second journal's file; None for none. It may lie on the same file system.
    """

    def __init__(
        self,
        config: TableConfig,
        journal: Path | None = None,
        options: Mapping[str, object] | None = None,
        slice_ns: int | None = None,
        listeners: Sequence[Callable[[RecordedDecision], None]] = (),
        staff: Staff | None = None,
        mirror: Path | None = None,
    ) -> None:
        self.clock = VirtualClock()
        simulated = on_simulated_hardware(config, options)
        super().__init__(simulated, self.clock, journal, listeners, staff, mirror, slice_ns=slice_ns)

    # -- acting --------------------------------------------------------------------------------------------

    def act(self, who: str, words: str) -> AbstractContextManager[None]:
        """People do something; a demonstration writes it, and what it changed."""
        return nullcontext()

    def press(self, *controls: str) -> None:
        """Press controls one after another, a third of a second apart."""
        pressed = ", ".join(controls)
        with self.act(*_PRESSES.get(pressed, ("dealer", f"presses {pressed}"))):
            for control in controls:
                self.world.press(control)
                self.wait(0.3)

    def floor(self, act: str = "", argument: str = "", by: str = "", pin: str = "") -> None:
        """The floorperson turns the key, identifies if the table asks, and chooses in the menu.

        Args:
            act: of the menu; without one what the dealer asked for, or else what the table waits for.
            by: the credential number, with its PIN.

        Raises:
            LookupError: the menu has no such entry, it is not possible now, or another person is identified.
        """
        with self.act("floorperson", "turns the key" + "".join(f", {word}" for word in (act, argument) if word)):
            asked = self.prompt.text
            requested = asked.code == "turn-the-key"
            if requested and act and asked.parameters["act"] != f"menu-{act}":
                raise LookupError(f"{act}: the key does what the dealer asked for, {asked.parameters['act']}")
            if not act or asked.code != "floor-menu":
                self.press("floor-key")
            if self.prompt.text.code == "key-floorperson-number":
                self.press(*by, "enter", *pin, "enter")
            present = self.table.desk.identified(self.clock.now_ns())
            if by not in ("", present):
                raise LookupError(f"floorperson {by} is not identified; the key is that of {present or 'nobody'}")
            if not requested:
                self._choose(act, argument)
            if self.prompt.text.code == "confirm":
                self.press("floor-key")

    def _choose(self, act: str, argument: str) -> None:
        """Choose in the open floor menu.

        Raises:
            LookupError: it has no such entry, or that is not possible now.
        """
        if not act:
            if any(entry.key == "floor-key" for entry in self.table.desk.entries):
                self.press("floor-key")
            return
        for _ in range(2):  # Several offers of one act are a list of their own.
            entry = self._entry(act, argument)
            self.press(entry.key)
            if len(entry.offers) == 1:
                return

    def _entry(self, act: str, argument: str) -> Entry:
        """The line of the open menu with an act.

        Raises:
            LookupError: there is none, or it is not possible now.
        """
        name, why = f"{act} {argument}".rstrip(), "the floor menu does not have it"
        for entry in self.table.desk.entries:
            for offer in entry.offers:
                if offer.act == act and argument in ("", offer.argument):
                    if not offer.unavailable:
                        return entry
                    why = f"not possible now ({offer.unavailable.code})"
        raise LookupError(f"{name}: {why}")

    def log_on(self, number: str, pin: str = "") -> None:
        """A dealer logs on, with a PIN if the table asks for it."""
        self.press("log-on", *number, "enter")
        if self.prompt.text.code == "key-log-on-pin":
            self.press(*pin, "enter")

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance_to(self.clock.now_ns() + round(seconds * NS_PER_S))
        if self.world.head is not None:
            self.world.head.poll()

    def spin(
        self,
        revolutions: float = 4.0,
        direction: Direction = Direction.COUNTERCLOCKWISE,
        stop_on: int | str | None = None,
        stop_between: Sequence[str] | int | None = None,
        rest: bool = True,
    ) -> None:
        """Throw the wheel.

        Args:
            revolutions: about how many; with a place to stop, at least this many.
            stop_on: a section, see :func:`section_in`.
            stop_between: two neighbouring sections, or the number of the second one.
            rest: wait until the wheel is at rest and the table has detected it.
        """
        step = STEP[direction]
        with self.act("dealer", f"throws the wheel, {direction.value}"):
            if stop_on is not None:
                self.world.throw_into(section_in(self.order, stop_on), revolutions, step)
            elif isinstance(stop_between, int):
                self.world.throw_onto(stop_between, revolutions, step)
            elif stop_between is not None:
                self.world.throw_onto(boundary_in(self.order, stop_between), revolutions, step)
            else:
                self.world.throw(revolutions, step)
            if rest:
                self.rest()

    def turn(self, revolutions: float, seconds: float = 4.0, rest: bool = True) -> None:
        """Turn the wheel by hand; negative is clockwise."""
        with self.act("dealer", "turns the wheel by hand and lets it stand"):
            self.world.wheel.push(revolutions * len(self.order), seconds)
            if rest:
                self.rest()

    def rest(self) -> None:
        """Wait until the wheel is at rest and the table has detected it."""
        wheel = self.config.wheel
        assert wheel is not None
        # A peg that bends the clapper may still push the wheel back, slowly: the table waits twice as long.
        self.clock.advance_to(self.world.wheel.at_rest_ns + 2 * wheel.rest_ns + NS_PER_S // 10)

    def turn_rotor(
        self, speed_rev_s: float = 0.4, direction: Direction = Direction.CLOCKWISE, wait_s: float = 4.0
    ) -> None:
        """Set a roulette wheel's rotor turning, and wait for it to make a turn."""
        with self.act("dealer", f"sets the wheel turning {direction.value}"):
            self.world.rotor.push_rotor(speed_rev_s, STEP[direction])
            self.wait(wait_s)

    def throw_ball(
        self,
        turns: float = 9.0,
        into: str = "",
        with_rotor: bool = False,
        leaves_after: float | None = None,
        rest: bool = True,
    ) -> None:
        """Throw the ball into the track, against the rotor; counterclockwise if the rotor is at rest.

        Args:
            turns: around the track.
            into: the pocket in which it comes to rest; empty for any.
            with_rotor: throw it in the direction of the rotor.
            leaves_after: turns after which it leaves the wheel.
            rest: wait until the ball is at rest and the table has detected that it left the track.
        """
        rotor = self.world.rotor
        against = -rotor.rotor_direction or 1
        with self.act("dealer", "throws the ball the wrong way" if with_rotor else "throws the ball"):
            rotor.throw_ball(turns, -against if with_rotor else against, into, leaves_after)
            if rest:
                self.ball_rest()

    def ball_rest(self) -> None:
        """Wait until the ball is at rest and the table has detected that it left the track."""
        self.clock.advance_to(self.world.rotor.at_rest_ns + 3 * NS_PER_S)
        self.world.rotor.poll()

    def power_cut(self, seconds: float = 5.0, opened: Sequence[str] = ()) -> None:
        """Cut the power and switch on again. Only the computer loses its state.

        Args:
            opened: contacts of door and cabinet that are opened meanwhile, and closed again.
        """
        with self.act("power", f"goes for {seconds:g} seconds"):
            self.power_off()
            self.wait(seconds)
            for contact in opened:
                self.world.doors.open(contact)
                self.world.doors.shut(contact)
            self.power_on()

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def order(self) -> tuple[str, ...]:
        """The wheel's sections; none at a table without one."""
        order: tuple[str, ...] = getattr(self.machine.rounds, "order", ())
        return order

    @property
    def machine(self) -> Any:
        return self.table.machine

    @property
    def state(self) -> Any:
        """The machine's state."""
        return self.machine.state

    @property
    def prompt(self) -> View:
        """What the dealer's screen shows of the open prompt."""
        return self.table.desk.view(self.clock.now_ns())

    @property
    def waiting_for(self) -> str:
        """The open prompt, or what the machine waits for."""
        return sentence_of(self.prompt, words_of(self.game)) or str(self.machine.waiting_for())

    @cached_property
    def bench(self) -> BenchGame | None:
        """The bench's side of the game, or None if it has none yet. Asking looks for its file, hence only once."""
        return bench_of(self.game)

    @cached_property
    def lamps(self) -> tuple[str, ...]:
        """Every lamp of the panel."""
        return self.game.lamps(self.config.rules)

    @cached_property
    def areas(self) -> frozenset[str]:
        """The areas of the layout that take wagers."""
        return frozenset(self.game.areas)

    def lit(self) -> set[str]:
        """The lit areas."""
        return set(self.world.panel.lit())

    def records(self) -> list[Record]:
        """Everything on record, in order."""
        return [of_entry(entry) for entry in self.journal.entries()]

    def last(self, kind: str) -> Any:
        """The last event or effect of a kind on record.

        Raises:
            LookupError: there is none.
        """
        for record in reversed(self.records()):
            for thing in (*reversed(record.effects), record.event):
                if thing.kind == kind:
                    return thing
        raise LookupError(f"no {kind} on record")
