"""Compares a recorded decision with this software's: texts may differ, results and wagers may not."""

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
from controller.journal.chain import Entry
from controller.journal.record import plain
from controller.journal.text import quoted
from controller.journal.versions import STARTS
from controller.statechart.machine import Decision


def disagreement(entry: Entry, record: Record, decision: Decision) -> str:
    """How a decision differs from the record, the state apart; empty if it does not."""
    if record.outcome != decision.outcome.value:
        return f": the record says '{record.outcome}', this software comes to '{decision.outcome.value}'"
    if _binding(record.effects) != _binding(decision.effects):
        recorded, decided = (
            quoted(effect for effect in effects if _binding_part(effect) is not None)
            for effects in (record.effects, decision.effects)
        )
        return f": the record says {recorded}, this software comes to {decided}"
    return _unknown_fields(entry, record)


def _unknown_fields(entry: Entry, record: Record) -> str:
    """The event's fields that this version does not know; the other version may have used them to decide."""
    if entry.kind in STARTS:  # A start names the software; no decision depends on its fields.
        return ""
    recorded, known = json.loads(entry.body)["fact"], plain(record)["fact"]
    unknown = sorted(recorded.keys() - known.keys()) if isinstance(known, dict) else []
    return f": it says {', '.join(unknown)}, which this version does not read" if unknown else ""


def _binding(effects: Iterable[Effect]) -> list[object]:
    """What effects mean for players and wagers, in order."""
    return [part for effect in effects if (part := _binding_part(effect)) is not None]


def _binding_part(effect: Effect) -> object:
    """The fields of an effect that players and wagers depend on; None for none, as of texts and timers."""
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
