"""Checks a scenario against a table before anything runs: does the table have these keys, sections, areas?

Used by :mod:`controller.bench.scenarios.script`. The shape of a scenario is checked by
:mod:`controller.bench.scenarios.steps`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches

from pydantic import ValidationError

from config.problems import Finding, Path
from config.rules import control_places
from config.schema import TableConfig
from controller.bench.contacts import with_contacts
from controller.bench.scenarios.expectations import NONE
from controller.bench.scenarios.steps import ExpectStep, RecordPart, ScenarioStep, SpinStep
from controller.configuration.machines import table_machine
from controller.events.effect import Effect
from controller.events.event import Event
from controller.machine.game import Game, words_of
from controller.machine.registry import find_game
from hal.mock.world import FAULTS

_SECTION = re.compile(r"section ([1-9][0-9]{0,3})")
_MOST_LISTED = 60
"""More names than that are not listed in a message."""


def kinds() -> dict[str, tuple[str, ...]]:
    """The kinds of events and effects, each with its fields."""
    things = (*Event.__subclasses__(), *Effect.__subclasses__())
    return {thing.kind: tuple(field.name for field in fields(thing) if field.name != "kind") for thing in things}


def section_number(text: str, order: Sequence[str]) -> int:
    """The index in a wheel's order of a scenario's section: ``40`` (the first of that name), ``section 32``.

    Raises:
        ValueError: the wheel has no such section.
    """
    if match := _SECTION.fullmatch(text):
        number = int(match[1])
        if number > len(order):
            raise ValueError(f"the wheel has no section {number}; write 'section 1' to 'section {len(order)}'")
        return number - 1
    if text not in order:
        raise ValueError(f"no section '{text}' on this wheel; {_choice('', dict.fromkeys(order))}")
    return order.index(text)


def boundary_number(between: Sequence[str], order: Sequence[str]) -> int:
    """The index in the order of the second of two neighbouring sections, which is the number of their boundary.

    Raises:
        ValueError: there are no such sections, or they are not neighbours.
    """
    one, other = between
    places = [_places(text, order) for text in (one, other)]
    for second in range(len(order)):
        first = (second - 1) % len(order)
        if (first in places[0] and second in places[1]) or (first in places[1] and second in places[0]):
            return second
    raise ValueError(f"{one} and {other} are not neighbours on this wheel; name two that are")


def findings(data: object, config: TableConfig) -> Iterator[Finding]:
    """What a scenario uses and this table does not have.

    Args:
        data: a scenario as read from its file. Steps that are not valid by themselves are skipped.
    """
    game = data.get("game") if isinstance(data, dict) else None
    if game not in (None, config.game):
        message = f"the scenario is for {game}, but the table plays {config.game}"
        yield Finding(("game",), message, "choose the other table, or another scenario")
        return
    check = _Check(config, find_game(config.game), _numbers(data))
    for path, step in _walk(data, ("steps",)):
        yield from check.step(path, step)


def _walk(data: object, path: Path) -> Iterator[tuple[Path, ScenarioStep]]:
    """Every step that is valid by itself with its place in the file."""
    steps = data.get("steps") if isinstance(data, dict) else None
    for number, raw in enumerate(steps if isinstance(steps, list) else ()):
        at = (*path, number)
        if isinstance(raw, dict) and isinstance(raw.get("repeat"), dict):
            yield from _walk(raw["repeat"], (*at, "repeat", "steps"))
            continue
        try:
            yield at, ScenarioStep.model_validate(raw)
        except ValidationError:
            continue


def _numbers(data: object) -> dict[str, object]:
    """The credential numbers of a scenario's people, each with the role."""
    people = data.get("people") if isinstance(data, dict) else None
    found = people.items() if isinstance(people, dict) else ()
    return {number: one.get("role", "floorperson") for number, one in found if isinstance(one, dict)}


