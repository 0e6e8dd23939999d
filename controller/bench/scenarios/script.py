"""Scenarios: a table on simulated hardware, run from a file, unattended. Used by ``bench --script`` and tests.

A scenario is checked as a whole before anything runs. The table's decisions are printed as one JSON object per
line; the first expectation that fails ends it. The format is in ``docs/scenarios.md``.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from config import positions
from config.characters import decode
from config.loader import is_consequence, problem_of, read, validate
from config.problems import ConfigError, Finding
from config.problems import Path as Place
from config.schema import TableConfig
from controller.bench.contacts import with_contacts
from controller.bench.rig import Rig
from controller.bench.scenarios.checks import boundary_number, findings, section_number
from controller.bench.scenarios.expectations import Mismatch, Observation, differences
from controller.bench.scenarios.json_lines import JsonLineWriter, seconds
from controller.bench.scenarios.steps import HandStep, Scenario, ScenarioStep, SpinStep
from controller.events.event import Direction
from controller.journal.record import RecordedDecision
from controller.runtime.exit_codes import CONFIGURATION, FAILED, OK
from hal.errors import HalError

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
    options = {"seed": seed} if seed is not None else None
    player = _Player(source, out)
    rig = Rig(with_contacts(config), journal, options, SLICE_NS, (player.hear,))
    try:
        return player.play(rig, scenario)
    finally:
        rig.table.stop()
        rig.journal.close()


def load_scenario(script: Path, config: TableConfig) -> tuple[Scenario, positions.YamlSource]:
    """Read a scenario and check it against a table.

    Raises:
        ConfigError: with every problem in the file.
    """
    name = str(script)
    source = positions.parse(decode(read(script), name), name, first="steps")
    scenario, found = validate(source.data, Scenario)
    found += findings(source.data, config)
    problems = [*source.problems, *(problem_of(one, source) for one in found if not is_consequence(one, source))]
    if problems or scenario is None:
        raise ConfigError(problems)
    return scenario, source


@dataclass
class _ExpectationError(Exception):
    """An expectation does not hold."""

    path: Place
    found: list[Mismatch]


@dataclass
class _StepError(Exception):
    """The simulated hardware cannot do what a step asks."""

    path: Place
    reason: str


class _Player:
    """Carries out steps, and prints the table's decisions."""

    def __init__(self, source: positions.YamlSource, out: TextIO) -> None:
        self._source = source
        self._writer = JsonLineWriter(out)
        self._seen = Observation()
        self._rig: Rig

    def play(self, rig: Rig, scenario: Scenario) -> int:
        self._rig = rig
        try:
            for number, step in enumerate(scenario.steps):
                self._step(("steps", number), step)
        except _ExpectationError as failed:
            self._tell_failure(failed)
            return FAILED
        except _StepError as impossible:
            problem = problem_of(Finding(impossible.path, impossible.reason), self._source)
            self._writer.write_line({"kind": "error", "line": problem.line, "message": impossible.reason})
            print(problem, file=sys.stderr)
            return CONFIGURATION
        return OK

    def hear(self, recorded: RecordedDecision) -> None:
        """A listener of the table."""
        self._seen.keep(recorded.record)
        self._writer(recorded)

    # -- steps ---------------------------------------------------------------------------------------------

    def _step(self, path: Place, step: ScenarioStep) -> None:
        at = (*path, step.action)
        stamp = {"t_s": seconds(self._rig.clock.now_ns()), "round": self._rig.machine.round}
        self._writer.write_line({**stamp, "kind": "step", "line": self._line(at), "action": step.action})
        if step.repeat is not None:
            for _ in range(step.repeat.times):
                for number, inner in enumerate(step.repeat.steps):
                    self._step((*at, "steps", number), inner)
            return
        try:
            self._act(step)
        except (HalError, ValueError) as error:
            raise _StepError(at, str(error)) from error
        if step.expect is not None:
            found = differences(step.expect, self._rig, self._seen)
            self._seen.beeps = self._rig.world.sounder.beeps
            if found:
                raise _ExpectationError(at, found)

    def _act(self, step: ScenarioStep) -> None:
        rig = self._rig
        rig.press(*(step.press or ()), *(step.keys or ()))
        if step.spin is not None:
            self._spin(step.spin)
        if step.turn is not None:
            rig.turn(float(step.turn.revolutions), float(step.turn.seconds), step.turn.rest)
        if step.hand is not None:
            self._hand(step.hand)
        if step.rotor is not None:
            turned = step.rotor
            rig.turn_rotor(float(turned.speed_rev_s), Direction(turned.direction), float(turned.wait_s))
        if step.ball is not None:
            ball, out = step.ball, step.ball.leaves_after
            leaves_after = None if out is None else float(out)
            rig.throw_ball(float(ball.turns), ball.into or "", ball.with_rotor, leaves_after, ball.rest)
        if step.wait_s is not None:
            rig.wait(float(step.wait_s))
        if step.fault is not None:
            rig.world.fault(step.fault.name, step.fault.target, float(step.fault.amount))
        if step.mend:
            rig.world.repair()
        if step.power_cut is not None:
            rig.power_cut(float(step.power_cut.off_s), step.power_cut.opened)

    def _spin(self, spin: SpinStep) -> None:
        order = self._rig.order
        stop_on = section_number(spin.stop_on, order) if spin.stop_on is not None else None
        between = boundary_number(spin.stop_between, order) if spin.stop_between is not None else None
        self._rig.spin(float(spin.revolutions), Direction(spin.direction), stop_on, between, spin.rest)

    def _hand(self, hand: HandStep) -> None:
        hands = self._rig.world.hands
        if hand.push_deg_s is not None:
            hands.nudge(float(hand.push_deg_s))
        elif hand.brake_nm is not None:
            hands.brake(float(hand.brake_nm), float(hand.seconds))
        elif hand.hold:
            hands.hold()
        else:
            hands.let_go()

    # -- output --------------------------------------------------------------------------------------------

    def _tell_failure(self, failed: _ExpectationError) -> None:
        first = (*failed.path, failed.found[0].key)
        line = self._line(first)
        expected = {difference.key: difference.expected for difference in failed.found}
        found = {difference.key: difference.found for difference in failed.found}
        self._writer.write_line({"kind": "failed", "line": line, "expected": expected, "found": found})
        words = "; ".join(difference.words for difference in failed.found)
        print(f"{self._source.name}:{line}: {words}", file=sys.stderr)

    def _line(self, path: Place) -> int:
        return self._source.find(path).line
