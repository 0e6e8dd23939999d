"""Entries of the journal in plain words, a line each."""

from controller.effects import (
    Alert,
    Bonus,
    Effect,
    Light,
    Note,
    Refused,
    Result,
    RoundOpened,
    Void,
    WagersReturned,
)
from controller.facts import (
    Fact,
    PanelFault,
    PowerRestored,
    Press,
    RevolutionCompleted,
    SensorHealth,
    TableStarted,
    TimerElapsed,
    WheelRested,
    WheelThrown,
)
from controller.records.journal import Entry
from controller.records.record import Record


def entry_line(entry: Entry, record: Record) -> str:
    """An entry: number, wall time, what happened, what was decided, and the state after it."""
    decided = "; ".join(filter(None, map(effect_words, record.effects)))
    arrow = f" → {decided}" if decided else ""
    return f"{entry.seq:>7}  {entry.utc}  {fact_words(record.fact)}{arrow}  [{record.state}]"


def fact_words(fact: Fact) -> str:
    """What happened."""
    if isinstance(fact, Press):
        return f"{fact.control} pressed"
    if isinstance(fact, WheelThrown):
        return f"wheel turned {fact.direction.value}"
    if isinstance(fact, RevolutionCompleted):
        return f"revolution {fact.number}"
    if isinstance(fact, WheelRested):
        return f"wheel at rest after {fact.travel_counts / fact.counts_per_turn:.2f} revolutions"
    if isinstance(fact, SensorHealth):
        return f"{fact.sensor} {fact.health.value}" + (f": {fact.detail}" if fact.detail else "")
    if isinstance(fact, PanelFault):
        return f"panel read-back: dark {list(fact.dark)}, burning {list(fact.burning)}"
    if isinstance(fact, TableStarted | PowerRestored):
        return f"{fact.kind.replace('-', ' ')}, version {fact.version}, configuration {fact.configuration[:12]}"
    if isinstance(fact, TimerElapsed):
        return f"timer {fact.timer}"
    return fact.kind.replace("-", " ")


def effect_words(effect: Effect) -> str:
    """What was decided; empty for what is of no interest to people."""
    if isinstance(effect, Result):
        won = ", ".join(f"{win.area} ({win.pays})" for win in effect.wins)
        return f"result {effect.label}: {won or 'no area wins'}"
    if isinstance(effect, Void):
        return f"void: {effect.reason} ({effect.detail})"
    if isinstance(effect, Bonus):
        return f"bonus {effect.label}: pays {effect.multiplier} times"
    if isinstance(effect, Light):
        return f"lit: {', '.join(effect.areas)}" if effect.areas else "dark"
    if isinstance(effect, WagersReturned):
        return f"wagers returned: {effect.reason}"
    if isinstance(effect, RoundOpened):
        return f"round {effect.number} opens"
    if isinstance(effect, Note):
        return effect.text
    if isinstance(effect, Alert):
        return f"alert: {effect.text}" + (f" ({effect.remedy})" if effect.remedy else "")
    if isinstance(effect, Refused):
        return f"refused, the table waits: {effect.waiting_for}"
    return ""
