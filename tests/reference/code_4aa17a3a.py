# mypy: ignore-errors
"""The code of 4aa17a3a at scripted devices, and what it decides as outcomes (:mod:`reference.rounds_data`).

Its imports are those of that commit. :mod:`reference.record_rounds` uses it for ever; :mod:`reference.play_rounds`,
until other code starts a table otherwise or puts something else on record: then that gets a module like this one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from unittest.mock import patch

from controller.access.authentication import Authentication

from config.loader import load_text
from controller.journal.journal import Journal
from controller.runtime import assembly
from controller.runtime.clock_watch import ClockWatch, newest_on_record
from controller.runtime.origin import Origin
from controller.runtime.table_clock import TableClock
from controller.screens.limit_proposals import _proposal
from controller.table.devices import Devices
from hal.wall_time import SetBy

_DIGEST = "0" * 64
_LOCKED = ("locked", "malfunction", "closed")
_ALERTS = {
    "have reached their age": "too-old",
    "must be changed soon": "old",
    "the age of .* is not certain": "age-uncertain",
    "the clock was set back": "age-unknown",
    "the clock may be wrong": "clock-doubtful",
    "no cover card seen": "no-cover-card",
    "by the count .* are left": "few-cards",
    "no more bets was taken back": "wagers-open-again",
    "no more bets was called late": "late-call",
    ".* was made void by": "made-void",
    "the result is disputed": "disputed",
    "the reader names": "reader-otherwise",
    "trial spin": "trial-refused",
    "inspection not passed": "inspection-refused",
    "the spin is void": "touched",
    "the record says": "runs-on",
    "no spin: ": "untimely",
    "the ball was thrown again": "thrown-again",
    "table locked": "locked",
    "table closed": "closed",
    "malfunction": "malfunction",
}
"""By words of an alert, its code; others are reports of a device."""
_OUTCOMES = {
    "floor-key-turned": ("person", "by"),
    "identified": ("person", "number"),
    "identity-refused": ("person", "number", "failures"),
    "dealer-logged-on": ("dealer", "number"),
    "limits-announced": ("limits", "minimum", "maximum", "payout"),
    "limits-in-effect": ("limits", "minimum", "maximum", "payout"),
    "limits-withdrawn": ("limits",),
}
"""Events that are outcomes, with their names: the kind of outcome, and what of the event follows."""
_EFFECTS = {
    "bonus": ("bonus", "label", "multiplier"),
    "void": ("void", "reason"),
    "wagers-returned": ("returned", "reason"),
    "round-opened": ("round", "number"),
}
"""The same of effects, without their names."""
_CODES = {
    "timer-elapsed": ("timer",),
    "key-stuck": ("control",),
    "sensor-health": ("sensor", "health"),
    "tamper-opened": ("contact", "noticed"),
    "tamper-closed": ("contact",),
}
"""What belongs to an event's code."""


def config_of(table: str):
    """A table's file."""
    return load_text(table.encode(), "table")


