"""The table of a golden journal, and its people: they play in the right order, and carry out a plan meanwhile."""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.access.authentication import FLOOR_KEY, Authentication
from controller.access.credentials import Credentials, Secret
from controller.access.dealer_login import LOG_ON
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.shipped import LoadedTable
from controller.events.event import Event
from controller.journal.record import RecordedDecision
from controller.journal.replay.trace import Traces, trace_file
from controller.journal.replay.tracer import Tracer
from controller.limits.amounts import Proposal
from controller.runtime.assembly import build
from controller.runtime.origin import Origin
from hal.events import EdgeBatch
from tests.golden.tables import SESSION_S

NUMBER, PIN, WRONG_PIN = "4711", "830261", "830262"
SECOND, SECOND_PIN = "4712", "194650"
"""Of another person, where two are necessary."""
SOFTWARE = "0" * 64
MOST_ACTS = 150
"""A state that people do not come into by so many acts will not be come into."""


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
        who = Credentials({NUMBER: Secret.of(PIN), SECOND: Secret.of(SECOND_PIN)})
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


Act = Callable[[GoldenRig], None]
"""An action at the table."""
Plan = Sequence[tuple[str, Act]]
"""One after the other: in which state, and what is then done in place of the next right thing."""


class GoldenDealer(Dealer):
    """People who carry out a plan."""

    def __init__(self, rig: GoldenRig, seed: int, oracle: Oracle, plan: Plan) -> None:
        super().__init__(rig, random.Random(seed), oracle, no_rolls=0.0)
        self.careless = 0.0
        self.table = rig
        self.plan = list(plan)
        self.missed: list[str] = []
        """The states that were not come into, and what was planned there."""

    def carry_out(self, rounds: int) -> None:
        """Play until the plan is carried out and so many rounds were played."""
        acts = 0
        while self.plan or self.rig.machine.round <= rounds:
            planned = len(self.plan)
            self.act()
            acts = acts + 1 if len(self.plan) == planned else 0
            if acts > MOST_ACTS and self.plan:
                state, _ = self.plan.pop(0)
                self.missed.append(f"{state} ({len(self.plan)} steps before the end)")
                acts = 0
            if acts > 20 * MOST_ACTS:
                raise RuntimeError(f"people cannot go on: {self.rig.state.value}, {self.rig.waiting_for}")

    def step(self) -> None:
        if self.plan and self.plan[0][0] == str(self.rig.state.value):
            self.plan.pop(0)[1](self.table)
        else:
            super().step()

    def throw(self) -> None:
        """Into a section, as weakly as counts: fewer edges are kept."""
        self.rig.spin(3.1, stop_on=self.rng.randrange(len(self.rig.order)))


# -- what is done in a state --------------------------------------------------------------------------------------


def do(*acts: Act) -> Act:
    """Several actions in turn."""

    def all_of_it(rig: GoldenRig) -> None:
        for act in acts:
            act(rig)

    return all_of_it


def press(*controls: str) -> Act:
    return lambda rig: rig.press(*controls)


def another(*controls: str) -> Act:
    """Another person presses controls."""

    def act(rig: GoldenRig) -> None:
        rig.present = (SECOND, SECOND_PIN)
        rig.press(*controls)
        rig.present = (NUMBER, PIN)

    return act


def wait(seconds: float) -> Act:
    return lambda rig: rig.wait(seconds)


def cut(rig: GoldenRig) -> None:
    """The power is cut, and returns."""
    rig.power_cut()


def restart(rig: GoldenRig) -> None:
    rig.restart()


def fault(name: str, target: str = "", amount: float = 0.0) -> Act:
    """Something breaks, and time passes for the table to notice it."""
    return do(lambda rig: rig.world.fault(name, target, amount), wait(2.5))


def repair(rig: GoldenRig) -> None:
    rig.world.repair()
    rig.wait(2.5)


def key_sticks(control: str) -> Act:
    """A key sticks, is reported, and is freed."""
    return do(fault("stuck-key", control), wait(11), repair)


def wrong_pin(rig: GoldenRig) -> None:
    """Twice a wrong PIN, a turn of the key too early, an unknown number."""
    rig.wait(SESSION_S + 5)
    rig.key(FLOOR_KEY, *NUMBER, "enter", *WRONG_PIN, "enter", FLOOR_KEY)
    rig.wait(5)
    rig.key(FLOOR_KEY, *"99", "enter", *PIN, "enter")
    rig.wait(9)


def log_on(number: str) -> Act:
    """A dealer logs on; without a number, the one who is there logs off."""

    def act(rig: GoldenRig) -> None:
        rig.press(LOG_ON)
        if not number and rig.table.router.digits_closed:
            rig.press("enter")
        rig.press(*number, "enter")

    return act


_QUIET_S = 61
"""Where nobody plays, nothing is keyed or thrown for a minute."""


def announce(proposal: Proposal) -> Act:
    """Limits are proposed, and the floorperson turns the key."""
    return do(lambda rig: _propose(rig, proposal), press(FLOOR_KEY))


def propose(proposal: Proposal) -> Act:
    """Limits are proposed; the key is not turned."""
    return lambda rig: _propose(rig, proposal)


def _propose(rig: GoldenRig, proposal: Proposal) -> None:
    if proposal.nobody_plays:
        rig.wait(_QUIET_S)
    rig.table.sign.propose(proposal)


def code_fails(then: Act) -> Act:
    """The controller's own code raises on the next event."""

    def act(rig: GoldenRig) -> None:
        machine = rig.table.machine
        handle = machine.handle

        def fails(event: Event) -> Any:
            machine.handle = handle  # type: ignore[method-assign]
            raise RuntimeError(f"a defect, on purpose, at {event.kind}")

        machine.handle = fails  # type: ignore[method-assign]
        then(rig)

    return act
