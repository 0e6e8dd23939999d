"""Scenarios: a table on simulated hardware, run from a file, unattended. Used by ``bench --script`` and tests.

The form of a scenario is checked before anything runs. Each entry of the journal is printed as a line of JSON; the
first expectation that fails ends the run, and so does a step that this table cannot do. The format is in
``docs/scenarios.md``.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

from config.loader import read
from config.problems import ConfigError, Finding
from config.problems import Path as Place
from config.schema import TableConfig
from config.validation import validate
from config.yaml_source import YamlSource, parse
from controller.access.credentials import Role
from controller.bench.expectations import Observation, differences
from controller.bench.log_lines import write_json
from controller.bench.rig import Rig
from controller.bench.scenario_steps import HandStep, PersonPart, Scenario, ScenarioStep
from controller.bench.simulated_table import with_contacts
from controller.errors import CONFIGURATION, FAILED, OK
from controller.journal.record import RecordedDecision, exported
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.watches import LOOKS_NS
from controller.table.desk import Staff
from hal.errors import HalError
from hal.mock.clock import NS_PER_S
from hal.wall_time import SetBy

SLICE_NS = 50_000_000
"""How often a turning wheel delivers its edges."""


def run_script(
    script: Path, config: TableConfig, out: TextIO, journal: Path | None = None, seed: int | None = None
) -> int:
    """Run a scenario on virtual time.

    Args:
        config: the table; its backends are replaced by simulated ones.
        out: takes one JSON object per line; problems go to standard error as text.
        journal: the journal's file, or None to keep it in memory.
        seed: of everything random in the simulated wheel.

    Returns:
        an exit code: 0, 1 if an expectation failed, 78 if the scenario is wrong.

    Raises:
        JournalError: the journal's file cannot be used.
    """
    try:
        scenario, source = load_scenario(script, config)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return CONFIGURATION
    player = _Player(scenario, source, out)
    player.rig = rig = ScenarioRig(with_contacts(config), journal, seed, scenario.people, player.on_decision)
    try:
        for number, step in enumerate(scenario.steps):
            player.step(("steps", number), step)
    except _EndedError as ended:
        return ended.code
    finally:
        rig.close()
    return OK


def load_scenario(script: Path, config: TableConfig) -> tuple[Scenario, YamlSource]:
    """Read a scenario for a table.

    Raises:
        ConfigError: with every problem in the file.
    """
    source = parse(read(script), str(script), first="steps")
    scenario, found = validate(source.data, Scenario)
    if scenario is not None and scenario.game not in (None, config.game):
        message = f"the scenario is for {scenario.game}, but the table plays {config.game}"
        found = [Finding(("game",), message, "choose the other table, or another scenario")]
    problems = [*source.problems, *map(source.problem, found)]
    if problems or scenario is None:
        raise ConfigError(problems)
    return scenario, source


# -- the run -------------------------------------------------------------------------------------------------------


class _EndedError(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


class _Player:
    """Carries out the steps of a scenario; prints them, the journal's entries, and what failed."""

    rig: "ScenarioRig"

    def __init__(self, scenario: Scenario, source: YamlSource, out: TextIO) -> None:
        self._source = source
        self._out = out
        self._seen = Observation()

    def on_decision(self, recorded: RecordedDecision) -> None:
        """A listener of the table."""
        self._seen.keep(recorded.record)
        write_json(self._out, exported(recorded.entry))

    def step(self, path: Place, step: ScenarioStep) -> None:
        """Carry out a step.

        Raises:
            _EndedError: an expectation does not hold, or the step is not possible.
        """
        at, rig = (*path, step.action), self.rig
        stamp = {"round": rig.machine.round, "at_ns": rig.clock.now_ns()}
        write_json(self._out, {**stamp, "kind": "step", "line": self._line(at), "action": step.action})
        if step.repeat is not None:
            for _ in range(step.repeat.times):
                for number, inner in enumerate(step.repeat.steps):
                    self.step((*at, "steps", number), inner)
        elif step.expect is not None:
            found = differences(step.expect, rig, self._seen)
            self._seen.expected(rig)
            if found:
                line = self._line((*at, next(iter(found))))
                expected = {key: one.expected for key, one in found.items()}
                instead = {key: one.found for key, one in found.items()}
                write_json(self._out, {"kind": "failed", "line": line, "expected": expected, "found": instead})
                words = "; ".join(one.words(key) for key, one in found.items())
                print(f"{self._source.name}:{line}: {words}", file=sys.stderr)
                raise _EndedError(FAILED)
        else:
            try:
                _ACTS[step.action](rig, getattr(step, step.action))
            except (HalError, ValueError, LookupError) as error:
                problem = self._source.problem(Finding(at, str(error)))
                write_json(self._out, {"kind": "error", "line": problem.line, "message": str(error)})
                print(problem, file=sys.stderr)
                raise _EndedError(CONFIGURATION) from error

    def _line(self, path: Place) -> int:
        return self._source.find(path).line


