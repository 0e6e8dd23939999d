"""Scenarios: a table on simulated hardware, run from a file, unattended. Used by ``bench --script`` and tests.

A scenario is checked as a whole before anything runs. The table's decisions are printed as one JSON object per
line; the first expectation that fails ends it. The format is in ``docs/scenarios.md``.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from config import positions
from config.characters import decode
from config.loader import is_consequence, problem_of, read, validate
from config.problems import ConfigError, Finding
from config.problems import Path as Place
from config.rules import control_places
from config.schema import TableConfig
from controller.access.credentials import Role
from controller.bench.expectations import NONE, Observation, differences
from controller.bench.json_lines import JsonLineWriter, seconds
from controller.bench.rig import Rig, boundary_in, section_in
from controller.bench.scenario_steps import HandStep, PersonPart, Scenario, ScenarioStep
from controller.bench.simulated_table import with_contacts
from controller.configuration.machines import table_machine
from controller.events.effect import Effect
from controller.events.event import Event
from controller.journal.record import RecordedDecision
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.exit_codes import CONFIGURATION, FAILED, OK
from controller.runtime.table import Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.runtime.watches import LOOKS_NS
from controller.table.desk import Staff
from hal.errors import HalError
from hal.mock.clock import NS_PER_S
from hal.mock.world import FAULTS
from hal.wall_time import SetBy

SLICE_NS = 50_000_000
"""How often a turning wheel delivers its edges."""
_MOST_LISTED = 60
"""More names than that are not listed in a message."""


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
    player.rig = rig = ScenarioRig(with_contacts(config), journal, seed, scenario.people, player.hear)
    try:
        for number, step in enumerate(scenario.steps):
            player.step(("steps", number), step)
    except _EndedError as ended:
        return ended.code
    finally:
        rig.close()
    return OK


def load_scenario(script: Path, config: TableConfig) -> tuple[Scenario, positions.YamlSource]:
    """Read a scenario and check it against a table.

    Raises:
        ConfigError: with every problem in the file.
    """
    name = str(script)
    source = positions.parse(decode(read(script), name), name, first="steps")
    scenario, found = validate(source.data, Scenario)
    found += _findings(source.data, config)
    problems = [*source.problems, *(problem_of(one, source) for one in found if not is_consequence(one, source))]
    if problems or scenario is None:
        raise ConfigError(problems)
    return scenario, source


# -- the run -------------------------------------------------------------------------------------------------------


class _EndedError(Exception):
    def __init__(self, code: int) -> None:
        self.code = code


class _Player:
    """Carries out the steps of a scenario; prints them, the table's decisions, and what failed."""

    rig: "ScenarioRig"

    def __init__(self, scenario: Scenario, source: positions.YamlSource, out: TextIO) -> None:
        self._source = source
        self._writer = JsonLineWriter(out)
        self._seen = Observation()

    def hear(self, recorded: RecordedDecision) -> None:
        """A listener of the table."""
        self._seen.keep(recorded.record)
        self._writer(recorded)

    def step(self, path: Place, step: ScenarioStep) -> None:
        """Carry out a step.

        Raises:
            _EndedError: an expectation does not hold, or the step is not possible.
        """
        at, rig = (*path, step.action), self.rig
        stamp = {"t_s": seconds(rig.clock.now_ns()), "round": rig.machine.round}
        self._writer.write_line({**stamp, "kind": "step", "line": self._line(at), "action": step.action})
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
                self._writer.write_line({"kind": "failed", "line": line, "expected": expected, "found": instead})
                words = "; ".join(one.words(key) for key, one in found.items())
                print(f"{self._source.name}:{line}: {words}", file=sys.stderr)
                raise _EndedError(FAILED)
        else:
            try:
                _ACTS[step.action](rig, getattr(step, step.action))
            except (HalError, ValueError, LookupError) as error:
                problem = problem_of(Finding(at, str(error)), self._source)
                self._writer.write_line({"kind": "error", "line": problem.line, "message": str(error)})
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
        hear: Callable[[RecordedDecision], None],
    ) -> None:
        self.people = people
        options = {"seed": seed} if seed is not None else None
        super().__init__(config, journal, options, SLICE_NS, (hear,), People(people).staff)
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
    hands = rig.world.hands
    if hand.push_deg_s is not None:
        hands.nudge(hand.push_deg_s)
    elif hand.brake_nm is not None:
        hands.brake(hand.brake_nm, hand.seconds)
    elif hand.hold:
        hands.hold()
    else:
        hands.let_go()


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


# -- the check before it -------------------------------------------------------------------------------------------

_NAMES = {
    ("press",): "control",
    ("floor", "act"): "act",
    ("floor", "by"): "floorperson",
    ("log_on",): "dealer",
    ("fault", "name"): "fault",
    ("power_cut", "opened"): "contact",
    ("ball", "into"): "pocket",
    ("expect", "state"): "state",
    ("expect", "lit"): "area",
    ("expect", "instruction"): "code",
    ("expect", "prompt"): "code",
    ("expect", "refused"): "code",
    ("expect", "alerts"): "code",
    ("expect", "menu"): "act",
}
"""Where a step names what a table has, and what that is."""


