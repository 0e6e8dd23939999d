"""A table on simulated hardware in real time, for the bench's page: its picture, and the steps that the page takes.

Made inside the running event loop; a test passes a virtual clock instead.
"""

from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict

from config.schema import TableConfig
from config.validation import validate
from controller.bench.dealer import Dealer
from controller.bench.expectations import as_text
from controller.bench.log_lines import LogLine, lines
from controller.bench.people import HandKey, StepData
from controller.bench.rig import Rig
from controller.bench.signals import COLUMN_NS, Signals
from controller.bench.simulated_table import with_contacts
from controller.bench.steps import AT_TABLE, Step, Yes, steps
from controller.journal.errors import JournalError
from controller.journal.record import RecordedDecision
from controller.limits.table_state import OPEN
from controller.machine.game import in_words, words_of
from controller.machine.registry import find_game
from controller.runtime.table import Table
from hal.clock import LoopClock
from hal.errors import HalError, check_known
from hal.interfaces import Clock, Timer
from hal.mock.rotor import MockRotorHead
from hal.mock.wheel import MockHead
from hal.mock.world import BREAKAGES

SLICE_NS = 20_000_000
"""How often a turning wheel delivers its edges."""
INSPECTION_NS = 400_000_000
"""From one step of an inspection to the next, so that people can follow it."""
PATIENCE = 10
"""After this many steps that change nothing, an inspection is left to people."""
LOG = 60
"""Lines of the log."""
_TURN_DECIMALS = 5
"""Of an angle in turns: finer than any screen."""
_LONGEST = 600
"""Characters of a refusal."""
_REPAIR = "m"
_GENERAL = (
    HandKey("p", "cut the power for 3 s", {"power_cut": {"seconds": 3}}),
    HandKey(_REPAIR, "repair all", {"repair": True}),
)


class GuideLine(TypedDict):
    """What a newcomer does next, and why: presses a control or a key of the page, or neither."""

    words: str
    control: str
    key: str


PageStep = steps("PageStep", **AT_TABLE, inspect=Yes)