class People:
    """The people of a scenario, by credential number. Their PINs are compared without the cost of a hash."""

    def __init__(self, people: Mapping[str, PersonPart]) -> None:
        self.people = people

    def knows(self, number: str, role: Role) -> bool:
        return number in self.people and self.people[number].role == role.value

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and self.people[number].pin == pin

    @property
    def staff(self) -> Staff | None:
        """None where there is nobody: the key alone is sufficient."""
        dealer_pin = any(one.role == "dealer" and one.pin is not None for one in self.people.values())
        return Staff(self, dealer_pin=dealer_pin) if self.people else None


class ScenarioRig(Rig):
    """A rig with people, whose computer's clock can be set, and stops with the power if its battery is low."""

    def __init__(
        self,
        config: TableConfig,
        journal: Path | None,
        seed: int | None,
        people: Mapping[str, PersonPart],
        on_decision: Callable[[RecordedDecision], None],
    ) -> None:
        self.people = people
        options = {"seed": seed} if seed is not None else None
        super().__init__(config, journal, options, SLICE_NS, (on_decision,), People(people).staff)
        self._true_utc_ns = self.clock.utc_ns() - self.clock.now_ns()

    def _start(self) -> Table:
        clock = TableClock(self.clock, lambda: self.world.computer.set_by)
        clock.begin(newest_on_record(self.journal))
        self.world.lend(clock)
        self.wall = clock
        return super()._start()

    def power_off(self) -> None:
        super().power_off()
        self._off_utc_ns = self.clock.utc_ns()

    def power_on(self) -> None:
        if self.world.computer.battery().low:
            self.clock.set_utc(self._off_utc_ns)
        super().power_on()

    def set_clock(self, wrong_h: float) -> None:
        """The network sets the computer's clock; the table notices it at its next look."""
        self.clock.set_utc(self._true_utc_ns + self.clock.now_ns() + int(wrong_h * 3600 * NS_PER_S))
        self.world.computer.set_by = SetBy.NETWORK
        self.wait(LOOKS_NS / NS_PER_S)

    def floor(self, act: str = "", argument: str = "", by: str = "", pin: str = "") -> None:
        present = self.table.desk.identified(self.clock.now_ns())
        by = by or present or next((number for number, one in self.people.items() if one.role == "floorperson"), "")
        super().floor(act, argument, by, self._pin(by))

    def log_on(self, number: str, pin: str = "") -> None:
        super().log_on(number, self._pin(number))

    def _pin(self, number: str) -> str:
        return (self.people[number].pin or "") if number in self.people else ""


def _hand(rig: Rig, hand: HandStep) -> None:
    wheel = rig.world.wheel
    if hand.push_deg_s is not None:
        wheel.push(hand.push_deg_s)
    elif hand.brake_nm is not None:
        wheel.brake(hand.brake_nm, hand.seconds)
    elif hand.hold:
        wheel.hold()
    else:
        wheel.let_go()


_ACTS: dict[str, Callable[[ScenarioRig, Any], None]] = {
    "press": lambda rig, controls: rig.press(*controls),
    "spin": lambda rig, spin: rig.spin(**dict(spin)),
    "turn": lambda rig, turn: rig.turn(**dict(turn)),
    "hand": _hand,
    "rotor": lambda rig, rotor: rig.turn_rotor(**dict(rotor)),
    "ball": lambda rig, ball: rig.throw_ball(**dict(ball)),
    "floor": lambda rig, floor: rig.floor(**dict(floor)),
    "log_on": lambda rig, number: rig.log_on(number),
    "wait_s": lambda rig, seconds: rig.wait(seconds),
    "fault": lambda rig, fault: rig.world.fault(**dict(fault)),
    "repair": lambda rig, _: rig.world.repair(),
    "power_cut": lambda rig, cut: rig.power_cut(cut.off_s, cut.opened),
    "set_clock": lambda rig, clock: rig.set_clock(clock.wrong_h),
}