class _Check:
    """Args:
    people: credential numbers, each with the role.
    """

    def __init__(self, config: TableConfig, game: Game, people: Mapping[str, object]) -> None:
        devices = config.devices
        self._controls = (*(name for _, name in control_places(devices)), *devices.switches.pins)
        tamper = with_contacts(config).devices.tamper
        self._contacts = tuple(tamper.contacts) if tamper is not None else ()
        self._areas = tuple(devices.panel.lamps)
        self._order = game.wheel
        self._pockets = game.pockets(config.rules) if game.pockets is not None else ()
        self._states = tuple(str(state.value) for state in table_machine(game, config).states)
        self._people = people
        self._words = words_of(game) if game.words else {}

    def step(self, path: Path, step: ScenarioStep) -> Iterator[Finding]:
        at = (*path, step.action)
        yield from _unknown("control", step.press or step.keys or (), self._controls, at)
        if step.floor is not None:
            yield from self._person("floorperson", step.floor.by, (*at, "by"))
            yield from self._codes("menu-", "act", [step.floor.act or ""], (*at, "act"))
        yield from self._person("dealer", step.log_on, at)
        if step.fault is not None:
            yield from _unknown("fault", [step.fault.name], FAULTS, (*at, "name"))
        if step.power_cut is not None:
            yield from _unknown("contact", step.power_cut.opened, self._contacts, (*at, "opened"))
        if not self._order and step.action in ("spin", "turn"):
            yield Finding(at, "this table has no wheel with a clapper", "remove the step", on_key=True)
        elif not self._pockets and step.action in ("rotor", "ball"):
            yield Finding(at, "this table has no roulette wheel", "remove the step", on_key=True)
        elif step.ball is not None and step.ball.into is not None:
            yield from _unknown("pocket", [step.ball.into], self._pockets, (*at, "into"))
        elif step.spin is not None:
            yield from self._stop(at, step.spin)
        if step.expect is not None:
            yield from self._expect(at, step.expect)

    def _stop(self, path: Path, spin: SpinStep) -> Iterator[Finding]:
        try:
            if spin.stop_on is not None:
                path = (*path, "stop_on")
                section_number(spin.stop_on, self._order)
            if spin.stop_between is not None:
                path = (*path, "stop_between")
                boundary_number(spin.stop_between, self._order)
        except ValueError as error:
            message, _, remedy = str(error).partition("; ")
            yield Finding(path, message, remedy)

    def _expect(self, path: Path, expect: ExpectStep) -> Iterator[Finding]:
        if expect.state is not None:
            yield from _unknown("state", [expect.state], self._states, (*path, "state"))
        yield from _unknown("area", expect.lit or (), self._areas, (*path, "lit"))
        codes = {key: getattr(expect, key) for key in ("instruction", "prompt", "refused", "alerts")}
        for key, given in codes.items():
            yield from self._codes("", "code", [given] if isinstance(given, str) else given or (), (*path, key))
        yield from self._codes("menu-", "act", (act.split()[0] for act in expect.menu or ()), (*path, "menu"))
        for key in ("last", "recorded", "not_recorded"):
            given = getattr(expect, key)
            parts = given if isinstance(given, list) else [given] if given is not None else []
            for number, part in enumerate(parts):
                yield from _record((*path, key) if len(parts) == 1 else (*path, key, number), part)

    def _person(self, role: str, number: str | None, path: Path) -> Iterator[Finding]:
        """Where nobody is declared, the table asks for no floorperson, and takes any dealer's number."""
        if number is not None and (self._people or role == "floorperson"):
            yield from _unknown(role, [number], [one for one, of in self._people.items() if of == role], path)

    def _codes(self, prefix: str, what: str, codes: Iterable[str], path: Path) -> Iterator[Finding]:
        """Codes without words, at a game that has words."""
        known = [code.removeprefix(prefix) for code in self._words if code.startswith(prefix)]
        yield from _unknown(what, (code for code in codes if known and code not in ("", NONE)), known, path)


def _record(path: Path, part: RecordPart) -> Iterator[Finding]:
    known = kinds()
    if part.kind not in known:
        yield from _unknown("event or effect", [part.kind], known, (*path, "kind"))
        return
    for name in part.model_extra or {}:
        if name not in known[part.kind]:
            message = f"'{part.kind}' has no field '{name}'"
            yield Finding((*path, name), message, _choice(name, known[part.kind]), on_key=True)


def _unknown(what: str, names: Iterable[str], known: Iterable[str], path: Path) -> Iterator[Finding]:
    known = tuple(known)
    for name in names:
        if name not in known:
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


def _places(text: str, order: Sequence[str]) -> list[int]:
    first = section_number(text, order)
    return [place for place, name in enumerate(order) if name == text] or [first]
