"""Scenarios: a table on simulated hardware, run from a file, unattended. Used by ``bench --script`` and tests.

The form of a scenario is checked before anything runs. Each entry of the journal is printed as a line of JSON; the
first expectation that fails ends the run, and so does a step that this table cannot do. The format is in
``docs/scenarios.md``.
"""

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TextIO

from pydantic import Field, model_validator

from config.loader import read
from config.problems import ConfigError, Finding
from config.problems import Path as Place
from config.schema import TableConfig
from config.validation import validate
from config.values import Name
from config.yaml_source import YamlSource, parse
from controller.access.credentials import Role
from controller.bench.dealer import Dealer
from controller.bench.expectations import Expect, Observation, as_text, differences
from controller.bench.log_lines import write_json
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, TOLD_NS, HaltedTableError, Number, Rig
from controller.bench.simulated_table import with_contacts
from controller.bench.steps import UNATTENDED, Digits, Part, Step, StepText, options_of, steps
from controller.errors import CONFIGURATION, FAILED, OK, UserError
from controller.journal.errors import JournalError
from controller.journal.record import RecordedDecision, exported
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.watches import LOOKS_NS
from controller.table.desk import Staff
from hal.errors import HalError, check_known
from hal.wall_time import SetBy

_OF_THE_RUN = (HaltedTableError, JournalError)
"""Errors of a step that do not show that the scenario is wrong."""


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
        an exit code: 0, 1 if an expectation failed or the table halted, 78 if the scenario is wrong.

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


def load_scenario(script: Path, config: TableConfig) -> tuple["Scenario", YamlSource]:
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


class Person(Part):
    """Somebody whom the table knows."""

    role: Literal["floorperson", "dealer"] = "floorperson"
    pin: Digits | None = None

    @model_validator(mode="after")
    def _floorperson_has_a_pin(self) -> Self:
        if self.role == "floorperson" and self.pin is None:
            raise ValueError("a floorperson needs a PIN; write pin, or role: dealer")
        return self


class ScenarioRig(Rig):
    """A rig whose people have PINs, and whose computer's clock can be set; it stops with the power if its battery
    is low. It prints each step, the journal's entries, and what failed.

    Args:
        people: by credential number. Their PINs are compared without the cost of a hash.
    """

    def __init__(
        self, config: TableConfig, journal: Path | None, seed: int | None, people: Mapping[str, Person], out: TextIO
    ) -> None:
        self._people, self._out, self._seen = people, out, Observation()
        self._oracle, self._random = Oracle(), random.Random(seed)
        options, listeners = {"seed": seed} if seed is not None else None, (self._oracle, self._on_decision)
        dealer_pin = any(one.role == "dealer" and one.pin is not None for one in people.values())
        staff = Staff(self, dealer_pin=dealer_pin) if people else None
        super().__init__(config, journal, options, TOLD_NS, listeners, staff)
        self._true_utc_ns = self.clock.utc_ns() - self.clock.now_ns()

    def knows(self, number: str, role: Role) -> bool:
        return number in self._people and self._people[number].role == role.value

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and self._people[number].pin == pin

    def pin_of(self, number: str) -> str:
        return (self._people[number].pin or "") if number in self._people else ""

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

    def set_clock(self, wrong_h: Annotated[float, Field(ge=-100_000, le=100_000)] = 0) -> None:
        """The network sets the computer's clock; the table notices it at its next look."""
        self.clock.set_utc(self._true_utc_ns + self.clock.now_ns() + int(wrong_h * 3600 * NS_PER_S))
        self.world.computer.set_by = SetBy.NETWORK
        self.wait(LOOKS_NS / NS_PER_S)

    def floor(self, act: Name = "", argument: Name = "", by: Number = "") -> None:
        """By whoever identified last, or the first floorperson."""
        present = self.table.desk.identified(self.clock.now_ns())
        known = (number for number, one in self._people.items() if one.role == "floorperson")
        super().floor(act, argument, by or present or next(known, ""))

    def follow(self, state: str) -> None:
        """People do the next correct action until the table is in a state."""
        check_known("state", state, [str(one.value) for one in self.machine.states])
        Dealer(self, self._random, self._oracle, careless=0).follow(state)

    # -- the run -------------------------------------------------------------------------------------------

    def _on_decision(self, recorded: RecordedDecision) -> None:
        self._seen.keep(recorded.record)
        write_json(self._out, exported(recorded.entry))

    def carry_out(self, step: Step, path: Place, source: YamlSource) -> None:
        """Carry out a step.

        Raises:
            _EndedError: an expectation does not hold, or the step is not possible.
        """
        at, given = (*path, step.action), step.given
        stamp = {"round": self.machine.round, "at_ns": self.clock.now_ns()}
        write_json(self._out, {**stamp, "kind": "step", "line": source.find(at).line, "action": step.action})
        if step.action == "repeat":
            for _ in range(given.times):
                for number, inner in enumerate(given.steps):
                    self.carry_out(inner, (*at, "steps", number), source)
        elif step.action == "expect":
            found = differences(given, self, self._seen)
            self._seen.expected(self)
            if found:
                line = source.find((*at, next(iter(found)))).line
                expected, instead = ({key: one[side] for key, one in found.items()} for side in (0, 1))
                write_json(self._out, {"kind": "failed", "line": line, "expected": expected, "found": instead})
                words = "; ".join(
                    f"expected {key} {as_text(one)}, found {as_text(other)}" for key, (one, other) in found.items()
                )
                print(f"{source.name}:{line}: {words} ({self.waiting_for})", file=sys.stderr)
                raise _EndedError(FAILED)
        else:
            try:
                step.take(self)
                self.check_runs()
            except (HalError, UserError, ValueError, LookupError) as error:
                problem = source.problem(Finding(at, str(error)))
                write_json(self._out, {"kind": "error", "line": problem.line, "message": str(error)})
                print(problem, file=sys.stderr)
                raise _EndedError(FAILED if isinstance(error, _OF_THE_RUN) else CONFIGURATION) from error


class Repeat(Part):
    """Steps that are carried out several times."""

    times: int = Field(ge=1, le=10_000)
    steps: "list[ScenarioStep]" = Field(min_length=1)


_ONLY_HERE = {"until": Name, "set_clock": options_of(ScenarioRig.set_clock), "repeat": Repeat, "expect": Expect}
ScenarioStep: Any = steps("ScenarioStep", **UNATTENDED, **_ONLY_HERE)


class Scenario(Part):
    """A scenario's file."""

    game: Name | None = None
    about: StepText | None = None
    people: dict[Number, Person] = Field(default={}, min_length=1)
    steps: list[ScenarioStep] = Field(min_length=1)
