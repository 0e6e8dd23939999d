"""A table on simulated hardware in real time, and everything that a technician can do at it.

Made inside the running event loop; a test passes a virtual clock instead. An impossible action becomes a line in
the log.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from config.loader import digest as digest_of
from config.schema import TableConfig, WheelSection
from controller.bench import documents
from controller.bench.log_lines import BenchLog, LineTone
from controller.bench.people import People
from controller.bench.simulated_table import SimulatedTable, on_simulated_hardware, with_contacts
from controller.bench.wheel_workshop import WheelWorkshop
from controller.events.words import plain
from controller.journal.errors import JournalError
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.tracking.motion import direction_of
from hal.clock import LoopClock
from hal.errors import HalError
from hal.interfaces import Clock, Timer

SLICE_NS = 20_000_000
"""How often a turning wheel delivers its edges."""
POWER_OFF_NS = 3_000_000_000
INSPECTION_NS = 400_000_000
"""From one step of an inspection to the next, so that people can follow it."""
PATIENCE = 10
"""After this many keys that change nothing, an inspection is left to people."""

REPAIR = "m"
"""The key of the page that repairs everything."""


def _line(words: str, control: str = "", key: str = "") -> documents.GuideLine:
    return {"words": words, "control": control, "key": key}


class LiveBench(SimulatedTable):
    """A table and its simulated hardware.

    Args:
        config: the table's configuration; its backends are replaced by simulated ones.
        journal: the journal's file, or None to keep it in memory.
        seed: seed of the simulated wheel and of the throws.
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
        self.clock = clock if clock is not None else LoopClock()
        self.words = words_of(find_game(config.game))
        self.watch = BenchLog(self.clock.now_ns(), self.words)
        self.faults: list[str] = []
        """The present faults, as text."""
        self.random = random.Random(seed)
        """For the random actions of people."""
        self._timer: Timer | None = None
        """Of people who are at work: the end of a power cut, or the next step of an inspection."""
        self._digest = digest
        simulated = with_contacts(on_simulated_hardware(config, {} if seed is None else {"seed": seed}))
        self._wheel = simulated.wheel
        super().__init__(simulated, self.clock, journal, (self.watch,), digest=digest, slice_ns=SLICE_NS)
        self._newcomer = None if self.bench is None else People(self, self.bench)
        self.workshop = WheelWorkshop(self)
        """The technician at the wheel."""

    def close(self) -> None:
        self._later(None)
        self.workshop.close()
        super().close()

    def _later(self, action: Callable[[], None] | None, delay_ns: int = 0) -> None:
        """People do this next, instead of what they were about to do."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if action is None else self.clock.call_at(self.clock.now_ns() + delay_ns, action)

    def poll(self) -> None:
        """Deliver the edges of the wheel up to this moment."""
        if self.world.head is not None:
            self.world.head.poll()

    def say(self, text: str, tone: LineTone = LineTone.PLAIN) -> None:
        """Write a line into the log."""
        self.watch.say(self.clock.now_ns(), text, tone)

    @contextmanager
    def act(self, who: str, words: str) -> Iterator[None]:
        """Log what people do; if it is impossible, log the reason too."""
        self.watch.say_key(self.clock.now_ns(), words)
        try:
            yield
        except (HalError, ValueError) as error:
            self.say(f"not possible: {error}", LineTone.ALARM)

    # -- the dealer and the floorperson ----------------------------------------------------------------------

    @property
    def controls(self) -> tuple[str, ...]:
        """Every button, key and key switch of the table."""
        keys = [control for keys in self.world.keys for control in keys.controls]
        return (*keys, *self.world.switches.controls)

    def press(self, control: str) -> None:
        """Press a button or key, or turn a key switch."""
        with self.act("dealer", plain(control)):
            self.world.press(control)

    @property
    def guide(self) -> documents.GuideLine | None:
        """What a newcomer does next; None if the power is off, or nobody knows this game."""
        if self.bench is None or not self.powered:
            return None
        if self.table.machine.round > 1:
            return _line(f"That was a round. {self.bench.then}")
        return self._next_step()

    def _next_step(self) -> documents.GuideLine:
        """The next key of the next act."""
        assert self._newcomer is not None
        act, desk = self._newcomer.next_act(), self.table.desk
        words = act.words or self.table.machine.waiting_for()
        if act.repair and self.faults:
            return _line(words, key=REPAIR)
        if act.floor is not None:
            found = (entry.key for entry in desk.entries if any(one.act == act.floor for one in entry.offers))
            return _line(words, next(found, "floor-key"))
        return _line(words, "clear" if desk.is_open else act.press.partition(" ")[0], act.key)

    @property
    def inspection_due(self) -> bool:
        """Whether the table waits for what people do before wagers open, and :meth:`inspect` can do it."""
        known = self.bench.inspection if self.bench is not None else ()
        return self.powered and str(self.table.machine.state.value) in known

    def inspect(self) -> None:
        """People do the inspection, as the guide says, until wagers open.

        Raises:
            ValueError: the table waits for none.
        """
        if not self.inspection_due:
            raise ValueError("the table waits for no inspection")
        self.watch.say_key(self.clock.now_ns(), "does the inspection")
        self._inspect(0)

    def _inspect(self, idle: int) -> None:
        """The next step.

        Args:
            idle: the keys before it that changed nothing.
        """
        if not self.inspection_due:
            return
        assert self.bench is not None
        self.poll()
        step, before = self._next_step(), self._changes()
        if step["control"]:
            self.press(step["control"])
        for binding in self.bench.keys:
            if binding.key == step["key"]:
                binding.action(self)
        if step["control"] or step["key"]:
            idle = idle + 1 if before == self._changes() else 0
        if idle < PATIENCE:
            self._later(lambda: self._inspect(idle), INSPECTION_NS)
        else:
            self.say("the inspection does not go on; do what the first line says", LineTone.ALARM)

    def _changes(self) -> object:
        """What the steps of an inspection change."""
        machine, head = self.table.machine, self.world.head
        return machine.state, machine.data, self.table.desk.entries, head is not None and head.moving

    # -- hands and faults ------------------------------------------------------------------------------------

    def grab(self) -> None:
        """Stop the wheel by hand, and hold it until :meth:`let_go`."""
        with self.act("dealer", "grabs the wheel and holds it"):
            self.world.wheel.hold()

    def let_go(self) -> None:
        """Take the hand off the wheel; the leather may push it away."""
        with self.act("dealer", "lets the wheel go"):
            self.world.wheel.let_go()

    def push(self, speed_deg_s: float) -> None:
        """Nudge the wheel, standing or turning: it is so much faster at once; negative is clockwise."""
        way = direction_of(1 if speed_deg_s > 0 else -1).value
        with self.act("dealer", f"pushes the wheel by {abs(speed_deg_s):.3g}°/s, {way}"):
            self.world.wheel.push(speed_deg_s)

    def brake(self, torque_nm: float, seconds: float) -> None:
        """Rub on the rim for so long."""
        with self.act("dealer", f"brakes the wheel with {torque_nm:.3g} N m for {seconds:.3g} s"):
            self.world.wheel.brake(torque_nm, seconds)

    def break_(self, fault: str, target: str = "", amount: float = 0.0) -> None:
        """Break something (see ``hal.mock.world.FAULTS``)."""
        words = " ".join(filter(None, (target, plain(fault), f"{amount:g}" if amount else "")))
        with self.act("technician", f"breaks: {words}"):
            self.world.fault(fault, target, amount)
            if words not in self.faults:
                self.faults.append(words)

    def repair(self) -> None:
        """Repair everything."""
        self.faults.clear()
        with self.act("technician", "repairs everything"):
            self.world.repair()

    def power_cut(self) -> None:
        """Cut the power and switch on again after a while. Only the computer loses its state."""
        if self.powered:
            self.watch.say_key(self.clock.now_ns(), "power cut")
            self.power_off()
            self._later(self.power_on, POWER_OFF_NS)

    def power_on(self, wheel: WheelSection | None = None) -> None:
        """Switch the computer on again; a journal that cannot be opened becomes a line in the log.

        Args:
            wheel: what the table's file now says of its wheel; None if that is unchanged.
        """
        if wheel is not None:
            self.config = self.config.model_copy(update={"wheel": wheel})
            other = f"{self._digest} {wheel.model_dump_json()}".encode()
            self.configuration = self._digest if wheel == self._wheel else digest_of(other)
        self.poll()  # The wheel may have turned meanwhile: the lines still have the levels of the last poll.
        try:
            super().power_on()
        except JournalError as error:
            self.say(f"the table does not start: {error}", LineTone.ALARM)
