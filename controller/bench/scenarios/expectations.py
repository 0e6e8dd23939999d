"""Compares a scenario's expectations with the table. Used by :mod:`controller.bench.scenarios.script`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from controller.bench.rig import Rig
from controller.bench.scenarios.steps import ExpectStep
from controller.events.record import Record
from controller.journal.record import plain
from controller.tracking.clapper_wheel.wheel import WheelTracker


@dataclass(slots=True)
class Observation:
    """What a scenario has observed of the table."""

    last: dict[str, object] = field(default_factory=dict)
    """The last event or effect of each kind, as plain data."""
    beeps: int = 0
    """Sounds up to the last expectation."""

    def keep(self, record: Record) -> None:
        """Keep the events and effects of a decision."""
        body = plain(record)
        effects = body["effects"]
        assert isinstance(effects, list)
        for thing in (body["fact"], *effects):
            assert isinstance(thing, dict)
            self.last[str(thing["kind"])] = thing


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expectation that does not hold.

    Attributes:
        key: its key in ``expect``.
    """

    key: str
    expected: object
    found: object
    words: str


def differences(expect: ExpectStep, rig: Rig, seen: Observation) -> list[Mismatch]:
    """Every difference between expected and found, by key."""
    return [found for key in _in_order(expect) for found in _CHECKS[key](expect, rig, seen)]


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


def _in_order(expect: ExpectStep) -> list[str]:
    return [key for key in _CHECKS if key in expect.model_fields_set]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


def _plainly(key: str, expected: object, found: object, more: str = "") -> Iterator[Mismatch]:
    if expected != found:
        words = f"expected {key} {_text(expected)}, found {_text(found)}"
        yield Mismatch(key, expected, found, words + (f" ({more})" if more else ""))


def _state(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    return _plainly("state", expect.state, str(rig.state.value), rig.waiting_for)


def _round(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    return _plainly("round", expect.round, int(rig.machine.round))


def _located(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    tracker = rig.table.tracker
    return _plainly("located", expect.located, isinstance(tracker, WheelTracker) and tracker.located)


def _lit(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    expected, found = sorted(set(expect.lit or ())), sorted(rig.lit())
    if expected != found:
        yield Mismatch("lit", expected, found, f"expected lit {_list(expected)}, found {_list(found)}")


def _dark(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    found = sorted(rig.lit())
    if expect.dark is bool(found):
        expected = "a dark panel" if expect.dark else "a light on the panel"
        yield Mismatch("dark", expect.dark, not found, f"expected {expected}, found {_list(found)}")


def _waiting_for(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    expected, found = expect.waiting_for or "", rig.waiting_for
    if expected not in found:
        words = f"expected the table to wait for '{expected}', found '{found}'"
        yield Mismatch("waiting_for", expected, found, words)


def _last(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    last = expect.last
    assert last is not None
    found = seen.last.get(last.kind)
    expected = {"kind": last.kind, **(last.model_extra or {})}
    if not isinstance(found, Mapping):
        yield Mismatch("last", expected, None, f"expected {last.kind} on record, found none")
    elif not agrees(expected, found):
        wrong = [key for key, value in expected.items() if not agrees(value, found[key])]
        words = [f"{key} {_text(expected[key])}, found {_text(found[key])}" for key in wrong]
        yield Mismatch("last", expected, dict(found), f"expected the last {last.kind} with {'; '.join(words)}")


def _beeps(expect: ExpectStep, rig: Rig, seen: Observation) -> Iterator[Mismatch]:
    expected, found = expect.beeps_at_least, rig.world.sounder.beeps - seen.beeps
    if expected is not None and found < expected:
        words = f"expected the buzzer at least {expected} times, found {found}"
        yield Mismatch("beeps_at_least", expected, found, words)


def _list(areas: list[str]) -> str:
    return ", ".join(areas) or "no light"


_CHECKS: dict[str, Callable[[ExpectStep, Rig, Observation], Iterator[Mismatch]]] = {
    "state": _state,
    "lit": _lit,
    "dark": _dark,
    "round": _round,
    "waiting_for": _waiting_for,
    "last": _last,
    "located": _located,
    "beeps_at_least": _beeps,
}
