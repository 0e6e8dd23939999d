"""Compares a scenario's expectations with the table. Used by :mod:`controller.bench.scenarios.player`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from controller.bench.rig import Rig
from controller.bench.scenarios.steps import ExpectStep, RecordPart
from controller.events.record import Record
from controller.journal.record import plain

NONE = "none"
"""Stands for no prompt, and no refusal."""


@dataclass(slots=True)
class Observation:
    """What a scenario has observed of the table."""

    last: dict[str, dict[str, object]] = field(default_factory=dict)
    """The last event or effect of each kind, as plain data."""
    since: list[dict[str, object]] = field(default_factory=list)
    """All events and effects since the last expectation."""
    beeps: int = 0
    """Sounds up to the last expectation."""

    def keep(self, record: Record) -> None:
        """Keep the events and effects of a decision."""
        body = plain(record)
        effects = body["effects"]
        assert isinstance(effects, list)
        for thing in (body["event"], *effects):
            assert isinstance(thing, dict)
            self.last[str(thing["kind"])] = thing
            self.since.append(thing)

    def expected(self, rig: Rig) -> None:
        """An expectation was compared: from now on is after it."""
        self.since.clear()
        self.beeps = rig.world.sounder.beeps

    def of(self, kind: str) -> list[dict[str, object]]:
        """What was recorded of a kind since the last expectation."""
        return [thing for thing in self.since if thing["kind"] == kind]


class Seen(NamedTuple):
    """What is found for a key of ``expect``, in the form in which it is expected."""

    expected: object
    found: object
    agrees: bool
    more: str = ""

    def words(self, key: str) -> str:
        more = f" ({self.more})" if self.more else ""
        return f"expected {key} {_text(self.expected)}, found {_text(self.found)}{more}"


def differences(expect: ExpectStep, rig: Rig, seen: Observation) -> dict[str, Seen]:
    """What does not agree, by key, in the order of the model."""
    keys = [key for key in ExpectStep.model_fields if key in expect.model_fields_set]
    compared = {key: _LOOKS[key](getattr(expect, key), rig, seen) for key in keys}
    return {key: found for key, found in compared.items() if not found.agrees}


def agrees(expected: object, found: object) -> bool:
    """Whether plain data equals that of a scenario: scalars as text, sections in the keys that are given."""
    if isinstance(expected, Mapping):
        return isinstance(found, Mapping) and all(
            key in found and agrees(value, found[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return False
        return all(map(agrees, expected, found))
    return expected == (None if found is None else _text(found))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return "null" if value is None else str(value)


# -- what there is, by key ---------------------------------------------------------------------------------------

Look = Callable[..., Seen]
"""Takes what is expected, the table, and what was observed."""


def _same(found: Callable[[Rig, Observation], object]) -> Look:
    """A value that must be equal."""

    def look(expected: object, rig: Rig, seen: Observation) -> Seen:
        value = found(rig, seen)
        return Seen(expected, value, expected == value)

    return look


def _state(expected: str, rig: Rig, seen: Observation) -> Seen:
    found = str(rig.state.value)
    return Seen(expected, found, expected == found, rig.waiting_for)


def _lit(expected: list[str], rig: Rig, seen: Observation) -> Seen:
    wanted, found = sorted(set(expected)), sorted(rig.lit())
    return Seen(wanted, found, wanted == found)


def _dark(expected: bool, rig: Rig, seen: Observation) -> Seen:
    lit = sorted(rig.lit())
    return Seen(expected, not lit, expected is not bool(lit), _text(lit))


def _menu(expected: list[str], rig: Rig, seen: Observation) -> Seen:
    """An expected act stands for all offers of it; with an argument for that one only."""
    open_now = [offer for entry in rig.table.desk.entries for offer in entry.offers]
    offers = [one for one in open_now or rig.machine.offers() if not one.unavailable]
    named = {act for act in expected if " " not in act}
    found = [one.act if one.act in named else f"{one.act} {one.argument}".rstrip() for one in offers]
    found = list(dict.fromkeys(found))
    return Seen(expected, found, sorted(expected) == sorted(found))


def _refused(expected: str, rig: Rig, seen: Observation) -> Seen:
    codes = [str(one.get("why") or one["waiting_for"]) for one in seen.of("refused")]
    found = codes[-1] if codes else NONE
    return Seen(expected, found, expected == found)


def _recorded(expected: list[RecordPart], rig: Rig, seen: Observation) -> Seen:
    """Of one that is missing, what is on record of its kind."""
    missing = [part.wanted for part in expected if not _found(part.wanted, seen)]
    found = [_of(wanted, thing) for wanted in missing for thing in seen.of(str(wanted["kind"]))]
    return Seen(missing, found, not missing)


def _not_recorded(expected: list[RecordPart], rig: Rig, seen: Observation) -> Seen:
    wrong = [part.wanted for part in expected if _found(part.wanted, seen)]
    return Seen(wrong, [thing for wanted in wrong for thing in _found(wanted, seen)], not wrong)


def _found(wanted: Mapping[str, object], seen: Observation) -> list[dict[str, object]]:
    return [thing for thing in seen.of(str(wanted["kind"])) if agrees(wanted, thing)]


def _last(expected: RecordPart, rig: Rig, seen: Observation) -> Seen:
    found = seen.last.get(expected.kind)
    return Seen(expected.wanted, found and _of(expected.wanted, found), agrees(expected.wanted, found))


def _of(wanted: Mapping[str, object], found: Mapping[str, object]) -> dict[str, object]:
    """The fields that are compared."""
    return {key: found.get(key) for key in wanted}


def _beeps(expected: int, rig: Rig, seen: Observation) -> Seen:
    found = rig.world.sounder.beeps - seen.beeps
    return Seen(expected, found, found >= expected)


def _waiting_for(expected: str, rig: Rig, seen: Observation) -> Seen:
    return Seen(expected, rig.waiting_for, expected in rig.waiting_for)


def _codes(things: Iterable[Mapping[str, object]]) -> list[object]:
    return [thing["text"] for thing in things]


_LOOKS: dict[str, Look] = {
    "state": _state,
    "round": _same(lambda rig, seen: int(rig.machine.round)),
    "lit": _lit,
    "dark": _dark,
    "instruction": _same(lambda rig, seen: rig.machine.instruction().code),
    "prompt": _same(lambda rig, seen: rig.prompt.text.code or NONE),
    "menu": _menu,
    "refused": _refused,
    "alerts": _same(lambda rig, seen: _codes(seen.of("alert"))),
    "recorded": _recorded,
    "not_recorded": _not_recorded,
    "last": _last,
    "beeps_at_least": _beeps,
    "waiting_for": _waiting_for,
}
