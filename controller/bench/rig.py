"""A table on simulated hardware, with the people at it: one for scenarios, simulations, demonstration, page, tests.

All actions go through the simulated hardware, as those of people at the table, and all results are read where
people would read them: the panel, the journal, the dealer's prompt.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import Field, WithJsonSchema

from config.schema import TableConfig
from config.values import Name
from config.values import Text as Label
from controller import __version__
from controller.bench.people import BenchGame, bench_of
from controller.bench.simulated_table import boundary_in, on_simulated_hardware, section_in
from controller.errors import UserError
from controller.events.event import Direction
from controller.events.record import Record
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.mirror import open_mirrored
from controller.journal.record import RecordedDecision, of_entry
from controller.journal.replay.trace import Tracer
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.session import tracer_of
from controller.runtime.table import Setup, Table
from controller.table.desk import Staff
from controller.table.prompts import View, sentence_of
from controller.tracking.motion import direction_of
from hal.errors import check_known
from hal.interfaces import Clock, Timer
from hal.mock.clock import NS_PER_S as NS_PER_S
from hal.mock.clock import VirtualClock
from hal.mock.world import FAULTS, World

# The ranges of parameters are those of the steps of scenarios and of the page (:mod:`controller.bench.steps`).
Revolutions = Annotated[float, Field(ge=0.1, le=20)]
Place = Annotated[int | str, WithJsonSchema({"type": "string"})]
Number = Annotated[str, Field(pattern="^[0-9]{1,8}$")]
Pair = Annotated[Sequence[Label], Field(min_length=2, max_length=2)]
TOLD_NS = 50_000_000
"""How often a turning wheel delivers its edges where people read the record, so that its times are true."""
_STEP = {direction_of(step): step for step in (1, -1)}
_PRESSES = {"floor-key": ("floorperson", "turns the key"), "shaker-done": ("shaker", "tosses the dice")}
"""All other controls are pressed by the dealer."""


class HaltedTableError(UserError):
    """The table has halted. It records nothing until a power cut restarts it."""


class Rig:
    """One simulated table with its world, its journal and its power, on virtual time.

    Args:
        config: the table's configuration; its backends are replaced by simulated ones.
        journal: the journal's file, with the sensors' edges beside it, or None to keep it in memory, without them.
        options: options of the simulated wheel (see ``hal/mock/settings.py``).
        slice_ns: how often a turning wheel delivers its edges; None for only when something else happens.
        staff: who may act as floorperson or deal; None if the key alone is enough.
        mirror: the second journal's file; None for none. It may lie on the same file system.
        recording: of a logic analyser, played in place of sensors and keys.
        clock: another one than a new virtual one; a subclass then overrides :meth:`until`.
        digest: SHA-256 of the table's file, as a start records it.

    Raises:
        JournalError: the journal cannot be opened, or is of another table.
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
        recording: Path | None = None,
        clock: Clock | None = None,
        digest: str = "0" * 64,
    ) -> None:
        self.config = on_simulated_hardware(config, options, recording)
        self.game = find_game(config.game)
        self.clock = cast(VirtualClock, clock or VirtualClock())
        self.wall: Clock = self.clock
        """The table's clock, whose wall time it records."""
        self.world = World.of(self.clock)
        self.world.slice_ns = slice_ns
        self.starting: list[Callable[[Table], None]] = []
        """Called with each table before it starts: after each power cut."""
        self._listeners, self._staff = tuple(listeners), staff
        self._file, self._mirror, self.configuration = journal, mirror, digest
        self._return: Timer | None = None
        """Of the power."""
        self._tracer: Tracer | None = None
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
            if self._file is not None:
                self._tracer = tracer_of(table, self._file, self.config.journal.trace_rounds)
            table.start()
        except BaseException:
            self._close_files()
            raise
        return table

    # -- power ---------------------------------------------------------------------------------------------

    def power_off(self) -> None:
        """Cut the power; until it is on again, only the world can be acted on."""
        self.powered = False
        self.table.stop()
        if self._file is not None:
            self._close_files()

    def power_on(self) -> None:
        """Switch on what was switched off. Only the computer lost its state.

        Raises:
            JournalError: the journal cannot be opened.
        """
        if self.world.head is not None:
            self.world.head.poll()  # It may have turned since the last poll: its lines have the levels of then.
        self.world.computer.switched_on()
        if self._file is not None:
            self.journal = self._opened()
        self.table = self._start()
        self.powered = True

    def power_cut(
        self, seconds: Annotated[float, Field(ge=0, le=1_000_000)] = 5, opened: Sequence[Name] = ()
    ) -> None:
        """Cut the power, and switch on again after so long; without power nothing happens.

        Args:
            opened: contacts of door and cabinet that are opened meanwhile, and closed again.
        """
        if not self.powered:
            return
        with self.act("power", f"goes for {seconds:g} seconds"):
            self.power_off()
            for contact in opened:
                self.world.doors.set(contact, False)
                self.world.doors.set(contact, True)
            self._return = self.clock.call_at(self.clock.now_ns() + round(seconds * NS_PER_S), self.power_on)
            self.wait(seconds)

    def close(self) -> None:
        """Stop the table and close its journal."""
        if self._return is not None:
            self._return.cancel()
        if self.powered:
            self.table.stop()
        self.powered = False
        self._close_files()

    def _close_files(self) -> None:
        if self._tracer is not None:
            self._tracer.close()
        self.journal.close()

    # -- time ----------------------------------------------------------------------------------------------

    def until(self, at_ns: int) -> None:
        """Let time pass.

        Raises:
            HaltedTableError: the table has halted; only a power cut starts it again.
        """
        self.clock.advance_to(at_ns)
        self.check_runs()

    def check_runs(self) -> None:
        """Check that the table, if it has power, has not halted.

        Raises:
            HaltedTableError: it has.
        """
        if self.powered and self.table.halted:
            raise HaltedTableError(f"the table halted: {self.table.halted}")

    def wait(self, seconds: float) -> None:
        """Let so much time pass."""
        self.until(self.clock.now_ns() + round(seconds * NS_PER_S))
        if self.world.head is not None:
            self.world.head.poll()

    def rest(self) -> None:
        """Wait until the wheel is at rest and the table has detected it."""
        wheel = self.config.wheel
        assert wheel is not None
        # A peg that bends the clapper may still push the wheel back, slowly: the table waits twice as long.
        self.until(self.world.wheel.at_rest_ns + 2 * wheel.rest_ns + NS_PER_S // 10)

    def ball_rest(self) -> None:
        """Wait until the ball is at rest and the table has detected that it left the track."""
        self.until(self.world.rotor.at_rest_ns + 3 * NS_PER_S)
        self.world.rotor.poll()

    # -- keys ----------------------------------------------------------------------------------------------

    def act(self, who: str, words: str) -> AbstractContextManager[None]:
        """People do something; whoever tells of it overrides this."""
        return nullcontext()

    def press(self, *controls: str) -> None:
        """Press controls one after another, a third of a second apart."""
        pressed = ", ".join(controls)
        with self.act(*_PRESSES.get(pressed, ("dealer", f"presses {pressed}"))):
            for control in controls:
                self.world.press(control)
                self.wait(0.3)

    def pin_of(self, number: str) -> str:
        """The PIN that a person keys; empty at a table that knows nobody."""
        return ""

    def log_on(self, number: str) -> None:
        """A dealer logs on, with a PIN if the table asks for it."""
        self.press("log-on", *number, "enter")
        if self.prompt.text.code == "key-log-on-pin":
            self.press(*self.pin_of(number), "enter")

    def floor(self, act: Name = "", argument: Name = "", by: Number = "") -> None:
        """The floorperson turns the key, identifies if the table asks, and chooses in the menu.

        Args:
            act: of the menu; without one what the dealer asked for, or else what the table waits for.
            by: the credential number.

        Raises:
            LookupError: the menu has no such entry, it is not possible now, or another person is identified.
        """
        if argument and not act:
            raise ValueError("argument goes with act; write the act, or remove argument")
        with self.act("floorperson", "turns the key" + "".join(f", {word}" for word in (act, argument) if word)):
            asked = self.prompt.text
            requested = asked.code == "turn-the-key"
            if requested and act and asked.parameters["act"] != f"menu-{act}":
                raise LookupError(f"{act}: the key does what the dealer asked for, {asked.parameters['act']}")
            if not act or asked.code != "floor-menu":
                self.press("floor-key")
            if self.prompt.text.code == "key-floorperson-number":
                self.press(*by, "enter", *self.pin_of(by), "enter")
            present = self.table.desk.identified(self.clock.now_ns())
            if by not in ("", present):
                raise LookupError(f"floorperson {by} is not identified; the key is that of {present or 'nobody'}")
            if not requested:
                self._choose(act, argument)
            if self.prompt.text.code == "confirm":
                self.press("floor-key")

    def _choose(self, act: str, argument: str) -> None:
        """Choose in the open floor menu."""
        desk = self.table.desk
        if not act:
            if any(entry.key == "floor-key" for entry in desk.entries):
                self.press("floor-key")
            return
        for _ in range(2):  # Several offers of one act are a list of their own.
            why, found = "the floor menu does not have it", None
            for entry in desk.entries:
                for offer in entry.offers:
                    if offer.act == act and argument in ("", offer.argument) and found is None:
                        why = f"not possible now ({offer.unavailable.code})"
                        found = None if offer.unavailable else entry
            if found is None:
                raise LookupError(f"{f'{act} {argument}'.rstrip()}: {why}")
            self.press(found.key)
            if len(found.offers) == 1:
                return

    # -- wheel and ball ------------------------------------------------------------------------------------

    def spin(
        self,
        revolutions: Revolutions = 4,
        direction: Direction = Direction.COUNTERCLOCKWISE,
        stop_on: Place | None = None,
        stop_between: Pair | None = None,
        rest: bool = True,
    ) -> None:
        """Throw the wheel.

        Args:
            revolutions: about how many; with a place to stop, at least this many.
            stop_on: a section, see :func:`section_in`.
            stop_between: two neighbouring sections; a test may give the number of the second one.
            rest: wait until the wheel is at rest and the table has detected it.
        """
        if stop_on is not None and stop_between is not None:
            raise ValueError("stop_on and stop_between exclude each other; remove one of the two")
        wheel, way = self.world.wheel, _STEP[direction]
        with self.act("dealer", f"throws the wheel, {direction.value}"):
            if stop_on is not None:
                wheel.throw_into(section_in(self.order, stop_on), revolutions, way)
            elif stop_between is not None:
                wheel.throw_onto(boundary_in(self.order, stop_between), revolutions, way)
            else:
                wheel.throw(revolutions, way)
        if rest:
            self.rest()

    def turn(
        self,
        revolutions: Annotated[float, Field(ge=-20, le=20)],
        seconds: Annotated[float, Field(ge=0.1, le=600)] = 4,
        rest: bool = True,
    ) -> None:
        """Turn the wheel by hand; negative is clockwise."""
        with self.act("dealer", "turns the wheel by hand"):
            self.world.wheel.turn(revolutions * self.world.wheel.sections, seconds)
        if rest:
            self.rest()

    def touch(
        self,
        push_deg_s: Annotated[float, Field(ge=-300, le=300)] = 0,
        brake_nm: Annotated[float, Field(ge=0, le=50)] = 0,
        seconds: Annotated[float, Field(ge=0.1, le=60)] = 1,
        hold: bool = False,
        let_go: bool = False,
    ) -> None:
        """A hand at the wheel, standing or turning, does one of these things; nothing is waited for.

        Args:
            seconds: how long it brakes.
        """
        if sum(map(bool, (push_deg_s, brake_nm, hold, let_go))) != 1:
            raise ValueError("a hand does one thing: push_deg_s or brake_nm (not 0), hold: true, or let_go: true")
        wheel = self.world.wheel
        if push_deg_s:
            wheel.push(push_deg_s)
        elif brake_nm:
            wheel.brake(brake_nm, seconds)
        elif hold:
            wheel.hold()
        else:
            wheel.let_go()

    def turn_rotor(
        self,
        speed_rev_s: Annotated[float, Field(ge=0, le=2)] = 0.4,
        direction: Direction = Direction.CLOCKWISE,
        wait_s: Annotated[float, Field(ge=0, le=600)] = 4,
    ) -> None:
        """Set a roulette wheel's rotor turning, and wait for it to make a turn; speed 0 holds it."""
        words = f"sets the wheel turning {direction.value}" if speed_rev_s else "holds the wheel"
        with self.act("dealer", words):
            self.world.rotor.push_rotor(speed_rev_s, _STEP[direction])
        self.wait(wait_s)

    def throw_ball(
        self,
        turns: Annotated[float, Field(ge=0.1, le=30)] = 9,
        into: Label = "",
        with_rotor: bool = False,
        leaves_after: Annotated[float, Field(ge=0.1, le=31)] | None = None,
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
        with self.act("dealer", "throws the ball the wrong way" if with_rotor else "throws the ball"):
            rotor = self.world.rotor
            against = -rotor.rotor_direction or 1
            rotor.throw_ball(turns, -against if with_rotor else against, into, leaves_after)
        if rest:
            self.ball_rest()

    def take_ball(self) -> None:
        """Take the ball out of the wheel."""
        with self.act("dealer", "takes the ball out"):
            self.world.rotor.take_ball()

    # -- the technician --------------------------------------------------------------------------------------

    def fault(
        self,
        name: Name,
        target: Annotated[str, Field(max_length=80)] = "",
        amount: Annotated[float, Field(ge=0)] = 0,
    ) -> None:
        """Break something, see :mod:`hal.mock.world`."""
        check_known("fault", name, FAULTS)
        fault = FAULTS[name]
        if targets := fault.targets(self.world):
            check_known(fault.target, target, targets)
        if amount > fault.most:
            raise ValueError(f"the amount of '{name}' is at most {fault.most:g}")
        with self.act("technician", f"causes a fault: {fault.label}{target and f', {target}'}"):
            self.world.fault(name, target, amount)

    def repair(self) -> None:
        """Everything works again."""
        with self.act("technician", "repairs everything"):
            self.world.repair()

    # -- reading -------------------------------------------------------------------------------------------

    @cached_property
    def bench(self) -> BenchGame | None:
        """The bench's side of the game, or None if it has none. Asking looks for its file, hence only once."""
        return bench_of(self.game)

    @property
    def machine(self) -> Any:
        return self.table.machine

    @property
    def state(self) -> Any:
        """The machine's state."""
        return self.machine.state

    @property
    def order(self) -> tuple[str, ...]:
        """The wheel's sections; none at a table without one."""
        order: tuple[str, ...] = getattr(self.machine.rounds, "order", ())
        return order

    @property
    def controls(self) -> tuple[str, ...]:
        """Every button, key and key switch of the table."""
        return (*(control for keys in self.world.keys for control in keys.controls), *self.world.switches.controls)

    @property
    def prompt(self) -> View:
        """What the dealer's screen shows of the open prompt."""
        return self.table.desk.view(self.clock.now_ns())

    @property
    def waiting_for(self) -> str:
        """The open prompt, or what the machine waits for."""
        return sentence_of(self.prompt, words_of(self.game)) or str(self.machine.waiting_for())

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