class Code:
    """One table through all its starts.

    Args:
        people: PINs by credential number; None for a table that asks nobody.
        emit: takes the outcomes: what, and parameters.
    """

    def __init__(self, config, people: Mapping[str, str] | None, session_s: int, clock, emit: Callable) -> None:
        self.config = config.model_copy(update={"credentials": None})
        self.table = None
        self.listeners = []
        self.journal = Journal(None)
        self.set_by = "network"
        self._people, self._session_ns = people, session_s * 1_000_000_000
        self._clock = TableClock(clock, lambda: SetBy(self.set_by))
        self._emit = emit
        self._state = self._cause = self._why = ""
        self._lit: frozenset[str] = frozenset()

    def start(self, at) -> None:
        """Switch on, at the devices of a scripted table."""
        self._lit = frozenset()
        self._clock.begin(newest_on_record(self.journal))
        people = self._people or {}  # Without the cost of hashes.
        known = SimpleNamespace(knows=people.__contains__, verify=lambda number, pin: people.get(number) == pin)
        acts = Authentication(known if people else None, self._session_ns)
        sections = self.config.devices
        devices = Devices(
            *(at.switches, at.panel, at.sounder, at.keys),
            head=at.head if sections.head is not None or sections.rotor is not None else None,
            reader=at.reader if sections.reader is not None else None,
            tamper=at.contacts if sections.tamper is not None else None,
        )
        with patch.object(assembly, "open_devices", lambda config, clock: devices):
            origin, clock = Origin(_DIGEST, _DIGEST), self._clock
            self.table = assembly.build(self.config, origin, clock, self.journal, acts, computer=at)
        self.table.listeners.extend([self._decided, *self.listeners])
        self.table.start()
        self._watch = ClockWatch(self._clock, self.table.take)
        if not self.table.halted:
            self._watch.start()

    def stop(self) -> None:
        """The power is cut."""
        self._watch.close()
        self.table.stop()

    def close(self) -> None:
        """Nothing is to be done with the table any more."""
        self.journal.close()

    def limits(self, body: Mapping[str, object]) -> None:
        """What a request at the table's own computer does."""
        sign = self.table.sign
        try:
            if body.get("file"):
                sign.propose_file()
            else:
                sign.propose(_proposal(body, self.table.table_state.limits))
        except ValueError:
            self._emit("limits", "refused")
        else:
            self._emit("limits", "asked")

    def lamps(self, areas: frozenset[str]) -> None:
        """The panel is set."""
        if areas != self._lit:
            self._lit = areas
            self._emit("lamps", sorted(areas))

    def _decided(self, recorded) -> None:
        record, event = recorded.record, recorded.record.event
        if event.kind in _OUTCOMES:
            what, *names = _OUTCOMES[event.kind]
            self._emit(what, event.kind, *(getattr(event, name) for name in names))
        corrected = any("was corrected to" in getattr(one, "text", "") for one in record.effects)
        for effect in record.effects:
            for outcome in _of_effect(effect, event, corrected):
                self._emit(*outcome)
        cause = getattr(self.table.machine.data, "cause", "")
        if cause != self._cause:
            self._cause, self._why = cause, _code(event) if cause else ""
        if record.state != self._state:
            self._state = record.state
            if self._why and record.state in _LOCKED:
                self._emit("lock", self._why)
            self._emit("state", record.state)
        if record.outcome == "failed":
            self._emit("failed")


def _of_effect(effect, event, corrected: bool) -> Iterator[tuple[object, ...]]:
    if effect.kind == "result":
        named = effect.label.partition(",")[0]
        yield ("result", named, "corrected") if corrected else ("result", named)
        yield "wins", {win.area: win.pays for win in sorted(effect.wins, key=lambda win: win.area)}
        if effect.decided:
            yield "wins", "decided", sorted(effect.decided)
    elif effect.kind in _EFFECTS:
        what, *names = _EFFECTS[effect.kind]
        yield what, *(getattr(effect, name) for name in names)
    elif effect.kind == "inspection-logged":
        refused = "refused" if effect.refused else ""
        yield "inspection", len(effect.work), effect.inspected, effect.credential, effect.witness, refused
    elif effect.kind == "alert":
        code = next((code for words, code in _ALERTS.items() if re.search(words, effect.text)), "device")
        yield "alert", code, _code(event)
    elif effect.kind == "refused":
        yield "refused", "digit" if effect.control.isdecimal() else effect.control


def _code(event) -> str:
    """What happened, by names alone."""
    params = [getattr(event, name) for name in _CODES.get(event.kind, ())]
    words = [str(getattr(one, "value", one)) for one in params]
    if event.kind == "press":
        words = ["digit" if event.control.isdecimal() else event.control]
    elif event.kind == "supply-voltage":
        words = ["low" if event.low else "earlier" if event.earlier else "in-order"]
    elif event.kind == "panel-fault":
        words = ["dark", *event.dark, "burning", *event.burning, *(["no-answer"] if event.detail else [])]
    elif (fault := getattr(event, "fault", None)) is not None:
        words = [fault.sensor, fault.health.value]
    return " ".join((event.kind, *words))
