"""Compares a scenario's expectations with the table. Used by :mod:`controller.bench.scenario`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from controller.bench.rig import Rig
from controller.bench.steps import Expect, Recorded
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
        body: dict[str, Any] = plain(record)
        self.since += [body["event"], *body["effects"]]

    def expected(self, rig: Rig) -> None:
        """An expectation was compared: from now on is after it."""
        self.since.clear()
        self.beeps = rig.world.sounder.beeps

    def of(self, kind: str) -> list[Plain]:
        """What was recorded of a kind since the last expectation."""
        return [thing for thing in self.since if thing["kind"] == kind]

    def matching(self, part: Recorded) -> list[Plain]:
        """The same, with the fields that are wanted."""
        return [thing for thing in self.of(part.kind) if _agrees(part.wanted, thing)]


class Difference(NamedTuple):
    """What is expected for a key of ``expect``, and what is found in its place."""

    expected: object
    found: object
    more: str = ""

    def words(self, key: str) -> str:
        more = f" ({self.more})" if self.more else ""
        return f"expected {key} {as_text(self.expected)}, found {as_text(self.found)}{more}"


def differences(expect: Expect, rig: Rig, seen: Observation) -> dict[str, Difference]:
    """What does not agree, by key, in the order of the model."""
    found = {}
    for key in (key for key in Expect.model_fields if key in expect.model_fields_set):
        difference = _DIFFERENCES[key](getattr(expect, key), rig, seen)
        if difference.expected != difference.found:
            found[key] = difference
    return found


def _lit(expected: list[str], rig: Rig, seen: Observation) -> Difference:
    return Difference(sorted(set(expected)), sorted(rig.lit()))


def _menu(expected: list[str], rig: Rig, seen: Observation) -> Difference:
    """An expected act stands for all offers of it; with an argument for that one only."""
    open_now = [offer for entry in rig.table.desk.entries for offer in entry.offers]
    offers = [one for one in open_now or rig.machine.offers() if not one.unavailable]
    found = list(
        dict.fromkeys(one.act if one.act in expected else f"{one.act} {one.argument}".rstrip() for one in offers)
    )
    return Difference(expected, expected if sorted(expected) == sorted(found) else found)


def _refused(expected: str, rig: Rig, seen: Observation) -> Difference:
    codes = [str(one.get("why") or one["waiting_for"]) for one in seen.of("refused")]
    return Difference(expected, codes[-1] if codes else NONE)


def _recorded(expected: list[Recorded], rig: Rig, seen: Observation) -> Difference:
    """Of what is missing, the same fields of what is on record of its kind."""
    missing = [part for part in expected if not seen.matching(part)]
    found = [
        {key: thing.get(key) for key in ("kind", *part.wanted)} for part in missing for thing in seen.of(part.kind)
    ]
    return Difference([{"kind": part.kind, **part.wanted} for part in missing], found if missing else [])


def _not_recorded(expected: list[Recorded], rig: Rig, seen: Observation) -> Difference:
    wrong = [part for part in expected if seen.matching(part)]
    found = [thing for part in wrong for thing in seen.matching(part)]
    return Difference([{"kind": part.kind, **part.wanted} for part in wrong], found)


def _beeps(expected: int, rig: Rig, seen: Observation) -> Difference:
    found = rig.world.sounder.beeps - seen.beeps
    return Difference(expected, min(found, expected))


_DIFFERENCES: dict[str, Callable[[Any, Rig, Observation], Difference]] = {
    "state": lambda expected, rig, seen: Difference(expected, str(rig.state.value), rig.waiting_for),
    "round": lambda expected, rig, seen: Difference(expected, rig.machine.round),
    "lit": _lit,
    "instruction": lambda expected, rig, seen: Difference(expected, rig.machine.instruction().code),
    "prompt": lambda expected, rig, seen: Difference(expected, rig.prompt.text.code or NONE),
    "menu": _menu,
    "refused": _refused,
    "alerts": lambda expected, rig, seen: Difference(expected, [thing["text"] for thing in seen.of("alert")]),
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
    return expected == (None if found is None else as_text(found))


def as_text(value: object) -> str:
    """Plain data as a scenario has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {as_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_text, value)) + "]"
    return "null" if value is None else str(value)
