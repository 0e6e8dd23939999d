"""The table of a golden journal, and its people: they play among faults, and do anything else now and then."""

import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.access.authentication import FLOOR_KEY, Authentication
from controller.access.credentials import Credentials, Person, Role, Secret
from controller.bench.injected_faults import DealerAmongFaults, FaultSettings
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.shipped import LoadedTable
from controller.journal.record import RecordedDecision
from controller.journal.replay.trace import Traces, trace_file
from controller.journal.replay.tracer import Tracer
from controller.limits.amounts import Proposal, amounts_of
from controller.runtime.assembly import build
from controller.runtime.origin import Origin
from hal.events import EdgeBatch
from tests.golden.tables import SESSION_S

NUMBER, PIN, WRONG_PIN = "4711", "830261", "830262"
SECOND, SECOND_PIN = "4712", "194650"
"""Of another person, where two are necessary."""
SOFTWARE = "0" * 64
SOMETHING_ELSE = 0.1
"""The share of steps before which people do something else than the next right thing."""


class GoldenRig(Rig):
    """A table as ``run`` starts it: credentials are asked for, edges are kept.

    Args:
        traced: of how many rounds the edges are kept.
    """

    def __init__(self, loaded: LoadedTable, journal: Path, seed: int, traced: int, oracle: Oracle) -> None:
        self.loaded, self.file, self.traced = loaded, journal, traced
        self.tracer: Tracer | None = None
        self.traces: Traces | None = None
        self.present = (NUMBER, PIN)
        self.prompt = ""
        """What the screen asks of who identifies."""
        pins = {NUMBER: PIN, SECOND: SECOND_PIN}
        who = Credentials({n: Person(role=Role.FLOORPERSON, pin=Secret.of(pin)) for n, pin in pins.items()})
        section = loaded.config.credentials
        session_ns = SESSION_S * NS_PER_S
        super().__init__(
            loaded.config,
            journal,
            {"seed": seed} if loaded.config.wheel or loaded.config.rotor else None,
            slice_ns=500_000_000,
            listeners=(oracle, self._happened),
            authority=lambda: Authentication(None if section is None else who, session_ns),
        )

    def _start(self) -> Any:
        self._drop_tracer()
        prompt = self._authority and self._authority()
        origin = Origin(self.loaded.digest, SOFTWARE)
        table = build(self.config, origin, self.clock, self.journal, prompt)
        table.listeners.extend(self._listeners)
        table.prompt_listeners.append(self._on_prompt)
        table.start()
        table.edge_listeners.append(self._on_edges)
        table.level_listeners.append(self._on_levels)
        return table

    def _happened(self, recorded: RecordedDecision) -> None:
        if self.world.head is None:
            return
        if self.tracer is None:
            self.traces = Traces(trace_file(self.file), self.traced)
            self.tracer = Tracer(self.traces, self.world.head.levels())
        self.tracer(recorded)

    def _on_prompt(self, prompt: str) -> None:
        self.prompt = prompt

    def _drop_tracer(self) -> None:
        """After a power cut: what it had not written yet is lost."""
        if self.traces is not None:
            self.traces.close()
        self.tracer = self.traces = None

    def _on_edges(self, batch: EdgeBatch) -> None:
        if self.tracer is not None:
            self.tracer.hear(batch)

    def _on_levels(self, levels: Mapping[str, bool], at_ns: int, due_ns: int) -> None:
        if self.tracer is not None:
            self.tracer.levels_read(levels, at_ns, due_ns)

    def press(self, *controls: str) -> None:
        """Press controls; number and PIN are keyed where they are asked for."""
        for control in controls:
            if control.isdecimal() and self.table.router.digits_closed:
                self._open_digits()
            super().press(control)
            if control == FLOOR_KEY and self.table.router.identifies():
                number, pin = self.present
                super().press(*number, "enter", *pin, "enter")

    def _open_digits(self) -> None:
        """As the screen says: ``clear`` first, where it takes digits for an identification."""
        for _ in range(2):
            if "clear, then" in self.prompt:
                super().press("clear")
        super().press("enter")

    def key(self, *controls: str) -> None:
        """Press controls, without number and PIN."""
        super().press(*controls)

    def restart(self) -> None:
        """Stop in order, and start again."""
        if self.tracer is not None:
            self.tracer.close()
        self.power_cut(20)

    def finish(self) -> None:
        """Stop in order."""
        self.table.stop()
        if self.tracer is not None:
            self.tracer.close()
        self.journal.close()


class GoldenDealer(DealerAmongFaults):
    """People who play among faults, and now and then do something else than the next right thing."""

    def __init__(self, rig: GoldenRig, seed: int, oracle: Oracle) -> None:
        super().__init__(rig, random.Random(seed), oracle, FaultSettings(rate=0.15, repaired=0.2))
        self.table = rig

    def step(self) -> None:
        if self.rng.random() < SOMETHING_ELSE:
            acts = (self._press, self._press, self._menu, self._wait, self._wrong_pin, self._limits)
            self.rng.choice((*acts, self.table.power_cut, self.table.restart))()
        super().step()

    def throw(self) -> None:
        """Into a section, as weakly as counts: fewer edges are kept."""
        self.throws()
        self.table.spin(3.1, stop_on=self.rng.randrange(len(self.table.order)), rest=False)
        self.thrown()
        self.table.rest()
        self.rested()

    def _controls(self) -> list[str]:
        return [control for keys in self.table.world.keys for control in keys.controls]

    def _press(self) -> None:
        """Any keys, and among them those that correct or abort."""
        self.table.press(*self.rng.choices(self._controls(), k=self.rng.randint(1, 4)))

    def _menu(self) -> None:
        """The floorperson's menu, and sometimes the power is cut in it; another person confirms what takes two."""
        self.table.press(FLOOR_KEY, str(self.rng.randint(1, 9)))
        if self.rng.random() < 0.3:
            self.table.power_cut()
        self.table.present = (SECOND, SECOND_PIN)
        self.table.press(*self.rng.sample((FLOOR_KEY, "clear", "done"), 2))
        self.table.present = (NUMBER, PIN)

    def _wait(self) -> None:
        self.table.wait(self.rng.choice((2, 70, 3700, 24 * 3600 + 60)))

    def _wrong_pin(self) -> None:
        """A wrong PIN, a turn of the key too early, an unknown number."""
        self.table.wait(SESSION_S + 5)
        self.table.key(FLOOR_KEY, *NUMBER, "enter", *WRONG_PIN, "enter", FLOOR_KEY)
        self.table.wait(5)
        self.table.key(FLOOR_KEY, *"99", "enter", *PIN, "enter")
        self.table.wait(9)

    def _limits(self) -> None:
        """Limits are proposed, where the table lets them be, and the floorperson turns the key."""
        higher = Proposal(amounts_of("10", "1000"), minutes=30)
        with suppress(ValueError):
            self.table.table.sign.propose(self.rng.choice((higher, Proposal(None))))
        self.table.press(FLOOR_KEY)
