"""Scenarios: a table on simulated hardware, run from a file, unattended. Used by ``bench --script`` and tests.

A scenario is checked as a whole before anything runs. The table's decisions are printed as one JSON object per
line; the first expectation that fails ends it. The format is in ``docs/scenarios.md``.
"""

import sys
from pathlib import Path
from typing import TextIO

from config import positions
from config.characters import decode
from config.loader import is_consequence, problem_of, read, validate
from config.problems import ConfigError, Finding
from config.problems import Path as Place
from config.schema import TableConfig
from controller.bench.contacts import with_contacts
from controller.bench.scenarios.checks import findings
from controller.bench.scenarios.expectations import Observation
from controller.bench.scenarios.json_lines import JsonLineWriter, seconds
from controller.bench.scenarios.player import ClockedRig, ExpectationError, People, Player, StepError
from controller.bench.scenarios.steps import Scenario, ScenarioStep
from controller.errors import CONFIGURATION, FAILED, OK
from controller.journal.record import RecordedDecision

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
    printer, staff = _Printer(source, out), People(scenario.people or {}).staff
    rig = ClockedRig(with_contacts(config), journal, options, SLICE_NS, (printer.hear,), staff)
    try:
        return printer.play(rig, scenario)
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


class _Printer:
    """Prints the steps of a scenario, the table's decisions, and what failed."""

    def __init__(self, source: positions.YamlSource, out: TextIO) -> None:
        self._source = source
        self._writer = JsonLineWriter(out)
        self.seen = Observation()

    def play(self, rig: ClockedRig, scenario: Scenario) -> int:
        def begins(at: Place, step: ScenarioStep) -> None:
            stamp = {"t_s": seconds(rig.clock.now_ns()), "round": rig.machine.round}
            self._writer.write_line({**stamp, "kind": "step", "line": self._line(at), "action": step.action})

        player = Player(rig, People(scenario.people or {}), self.seen, begins)
        try:
            for number, step in enumerate(scenario.steps):
                player.step(("steps", number), step)
        except ExpectationError as failed:
            self._tell_failure(failed)
            return FAILED
        except StepError as impossible:
            problem = problem_of(Finding(impossible.path, impossible.reason), self._source)
            self._writer.write_line({"kind": "error", "line": problem.line, "message": impossible.reason})
            print(problem, file=sys.stderr)
            return CONFIGURATION
        return OK

    def hear(self, recorded: RecordedDecision) -> None:
        """A listener of the table."""
        self.seen.keep(recorded.record)
        self._writer(recorded)

    def _tell_failure(self, failed: ExpectationError) -> None:
        line = self._line((*failed.path, next(iter(failed.found))))
        expected = {key: one.expected for key, one in failed.found.items()}
        found = {key: one.found for key, one in failed.found.items()}
        self._writer.write_line({"kind": "failed", "line": line, "expected": expected, "found": found})
        words = "; ".join(one.words(key) for key, one in failed.found.items())
        print(f"{self._source.name}:{line}: {words}", file=sys.stderr)

    def _line(self, path: Place) -> int:
        return self._source.find(path).line