def _findings(data: object, config: TableConfig) -> Iterator[Finding]:
    """What a scenario uses and this table does not have.

    Args:
        data: a scenario as read from its file. Steps that are not valid by themselves are skipped.
    """
    data = data if isinstance(data, dict) else {}
    if data.get("game") not in (None, config.game):
        message = f"the scenario is for {data['game']}, but the table plays {config.game}"
        yield Finding(("game",), message, "choose the other table, or another scenario")
        return
    known = _known(config, data.get("people"))
    for path, step in _walk(data, ("steps",)):
        yield from _check(path, step, known)


def _walk(data: Mapping[str, object], path: Place) -> Iterator[tuple[Place, ScenarioStep]]:
    """Every step that is valid by itself with its place in the file."""
    steps = data.get("steps")
    for number, raw in enumerate(steps if isinstance(steps, list) else ()):
        at = (*path, number)
        if isinstance(raw, dict) and isinstance(raw.get("repeat"), dict):
            yield from _walk(raw["repeat"], (*at, "repeat", "steps"))
            continue
        try:
            yield at, ScenarioStep.model_validate(raw)
        except ValidationError:
            continue


def _known(config: TableConfig, people: object) -> dict[str, tuple[str, ...] | None]:
    """What the table has, by what it is; None where any name will do."""
    game, devices = find_game(config.game), with_contacts(config).devices
    codes = tuple(words_of(game)) if game.words else None
    roles = {
        number: one.get("role", "floorperson")
        for number, one in (people.items() if isinstance(people, dict) else ())
        if isinstance(one, dict)
    }
    return {
        "control": (*(name for _, name in control_places(devices)), *devices.switches.pins),
        "contact": tuple(devices.tamper.contacts) if devices.tamper is not None else (),
        "area": tuple(devices.panel.lamps),
        "section": game.wheel,
        "pocket": game.pockets(config.rules) if game.pockets is not None else (),
        "state": tuple(str(state.value) for state in table_machine(game, config).states),
        "fault": tuple(FAULTS),
        "code": codes and (*codes, NONE),
        "act": codes and tuple(code.removeprefix("menu-") for code in codes if code.startswith("menu-")),
        "floorperson": tuple(number for number, role in roles.items() if role == "floorperson"),
        # Where nobody is declared, the table takes any dealer's number.
        "dealer": tuple(number for number, role in roles.items() if role == "dealer") if roles else None,
    }


def _check(path: Place, step: ScenarioStep, known: Mapping[str, tuple[str, ...] | None]) -> Iterator[Finding]:
    at, value = (*path, step.action), getattr(step, step.action)
    for wheel, what, actions in (
        ("section", "wheel with a clapper", ("spin", "turn")),
        ("pocket", "roulette wheel", ("rotor", "ball")),
    ):
        if step.action in actions and not known[wheel]:
            yield Finding(at, f"this table has no {what}", "remove the step", on_key=True)
            return
    for (action, *option), what in _NAMES.items():
        if action == step.action:
            named = getattr(value, option[0]) if option else value
            names = [named] if isinstance(named, str) else named or ()
            # Of an act with its argument only the act is known beforehand.
            names = (name.split()[0] for name in names if name) if what == "act" else names
            yield from _unknown(what, filter(None, names), known[what], (*at, *option))
    if step.spin is not None:
        yield from _stop(at, step, known["section"] or ())
    if step.expect is not None:
        for key in ("recorded", "not_recorded"):
            parts = getattr(step.expect, key) or ()
            for number, part in enumerate(parts):
                place = (*at, key) if len(parts) == 1 else (*at, key, number)
                yield from _record(place, part.kind, part.fields)


def _stop(at: Place, step: ScenarioStep, order: tuple[str, ...]) -> Iterator[Finding]:
    spin = step.spin
    assert spin is not None
    try:
        if spin.stop_on is not None:
            at = (*at, "stop_on")
            section_in(order, spin.stop_on)
        if spin.stop_between is not None:
            at = (*at, "stop_between")
            boundary_in(order, spin.stop_between)
    except ValueError as error:
        message, _, remedy = str(error).partition("; ")
        yield Finding(at, message, remedy)


def _record(path: Place, kind: str, given: Iterable[str]) -> Iterator[Finding]:
    things = (*Event.__subclasses__(), *Effect.__subclasses__())
    kinds = {thing.kind: [field.name for field in fields(thing) if field.name != "kind"] for thing in things}
    yield from _unknown("event or effect", [kind], tuple(kinds), (*path, "kind"))
    for name in given:
        if kind in kinds and name not in kinds[kind]:
            message = f"'{kind}' has no field '{name}'"
            yield Finding((*path, name), message, _choice(name, kinds[kind]), on_key=True)


def _unknown(what: str, names: Iterable[str], known: tuple[str, ...] | None, path: Place) -> Iterator[Finding]:
    for name in names:
        if known is not None and name not in known:
            yield Finding(path, f"no {what} '{name}' at this table", _choice(name, known))


def _choice(name: str, known: Iterable[str]) -> str:
    """A remedy: the closest name, or all names, if they can be read at a glance."""
    known = tuple(known)
    near = get_close_matches(name, known, n=1) if len(name) > 2 else []
    if near:
        return f"did you mean {near[0]}?"
    if len(known) > _MOST_LISTED:
        alike = ", ".join(get_close_matches(name, known, n=5, cutoff=0))
        return f"use a code that the run prints; {alike} are the most alike"
    return f"use one of: {', '.join(known) or 'none'}"
