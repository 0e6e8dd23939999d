"""Scenarios: a table on simulated hardware, run from a file, unattended. Used by ``bench --script`` and tests.

The form of a scenario is checked before anything runs. Each entry of the journal is printed as a line of JSON; the
first expectation that fails ends the run, and so does a step that this table cannot do. The format is in
``docs/scenarios.md``.
"""

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from config.loader import read
from config.problems import ConfigError, Finding
from config.problems import Path as Place
from config.schema import TableConfig
from config.validation import validate
from config.yaml_source import YamlSource, parse
from controller.access.credentials import Role
from controller.bench.dealer import Dealer
from controller.bench.expectations import Observation, differences
from controller.bench.log_lines import write_json
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.bench.simulated_table import with_contacts
from controller.bench.steps import Person, Scenario, ScenarioStep
from controller.errors import CONFIGURATION, FAILED, OK, UserError
from controller.journal.record import RecordedDecision, exported
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.watches import LOOKS_NS
from controller.table.desk import Staff
from hal.errors import HalError, check_known
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
    rig = ScenarioRig(with_contacts(config), journal, seed, scenario.people, out)
    try:
        for number, step in enumerate(scenario.steps):
            rig.carry_out(step, ("steps", number), source)
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


class _EndedError(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


class People:
    """The people of a scenario, by credential number. Their PINs are compared without the cost of a hash."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self.people = people

    def knows(self, number: str, role: Role) -> bool:
        return number in self.people and self.people[number].role == role.value

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and self.people[number].pin == pin

    def pin(self, number: str) -> str:
        return (self.people[number].pin or "") if number in self.people else ""

    @property
    def staff(self) -> Staff | None:
        """None where there is nobody: the key alone is sufficient."""
        dealer_pin = any(one.role == "dealer" and one.pin is not None for one in self.people.values())
        return Staff(self, dealer_pin=dealer_pin) if self.people else None


class ScenarioRig(Rig):
    """A rig whose people have PINs, and whose computer's clock can be set; it stops with the power if its battery
    is low. It prints each step, the journal's entries, and what failed.
    """

    def __init__(
        self,
        config: TableConfig,
        journal: Path | None,
        seed: int | None,
        people: Mapping[str, Person],
        out: TextIO,
    ) -> None:
        self.people, self._out, self._seen = People(people), out, Observation()
        self._oracle, self._random = Oracle(), random.Random(seed)
        options = {"seed": seed} if seed is not None else None
        super().__init__(config, journal, options, SLICE_NS, (self._oracle, self._on_decision), self.people.staff)
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
        known = (number for number, one in self.people.people.items() if one.role == "floorperson")
        by = by or present or next(known, "")
        super().floor(act, argument, by, self.people.pin(by))

    def log_on(self, number: str, pin: str = "") -> None:
        super().log_on(number, self.people.pin(number))

    # -- the run -------------------------------------------------------------------------------------------

    def _on_decision(self, recorded: RecordedDecision) -> None:
        self._seen.keep(recorded.record)
        write_json(self._out, exported(recorded.entry))

    def carry_out(self, step: ScenarioStep, path: Place, source: YamlSource) -> None:
        """Carry out a step.

        Raises:
            _EndedError: an expectation does not hold, or the step is not possible.
        """
        at = (*path, step.action)
        stamp = {"round": self.machine.round, "at_ns": self.clock.now_ns()}
        write_json(self._out, {**stamp, "kind": "step", "line": source.find(at).line, "action": step.action})
        if step.repeat is not None:
            for _ in range(step.repeat.times):
                for number, inner in enumerate(step.repeat.steps):
                    self.carry_out(inner, (*at, "steps", number), source)
        elif step.expect is not None:
            found = differences(step.expect, self, self._seen)
            self._seen.expected(self)
            if found:
                line = source.find((*at, next(iter(found)))).line
                expected = {key: one.expected for key, one in found.items()}
                instead = {key: one.found for key, one in found.items()}
                write_json(self._out, {"kind": "failed", "line": line, "expected": expected, "found": instead})
                words = "; ".join(one.words(key) for key, one in found.items())
                print(f"{source.name}:{line}: {words}", file=sys.stderr)
                raise _EndedError(FAILED)
        else:
            try:
                self._take(step)
            except (HalError, UserError, ValueError, LookupError) as error:
                problem = source.problem(Finding(at, str(error)))
                write_json(self._out, {"kind": "error", "line": problem.line, "message": str(error)})
                print(problem, file=sys.stderr)
                raise _EndedError(CONFIGURATION) from error

    def _take(self, step: ScenarioStep) -> None:
        if step.floor is not None:
            self.floor(step.floor.act, step.floor.argument, step.floor.by)
        elif step.log_on is not None:
            self.log_on(step.log_on)
        elif step.wait_s is not None:
            self.wait(step.wait_s)
        elif step.set_clock is not None:
            self.set_clock(step.set_clock.wrong_h)
        elif step.until is not None:
            states = [str(row.to.value) for row in self.machine.transitions if row.to is not None]
            check_known("state", step.until, dict.fromkeys(states))
            Dealer(self, self._random, self._oracle, careless=0).follow(step.until)
        else:
            step.take(self)
