"""Compares a scenario's expectations with the table. Used by :mod:`controller.bench.scenario`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from controller.bench.rig import Rig
from controller.bench.scenario_steps import ExpectStep, RecordPart
from controller.events.record import Record
from controller.journal.record import plain

NONE = "none"
"""Stands for no prompt, and no refusal."""

Plain = Mapping[str, object]


@dataclass(slots=True)
class Observation:
    """What happened at the table since the last expectation."""

    since: list[Plain] = field(default_factory=list)
    """Events and effects, as plain data."""
    beeps: int = 0
    """Sounds up to the last expectation."""

    def keep(self, record: Record) -> None:
        """Keep the events and effects of a decision."""
        body = plain(record)
        effects = body["effects"]
        assert isinstance(effects, list)
        self.since += [body["event"], *effects]  # type: ignore[list-item]

    def expected(self, rig: Rig) -> None:
        """An expectation was compared: from now on is after it."""
        self.since.clear()
        self.beeps = rig.world.sounder.beeps

    def of(self, kind: str) -> list[Plain]:
        """What was recorded of a kind since the last expectation."""
        return [thing for thing in self.since if thing["kind"] == kind]

    def matching(self, part: RecordPart) -> list[Plain]:
        """The same, with the fields that are wanted."""
        return [thing for thing in self.of(part.kind) if _agrees(part.wanted, thing)]


class Difference(NamedTuple):
    """What is expected for a key of ``expect``, and what is found in its place."""

    expected: object
    found: object
    more: str = ""

    def words(self, key: str) -> str:
        more = f" ({self.more})" if self.more else ""
        return f"expected {key} {_text(self.expected)}, found {_text(self.found)}{more}"


def differences(expect: ExpectStep, rig: Rig, seen: Observation) -> dict[str, Difference]:
    """What does not agree, by key, in the order of the model."""
    found: dict[str, Difference] = {}
    for key in (key for key in ExpectStep.model_fields if key in expect.model_fields_set):
        expected = getattr(expect, key)
        if key in _PARTS:
            difference = _PARTS[key](expected, rig, seen)
        else:
            value = _VALUES[key](rig, seen)
            expected = sorted(set(expected)) if key == "lit" else expected
            more = rig.waiting_for if key == "state" else ""
            difference = Difference(expected, value, more) if expected != value else None
        if difference is not None:
            found[key] = difference
    return found


def _refused(seen: Observation) -> str:
    codes = [str(one.get("why") or one["waiting_for"]) for one in seen.of("refused")]
    return codes[-1] if codes else NONE


_VALUES: dict[str, Callable[[Rig, Observation], object]] = {
    "state": lambda rig, seen: str(rig.state.value),
    "round": lambda rig, seen: rig.machine.round,
    "lit": lambda rig, seen: sorted(rig.lit()),
    "instruction": lambda rig, seen: rig.machine.instruction().code,
    "prompt": lambda rig, seen: rig.prompt.text.code or NONE,
    "refused": lambda rig, seen: _refused(seen),
    "alerts": lambda rig, seen: [thing["text"] for thing in seen.of("alert")],
}
"""Values that are equal to the expected one."""


def _menu(expected: Sequence[str], rig: Rig, seen: Observation) -> Difference | None:
    """An expected act stands for all offers of it; with an argument for that one only."""
    open_now = [offer for entry in rig.table.desk.entries for offer in entry.offers]
    offers = [one for one in open_now or rig.machine.offers() if not one.unavailable]
    found = dict.fromkeys(
        one.act if one.act in expected else f"{one.act} {one.argument}".rstrip() for one in offers
    )
    return Difference(expected, list(found)) if sorted(expected) != sorted(found) else None


def _recorded(expected: Sequence[RecordPart], rig: Rig, seen: Observation) -> Difference | None:
    """Of what is missing, the same fields of what is on record of its kind."""
    missing = [part for part in expected if not seen.matching(part)]
    found = [
        {key: thing.get(key) for key in ("kind", *part.wanted)} for part in missing for thing in seen.of(part.kind)
    ]
    return Difference([{"kind": part.kind, **part.wanted} for part in missing], found) if missing else None


def _not_recorded(expected: Sequence[RecordPart], rig: Rig, seen: Observation) -> Difference | None:
    wrong = [part for part in expected if seen.matching(part)]
    found = [thing for part in wrong for thing in seen.matching(part)]
    return Difference([{"kind": part.kind, **part.wanted} for part in wrong], found) if wrong else None


def _beeps(expected: int, rig: Rig, seen: Observation) -> Difference | None:
    found = rig.world.sounder.beeps - seen.beeps
    return Difference(expected, found) if found < expected else None


_PARTS: dict[str, Callable[..., Difference | None]] = {
    "menu": _menu,
    "recorded": _recorded,
    "not_recorded": _not_recorded,
    "beeps_at_least": _beeps,
}


def _agrees(expected: object, found: object) -> bool:
    """Whether plain data equals that of a scenario: scalars as text, sections in the keys that are given."""
    if isinstance(expected, Mapping):
        return isinstance(found, Mapping) and all(
            key in found and _agrees(value, found[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(_agrees, expected, found))
    return expected == (None if found is None else _text(found))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return "null" if value is None else str(value)