class LiveBench(Rig):
    """A table and its simulated hardware.

    Args:
        config: the table's configuration; its backends are replaced by simulated ones.
        journal: the journal's file, or None to keep it in memory.
        seed: of the simulated wheel.
        clock: None for real time in the running event loop.
        digest: SHA-256 of the configuration file, for the record.

    Raises:
        JournalError: the journal cannot be opened, or is of another table.
    """

    def __init__(
        self,
        config: TableConfig,
        journal: Path | None = None,
        seed: int | None = None,
        clock: Clock | None = None,
        digest: str = "0" * 64,
    ) -> None:
        clock, game = clock or LoopClock(), find_game(config.game)
        self._start_ns = clock.now_ns()
        self._words, self._in_words = words_of(game), in_words(game, config.rules)
        self.log: deque[LogLine] = deque(maxlen=LOG)
        self.faults: list[str] = []
        """The present faults, as text."""
        self.signals = Signals()
        self._inspection: Timer | None = None
        """The next step of an inspection that the bench does."""
        options = {} if seed is None else {"seed": seed}
        listeners = (self._on_decision,)
        super().__init__(with_contacts(config), journal, options, SLICE_NS, listeners, clock=clock, digest=digest)
        self._newcomer = None if self.bench is None else Dealer(self, None)
        self.keys = [*(self.bench.keys(self) if self.bench is not None else ()), *_GENERAL]
        self.starting.append(self._listen)
        self._listen(self.table)

    def _listen(self, table: Table) -> None:
        table.head.listeners.append(self.signals)
        table.head.level_listeners.append(self.signals.read)
        if table.devices.head is not None:
            self.signals.read(table.devices.head.levels(), self.clock.now_ns())

    def until(self, at_ns: int) -> None:
        """Time passes by itself."""

    def power_off(self) -> None:
        super().power_off()
        self.signals.read(dict.fromkeys(self.signals.levels), self.clock.now_ns())

    def power_on(self) -> None:
        """A journal that cannot be opened becomes a line in the log."""
        try:
            super().power_on()
        except JournalError as error:
            self._say(f"the table does not start: {error}", "alarm")

    def close(self) -> None:
        if self._inspection is not None:
            self._inspection.cancel()
        super().close()

    # -- the log -------------------------------------------------------------------------------------------

    def _say(self, text: str, tone: str) -> LogLine:
        self.log.append(LogLine(self.clock.now_ns(), text, tone))
        return self.log[-1]

    def _on_decision(self, recorded: RecordedDecision) -> None:
        self.log.extend(lines(recorded, self._words))

    # -- what people do ------------------------------------------------------------------------------------

    def do(self, body: object) -> None:
        """Take the step that a page asks for. Anybody who reaches the page can ask for anything.

        Args:
            body: as it was parsed.

        Raises:
            ValueError: it is not a step of this table; the message says what is allowed. Nothing was done.
        """
        step, found = validate(body, PageStep)
        if step is None:
            where = ".".join(map(str, found[0].path))
            words = f"{where}: {found[0].message}; {found[0].remedy}"
            raise ValueError(words.strip(":; ").encode("utf-8", "backslashreplace").decode()[:_LONGEST])
        if step.action == "inspect":
            self._begin_inspection()
        else:
            self._take(step)

    def _take(self, step: Step) -> None:
        action, given = step.action, step.model_dump(mode="json", exclude_unset=True)[step.action]
        words = " ".join(given) if action == "press" else as_text(given)
        said = self._say(f"> {action}: {words}", "people")
        try:
            for control in given if action == "press" else ():
                check_known("control", control, self.controls)
            step.take(self)
        except (HalError, ValueError) as error:
            self.log.remove(said)
            raise ValueError(str(error)) from error
        if action == "repair":
            self.faults.clear()
        elif action == "fault" and words not in self.faults:
            self.faults.append(words)

    # -- the guide -----------------------------------------------------------------------------------------

    @property
    def guide(self) -> GuideLine | None:
        """What a newcomer does next; None if the power is off, or nobody knows this game."""
        if self.bench is None or not self.powered:
            return None
        if self.machine.round > 1:
            return {"words": f"That was a round. {self.bench.then}", "control": "", "key": ""}
        return self._next_step()

    def _next_step(self) -> GuideLine:
        """The next key of the next act."""
        assert self._newcomer is not None
        act, desk = self._newcomer.next_act(), self.table.desk
        words = act.words or self._in_words(self.machine.waiting_for())
        if act.repair and self.faults:
            return {"words": words, "control": "", "key": _REPAIR}
        if act.floor is not None:
            found = (entry.key for entry in desk.entries if any(one.act == act.floor for one in entry.offers))
            return {"words": words, "control": next(found, "floor-key"), "key": ""}
        control = "clear" if desk.is_open else act.press.partition(" ")[0]
        return {"words": words, "control": control, "key": act.key}

    @property
    def inspection_due(self) -> bool:
        """Whether the table waits for what people do before wagers open, and the bench can do it."""
        state, begun = str(self.state.value), self.table.recorder.round_progress.begun
        return self.powered and self.bench is not None and not begun and state not in (OPEN, "locked")

    def _begin_inspection(self) -> None:
        if not self.inspection_due:
            raise ValueError("the table waits for no inspection")
        self._say("> does the inspection", "people")
        self._inspect(0)

    def _inspect(self, idle: int) -> None:
        """The next step of an inspection, as the guide says.

        Args:
            idle: the steps before it that changed nothing.
        """
        if not self.inspection_due:
            return
        line, before = self._next_step(), self._changes()
        pressed: list[StepData] = [{"press": [line["control"]]}] if line["control"] else []
        for step in (*pressed, *(key.step for key in self.keys if key.key == line["key"] != _REPAIR)):
            self._take(PageStep.model_validate(step))
        if line["control"] or line["key"]:
            idle = idle + 1 if before == self._changes() else 0
        if idle < PATIENCE:
            at_ns = self.clock.now_ns() + INSPECTION_NS
            self._inspection = self.clock.call_at(at_ns, lambda: self._inspect(idle))
        else:
            self._say("the inspection does not go on; do what the first line says", "alarm")

    def _changes(self) -> object:
        """What the steps of an inspection change."""
        head = self.world.head
        return self.state, self.machine.data, self.table.desk.entries, head is not None and head.moving

    # -- the picture ---------------------------------------------------------------------------------------

    def picture(self) -> dict[str, object]:
        """The simulated hardware, as the page shows it beside the dealer's screen."""
        world, now_ns = self.world, self.clock.now_ns()
        if world.head is not None:
            world.head.poll()
        burning = world.panel.lit()
        return {
            "powered": self.powered,
            "seconds": self._seconds(now_ns),
            "faults": list(self.faults),
            "burning": [area for area in world.panel.areas if area in burning],
            "true": self._true_wheel(),
            "signals": self.signals.document(now_ns),
            "guide": self.guide,
            "inspection": self.inspection_due,
            "log": [
                {"s": self._seconds(line.at_ns), "text": self._in_words(line.text), "tone": line.tone}
                for line in self.log
            ],
        }

    def _seconds(self, at_ns: int) -> float:
        return round((at_ns - self._start_ns) / 1e9, 1)

    def _true_wheel(self) -> dict[str, object] | None:
        """Where the wheel and the ball truly are, in turns from 0 to 1: of a wheel with a clapper along the rim, of
        a roulette wheel counterclockwise from the first ball beam.
        """
        head = self.world.head
        if isinstance(head, MockHead):
            return {"angle": _turn_of(head.x / head.sections), "on_peg": head.true_position()[1]}
        if isinstance(head, MockRotorHead):
            ball, pocket = head.ball_angle, head.ball.pocket if head.ball is not None else ""
            at = None if ball is None else _turn_of(ball)
            return {"angle": _turn_of(head.x), "ball": at, "pocket": pocket}
        return None

    def described(self) -> dict[str, object]:
        """What does not change: the keys, and the faults with the lines, lamps or keys that can have them."""
        offered = [one for one in BREAKAGES if one.offered(self.world)]
        return {
            "bench": True,
            "keys": [asdict(key) for key in self.keys],
            "column_ms": COLUMN_NS / 1_000_000,
            "breakages": [
                {"fault": one.fault, "label": one.label, "targets": one.targets(self.world), "amount": one.amount}
                for one in offered
            ],
        }


def _turn_of(turns: float) -> float:
    """An angle of at least 0 and less than 1 turn, also after rounding."""
    return round(turns % 1.0, _TURN_DECIMALS) % 1.0
