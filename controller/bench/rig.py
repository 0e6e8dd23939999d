"""A table on simulated hardware and virtual time, for Python code; scenarios do the same from a file.

All actions go through the simulated hardware, as those of people at the table, and all results are read where
people would read them: the panel, the journal, the dealer's prompt.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from config.schema import TableConfig
from controller.bench.simulated_table import SimulatedTable, on_simulated_hardware
from controller.events.event import Direction
from controller.events.record import Record
from controller.journal.record import RecordedDecision, of_entry
from controller.machine.game import words_of
from controller.table.desk import Staff
from controller.table.prompts import Entry, View, sentence_of
from hal.mock.clock import NS_PER_S as NS_PER_S
from hal.mock.clock import VirtualClock

_PRESSES = {"floor-key": ("floorperson", "turns the key"), "shaker-done": ("shaker", "tosses the dice")}
"""All other controls are pressed by the dealer."""


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
        """Throw the wheel, as :meth:`throw_wheel`.

        Args:
            rest: wait until the wheel is at rest and the table has detected it.
        """
        self.throw_wheel(revolutions, direction, stop_on, stop_between)
        if rest:
            self.rest()

    def turn(self, revolutions: float, seconds: float = 4.0, rest: bool = True) -> None:
        """Turn the wheel by hand; negative is clockwise."""
        self.turn_wheel(revolutions, seconds)
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
        self.push_rotor(speed_rev_s, direction)
        self.wait(wait_s)

    def throw_ball(
        self,
        turns: float = 9.0,
        into: str = "",
        with_rotor: bool = False,
        leaves_after: float | None = None,
        rest: bool = True,
    ) -> None:
        """Throw the ball.

        Args:
            rest: wait until the ball is at rest and the table has detected that it left the track.
        """
        super().throw_ball(turns, into, with_rotor, leaves_after)
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
                self.world.doors.set(contact, False)
                self.world.doors.set(contact, True)
            self.power_on()

    # -- reading -------------------------------------------------------------------------------------------

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
