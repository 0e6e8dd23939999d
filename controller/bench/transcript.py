"""People at a simulated table, and the transcript of their actions, the table's decisions and the lamps.

The demonstration of each game (:mod:`controller.bench.registry`) is written with it.
"""

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TextIO

from config.schema import TableConfig
from controller.bench.log_lines import describe, minutes
from controller.bench.rig import Rig
from controller.events.effect import Light
from controller.events.event import Direction
from controller.events.words import plain
from controller.journal.errors import JournalError
from controller.journal.record import RecordedDecision
from controller.machine.game import words_of
from controller.machine.registry import find_game

ROUNDS = 10
"""Settled rounds of a demonstration."""
WIDTH = 100
"""Columns of the transcript."""
_PATIENCE = 60
"""More actions than any round needs; then the demonstration gives up."""
_PAUSE_S = 2.0
"""The delay before each action."""
_DIRECTIONS = (Direction.COUNTERCLOCKWISE, Direction.CLOCKWISE)


class Transcript:
    """A table on virtual time, with a dealer, a floorperson and a technician.

    Args:
        out: takes the transcript.
        journal: a file that does not exist yet, or None.

    Raises:
        JournalError: the journal cannot be used.
    """

    def __init__(self, config: TableConfig, out: TextIO, seed: int, journal: Path | None) -> None:
        if journal is not None and journal.exists():
            raise JournalError(f"{journal}: the demonstration begins on an empty journal; name a new file")
        self.game = find_game(config.game)
        self.random = Random(seed)
        self._out = out
        self._prompt = ""
        self._lit: set[str] = set()
        self._rounds = 0
        self.rig = Rig(config, journal, {"seed": seed}, listeners=(self._hear,))
        self._look()

    def close(self) -> None:
        """Stop the table and close its journal."""
        self.rig.table.stop()
        self.rig.journal.close()

    # -- output --------------------------------------------------------------------------------------------

    def heading(self, words: str) -> None:
        """A line above the next actions."""
        print(f"\n{words}", file=self._out)

    def round(self, words: str = "") -> None:
        """The heading of the next round."""
        self._rounds += 1
        number = f"Round {self.rig.machine.round} ({self._rounds} of {ROUNDS})"
        self.heading(number + (f": {words}" if words else ""))

    def _write(self, at_ns: int, who: str, words: str) -> None:
        start = f"{minutes(at_ns):>6}  {who:<11} "
        rest = " " * len(start)
        filled = textwrap.fill(words, WIDTH, initial_indent=start, subsequent_indent=rest, break_on_hyphens=False)
        print(filled, file=self._out)

    def _hear(self, recorded: RecordedDecision) -> None:
        """A listener of the table."""
        # The lamps are read from the panel.
        for words in describe(recorded, (Light,), words_of(self.game)):
            self._write(recorded.record.event.at_ns, "table", words)

    def _look(self) -> None:
        """Write what has changed: the lit lamps, and what the table waits for."""
        now_ns, lit = self.rig.clock.now_ns(), self.rig.lit()
        if lit != self._lit:
            self._lit = lit
            burning = ", ".join(area for area in self.rig.lamps if area in lit)
            self._write(now_ns, "panel", f"lit: {burning}" if lit else "dark")
        if self.rig.waiting_for != self._prompt:
            self._prompt = self.rig.waiting_for
            self._write(now_ns, "table", f"next: {self._prompt}")

    # -- acting --------------------------------------------------------------------------------------------

    def act(self, who: str, words: str, action: Callable[[], None]) -> None:
        """Carry out an action after a short delay, and write it and what it changed."""
        self.rig.wait(_PAUSE_S)
        self._write(self.rig.clock.now_ns(), who, words)
        action()
        self._look()

    def press(self, *controls: str, why: str = "") -> None:
        """The dealer presses controls one after another."""
        words = ", ".join(map(plain, controls)) + (f" ({why})" if why else "")
        self.act("dealer", f"presses {words}", lambda: self.rig.press(*controls))

    def key(self, why: str = "") -> None:
        """The floorperson turns the key."""
        words = "turns the key" + (f" ({why})" if why else "")
        self.act("floorperson", words, lambda: self.rig.press("floor-key"))

    def floor(self, act: str = "", argument: str = "", why: str = "") -> None:
        """The floorperson turns the key and chooses in the menu; without an act what the table waits for."""
        chosen = " ".join(filter(None, (plain(act), plain(argument)))) or "once more"
        words = f"turns the key, {chosen}" + (f" ({why})" if why else "")
        self.act("floorperson", words, lambda: self.rig.floor(act, argument))

    def technician(self, words: str, action: Callable[[], None]) -> None:
        """The technician does something to the hardware."""
        self.act("technician", words, action)

    def throw(
        self,
        revolutions: float,
        words: str = "throws the wheel",
        stop_on: str | None = None,
        stop_between: int | None = None,
        rest: bool = True,
        clockwise: bool = False,
    ) -> None:
        """The dealer throws the wheel."""
        way = _DIRECTIONS[clockwise]
        self.act(
            "dealer",
            f"{words}, {way.value}",
            lambda: self.rig.spin(revolutions, way, stop_on, stop_between, rest),
        )

    def turn(self, revolutions: float) -> None:
        """The dealer turns the wheel by hand."""
        self.act("dealer", "turns the wheel by hand and lets it stand", lambda: self.rig.turn(revolutions, 6.0))

    def power_cut(self) -> None:
        """Cut the power and switch on again."""
        self.act("power", "goes for five seconds", lambda: self.rig.power_cut(5.0))

    def do(self, acts: str) -> None:
        """Acts with commas between them: ``floor-key``, ``power-cut``, or keys that the dealer presses."""
        others = {"floor-key": self.key, "power-cut": self.power_cut}
        for act in acts.split(", "):
            if act in others:
                others[act]()
            else:
                self.press(*act.split())

    def follow(self, until: str, answers: "Mapping[str, Callable[[Transcript], None]]") -> None:
        """Do what the table asks for until it is in a state, through any other states.

        Args:
            answers: what people do in each state.

        Raises:
            RuntimeError: the table did not get there.
        """
        for _ in range(_PATIENCE):
            state = self.rig.state.value
            if state == until:
                return
            answers[state](self)
        raise RuntimeError(f"the table does not come to {until}; it waits: {self.rig.waiting_for}")

    def press_while(self, state: str, control: str) -> None:
        """The dealer presses a control for as long as the table is in a state."""
        while self.rig.state.value == state:
            self.press(control)

    def dice(self) -> str:
        """Three random dice, as acts."""
        return f"{' '.join(str(self.random.randint(1, 6)) for _ in range(3))} enter"

    def settle(self) -> None:
        """Collect losers, pay winners, open the next round."""
        self.press("done", why="losers collected")
        self.press("done", why="winners paid")
        self.press("clear")
