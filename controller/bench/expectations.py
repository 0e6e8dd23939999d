"""Compares a scenario's expectations with the table. Used by :mod:`controller.bench.scenario`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, create_model, model_validator

from config.problems import did_you_mean
from config.values import Name
from controller.bench.rig import Rig
from controller.bench.steps import Part, StepText
from controller.events.effect import Effect
from controller.events.event import Event
from controller.events.record import Record
from controller.journal.record import plain

NONE = "none"
"""Stands for no prompt, and no refusal."""
Plain = Mapping[str, object]


class Recorded(Part):
    """An event or effect of a kind, and what some of its fields must be."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Name

    @model_validator(mode="after")
    def _on_record(self) -> Self:
        things = (*Event.__subclasses__(), *Effect.__subclasses__())
        kinds = {thing.kind: [field.name for field in fields(thing)] for thing in things}
        _known("event or effect", self.kind, kinds)
        for name in self.wanted:
            _known("field", name, kinds[self.kind])
        return self

    @property
    def wanted(self) -> dict[str, object]:
        return self.model_extra or {}


def _known(what: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise ValueError(f"no {what} '{name}'; {did_you_mean(name, known) or 'use one of: ' + ', '.join(known)}")


def _listed(value: object) -> object:
    """A single name or section is a list of one."""
    return [value] if isinstance(value, str | dict) else value


Codes = Annotated[list[StepText], BeforeValidator(_listed)]
Records = Annotated[list[Recorded], Field(min_length=1), BeforeValidator(_listed)]
Count = Annotated[int, Field(ge=0)]


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


def _menu(expected: list[str], rig: Rig, seen: Observation) -> list[str]:
    """An expected act stands for all offers of it; with an argument for that one only."""
    open_now = [offer for entry in rig.table.desk.entries for offer in entry.offers]
    offers = [one for one in open_now or rig.machine.offers() if not one.unavailable]
    found = {one.act if one.act in expected else f"{one.act} {one.argument}".rstrip(): None for one in offers}
    return expected if sorted(expected) == sorted(found) else list(found)


def _refused(expected: str, rig: Rig, seen: Observation) -> str:
    codes = [str(one.get("why") or one["waiting_for"]) for one in seen.of("refused")]
    return codes[-1] if codes else NONE


def _recorded(expected: list[Recorded], rig: Rig, seen: Observation) -> object:
    """Of what is missing, the same fields of what is on record of its kind."""
    missing = [part for part in expected if not seen.matching(part)]
    fields = [({"kind": part.kind, **part.wanted}, thing) for part in missing for thing in seen.of(part.kind)]
    return [{key: thing.get(key) for key in wanted} for wanted, thing in fields] if missing else expected


def _not_recorded(expected: list[Recorded], rig: Rig, seen: Observation) -> object:
    return [thing for part in expected for thing in seen.matching(part)] or expected


_EXPECTATIONS: dict[str, tuple[Any, Callable[[Any, Rig, Observation], object]]] = {
    "state": (Name, lambda expected, rig, seen: str(rig.state.value)),
    "round": (Count, lambda expected, rig, seen: rig.machine.round),
    "lit": (list[Name], lambda expected, rig, seen: expected if {*expected} == rig.lit() else sorted(rig.lit())),
    "instruction": (StepText, lambda expected, rig, seen: rig.machine.instruction().code),
    "prompt": (StepText, lambda expected, rig, seen: rig.prompt.text.code or NONE),
    "menu": (Codes, _menu),
    "refused": (StepText, _refused),
    "alerts": (Codes, lambda expected, rig, seen: [one["text"] for one in seen.of("alert")]),
    "recorded": (Records, _recorded),
    "not_recorded": (Records, _not_recorded),
    "beeps_at_least": (Count, lambda expected, rig, seen: min(expected, rig.world.sounder.beeps - seen.beeps)),
}
"""What can be expected, and what is found in its place: the same if it is so."""


class _Expected(Part):
    """What is expected at this moment. Refusals, alerts and records are those since the expectation before."""

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("nothing is expected; write at least one of: " + ", ".join(_EXPECTATIONS))
        return self


_KINDS: dict[str, Any] = {key: (kind | None, None) for key, (kind, _) in _EXPECTATIONS.items()}
Expect: Any = create_model("Expect", __base__=_Expected, **_KINDS)


def differences(expect: Any, rig: Rig, seen: Observation) -> dict[str, tuple[object, object]]:
    """What does not agree, by key: what is expected, and what is found, as plain data."""
    plain_data, differ = expect.model_dump(mode="json", exclude_unset=True), {}
    for key, (_, find) in _EXPECTATIONS.items():
        if key in plain_data:
            found = find(getattr(expect, key), rig, seen)
            if found != getattr(expect, key):
                differ[key] = (plain_data[key], found)
    return differ


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
