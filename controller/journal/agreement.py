"""Whether this software decides an entry of another version as that did. Words may differ; what binds may not."""

import json
from collections.abc import Iterable

from controller.events.effect import (
    Bonus,
    Effect,
    InspectionLogged,
    Light,
    Result,
    RoundOpened,
    Void,
    WagersReturned,
)
from controller.events.record import Record
from controller.events.text import text_of
from controller.journal.chain import Entry
from controller.journal.record import plain
from controller.journal.versions import STARTS
from controller.statechart.machine import Decision


def disagreement(entry: Entry, record: Record, decision: Decision) -> str:
    """How a decision that comes to the recorded state differs from the record otherwise; empty if it does not."""
    if record.outcome != decision.outcome.value:
        return f": the record says '{record.outcome}', this software comes to '{decision.outcome.value}'"
    if _binding(record.effects) != _binding(decision.effects):
        said, found = (_told(effects) for effects in (record.effects, decision.effects))
        return f": the record says {said}, this software comes to {found}"
    return _unread(entry, record)


def _unread(entry: Entry, record: Record) -> str:
    """What an event says that this version does not read, and may have been decided by."""
    if entry.kind in STARTS:  # A start says which software runs; nothing else is decided by it.
        return ""
    said, read = json.loads(entry.body)["fact"], plain(record)["fact"]
    unread = sorted(said.keys() - read.keys()) if isinstance(read, dict) else []
    return f": it says {', '.join(unread)}, which this version does not read" if unread else ""


def _told(effects: Iterable[Effect]) -> str:
    words = "; ".join(text_of(effect) for effect in effects if _bound(effect) is not None)
    return f"'{words}'" if words else "nothing"


def _binding(effects: Iterable[Effect]) -> list[object]:
    """What effects mean for players and wagers, in order: neither words nor how long a timer runs."""
    return [binding for effect in effects if (binding := _bound(effect)) is not None]


def _bound(effect: Effect) -> object:
    match effect:
        case Light():
            return effect.kind, frozenset(effect.areas)
        case Result():
            return effect.kind, effect.wins, effect.decided
        case Bonus():
            return effect.kind, effect.multiplier
        case Void() | WagersReturned():
            return effect.kind, effect.reason
        case RoundOpened() | InspectionLogged():
            return effect
        case _:
            return None
